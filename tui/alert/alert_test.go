package alert

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func all() []Kind { return Kinds() }

// blurred is a state that has seen f and lost the focus.
func blurred(kinds []Kind, f Facts) State {
	s, _ := New(kinds).Step(0, f)
	return s.Focus(false)
}

func TestTheSequencesAreTheseAndNoOthers(t *testing.T) {
	for _, c := range []struct {
		kind Kind
		want string
	}{
		{Title, ""},
		{Bell, "\a"},
		{OSC9, "\x1b]9;nod: a mandated call waits\x1b\\"},
		{OSC777, "\x1b]777;notify;nod;a mandated call waits\x1b\\"},
		{OSC99, "\x1b]99;i=nod;nod: a mandated call waits\x1b\\"},
	} {
		_, out := blurred([]Kind{c.kind}, Facts{}).Step(1, Facts{Pending: 1, Mandated: 1})
		if out.Raw != c.want {
			t.Errorf("%s: %q, want %q", c.kind, out.Raw, c.want)
		}
		if has := out.Title != ""; has != (c.kind == Title) {
			t.Errorf("%s: title %q", c.kind, out.Title)
		}
	}
}

func TestWhatIsSaidIsTheMostUrgent(t *testing.T) {
	was := Facts{Pending: 2, Mandated: 1, Unknown: 1, Notices: 1}
	for _, c := range []struct {
		name string
		is   Facts
		want string
	}{
		{"nothing new", was, ""},
		{"fewer", Facts{Pending: 1}, ""},
		{"a notice", Facts{Pending: 2, Mandated: 1, Unknown: 1, Notices: 2}, "a notice waits to be read"},
		{"an unknown", Facts{Pending: 2, Mandated: 1, Unknown: 2, Notices: 2}, "an outcome is unknown"},
		{"a call", Facts{Pending: 3, Mandated: 1, Unknown: 2, Notices: 2}, "a call waits for you"},
		{"a mandate", Facts{Pending: 3, Mandated: 2, Unknown: 2, Notices: 2}, "a mandated call waits"},
	} {
		_, out := blurred([]Kind{OSC9}, was).Step(1, c.is)
		want := ""
		if c.want != "" {
			want = "\x1b]9;nod: " + c.want + "\x1b\\"
		}
		if out.Raw != want {
			t.Errorf("%s: %q, want %q", c.name, out.Raw, want)
		}
	}
}

func TestOnlyOutOfFocus(t *testing.T) {
	s, out := New(all()).Step(0, Facts{Pending: 1})
	if out.Raw != "" {
		t.Errorf("what waits at the start rings: %q", out.Raw)
	}
	// A terminal that never reports its focus counts as in front.
	s, out = s.Step(FoldMS, Facts{Pending: 2})
	if out.Raw != "" || s.Owed() {
		t.Errorf("rings without a report of focus: %q", out.Raw)
	}
	s = s.Focus(false)
	s, out = s.Step(2*FoldMS, Facts{Pending: 2})
	if out.Raw != "" {
		t.Errorf("rings for what was seen in front: %q", out.Raw)
	}
	s, out = s.Step(2*FoldMS+1, Facts{Pending: 3})
	if out.Raw == "" {
		t.Fatal("does not ring out of focus")
	}
	s, _ = s.Step(2*FoldMS+2, Facts{Pending: 4})
	if !s.Owed() {
		t.Fatal("the next one is not owed")
	}
	s = s.Focus(true)
	if _, out = s.Step(9*FoldMS, Facts{Pending: 4}); out.Raw != "" {
		t.Errorf("rings in front: %q", out.Raw)
	}
}

func TestFolded(t *testing.T) {
	s := blurred([]Kind{OSC9}, Facts{})
	s, out := s.Step(1000, Facts{Pending: 1})
	if !strings.Contains(out.Raw, "a call waits") {
		t.Fatalf("first: %q", out.Raw)
	}
	for at := int64(1001); at < 1000+FoldMS; at += 777 {
		if s, out = s.Step(at, Facts{Pending: 2 + at/10_000, Mandated: at / 20_000}); out.Raw != "" {
			t.Fatalf("at %d within the fold: %q", at, out.Raw)
		}
	}
	s, out = s.Step(1000+FoldMS, Facts{Pending: 6, Mandated: 1})
	if strings.Count(out.Raw, "\x1b]") != 1 || !strings.Contains(out.Raw, "mandated") {
		t.Errorf("after the fold: %q", out.Raw)
	}
	if s.Owed() {
		t.Error("owed twice")
	}
	// A clock that was set back holds nothing up for ever.
	if _, out = s.Step(-5_000_000, Facts{Pending: 7, Mandated: 1}); out.Raw == "" {
		t.Error("silent after the clock was set back")
	}
}

func TestAnsweredBeforeItWasSaid(t *testing.T) {
	s := blurred([]Kind{OSC9}, Facts{})
	s, _ = s.Step(0, Facts{Pending: 1})
	s, _ = s.Step(1, Facts{Pending: 3, Mandated: 1})
	s, _ = s.Step(2, Facts{Pending: 2}) // the mandated one was answered
	_, out := s.Step(FoldMS, Facts{Pending: 2})
	if out.Raw != "\x1b]9;nod: a call waits for you\x1b\\" {
		t.Errorf("%q", out.Raw)
	}
	s, _ = s.Step(3, Facts{})
	if _, out = s.Step(FoldMS, Facts{}); out.Raw != "" || s.Owed() {
		t.Errorf("rings for what was answered: %q", out.Raw)
	}
}

func TestTitles(t *testing.T) {
	for want, f := range map[string]Facts{
		"nod":                         {},
		"nod: 3 wait":                 {Pending: 3, Notices: 1, Unknown: 1},
		"nod: 3 wait, 1 mandated":     {Pending: 3, Mandated: 1},
		"nod: nobody watches, 3 wait": {Pending: 3, Mandated: 1, Away: true},
		"nod: 2 unknown":              {Unknown: 2, Notices: 1},
		"nod: 1 to read":              {Notices: 1, Away: true},
	} {
		if _, out := New(all()).Step(0, f); out.Title != want {
			t.Errorf("%+v: %q, want %q", f, out.Title, want)
		}
	}
}

func TestUnattended(t *testing.T) {
	for _, c := range []struct {
		now, key int64
		front    bool
		waiting  int64
		want     bool
	}{
		{AwayMS, 0, false, 1, true},
		{AwayMS - 1, 0, false, 1, false},
		{AwayMS, 0, true, 1, false},
		{AwayMS, 0, false, 0, false},
		{AwayMS, 1, false, 1, false},
	} {
		if got := Unattended(c.now, c.key, c.front, c.waiting); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestWhatATerminalCanBeSent(t *testing.T) {
	words := []string{"osc99", "bell", "title", "osc9", "osc777"}
	for _, term := range []string{"", "dumb", "linux", "vt100", "vt220"} {
		if got := Choose(words, term); !slices.Equal(got, []Kind{Bell}) {
			t.Errorf("TERM=%s: %v", term, got)
		}
	}
	for _, term := range []string{"xterm-256color", "screen", "tmux-256color", "xterm-kitty", "foot", "alacritty"} {
		if got := Choose(words, term); !slices.Equal(got, Kinds()) {
			t.Errorf("TERM=%s: %v", term, got)
		}
	}
	if got := Choose(nil, "xterm"); got != nil {
		t.Errorf("nothing configured: %v", got)
	}
	if Push(nil) != "" || Pop([]Kind{Bell}) != "" || Push([]Kind{Title}) != "\x1b[22;2t" || Pop([]Kind{Title}) != "\x1b[23;2t" {
		t.Error("the title is kept where none is sent, or not where one is")
	}
}

// Whatever comes in, in whatever order: nothing but the closed set goes out,
// never in front, never sooner than the fold allows.
func TestNothingElseIsEverSent(t *testing.T) {
	words := `(a notice waits to be read|an outcome is unknown|a call waits for you|a mandated call waits)`
	raw := regexp.MustCompile(`\A(\a)?(\x1b\]9;nod: ` + words + `\x1b\\)?(\x1b\]777;notify;nod;` + words + `\x1b\\)?(\x1b\]99;i=nod;nod: ` + words + `\x1b\\)?\z`)
	titles := regexp.MustCompile(`\A(|nod|nod: \d+ (wait|unknown|to read)|nod: \d+ wait, \d+ mandated|nod: nobody watches, \d+ wait)\z`)
	n := rapid.Int64()
	rapid.Check(t, func(t *rapid.T) {
		kinds := Choose(rapid.SliceOf(rapid.OneOf(rapid.SampledFrom([]string{"title", "bell", "osc9", "osc777", "osc99"}), rapid.String())).Draw(t, "words"),
			rapid.SampledFrom([]string{"xterm", "dumb"}).Draw(t, "term"))
		s, front, now, last := New(kinds), true, int64(0), -FoldMS
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "turn") {
				front = !front
				s = s.Focus(front)
			}
			now += rapid.Int64Range(0, FoldMS).Draw(t, "pass")
			var out Out
			s, out = s.Step(now, Facts{n.Draw(t, "pending"), n.Draw(t, "mandated"), n.Draw(t, "unknown"), n.Draw(t, "notices"), rapid.Bool().Draw(t, "away")})
			if !raw.MatchString(out.Raw) || !titles.MatchString(out.Title) {
				t.Fatalf("raw %q, title %q", out.Raw, out.Title)
			}
			if out.Raw == "" {
				continue
			}
			if front || now-last < FoldMS {
				t.Fatalf("%q sent in front (%v) or %d ms after the last", out.Raw, front, now-last)
			}
			last = now
		}
	})
}
