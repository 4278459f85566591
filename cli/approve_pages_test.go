//go:build unix

package cli_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"

	"nod/digest/card"
	"nod/queue"
)

// forged is a command that, wrapped by a terminal of 80 columns, puts a row
// that looks like the card's own at the left edge.
var forged = strings.Repeat("x", 59) + "tool              ┃ \"Read\"" + strings.Repeat(" ", 46) + "; rm -rf ~"

// command starts one command of nod on a terminal.
func (s *site) command(t *testing.T, w, h int, args ...string) *terminal {
	t.Helper()
	return onTerminal(t, w, h, nil, "nod", append(args, s.flags()...)...)
}

// lines is a call whose card has more than n lines.
func lines(n int) queue.Submit { return bash(strings.Repeat("ok\n", n) + "rm -rf ~") }

// TestNoValueBeginsARow holds: every row of a card is as wide as the terminal at
// the most, begins with a blank, and the rows together say what the card says.
func TestNoValueBeginsARow(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	texts := append([]string{forged, strings.Repeat("界", 200), "a\nb\nc", strings.Repeat(" ", 90) + "│ x"}, hostile(t)[:40]...)
	for i, text := range texts {
		sub := queue.Submit{Kind: "call", Session: fmt.Sprint("s", i), Call: &queue.Call{Tool: "Bash",
			Arguments: fmt.Appendf(nil, `{"command":%s}`, quoted(t, text)), Cwd: "/srv/shop"}}
		ask := s.submit(sub)
		width := []int{20, 40, 80, 121}[i%4]
		c := s.command(t, width, 24, "show", ask)
		c.gone()
		c.until("session s-")
		out := c.written()
		end := strings.Index(out, "\r\n\r\n")
		if end < 0 {
			t.Fatalf("no end of the card:\n%s", out)
		}
		var said strings.Builder
		for _, row := range strings.Split(out[:end], "\r\n") {
			if !strings.HasPrefix(row, " ") || displaywidth.String(row) > width {
				t.Fatalf("%d columns: a row begins at the left edge or is too wide: %q", width, row)
			}
			field := map[bool]int{true: 1, false: 13}[width < 44]
			if width >= 80 {
				field = 20
			}
			cells := []rune(row)
			if at := 1 + field; len(cells) > at+2 && string(cells[at:at+3]) == " │ " {
				said.WriteString(string(cells[at+3:]))
			}
		}
		var want strings.Builder
		for _, l := range card.Lines([]byte(s.view(ask).Card))[1:] {
			want.WriteString(l.Text.String())
		}
		if said.String() != want.String() {
			t.Errorf("%d columns: the rows say\n%q, the card\n%q", width, said.String(), want.String())
		}
	}
}

func TestALongCardIsReadPageByPage(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	ask := s.submit(lines(60))
	all := strings.Count(s.view(ask).Card, "\n") + 1
	code := s.code(ask)
	page := regexp.MustCompile(`lines (\d+)-(\d+) of (\d+)`)

	c := s.command(t, 80, 24, "approve", ask)
	c.until(fmt.Sprintf("lines 1-19 of %d; Enter shows more, q stops:", all))
	c.press("q\r")
	c.gone()
	c.until("you stopped reading, so nothing was decided (stopped)")
	s.mustBe(ask, queue.StatePending)

	// The right code is no answer to the question for more, and is not kept.
	c = s.command(t, 80, 24, "approve", ask)
	c.until("q stops:")
	c.press(code + "\r" + code + "\r" + strings.Repeat("\r", 40) + code + "\r")
	c.rest()
	if n := len(page.FindAllString(c.written(), -1)); !c.running() || n > 4 {
		t.Fatalf("a burst of keys turned pages: %d\n%s", n, c.written())
	}
	s.mustBe(ask, queue.StatePending)
	c.press("\x04")
	c.gone()
	c.until("(no_answer)")
	s.mustBe(ask, queue.StatePending)

	// Ctrl+C at the question ends it.
	c = s.command(t, 80, 24, "approve", ask)
	c.until("q stops:")
	c.press("\x03")
	c.gone()
	s.mustBe(ask, queue.StatePending)

	// Page by page, over a change of the size, to the code.
	c = s.command(t, 80, 24, "approve", ask)
	pages := 0
	for c.until("q stops:"); !strings.Contains(c.written(), "in brackets: "); pages++ {
		if pages > 20 {
			t.Fatalf("no end:\n%s", c.written())
		}
		if pages == 1 {
			c.resize(60, 20)
		}
		before := strings.Count(c.written(), "q stops: ") + strings.Count(c.written(), "in brackets:")
		c.rest()
		c.press("\r")
		if !eventually(func() bool {
			return strings.Count(c.written(), "q stops: ")+strings.Count(c.written(), "in brackets: ") > before
		}) {
			t.Fatalf("no next page:\n%s", c.written())
		}
	}
	if pages < 3 {
		t.Fatalf("%d pages", pages)
	}
	c.press(code + "\r")
	c.gone()
	s.becomes(ask, queue.StateAllowed)
	if v := s.row(ask); v.LinesSeen != int64(all) || v.LinesAll != int64(all) || v.DwellMS < int64(pages)*500 {
		t.Errorf("recorded: %d of %d lines (the card has %d), %d ms over %d pages", v.LinesSeen, v.LinesAll, all, v.DwellMS, pages)
	}
}

func TestADenialNeedsNoWholeReading(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	first, second := s.submit(lines(60)), s.submit(lines(61))
	c := s.command(t, 80, 24, "deny", first)
	c.until("To deny it, type the four characters in brackets:")
	c.press(s.code(first) + "\r")
	c.gone()
	s.becomes(first, queue.StateDenied)
	if v := s.row(first); v.LinesSeen != 19 || v.LinesAll <= 60 {
		t.Errorf("recorded: %d of %d lines, 19 were shown", v.LinesSeen, v.LinesAll)
	}
	c = s.command(t, 80, 24, "deny", second)
	c.until("lines 1-19 of ")
	c.press("\r")
	c.until("lines 20-39 of ")
	c.press("q\r")
	c.gone()
	s.mustBe(second, queue.StatePending)
	c = s.command(t, 80, 24, "deny", second)
	c.until("in brackets:")
	c.press("zzzz\r")
	c.gone()
	c.until("(wrong_code)")
	s.mustBe(second, queue.StatePending)
}

// TestAGrantIsRead holds: a grant is given by the code after the last page, and
// by nothing else.
func TestAGrantIsRead(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	ask := s.submit(lines(60))
	grants := func() int {
		t.Helper()
		got, err := queue.Get[queue.Grants](t.Context(), s.mia, queue.QGrants{})
		if err != nil {
			t.Fatal(err)
		}
		return len(got.Grants)
	}
	for _, keys := range []string{"q\r", "\x04", "\x03"} {
		c := s.command(t, 80, 24, "grant", ask)
		c.until("q stops:")
		c.press(keys)
		c.gone()
	}
	c := s.command(t, 80, 90, "grant", ask, "--times", "3")
	c.until("Calls equal to this one, in its session: 3 more times within 10m")
	c.until("To grant it, type the four characters in brackets:")
	c.press("zzzz\r")
	c.gone()
	if n := grants(); n != 0 {
		t.Fatalf("%d grants without the code", n)
	}
	c = s.command(t, 80, 90, "grant", ask, "--times", "3")
	c.until("in brackets:")
	c.press(s.code(ask) + "\r")
	c.gone()
	c.until("Granted: this exact call, in its session, 3 more times within 10m.")
	if n := grants(); n != 1 {
		t.Fatalf("%d grants", n)
	}
}

func TestATerminalTooNarrowForACard(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	ask := s.submit(bash("ls"))
	c := s.command(t, 19, 24, "approve", ask)
	c.gone()
	if !eventually(func() bool { return strings.Contains(c.written(), "(narrow_terminal)") }) {
		t.Fatalf("no refusal:\n%s", c.written())
	}
	s.mustBe(ask, queue.StatePending)
}

// TestAListWrapsItself holds: what goes on in the next row is marked.
func TestAListWrapsItself(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	sub := bash("ls")
	sub.Call.Tool = strings.Repeat("x", 60) + "019ad5e2-0000-7000  call         1s   1h left  Bash  ls  by ask"
	s.submit(sub)
	c := s.command(t, 80, 24, "list")
	c.gone()
	c.until("1 wait")
	rows := strings.Split(c.written(), "\r\n")
	end := slices.IndexFunc(rows, func(row string) bool { return strings.HasPrefix(row, "1 wait") })
	if end < 2 {
		t.Fatalf("not wrapped:\n%s", c.written())
	}
	for i, row := range rows[:end] {
		if i > 0 != strings.HasPrefix(row, "  ↳ ") || displaywidth.String(row) > 80 {
			t.Errorf("row %d: %q", i, row)
		}
	}
}
