package cli_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain builds the program once, puts it in front of PATH, and makes the
// test binary the commands that scripts need besides it.
func TestMain(m *testing.M) {
	testscript.Main(suite{m}, map[string]func(){"code": codeMain, "tty": ttyMain, "leasttea": leastTea})
}

type suite struct{ *testing.M }

// Run implements testscript.TestingM.
func (s suite) Run() int {
	dir, err := os.MkdirTemp("", "nod-cli-")
	if err != nil {
		return failed(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.Chmod(dir, 0o755); err != nil { // another user starts it too
		return failed(err)
	}
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-X main.version=1.2.3-test", "-o", filepath.Join(dir, "nod"+exe), "nod")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return failed(fmt.Errorf("build nod: %w\n%s", err, out))
	}
	if err := os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH")); err != nil {
		return failed(err)
	}
	// Most tests wait for processes; -parallel still wins.
	if err := flag.Set("test.parallel", "8"); err != nil {
		return failed(err)
	}
	return s.M.Run()
}

func failed(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}
