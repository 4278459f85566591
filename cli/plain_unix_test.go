//go:build unix

package cli_test

import (
	"strings"
	"testing"
	"time"

	"nod/queue"
)

// said types a line as a person does.
func (s *terminal) said(text string) {
	s.t.Helper()
	s.rest()
	s.press(text + "\r")
}

// TestThePlainConsole: --plain and a dumb terminal get lines, drawn text and
// nothing else, and the same gate.
func TestThePlainConsole(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args, env []string
		ascii     bool
	}{
		"plain": {args: []string{"--plain"}}, "dumb": {env: []string{"TERM=dumb"}, ascii: true}, "plain in ASCII": {args: []string{"--plain", "--ascii"}, ascii: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, "")
			ask := s.submit(bash("ls"))
			c2 := onTerminal(t, 100, 44, c.env, "nod", s.flags(c.args...)...)
			c2.until("Say a number or \"help\".")
			c2.until("nod>")
			c2.press("1\rapprove\r" + s.code(ask) + "\r") // a paste
			c2.rest()
			s.mustBe(ask, queue.StatePending)
			c2.said("list")
			c2.rest()
			c2.said("1")
			c2.until("all shown. Armed.")
			c2.said("approve")
			c2.until("code>")
			c2.said(s.code(ask))
			s.becomes(ask, queue.StateAllowed)
			c2.until("Allowed: at ")
			if r := s.row(ask); r.DecidedWay != "plain" || r.LinesSeen != r.LinesAll || r.LinesAll < 10 {
				t.Errorf("recorded: way %q, %d of %d lines", r.DecidedWay, r.LinesSeen, r.LinesAll)
			}
			c2.said("quit")
			c2.gone()
			out := c2.written()
			if strings.Contains(out, "\x1b") {
				t.Errorf("a sequence is written: %q", out)
			}
			if c.ascii && strings.ContainsFunc(out, func(r rune) bool { return r > '~' }) {
				t.Errorf("not ASCII:\n%s", out)
			}
		})
	}
}

func TestThePlainConsoleEndsWithItsTerminal(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	ask := s.submit(bash("ls"))
	c := onTerminal(t, 100, 44, nil, "nod", s.flags("--plain")...)
	c.until("nod>")
	c.said("1")
	c.until("all shown. Armed.")
	c.said("approve")
	c.until("code>")
	time.Sleep(450 * time.Millisecond)
	c.press("\x03")
	c.gone()
	s.mustBe(ask, queue.StatePending)
}
