package lens_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"os"

	"nod/digest"
	"nod/tui/lens"
)

func escapesOf(t testing.TB, a *digest.Ask) *lens.Lens { return lens.New(lens.Escapes, in(t, a)) }

func TestEscapesAreNamed(t *testing.T) {
	cmd := "rm\u200B \u202Etxt\x1B[2J \u0430pple " + strings.Repeat(" ", 44) + strings.Repeat("\n", 13) + "\U000E0041 caf\u00E9 \u4E16"
	a := ask(t, "B\u0430sh", bash{cmd})
	same(t, whole(escapesOf(t, a), look(false), 100), `
 escapes · not part of what you approve · 8 named
   line 3  а⟨U+0430⟩  U+0430 CYRILLIC SMALL LETTER A, looks like a
   line 9  \u{200B}  U+200B ZERO WIDTH SPACE, invisible
   line 9  \u{202E}  U+202E RIGHT-TO-LEFT OVERRIDE, turns the direction of text
   line 9  \u{1B}  U+001B ESCAPE, control: begins a terminal sequence
   line 9  а  U+0430 CYRILLIC SMALL LETTER A, looks like a
   line 9  ⟨45×space⟩  45 spaces in a row
   line 9  ⟨13×⏎⟩  13 line feeds in a row
  line 10  \u{E0041}  U+E0041 TAG LATIN CAPITAL LETTER A, invisible, spells A
 escaped 4 · counted runs 2 · beyond ASCII in names 1 · easily misread 1`)
	got := whole(escapesOf(t, a), look(true), 100)
	if !strings.Contains(got, `\u{430}⟨U+0430⟩  U+0430 CYRILLIC`) {
		t.Error(got)
	}
	if n := lens.CountEscapes(in(t, a).Card); n != 6 {
		t.Errorf("%d counted for the strip", n)
	}
}

// TestLettersOfAnotherScript: prose in another script is no oddity; a word that
// mixes scripts, or that reads as ASCII from end to end, is.
func TestLettersOfAnotherScript(t *testing.T) {
	for s, want := range map[string]string{
		"привет мир":         "escaped 0 · counted runs 0",
		"p\u0430ypal":        "easily misread 1",
		"\u0441\u043E\u0440": "easily misread 3",
		"\u0437-1":           "escaped 0 · counted runs 0",
		"10.0.0.\u06F1":      "easily misread 1",
		"\u2014force":        "easily misread 1",
	} {
		if got := whole(escapesOf(t, ask(t, "t", map[string]string{"x": s})), look(false), 100); !strings.HasSuffix(got, want) {
			t.Errorf("%q:\n%s\nwant: %s", s, got, want)
		}
	}
}

func TestNoEscapes(t *testing.T) {
	same(t, whole(escapesOf(t, ask(t, "Bash", bash{"ls"})), look(false), 80), `
 escapes · not part of what you approve · 0 named
 escaped 0 · counted runs 0`)
}

// TestConfusablesLookLike: each input whose look-alike is one character away is
// named with the character it looks like.
func TestConfusablesLookLike(t *testing.T) {
	raw, err := os.ReadFile("testdata/confusables.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(raw)) {
		var row struct {
			ID    string `json:"id"`
			Input string `json:"input"`
			Like  string `json:"looks_like"`
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(row.Like, "xn--") || isASCII(row.Input) || row.ID == "confusables-006" || row.ID == "confusables-035" {
			continue // other kinds of likeness
		}
		n++
		got := whole(escapesOf(t, ask(t, "t", map[string]string{"x": row.Input})), look(false), 120)
		for i, r := range []rune(row.Input) {
			if like := []rune(row.Like); r > '~' && len(like) == len([]rune(row.Input)) && !strings.Contains(got, "looks like "+string(like[i])+"\n") {
				t.Errorf("%s: %q for %q:\n%s", row.ID, row.Input, row.Like, got)
			}
		}
	}
	if n < 20 {
		t.Fatalf("only %d inputs", n)
	}
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > '~' })
}

// TestEveryInvisibleIsNamed: each input of the corpus has a row that says what
// its character is.
func TestEveryInvisibleIsNamed(t *testing.T) {
	for _, s := range inputs(t, "invisible-unicode.jsonl") {
		got := whole(escapesOf(t, ask(t, "t", map[string]string{"x": s})), look(true), 200)
		for _, r := range s {
			if r > '~' && !strings.Contains(strings.ToUpper(got), strings.ToUpper(point(r))) {
				t.Errorf("%U has no row:\n%s", r, got)
			}
		}
	}
}

func point(r rune) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	b.WriteString("U+")
	for shift := 20; shift >= 0; shift -= 4 {
		if b.Len() > 2 || r>>shift > 0 || shift < 16 {
			b.WriteByte(digits[r>>shift&15])
		}
	}
	return b.String()
}
