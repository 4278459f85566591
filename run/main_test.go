package run_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"

	"nod/client/clienttest"
	"nod/queue"
	"nod/run"
)

// TestMain makes the test binary the product's run command, so that a test has
// it as a process that can be signalled and killed.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "run" {
		os.Exit(runCommand(os.Args[2:]))
	}
	os.Exit(m.Run())
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// settings are the queue's in every process of a test: leases short enough to
// run out in one.
func settings() queue.Settings { return queue.Settings{WaiterMS: 2000, LeaseMS: 1500} }

func runCommand(args []string) int {
	flags := flag.NewFlagSet("run", flag.ContinueOnError)
	store := flags.String("store", "", "")
	session := flags.String("session", "", "")
	if flags.Parse(args) != nil {
		return 2
	}
	ctx := context.Background()
	port, closer, err := clienttest.Open(ctx, *store, clienttest.Options{Settings: settings()})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	exit := run.Run(ctx, run.Deps{
		Port: port, Session: *session, NewID: newID, Dir: dir, Environ: os.Environ(), Vars: run.DefaultVars(),
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
	}, flags.Args())
	_ = closer() // everything is on disk
	return exit
}

// desk is a queue, a directory to work in, and commands held by the one.
type desk struct {
	*clienttest.Queue
	dir string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	return &desk{clienttest.New(t, clienttest.Options{Settings: settings()}), t.TempDir()}
}

func (d *desk) file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(d.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func (d *desk) exists(name string) bool {
	_, err := os.Stat(filepath.Join(d.dir, name))
	return err == nil
}

func (d *desk) read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(d.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// held is a `nod run` that was started.
type held struct {
	cmd      *exec.Cmd
	out, err bytes.Buffer
}

func (d *desk) start(t *testing.T, session string, argv ...string) *held {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h := &held{cmd: exec.Command(self, append([]string{"run", "--store", d.Path, "--session", session, "--"}, argv...)...)}
	h.cmd.WaitDelay = time.Second // what outlives a killed run keeps its stdout
	h.cmd.Dir, h.cmd.Stdout, h.cmd.Stderr = d.dir, &h.out, &h.err
	h.cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH=/nowhere", "SECRET=hidden", "LANG=C.UTF-8", "TZ=UTC")
	return h
}

func (h *held) begin(t *testing.T) {
	t.Helper()
	if err := h.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.cmd.Process.Kill() })
}

func (h *held) wait(t *testing.T) int {
	t.Helper()
	_ = h.cmd.Wait() // the exit status is looked at
	return h.cmd.ProcessState.ExitCode()
}
