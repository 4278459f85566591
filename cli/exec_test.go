package cli_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"syscall"
	"time"
)

// patience is how long a test waits for another process on a busy machine.
const patience = 30 * time.Second

func eventually(ok func() bool) bool {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if ok() {
			return true
		}
	}
	return ok()
}

// codeMain is `code N PROGRAM ARG…`: it runs the program on its own streams,
// hands signals on, and succeeds when the program exits with N. Scripts use it
// because `! exec` takes any failure for the right one.
func codeMain() {
	if len(os.Args) < 3 {
		os.Exit(failed(errors.New("usage: code N PROGRAM ARG…")))
	}
	want, err := strconv.Atoi(os.Args[1])
	if err != nil {
		os.Exit(failed(err))
	}
	cmd := exec.Command(os.Args[2], os.Args[3:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	got, err := runPassing(cmd)
	if err != nil {
		os.Exit(failed(err))
	}
	if got != want {
		os.Exit(failed(fmt.Errorf("code: exit status %d, want %d", got, want)))
	}
	os.Exit(0)
}

// runPassing runs cmd to its end and hands an interrupt on to it.
func runPassing(cmd *exec.Cmd) (int, error) {
	sigs := make(chan os.Signal, 4)
	signal.Notify(sigs, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(sigs)
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	stuck := time.After(2 * patience)
	for {
		select {
		case s := <-sigs:
			_ = cmd.Process.Signal(s) // it may have ended just now
		case err := <-done:
			return status(cmd, err)
		case <-stuck:
			return 0, errors.Join(errors.New("code: the program does not end"), cmd.Process.Kill())
		}
	}
}

func status(cmd *exec.Cmd, err error) (int, error) {
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		return 0, err
	}
	return cmd.ProcessState.ExitCode(), nil
}
