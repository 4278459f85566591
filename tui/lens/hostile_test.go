package lens_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/go-json-experiment/json"

	"nod/digest"
	"nod/digest/visible"
	"nod/tui/frame"
	"nod/tui/lens"
)

// inputs reads the inputs of one corpus.
func inputs(t testing.TB, name string) []string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(raw)) {
		var row struct {
			Input string `json:"input"`
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		if row.Input != "" && utf8.ValidString(row.Input) {
			out = append(out, row.Input)
		}
	}
	if len(out) < 10 {
		t.Fatalf("%s has %d inputs", name, len(out))
	}
	return out
}

var corpora = []string{"shell-commands.jsonl", "invisible-unicode.jsonl", "bidi-and-smuggling.jsonl", "confusables.jsonl", "naughty-strings.jsonl", "terminal-escapes.jsonl"}

// holds checks what every frame of a lens must hold.
func holds(t *testing.T, rows []frame.Line, lk frame.Look, w, h int) {
	t.Helper()
	if len(rows) > h {
		t.Fatalf("%d rows on %d", len(rows), h)
	}
	for _, r := range rows {
		s := r.Plain()
		if n := ansi.StringWidth(s); n > w {
			t.Fatalf("%d cells on %d: %q", n, w, s)
		}
		if visible.Drawn(s).String() != s {
			t.Fatalf("a character that no drawing holds: %q", s)
		}
		if !lk.Split && !lk.Glyphs.ASCII {
			continue
		}
		for _, c := range s {
			if c > '~' && (lk.Glyphs.ASCII || !strings.ContainsRune("⇥⏎␍⟨⟩×·…↳┊–", c)) {
				t.Fatalf("%U left of a divider or in ASCII: %q", c, s)
			}
		}
	}
}

// TestHostileTextInEveryLens: whatever the text, every lens keeps its pane, at
// widths from 20 to 130, and shows nothing but what a drawing may hold.
func TestHostileTextInEveryLens(t *testing.T) {
	looks := []frame.Look{look(false), look(true), ascii(look(false)), ascii(look(true))}
	for _, name := range corpora {
		for n, s := range inputs(t, name) {
			a := ask(t, s, map[string]string{"file_path": "/f", "content": s, "command": s, s: s}, func(a *digest.Ask) {
				a.Action.Principal.Agent = s
			})
			if n%2 == 0 {
				a.Action.Tool = "Write"
				a.ActionDigest, _ = a.SubjectDigest()
			}
			i := in(t, a)
			i.Original = ask(t, s, map[string]string{"command": "x" + s + "\n" + s})
			i.File = file(s + "\n" + s)
			for _, k := range lens.Kinds(i) {
				l := lens.New(k, i)
				for m := range 2 {
					lk := looks[(n+int(k)+m)%len(looks)]
					for w := 20 + (7*n+m)%37; w <= 130; w += 37 {
						holds(t, l.Render(lk, w, 40), lk, w, 40)
					}
					holds(t, []frame.Line{lens.Strip(lk, lens.Kinds(i), k, 3, 20+n)}, lk, 20+n, 1)
				}
			}
		}
	}
}

// TestEveryHeight: a pane of any height, also of none, gets no more rows.
func TestEveryHeight(t *testing.T) {
	i := in(t, ask(t, "Write", write{"/srv/shop/cart/total.go", after}, bound(before)))
	i.File = file(before)
	for _, k := range lens.Kinds(i) {
		l := lens.New(k, i)
		for h := range 20 {
			for w := range 60 {
				holds(t, l.Render(look(false), w, h), look(false), w, h)
			}
			l.Scroll(look(false), 3, 59, h)
		}
	}
}
