package visible_test

import (
	"bufio"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"nod/digest/visible"
)

type sample struct {
	ID       string `json:"id"`
	Input    string `json:"input"`
	InputB64 string `json:"input_b64"`
}

func samples(t *testing.T) []sample {
	t.Helper()
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) < 7 {
		t.Fatalf("corpora: %v, %v", files, err)
	}
	var out []sample
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		for sc := bufio.NewScanner(f); sc.Scan(); {
			var s sample
			if err := json.Unmarshal(sc.Bytes(), &s); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if s.InputB64 != "" {
				raw, err := base64.StdEncoding.DecodeString(s.InputB64)
				if err != nil {
					t.Fatalf("%s: %v", s.ID, err)
				}
				s.Input = string(raw)
			}
			out = append(out, s)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestCorpora draws every hostile sample: nothing raw comes out, the sample
// comes back, and no two samples are drawn alike.
func TestCorpora(t *testing.T) {
	all := samples(t)
	for name, mode := range modes {
		drawn := map[string]string{}
		for _, s := range all {
			d := visible.Draw(mode, s.Input)
			checkDrawing(t, mode, d)
			if !utf8.ValidString(s.Input) {
				continue // never in a document; only safety is promised
			}
			if back, err := visible.Undraw(mode, d); err != nil || back != s.Input {
				t.Errorf("%s, %s: %q, %v", name, s.ID, back, err)
			}
			if other, ok := drawn[d]; ok && other != s.Input {
				t.Errorf("%s, %s: drawn like %q", name, s.ID, other)
			}
			drawn[d] = s.Input
		}
	}
}

func TestText(t *testing.T) {
	tests := []struct {
		name string
		got  visible.Text
		want string
	}{
		{"of", visible.Of(visible.Name, "а\n"), `а⟨U+0430⟩\u{A}`},
		{"row", visible.Row("set -e\nrm" + strings.Repeat("\n", 9) + "x"), "set -e⏎rm⟨9×⏎⟩x"},
		{"own", visible.Own("plain · words │"), "plain · words │"},
		{"number", visible.Number(-12), "-12"},
		{"concat", visible.Concat(visible.Own("by "), visible.Row("a\tb")), "by a⇥   b"},
		{"drawn passes", visible.Drawn(`a\u{1B}⏎│·⟨33×space⟩é` + "e\u0301"), `a\u{1B}⏎│·⟨33×space⟩é` + "e\u0301"},
		// U+FFFD is a symbol and stays; a broken byte becomes one.
		{"drawn escapes", visible.Drawn("a\x1b[2J\n\u202e\xffz"), "a\\u{1B}[2J\\u{A}\\u{202E}\ufffdz"},
		{"slice", visible.Own("abcdef").Slice(1, 3), "bc"},
		{"zero", visible.Text{}, ""},
	}
	for _, tt := range tests {
		if got := tt.got.String(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestSpans(t *testing.T) {
	d := visible.Draw(visible.Value, "a\\\x1b\\u{41}\tb\r\n"+strings.Repeat(" ", 40)+strings.Repeat("\n", 9)+"é")
	want := []struct {
		text string
		kind visible.Kind
	}{
		{`a\\`, visible.KindText}, {`\u{1B}`, visible.KindEscape}, {`\\u{41}`, visible.KindText}, {"⇥   ", visible.KindMark},
		{"b", visible.KindText}, {"␍", visible.KindMark}, {"⏎\n", visible.KindMark}, {"⟨40×space⟩", visible.KindCount},
		{"⟨9×⏎⟩\n", visible.KindCount}, {"é", visible.KindText},
	}
	got := visible.Spans(d)
	if len(got) != len(want) {
		t.Fatalf("%d spans of %q: %v", len(got), d, got)
	}
	for i, w := range want {
		if s := got[i]; d[s.Start:s.End] != w.text || s.Kind != w.kind {
			t.Errorf("span %d: %q kind %d, want %q kind %d", i, d[s.Start:s.End], s.Kind, w.text, w.kind)
		}
	}
	if n := visible.Escapes(d); n != 3 {
		t.Errorf("%d escapes, want 3", n)
	}
	name := visible.Spans(visible.Draw(visible.Name, "xа"))
	if len(name) != 2 || name[1].Kind != visible.KindPoint {
		t.Errorf("spans of a name: %v", name)
	}
}

// TestSpansCover: spans are the whole text in order, whatever the text is.
func TestSpansCover(t *testing.T) {
	for _, s := range samples(t) {
		for _, d := range []string{s.Input, visible.Draw(visible.Value, s.Input), visible.Draw(visible.Name, s.Input)} {
			at := 0
			for _, sp := range visible.Spans(d) {
				if sp.Start != at || sp.End <= sp.Start {
					t.Fatalf("%s: span %v after %d", s.ID, sp, at)
				}
				at = sp.End
			}
			if at != len(d) {
				t.Fatalf("%s: spans end at %d of %d", s.ID, at, len(d))
			}
		}
	}
}
