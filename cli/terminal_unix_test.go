//go:build unix

package cli_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// terminal is the far end of a pty with the real program in it: it keeps every
// byte that the program writes, draws them, and answers what a terminal
// answers, the cursor's place above all.
type terminal struct {
	t    testing.TB
	cmd  *exec.Cmd
	ptmx *os.File
	mu   sync.Mutex
	raw  bytes.Buffer
	emu  *vt.Emulator
	last time.Time     // of the newest bytes
	done chan struct{} // the program has ended
	read chan struct{} // and all that it wrote is here
	end  error
}

// console is a store and the flags that name it.
func (s *site) console(t testing.TB, w, h int, env ...string) *terminal {
	t.Helper()
	return onTerminal(t, w, h, env, "nod", s.flags()...)
}

// onTerminal starts a program on a pty of w columns and h rows. env is added
// to what every console here gets.
func onTerminal(t testing.TB, w, h int, env []string, name string, args ...string) *terminal {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, args...)
	cmd.Env = append([]string{"TERM=xterm-256color", "TZ=UTC", "LANG=C.UTF-8", "HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}, env...)
	ptmx, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)})
	if err != nil {
		t.Fatal(err)
	}
	s := &terminal{t: t, cmd: cmd, ptmx: ptmx, emu: vt.NewEmulator(w, h), done: make(chan struct{}), read: make(chan struct{})}
	go s.follow()
	go s.answer()
	go func() {
		s.end = cmd.Wait()
		close(s.done)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-s.done
		if in, ok := s.emu.InputPipe().(io.Closer); ok { // Close of the emulator itself races with its Read
			_ = in.Close()
		}
		_ = ptmx.Close()
	})
	return s
}

func (s *terminal) follow() {
	defer close(s.read)
	buf := make([]byte, 32<<10)
	for {
		n, err := s.ptmx.Read(buf)
		if err != nil {
			return
		}
		s.mu.Lock()
		s.raw.Write(buf[:n])
		s.last = time.Now()
		_, _ = s.emu.Write(buf[:n]) // an emulator's write does not fail
		s.mu.Unlock()
	}
}

func (s *terminal) answer() {
	buf := make([]byte, 1024)
	for {
		n, err := s.emu.Read(buf)
		if err != nil {
			return
		}
		if _, err := s.ptmx.Write(buf[:n]); err != nil {
			return
		}
	}
}

func (s *terminal) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.emu.String()
}

func (s *terminal) written() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.raw.String()
}

// until waits for a text on the screen.
func (s *terminal) until(want string) {
	s.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(3 * time.Millisecond) {
		if strings.Contains(s.text(), want) {
			return
		}
	}
	s.t.Fatalf("%q does not come:\n%s", want, s.text())
}

// still waits until nothing was written for a while.
func (s *terminal) still(while time.Duration) {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(3 * time.Millisecond) {
		s.mu.Lock()
		quiet := time.Since(s.last) > while
		s.mu.Unlock()
		if quiet {
			return
		}
	}
}

func (s *terminal) press(keys string) {
	s.t.Helper()
	if _, err := s.ptmx.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// slowly types as a person does.
func (s *terminal) slowly(keys string) {
	s.t.Helper()
	for _, c := range keys {
		time.Sleep(120 * time.Millisecond)
		s.press(string(c))
	}
}

// rest is longer than the gate wants to see no key.
func (s *terminal) rest() { time.Sleep(600 * time.Millisecond) }

func (s *terminal) resize(w, h int) {
	s.t.Helper()
	s.mu.Lock()
	s.emu.Resize(w, h)
	s.mu.Unlock()
	if err := pty.Setsize(s.ptmx, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)}); err != nil {
		s.t.Fatal(err)
	}
}

// gone waits for the end of the program.
func (s *terminal) gone() {
	s.t.Helper()
	select {
	case <-s.done:
	case <-time.After(patience):
		s.t.Fatalf("the console does not end:\n%s", s.text())
	}
	select {
	case <-s.read: // a pty's end comes after its last byte
	case <-time.After(2 * time.Second): // where the system does not tell
	}
}

func (s *terminal) running() bool {
	select {
	case <-s.done:
		return false
	default:
		return true
	}
}
