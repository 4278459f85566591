package run_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"nod/client/clienttest"
	"nod/descriptor"
	"nod/queue"
	"nod/run"
)

// TestMain makes the test binary the product's run command, so that a test has
// it as a process that can be signalled and killed.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "run" {
		os.Exit(runCommand(os.Args[2:]))
	}
	if len(os.Args) > 1 && os.Args[1] == "refund" {
		os.Exit(refundCommand(os.Args[2:]))
	}
	os.Exit(m.Run())
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// settings are the queue's in every process of a test: leases short enough to
// run out in one.
func settings(tools *descriptor.Set) queue.Settings {
	return queue.Settings{WaiterMS: 2000, LeaseMS: 1500, Descriptors: tools}
}

// readTools reads the descriptors that a test gave its processes.
func readTools(name string) (*descriptor.Set, error) {
	raw, err := os.ReadFile(name)
	if err != nil || len(raw) == 0 {
		return nil, err
	}
	var tools []descriptor.Tool
	if err := json.Unmarshal(raw, &tools); err != nil {
		return nil, err
	}
	return descriptor.Compile(tools)
}

func runCommand(args []string) int {
	flags := flag.NewFlagSet("run", flag.ContinueOnError)
	store := flags.String("store", "", "")
	session := flags.String("session", "", "")
	tools := flags.String("tools", os.DevNull, "")
	key := flags.String("effect-key", "", "")
	look := flags.String("observe", "", "")
	if flags.Parse(args) != nil {
		return 2
	}
	ctx := context.Background()
	set, err := readTools(*tools)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	port, closer, err := clienttest.Open(ctx, *store, clienttest.Options{Settings: settings(set), Way: queue.WayRun})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	d := run.Deps{
		Port: port, Session: *session, NewID: newID, Dir: dir, Environ: os.Environ(), Vars: run.DefaultVars(), Tools: set,
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
	}
	if *key != "" {
		d.Effect = &queue.Effect{ID: fmt.Appendf(nil, "%q", *key)}
	}
	if *look != "" {
		d.Observers = []string{*look}
	}
	exit := run.Run(ctx, d, flags.Args())
	_ = closer() // everything is on disk
	return exit
}

// desk is a queue, a directory to work in, and commands held by the one.
type desk struct {
	*clienttest.Queue
	dir   string
	tools string // the file of descriptors that commands are given
	flags []string
}

func newDesk(t *testing.T, tools ...descriptor.Tool) *desk {
	t.Helper()
	raw, err := json.Marshal(tools, json.FormatNilSliceAsNull(true), json.FormatNilMapAsNull(true))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "tools.json")
	if err := os.WriteFile(name, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	set, err := readTools(name)
	if err != nil {
		t.Fatal(err)
	}
	return &desk{Queue: clienttest.New(t, clienttest.Options{Settings: settings(set)}), dir: t.TempDir(), tools: name}
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
	h := &held{cmd: exec.Command(self, slices.Concat([]string{"run", "--store", d.Path, "--session", session, "--tools", d.tools}, d.flags, []string{"--"}, argv)...)}
	h.cmd.WaitDelay = time.Second // what outlives a killed run keeps its stdout
	h.cmd.Dir, h.cmd.Stdout, h.cmd.Stderr = d.dir, &h.out, &h.err
	h.cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH=/nowhere", "SECRET=hidden", "LANG=C.UTF-8", "TZ=UTC", "TMPDIR="+filepath.Dir(d.tools)) // one a test: it stands on the card
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
