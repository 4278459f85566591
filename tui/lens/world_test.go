package lens_test

import (
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
	"nod/digest/card"
	"nod/tui/frame"
	"nod/tui/lens"
)

// now is 2026-11-30 14:32 UTC.
const now = 1796049120000

func look(split bool) frame.Look {
	return frame.Look{Glyphs: frame.Unicode(), W: 120, H: 34, Now: now, Loc: time.UTC, Split: split}
}

func ascii(l frame.Look) frame.Look {
	l.Glyphs = frame.ASCII()
	return l
}

// ask is a call of tool with these arguments; change fits it before its digest
// is taken.
func ask(t testing.TB, tool string, args any, change ...func(*digest.Ask)) *digest.Ask {
	t.Helper()
	raw, err := json.Marshal(args, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := digest.Canonical(raw, digest.NoLimits())
	if err != nil {
		t.Fatal(err)
	}
	a := &digest.Ask{
		ID: "01936f2a-7c1e-7000-8000-000000000001", Kind: digest.KindCall,
		Action: &digest.Action{
			Tool: tool, Arguments: doc, Principal: digest.Principal{Agent: "support-bot"},
			Environment: digest.Environment{Name: "local", Cwd: "/srv/shop"},
		},
		Reasons: []string{"default"}, Why: []string{"No rule answers this call, so a person is asked."},
		Session: "s-71c4", Parents: []string{}, AnswerBy: "2026-12-01T14:31:02Z", UseWithin: 600,
	}
	for _, f := range change {
		f(a)
	}
	a.ActionDigest, err = a.SubjectDigest()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// in is what a console knows of an ask.
func in(t testing.TB, a *digest.Ask) lens.In {
	t.Helper()
	raw, err := a.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	text, err := card.Render(a)
	if err != nil {
		t.Fatal(err)
	}
	return lens.In{Ask: a, Raw: raw, Card: card.Lines(text)}
}

// file is a file that was read, and the operand of an ask that was made of it.
func file(content string) *lens.File {
	return &lens.File{Bytes: []byte(content), Digest: digest.Of([]byte(content)), At: now - 108_000, Size: int64(len(content))}
}

func bound(content string) func(*digest.Ask) {
	return func(a *digest.Ask) {
		a.Action.Operands = []digest.Operand{{Name: "file", Digest: digest.Of([]byte(content))}}
	}
}

// screen is what a lens draws, its rows without the blanks at their ends.
func screen(l *lens.Lens, lk frame.Look, w, h int) string {
	return plain(l.Render(lk, w, h))
}

func plain(rows []frame.Line) string {
	var out []string
	for _, r := range rows {
		out = append(out, strings.TrimRight(r.Plain(), " "))
	}
	return strings.Join(out, "\n")
}

// whole is every row of a lens on one tall screen.
func whole(l *lens.Lens, lk frame.Look, w int) string { return screen(l, lk, w, 1<<20) }

func same(t *testing.T, got, want string) {
	t.Helper()
	want = strings.TrimPrefix(want, "\n")
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
