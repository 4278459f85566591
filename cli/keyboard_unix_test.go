//go:build unix

package cli_test

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"nod/queue"
)

// opened starts a console on a store with one ask, opens it and lets it arm.
func opened(t *testing.T, s *site, w, h int) *terminal {
	t.Helper()
	c := s.console(t, w, h)
	c.until("[inbox ")
	c.pressUntil("\r", "only the card")
	c.readToEnd()
	c.rest()
	return c
}

// approving opens the line for the code.
func (s *terminal) approving() {
	s.t.Helper()
	for stop := time.Now().Add(patience); time.Now().Before(stop); {
		if strings.Contains(s.text(), "[inbox ") {
			s.pressUntil("\r", "only the card")
			s.readToEnd()
		}
		s.rest()
		s.press("a")
		for end := time.Now().Add(time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
			if strings.Contains(s.text(), "the fourth decides") {
				s.rest()
				return
			}
		}
	}
	s.until("the fourth decides")
}

func TestTheSlowRightKeysDecide(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	ask, other := s.submit(bash("ls")), s.submit(bash("ls -a"))
	c := opened(t, s, 120, 44)
	c.approving()
	c.slowly(s.code(ask))
	s.becomes(ask, queue.StateAllowed)
	c.until("Allowed: ")
	c.slowly(s.code(other)) // nothing goes on to the next ask
	s.mustBe(other, queue.StatePending)
	v := s.row(ask)
	if v.DecidedWay != "console" || v.LinesSeen != v.LinesAll || v.LinesAll < 10 || v.DwellMS < 400 {
		t.Errorf("recorded: way %q, %d of %d lines, %d ms", v.DecidedWay, v.LinesSeen, v.LinesAll, v.DwellMS)
	}
}

func TestDenyCountsAfterARest(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	ask := s.submit(bash("ls"))
	c := opened(t, s, 120, 44)
	c.press("xy") // a paste's first letter
	c.rest()
	s.mustBe(ask, queue.StatePending)
	c.rest()
	c.press("x")
	s.becomes(ask, queue.StateDenied)
	c.until("Denied")
}

// TestTheKeyboardCorpusNeverDecides sends every input of the corpus in one
// burst: in the detail, in the open line, and after three right characters.
func TestTheKeyboardCorpusNeverDecides(t *testing.T) {
	if testing.Short() {
		t.Skip("sends every input three times on a pty")
	}
	t.Parallel()
	places := map[string]func(s *site, c *terminal, ask string){
		"detail": func(*site, *terminal, string) {},
		"line":   func(_ *site, c *terminal, _ string) { c.approving() },
		"three": func(s *site, c *terminal, ask string) {
			c.approving()
			c.slowly(s.code(ask)[:3])
		},
	}
	for place, enter := range places {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, "")
			ask := s.submit(bash("ls"))
			var c *terminal
			for _, in := range corpus(t, "keyboard-input") {
				if in.Input == "" || place != "detail" && !strings.Contains("001 003 006 008 010 014 018 024 028 030", in.ID[len(in.ID)-3:]) {
					continue
				}
				if c == nil || !c.running() || !strings.Contains(c.text(), "only the card") {
					c = opened(t, s, 120, 44)
				}
				enter(s, c, ask)
				c.press(in.Input)
				c.rest()
				if got := s.row(ask).State; got != queue.StatePending {
					t.Fatalf("%s (%s, %q) decided: %s", in.ID, in.Class, in.Input, got)
				}
				if !c.running() {
					continue
				}
				_ = c.cmd.Process.Signal(syscall.SIGCONT) // after Ctrl+Z
				if strings.Contains(c.text(), "the fourth decides") || place != "detail" {
					c.press("\x1b")
					c.rest()
				}
			}
		})
	}
}

func TestWhatIsTypedAheadPastedOrResizedNeverDecides(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	ask := s.submit(bash("ls"))
	code := s.code(ask)
	c := s.console(t, 120, 44)
	c.press("\ra" + code + code) // before the first frame
	c.until("local ")
	c.rest()
	s.mustBe(ask, queue.StatePending)
	c.pressUntil("1", "[inbox ")
	c.pressUntil("\r", "only the card")
	c.press("a" + code) // with the frame that shows it
	c.readToEnd()
	c.rest()
	for name, keys := range map[string]string{
		"burst": "a" + code, "paste": "\x1b[200~a" + code + "\x1b[201~", "raw paste": "a" + code + "\r", "code and Enter": code + "\r",
	} {
		c.press(keys)
		c.rest()
		if got := s.row(ask).State; got != queue.StatePending {
			t.Fatalf("%s decided: %s", name, got)
		}
		c.press("\x1b")
		c.pressUntil("1", "[inbox ")
		c.pressUntil("\r", "only the card")
		c.readToEnd()
		c.rest()
	}
	for name, keys := range map[string]string{
		"burst": code, "paste": "\x1b[200~" + code + "\x1b[201~", "Enter": "\r\r\r\r", "focus": "\x1b[O\x1b[I" + code, "held": strings.Repeat(code[:1], 40),
	} {
		c.approving()
		c.press(keys)
		c.rest()
		if got := s.row(ask).State; got != queue.StatePending {
			t.Fatalf("%s in the line decided: %s", name, got)
		}
		c.press("\x1b")
		c.rest()
	}
	c.approving()
	c.slowly(code[:3])
	c.resize(100, 30)
	c.press(code[3:]) // with the resize
	c.rest()
	s.mustBe(ask, queue.StatePending)
}

func TestTwoConsoles(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	ask := s.submit(bash("ls"))
	code := s.code(ask)
	mine, theirs := opened(t, s, 120, 44), opened(t, s, 120, 44)
	mine.approving()
	mine.slowly(code[:3])
	theirs.rest()
	theirs.press("x")
	s.becomes(ask, queue.StateDenied)
	mine.until("denied")
	mine.slowly(code[3:])
	mine.rest()
	s.mustBe(ask, queue.StateDenied)
	if text := mine.text(); strings.Contains(text, "Allowed") || !strings.Contains(text, "denied") {
		t.Errorf("the other console does not say what became of it:\n%s", text)
	}
}

func TestAConsoleThatDiesDecidesNothing(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGHUP, syscall.SIGTERM} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			s := newSite(t, "")
			ask := s.submit(bash("ls"))
			c := opened(t, s, 120, 44)
			c.approving()
			c.slowly(s.code(ask)[:3])
			if err := c.cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			c.gone()
			s.mustBe(ask, queue.StatePending)
			// What a process wrote last may be read after its end.
			if sig == syscall.SIGTERM && !eventually(func() bool { return strings.Contains(c.written(), "\x1b[?1049l") }) {
				t.Error("the terminal was not put back")
			}
			again := opened(t, s, 120, 44)
			again.approving()
			again.slowly(s.code(ask))
			s.becomes(ask, queue.StateAllowed)
		})
	}
}

func TestTerminalsOfEveryKind(t *testing.T) {
	t.Parallel()
	for name, env := range map[string][]string{
		"xterm": nil, "screen": {"TERM=screen-256color"}, "no colour": {"NO_COLOR=1"}, "small": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, "")
			ask := s.submit(bash("ls"))
			w, h := 120, 44
			if name == "small" {
				w, h = 60, 16
			}
			c := s.console(t, w, h, env...)
			c.until("[inbox 1]")
			c.until("local")
			c.pressUntil("\r", "of ")
			c.readToEnd()
			c.approving()
			c.slowly(s.code(ask))
			s.becomes(ask, queue.StateAllowed)
			c.until("Allowed")
			coloured := false
			if err := scan(c.written(), func(string) {}); err != nil {
				t.Error(err)
			}
			for _, colour := range []string{"\x1b[3", "\x1b[4", "\x1b[9"} {
				for _, part := range strings.Split(c.written(), colour)[1:] {
					if end := strings.IndexFunc(part, func(r rune) bool { return (r < '0' || r > '9') && r != ';' }); end >= 1 && part[end] == 'm' {
						coloured = true
					}
				}
			}
			if plain := name == "no colour"; coloured == plain {
				t.Errorf("colours: %v", coloured)
			}
		})
	}
}
