//go:build unix

package plain

import (
	"bytes"
	"context"
	"errors"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"

	"nod/queue"
)

// screen is a terminal at the other end of a pty, with the lines on it.
type screen struct {
	t    *testing.T
	mu   sync.Mutex
	raw  bytes.Buffer
	seen int // what an earlier wait has read past
	ptmx *os.File
	done chan error
	over chan struct{} // the console has returned
}

func start(t *testing.T, w *world, rows int) *screen {
	t.Helper()
	w.now = time.Now().UnixMilli()
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pty here:", err)
	}
	if err := pty.Setsize(ptmx, &pty.Winsize{Rows: uint16(rows), Cols: 80}); err != nil {
		t.Fatal(err)
	}
	s := &screen{t: t, ptmx: ptmx, done: make(chan error, 1), over: make(chan struct{})}
	go s.follow()
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		defer close(s.over)
		s.done <- Run(ctx, w.mia, Options{Loc: time.UTC}, tty, tty)
	}()
	t.Cleanup(func() {
		stop()
		_ = ptmx.Close() // hangs up: a read that waits comes back
		select {
		case <-s.over: // only then: the console asks the descriptor what waits
			_ = tty.Close()
		case <-time.After(10 * time.Second):
			t.Error("the console does not end when its terminal does")
		}
	})
	return s
}

func (s *screen) follow() {
	buf := make([]byte, 32<<10)
	for {
		n, err := s.ptmx.Read(buf)
		if err != nil {
			return
		}
		s.mu.Lock()
		s.raw.Write(buf[:n])
		s.mu.Unlock()
	}
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.raw.String()
}

// until waits for a text after what an earlier wait found.
func (s *screen) until(want string) {
	s.t.Helper()
	for range 2000 {
		if i := strings.Index(s.text()[s.seen:], want); i >= 0 {
			s.seen += i + len(want)
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	s.t.Fatalf("%q does not come:\n%s", want, s.text()[s.seen:])
}

func (s *screen) send(text string) {
	s.t.Helper()
	if _, err := s.ptmx.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
}

// line types a line as a person does, well after the prompt.
func (s *screen) line(text string) {
	s.t.Helper()
	time.Sleep(450 * time.Millisecond)
	s.send(text + "\r")
}

// open reads the first ask of the list whole.
func (s *screen) open() {
	s.t.Helper()
	s.until("nod> ")
	s.line("1")
	s.until("all shown. Armed.")
	s.until("nod> ")
}

func TestARealTerminal(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash("ls"))
	s := start(t, w, 44)
	s.open()
	s.line("approve")
	s.until("code> ")
	s.line("zzzz")
	s.until("Wrong code: ")
	s.until("nod> ")
	s.line("approve")
	s.until("code> ")
	s.line(w.code(ask))
	s.until("Allowed: at ")
	w.mustBe(ask, queue.StateAllowed)
	s.until("nod> ")
	s.line("quit")
	if err := <-s.done; err != nil {
		t.Fatal(err)
	}
	if strings.Contains(s.text(), "\x1b") {
		t.Errorf("a sequence is written: %q", s.text())
	}
}

func TestPastesAndTypeAheadOnARealTerminal(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash("ls"))
	code := w.code(ask)
	s := start(t, w, 44)
	s.send("1\rapprove\r" + code + "\r") // before the first prompt, or as it comes
	s.until("nod> ")
	time.Sleep(700 * time.Millisecond)
	w.mustBe(ask, queue.StatePending)
	s.line("list")
	s.until("Say a number")
	s.open()
	for _, paste := range []string{"approve\r" + code + "\r", "approve\r" + code + "\r" + code + "\r", "deny\rbecause\r", "deny\rbecau", "\r\rapprove\r" + code + "\r", code + "\r"} {
		s.line(strings.TrimSuffix(paste, "\r"))
		time.Sleep(900 * time.Millisecond)
		w.mustBe(ask, queue.StatePending)
	}
	has(t, s.text(), "Pasted: more came right behind that line")

	s.line("list")
	s.until("Say a number")
	s.open()
	s.line("approve")
	s.until("code> ")
	s.send(code + "\r" + code + "\r") // right with the prompt
	s.until("Too soon: the line came ")
	w.mustBe(ask, queue.StatePending)
	s.until("nod> ")
	s.line("approve")
	s.until("code> ")
	time.Sleep(450 * time.Millisecond)
	s.send(code + "\rmore\r") // rested, and a paste all the same
	s.until("Pasted: ")
	w.mustBe(ask, queue.StatePending)
}

// The beginning of a line that was typed before the prompt is not the
// beginning of the line after it.
func TestHalfALineAhead(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("here only whole lines are seen")
	}
	w := newWorld(t)
	ask := w.submit(bash("ls"))
	code := w.code(ask)
	s := start(t, w, 44)
	s.open()
	time.Sleep(450 * time.Millisecond)
	s.send("approve\r" + code[:2])
	s.until("Pasted: ")
	s.until("nod> ")
	s.line(code[2:])
	s.until("nod> ")
	w.mustBe(ask, queue.StatePending)
}

func TestTheEndOfInputDecidesNothing(t *testing.T) {
	for name, end := range map[string]string{"Ctrl+D": "\x04", "half a line": "x"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			ask := w.submit(bash("ls"))
			s := start(t, w, 44)
			s.open()
			s.line("approve")
			s.until("code> ")
			time.Sleep(450 * time.Millisecond)
			if end == "x" {
				end = w.code(ask) + "\x04\x04" // handed over without its end, then the end
			}
			s.send(end)
			if err := <-s.done; err != nil {
				t.Error(err)
			}
			w.mustBe(ask, queue.StatePending)
		})
	}
}

func TestNoTerminalNoDecision(t *testing.T) {
	w := newWorld(t)
	r, _, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Run(t.Context(), w.mia, Options{}, r, &out); !errors.Is(err, ErrNoTerminal) || out.Len() > 0 {
		t.Errorf("%v, %q", err, out.String())
	}
}

func TestTheEndOfTheProgramDecidesNothing(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash("ls"))
	w.now = time.Now().UnixMilli()
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pty here:", err)
	}
	defer func() { _ = ptmx.Close(); _ = tty.Close() }()
	go func() { _, _ = ptmx.Read(make([]byte, 32<<10)) }()
	ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	if err := Run(ctx, w.mia, Options{}, tty, tty); err != nil {
		t.Error(err)
	}
	w.mustBe(ask, queue.StatePending)
}
