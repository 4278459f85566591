//go:build unix

package cli_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"nod/queue"
)

// tour opens whatever the console can show of its store: the inbox with its
// preview, each ask to its end, help, and the history with each replay.
func (s *terminal) tour(pending, answered int) {
	s.t.Helper()
	s.until("[inbox ")
	for range pending {
		s.pressUntil("\r", "only the card")
		s.readToEnd()
		s.pressUntil("1", "[inbox ")
		s.press("j")
	}
	s.pressUntil("?", "help for")
	s.pressUntil("4", "[history")
	for range answered {
		s.pressUntil("\r", "history / ")
		s.press("G")
		s.still(20 * time.Millisecond)
		s.pressUntil("4", "[history")
		s.press("j")
	}
	s.press("T")
	s.still(20 * time.Millisecond)
	s.pressUntil("1", "[inbox ")
	s.press("q")
	s.gone()
}

// pressUntil presses a key that does no harm twice until the screen shows want:
// keys that come together with others may be thrown away.
func (s *terminal) pressUntil(key, want string) {
	s.t.Helper()
	for stop := time.Now().Add(patience); time.Now().Before(stop); {
		s.press(key)
		for end := time.Now().Add(time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
			if strings.Contains(s.text(), want) {
				return
			}
		}
	}
	s.until(want)
}

var unseen = regexp.MustCompile(`\d+ not shown yet|all shown`)

// readToEnd pages until every line of the card was on the screen, with n; in a
// line longer than the screen with PgDn. It waits for each page to count: one
// that is left before the terminal answered does not. Its patience is with each
// page, however many there are.
func (s *terminal) readToEnd() {
	s.t.Helper()
	next := true
	for stop := time.Now().Add(patience); time.Now().Before(stop); {
		text := s.text()
		left := unseen.FindString(text)
		if left == "all shown" || left == "" && strings.Contains(text, "it arms 400 ms after") { // small screens have no position
			return
		}
		changed := func() bool { return unseen.FindString(s.text()) != left }
		if !next {
			changed = func() bool { return s.text() != text }
		}
		s.press(map[bool]string{true: "n", false: "\x1b[6~"}[next])
		came := false
		for end := time.Now().Add(250 * time.Millisecond); !came && time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
			came = changed()
		}
		s.still(25 * time.Millisecond)
		if came {
			stop = time.Now().Add(patience)
		} else {
			next = !next
		}
	}
	s.t.Fatalf("the card has no end:\n%s", s.text())
}

func TestTheListIsWhatTheConsoleWrites(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	for i := range 40 {
		ask := s.submit(bash(fmt.Sprintf("echo %d\n%s", i, strings.Repeat("go test ./...\n", i))))
		if i < 6 {
			if err := s.deny(ask, "no"); err != nil {
				t.Fatal(err)
			}
		}
	}
	used := map[string]bool{}
	for _, theme := range []string{"terminal", "dark", "light", "mono"} {
		c := onTerminal(t, 120, 40, nil, "nod", s.flags("--theme="+theme)...)
		c.tour(6, 3)
		if err := scan(c.written(), func(shape string) { used[shape] = true }); err != nil {
			t.Fatalf("%s: %v", theme, err)
		}
	}
	for _, must := range []string{"", "CSI n;n H", "CSI K", "CSI 6 n", "CSI ?25 l", "CSI ?1049 h", "CSI ?1049 l", "CSI ?2004 h", "CSI ?1004 h"} {
		if !used[must] {
			t.Errorf("%q is in the list and was not written", must)
		}
	}
	t.Logf("%d shapes are written: %q", len(used), slices.Sorted(maps.Keys(used)))
}

// fill submits every text in every place that a caller has, and answers some
// with the text as words.
func fill(t *testing.T, s *site, texts []string) (pending, answered int) {
	t.Helper()
	for i, text := range texts {
		members := map[string]any{"command": text, "n": i} // no two are one fold
		if len(text) < 3000 {                              // one long text is enough to page through
			members[text] = []string{text}
		}
		args, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		sub := queue.Submit{Kind: "call", Session: "s" + text, AgentWords: text, Call: &queue.Call{
			Tool: "T" + text, Operation: text, Arguments: jsontext.Value(args), Cwd: "/" + text, Vars: map[string]string{"V": text}}}
		if len(text) >= 3000 {
			sub = bash("")
			sub.Call.Arguments = jsontext.Value(args)
		}
		if i%7 == 3 && len(text) < 3000 {
			sub = queue.Submit{Kind: "question", Session: "s" + text, AgentWords: text, Question: &queue.Question{Text: "Q" + text, Schema: jsontext.Value(`{}`)}}
		}
		got, err := queue.As[queue.Submitted](t.Context(), s.agent("a"+text), sub)
		if err != nil { // a name that is empty or too long: the arguments alone then
			sub = bash("")
			sub.Call.Arguments = jsontext.Value(args)
			if got, err = queue.As[queue.Submitted](t.Context(), s.agent("a"), sub); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
		}
		if i%4 == 1 {
			if err := s.deny(got.Ask, text); err != nil {
				if err := s.deny(got.Ask, "no"); err != nil {
					t.Fatal(err)
				}
			}
			answered++
			continue
		}
		pending++
	}
	return pending, answered
}

func TestNoSequenceButOurOwnReachesTheTerminal(t *testing.T) {
	if testing.Short() {
		t.Skip("opens every input of the corpora in the program on a pty")
	}
	t.Parallel()
	texts := hostile(t)
	half := len(texts) / 2
	for i, part := range [][]string{texts[:half], texts[half:]} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			s := newSite(t, "")
			pending, answered := fill(t, s, part)
			if pending+answered != len(part) || len(part) < 130 {
				t.Fatalf("%d and %d of %d inputs", pending, answered, len(part))
			}
			c := s.console(t, 150, 60)
			c.tour(pending, answered)
			raw := c.written()
			if err := scan(raw, func(string) {}); err != nil {
				t.Fatal(err)
			}
			if len(raw) < 200_000 {
				t.Errorf("only %d bytes were written", len(raw))
			}
			for _, must := range []string{`\u{1B}[2J`, `\u{202E}`, `\u{200B}`}[:min(3, 1+2*i)] {
				if i == 0 && !strings.Contains(raw, must) {
					t.Errorf("%s is nowhere on the screen", must)
				}
			}
		})
	}
}
