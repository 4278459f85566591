package keys

import (
	"bufio"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

func find(t *testing.T, table []Binding, in Place, i Intent) Binding {
	t.Helper()
	for _, b := range table {
		if b.In&in != 0 && b.Intent == i {
			return b
		}
	}
	t.Fatalf("nothing is bound to %q", i.Name())
	return Binding{}
}

func TestEveryBindingHasAStableName(t *testing.T) {
	seen := map[string]Intent{}
	for _, b := range Table() {
		n := b.Intent.Name()
		if n == "" || strings.Trim(n, "abcdefghijklmnopqrstuvwxyz-") != "" {
			t.Errorf("the binding %q has the name %q", b.Does, n)
		}
		if i, ok := seen[n]; ok && i != b.Intent {
			t.Errorf("two intents are named %q", n)
		}
		seen[n] = b.Intent
		if got, ok := intentOf(n); !ok || got != b.Intent {
			t.Errorf("%q does not lead back", n)
		}
	}
	for _, p := range places() {
		if p.Name() == "" {
			t.Errorf("place %d has no name", p)
		}
	}
}

// The table writes its keys as Show does, so that a changed one looks the same.
func TestTheTableShowsItsFirstKeyFirst(t *testing.T) {
	for _, b := range Table() {
		if first := strings.Fields(b.Shown)[0]; first != Show(b.Keys[0]) {
			t.Errorf("%q shows %q first, its first key is %q", b.Does, first, b.Keys[0])
		}
	}
}

func TestRebind(t *testing.T) {
	before := Table()
	table, err := Rebind(before, map[string]string{"approve": "A", "down": "s", "detail.page-down": "f", "help": "f1", "theme": "", "inbox.quit": "Q"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		in    Place
		i     Intent
		keys  string
		shown string
	}{
		{Detail, Approve, "A", "A"},
		{Inbox, Down, "s down", "s ↓"},
		{Detail, Down, "s down", "s ↓"},
		{Replay, PageDown, "pgdown ctrl+f", "PgDn"},
		{Detail, PageDown, "f ctrl+f", "f"},
		{Inbox, PageDown, "pgdown ctrl+f", "PgDn"},
		{Help, ShowHelp, "f1", "F1"},
		{Inbox, Quit, "Q", "Q"},
		{Confirm, Quit, "ctrl+c", "Ctrl+C"},
	} {
		b := find(t, table, c.in, c.i)
		if strings.Join(b.Keys, " ") != c.keys || b.Shown != c.shown {
			t.Errorf("%s in %s: %v shown %q, want %s shown %q", c.i.Name(), c.in.Name(), b.Keys, b.Shown, c.keys, c.shown)
		}
	}
	if got := find(t, table, Inbox, Down).Foot; got != "s k move" {
		t.Errorf("the pair on the keys row is %q", got)
	}
	for _, b := range table {
		if b.Intent == Theme {
			t.Error("theme is still bound")
		}
	}
	m, err := New(table)
	if err != nil {
		t.Fatal(err)
	}
	if b, ok := m.Find(Detail, "a"); ok {
		t.Errorf("a still is %q", b.Verb)
	}
	if m.Shown(Detail, Approve) != "A" || m.Shown(Inbox, Approve) != "" {
		t.Error("Shown does not follow")
	}
	if slices.ContainsFunc(before, func(b Binding) bool { return slices.Contains(b.Keys, "A") }) {
		t.Error("the table that was given is changed")
	}
}

// A foot that names two keys follows a change of either, only where it is.
func TestThePairFollowsInItsPlace(t *testing.T) {
	table, err := Rebind(Table(), map[string]string{"history.up": "s"})
	if err != nil {
		t.Fatal(err)
	}
	if got := find(t, table, History, Down).Foot; got != "j s move" {
		t.Errorf("history: %q", got)
	}
	if got := find(t, table, Inbox, Down).Foot; got != "j k move" {
		t.Errorf("inbox: %q", got)
	}
}

func TestKeysMayBeSwapped(t *testing.T) {
	table, err := Rebind(Table(), map[string]string{"approve": "x", "deny": "a"})
	if err != nil || find(t, table, Detail, Approve).Keys[0] != "x" || find(t, table, Detail, Deny).Keys[0] != "a" {
		t.Errorf("%v", err)
	}
}

func TestRebindRefuses(t *testing.T) {
	for _, c := range []struct {
		name, key, code string
	}{
		{"aprove", "A", CodeUnknownName}, {"", "A", CodeUnknownName}, {"inbox.approve", "A", CodeUnknownName},
		{"cellar.open", "o", CodeUnknownName}, {"detail.", "o", CodeUnknownName}, {"line.quit", "Q", CodeUnknownName},
		{"open", "gg", CodeBadKey}, {"open", "o o", CodeBadKey}, {"open", "\t", CodeBadKey}, {"open", "\u200b", CodeBadKey},
		{"open", "\u0301", CodeBadKey}, {"open", "ctrl+m", CodeBadKey}, {"open", "ctrl+i", CodeBadKey}, {"open", "shift+a", CodeBadKey},
		{"open", "ctrl+1", CodeBadKey}, {"open", "ctrl+", CodeBadKey}, {"open", "hyper+a", CodeBadKey}, {"open", "Enter", CodeBadKey}, {"open", "\xff", CodeBadKey},
		{"deny", "ctrl+x", CodeNeverBound}, {"deny", "alt+x", CodeNeverBound}, {"deny", "f5", CodeNeverBound}, {"deny", "х", CodeNeverBound},
		{"deny", "?", CodeNeverBound}, {"approve", "1", CodeNeverBound}, {"approve", "!", CodeNeverBound}, {"approve", "j", CodeNeverBound},
		{"quit", "", CodeNeverBound}, {"help", "", CodeNeverBound}, {"back", "", CodeNeverBound}, {"detail.help", "", CodeNeverBound},
		{"approve", "", CodeNeverBound}, {"deny", "", CodeNeverBound}, {"open", "ctrl+c", CodeNeverBound},
		{"words", "x", CodeTaken}, {"approve", "w", CodeTaken}, {"inbox.help", "r", CodeTaken}, {"yes", "n", CodeTaken},
	} {
		_, err := Rebind(Table(), map[string]string{c.name: c.key})
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%q = %q is accepted: %v", c.name, c.key, err)
			continue
		}
		code, sentence, hint := e.Told()
		if code != c.code || sentence == "" || hint == "" || e.Code() != code {
			t.Errorf("%q = %q: %s %q, want %s", c.name, c.key, code, sentence, c.code)
		}
		if !strings.Contains(sentence, c.name) && code != CodeTaken && c.key != "ctrl+c" {
			t.Errorf("%q = %q: the sentence does not say what: %s", c.name, c.key, sentence)
		}
	}
}

func TestAKeyThatMovesElsewhereNeverDecides(t *testing.T) {
	_, err := Rebind(Table(), map[string]string{"inbox.down": "u", "approve": "u"})
	var e *Error
	if !errors.As(err, &e) || e.Code() != CodeNeverBound {
		t.Errorf("%v", err)
	}
}

// The keys of the corpus that are pressed without thought are refused for
// every intent that decides, however they are written.
func TestNoThoughtlessKeyOfTheCorpusIsBoundToADecision(t *testing.T) {
	names := []string{"enter", "space", "esc", "tab", "backspace", "delete", "up", "down", "left", "right", "home", "end", "pgup", "pgdown", "insert", " ", "f1", "f12"}
	names = append(names, inputs(t)...)
	tried := 0
	for _, b := range Table() {
		if !b.Intent.Decides() {
			continue
		}
		for _, key := range names {
			if key == "" || len(key) == 1 && mayDecide(key) {
				continue // no key at all, or a letter typed once: the gate's business
			}
			tried++
			if table, err := Rebind(Table(), map[string]string{b.Intent.Name(): key}); err == nil {
				t.Errorf("%q decides: %v", key, table)
			}
		}
	}
	if tried < 200 {
		t.Errorf("only %d keys were tried", tried)
	}
}

func inputs(t *testing.T) []string {
	t.Helper()
	f, err := os.Open("../gate/testdata/keyboard-input.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var out []string
	for s := bufio.NewScanner(f); s.Scan(); {
		var in struct {
			Input string `json:"input"`
		}
		if err := json.Unmarshal(s.Bytes(), &in); err != nil {
			t.Fatal(err)
		}
		out = append(out, in.Input)
	}
	if len(out) < 20 {
		t.Fatalf("only %d inputs", len(out))
	}
	return out
}

// A key that opens a question may not answer it: held down it would do both.
func TestNoKeyAsksAndAnswers(t *testing.T) {
	for _, changes := range []map[string]string{
		{"yes": "F"}, {"yes": "b"}, {"yes": "z"}, {"freeze": "y", "copy-id": "C"}, {"freeze-session": "y"},
	} {
		_, err := Rebind(Table(), changes)
		var e *Error
		if !errors.As(err, &e) || e.Code() != CodeNeverBound {
			t.Errorf("%v: %v", changes, err)
		}
	}
	if _, err := Rebind(Table(), map[string]string{"yes": "Y"}); err != nil {
		t.Error(err)
	}
}
