//go:build unix

package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/creack/pty"
)

const exe = ""

// ttyMain is `tty [-size WxH] [-ahead TEXT] [-wait TEXT | -send TEXT | -rest MS]… -- PROGRAM ARG…`:
// it runs the program on a pseudo-terminal of its own, which has room for a
// whole card when no size is given, does the steps in order,
// prints all that the program wrote and exits with its status. TEXT may hold
// Go's escapes. Text -ahead is in the terminal's input before the program runs.
func ttyMain() {
	code, err := onTTY(os.Args[1:])
	if err != nil {
		os.Exit(failed(err))
	}
	os.Exit(code)
}

type step struct{ kind, text string }

func parseSteps(args []string) ([]step, []string, error) {
	var steps []step
	for len(args) > 0 && args[0] != "--" {
		if len(args) < 2 {
			return nil, nil, errors.New("tty: a step without its text")
		}
		text, err := strconv.Unquote(`"` + strings.ReplaceAll(args[1], `"`, `\"`) + `"`)
		if err != nil {
			return nil, nil, fmt.Errorf("tty: %q: %w", args[1], err)
		}
		steps = append(steps, step{args[0], text})
		args = args[2:]
	}
	if len(args) < 2 {
		return nil, nil, errors.New("tty: no program after --")
	}
	return steps, args[1:], nil
}

// written collects what a program writes to its terminal.
type written struct {
	mu   sync.Mutex
	all  bytes.Buffer
	seen int // what an earlier wait has read past
}

func (w *written) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all.Write(p)
}

func (w *written) next(text string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := bytes.Index(w.all.Bytes()[w.seen:], []byte(text))
	if at < 0 {
		return false
	}
	w.seen += at + len(text)
	return true
}

func onTTY(args []string) (int, error) {
	steps, argv, err := parseSteps(args)
	if err != nil {
		return 0, err
	}
	ptmx, tty, err := pty.Open()
	if err != nil {
		return 0, err
	}
	size := pty.Winsize{Cols: 160, Rows: 60}
	for _, s := range steps {
		if s.kind == "-size" {
			if _, err := fmt.Sscanf(s.text, "%dx%d", &size.Cols, &size.Rows); err != nil {
				return 0, fmt.Errorf("tty: %s is no size: %w", s.text, err)
			}
		}
	}
	if err := pty.Setsize(ptmx, &size); err != nil {
		return 0, err
	}
	for _, s := range steps {
		if s.kind == "-ahead" {
			if _, err := ptmx.WriteString(s.text); err != nil {
				return 0, err
			}
		}
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	if err := tty.Close(); err != nil {
		return 0, err
	}
	var out written
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(&out, ptmx) // ends when the program's side closes
	}()
	stepErr := doSteps(steps, ptmx, &out)
	if stepErr != nil {
		_ = cmd.Process.Kill()
	}
	code, err := status(cmd, cmd.Wait())
	select {
	case <-read:
	case <-time.After(5 * time.Second): // a child of it may hold the terminal
	}
	out.mu.Lock()
	defer out.mu.Unlock()
	_, _ = os.Stdout.WriteString(strings.ReplaceAll(out.all.String(), "\r\n", "\n"))
	return code, errors.Join(stepErr, err)
}

func doSteps(steps []step, ptmx *os.File, out *written) error {
	for _, s := range steps {
		switch s.kind {
		case "-ahead", "-size":
		case "-send":
			if _, err := ptmx.WriteString(s.text); err != nil {
				return err
			}
		case "-wait":
			if !eventually(func() bool { return out.next(s.text) }) {
				return fmt.Errorf("tty: %q did not come", s.text)
			}
		case "-rest":
			ms, err := strconv.Atoi(s.text)
			if err != nil {
				return err
			}
			time.Sleep(time.Duration(ms) * time.Millisecond)
		default:
			return fmt.Errorf("tty: no step %s", s.kind)
		}
	}
	return nil
}
