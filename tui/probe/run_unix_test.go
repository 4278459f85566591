//go:build unix

package probe_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"

	"nod/tui/probe"
)

// terminal is the other end of a pty: it keeps what is written and answers
// each question with the column that the glyph's width leads to.
type terminal struct {
	mu    sync.Mutex
	raw   bytes.Buffer
	ptmx  *os.File
	width int           // cells of the glyph; 0 answers nothing
	after time.Duration // before each answer
	torn  bool          // an answer comes in two pieces
}

func (s *terminal) follow() {
	buf := make([]byte, 4096)
	seen, col := "", 1
	for {
		n, err := s.ptmx.Read(buf)
		if err != nil {
			return
		}
		s.mu.Lock()
		s.raw.Write(buf[:n])
		s.mu.Unlock()
		seen += string(buf[:n])
		for {
			before, rest, ok := strings.Cut(seen, "\x1b[6n")
			if !ok {
				break
			}
			seen = rest
			col += strings.Count(before, "│") * s.width
			if s.width == 0 {
				continue
			}
			time.Sleep(s.after)
			a := fmt.Sprintf("\x1b[7;%dR", col)
			if s.torn {
				_, _ = s.ptmx.WriteString(a[:3])
				time.Sleep(5 * time.Millisecond)
				a = a[3:]
			}
			_, _ = s.ptmx.WriteString(a)
		}
	}
}

func (s *terminal) written() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.raw.String()
}

func start(t *testing.T, s *terminal) *os.File {
	t.Helper()
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pty here:", err)
	}
	s.ptmx = ptmx
	go s.follow()
	t.Cleanup(func() { _ = ptmx.Close(); _ = tty.Close() })
	return tty
}

func TestTheTerminalSays(t *testing.T) {
	for name, c := range map[string]struct {
		s     *terminal
		ahead string
		want  probe.Result
	}{
		"one cell":  {&terminal{width: 1}, "", probe.Result{}},
		"two cells": {&terminal{width: 2}, "", probe.Result{Wide: true}},
		"torn":      {&terminal{width: 2, torn: true}, "", probe.Result{Wide: true}},
		"typed":     {&terminal{width: 2}, "y\x1b[A", probe.Result{Wide: true, Typed: 4}},
		"interrupt": {&terminal{width: 1}, "\x03", probe.Result{Typed: 1, Quit: true}},
		"silent":    {&terminal{width: 0}, "", probe.Result{Owed: 2}},
		"too late":  {&terminal{width: 2, after: 300 * time.Millisecond}, "", probe.Result{Owed: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := c.s
			tty := start(t, s)
			was, err := term.GetState(int(tty.Fd()))
			if err != nil {
				t.Fatal(err)
			}
			if c.ahead != "" {
				if _, err := term.MakeRaw(int(tty.Fd())); err != nil { // else a key would be a signal to this test
					t.Fatal(err)
				}
				if was, err = term.GetState(int(tty.Fd())); err != nil {
					t.Fatal(err)
				}
				if _, err := s.ptmx.WriteString(c.ahead); err != nil {
					t.Fatal(err)
				}
				time.Sleep(50 * time.Millisecond)
			}
			began := time.Now()
			got, err := probe.Run(tty, tty, probe.Within)
			took := time.Since(began)
			if err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
			if c.want.Owed > 0 && (took < probe.Within || took > probe.Within+500*time.Millisecond) {
				t.Errorf("it took %v", took)
			}
			is, err := term.GetState(int(tty.Fd()))
			if err != nil || *is != *was {
				t.Error("the terminal is not as it was")
			}
			for range 200 {
				if strings.Contains(s.written(), "│\x1b[6n"+probe.Erase()) {
					break
				}
				time.Sleep(5 * time.Millisecond)
			}
			if w := s.written(); !strings.Contains(w, "│\x1b[6n"+probe.Erase()) {
				t.Errorf("the glyph stays: %q", w)
			}
		})
	}
}
