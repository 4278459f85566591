//go:build unix

package claudetest

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// installScript installs the pinned version into the user's cache directory;
// it answers in milliseconds when it is there.
//
//go:embed install.sh
var installScript string

// Claude is an installed Claude Code.
type Claude struct {
	Path    string
	Version string // such as "2.1.332"
}

// Find returns the Claude Code that NOD_TEST_CLAUDE names, else the pinned one
// from the cache directory; where CI is set it is installed on first use.
// Without one the test fails where CI is set and is skipped elsewhere; with
// -short it is skipped.
func Find(t testing.TB) Claude {
	t.Helper()
	if testing.Short() {
		t.Skip("claude code sessions do not run with -short")
	}
	c, err := find(t.Context(), os.Getenv("NOD_TEST_CLAUDE"))
	if err != nil {
		absent(t, os.Getenv("CI"), err)
	}
	return c
}

func inCI(ci string) bool { return ci != "" && ci != "false" && ci != "0" }

// absent ends a test that has no Claude Code.
func absent(t testing.TB, ci string, err error) {
	t.Helper()
	if inCI(ci) {
		t.Fatalf("claude code is required in CI: %v", err)
	}
	t.Skipf("no claude code: %v (or set NOD_TEST_CLAUDE to a claude binary)", err)
}

func find(ctx context.Context, path string) (Claude, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	if path == "" {
		install := exec.CommandContext(ctx, "sh", "-s")
		install.Stdin = strings.NewReader(installScript)
		if !inCI(os.Getenv("CI")) {
			install.Env = append(os.Environ(), "NOD_TEST_LOOK=1")
		}
		var complaint strings.Builder
		install.Stderr = &complaint
		out, err := install.Output()
		if err != nil {
			return Claude{}, fmt.Errorf("look for the pinned version: %w: %s", err, lastLine(complaint.String()))
		}
		path = lastLine(string(out))
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return Claude{}, fmt.Errorf("find claude: %w", err)
	}
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return Claude{}, fmt.Errorf("ask %s for its version: %w", path, err)
	}
	version, _, ok := strings.Cut(strings.TrimSpace(string(out)), " (Claude Code)")
	if !ok {
		return Claude{}, fmt.Errorf("%s is not claude code: it says %q", path, out)
	}
	return Claude{Path: path, Version: version}, nil
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}
