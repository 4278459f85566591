package card_test

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"nod/digest"
	"nod/digest/card"
)

// pieces are what a forger would build strings from.
var pieces = []string{
	"", " ", "\n", "\r", "\t", "\r\n", "\\", `\\`, `\u{41}`, "u{41}", "⏎", "⏎\n", "⇥", "⇥   ", "␍", "│", " │ ", "·", "· │ ", "⟨", "⟩",
	"⟨33×space⟩", "⟨9×⏎⟩", "· list of 1", "[]", "{}", "null", "\"", "\"\n", "\ntool │ \"Read\"", "\n                  · │ x", "nod card v1",
	"/", "~", "~0", "~1", "a", "A", "0", "1", "why/0", "kind", "e\u0301", "\u0301", "\u0301\u0301\u0301\u0301\u0301", "\u200b", "\u202e", "\ufeff",
	"\x00", "\x1b[2J", "\x7f", "\u0085", "\u2028", "\ufffd", "\uffff", "\U0010ffff", "\U0001f600", "\ue000", "а", "日本", "\ufe0f", "\u034f",
	strings.Repeat(" ", 32), strings.Repeat(" ", 33), strings.Repeat("\n", 8), strings.Repeat("\n", 9), strings.Repeat("x", 199),
}

func text(t *rapid.T, least int) string {
	piece := rapid.OneOf(rapid.SampledFrom(pieces), rapid.Map(rapid.Rune(), func(r rune) string { return string(r) }))
	s := strings.Join(rapid.SliceOfN(piece, least, 6).Draw(t, "pieces"), "")
	if len(s) < least {
		return s + "x"
	}
	return s
}

func names(t *rapid.T, most int) []string {
	var out []string
	for range rapid.IntRange(0, most).Draw(t, "n") {
		if s := text(t, 1); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// value appends a JSON value and the pointers of its places.
func value(t *rapid.T, dst []byte, depth int, at string, places *[]string) []byte {
	*places = append(*places, at)
	kind := rapid.IntRange(0, 6).Draw(t, "kind")
	if depth == 0 && kind > 4 {
		kind = 4
	}
	switch kind {
	case 0:
		return append(dst, rapid.SampledFrom([]string{"null", "true", "false", "{}", "[]", "0"}).Draw(t, "word")...)
	case 1:
		f := rapid.Float64().Draw(t, "number")
		if f == 0 || math.IsInf(f, 0) || math.IsNaN(f) {
			f = 1.5
		}
		return strconv.AppendFloat(dst, f, 'g', -1, 64)
	case 5:
		dst = append(dst, '{')
		for i, name := range names(t, 4) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst, _ = jsontext.AppendQuote(dst, name)
			dst = value(t, append(dst, ':'), depth-1, at+"/"+digest.EscapePointer(name), places)
		}
		return append(dst, '}')
	case 6:
		dst = append(dst, '[')
		for i := range rapid.IntRange(0, 4).Draw(t, "n") {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = value(t, dst, depth-1, at+"/"+strconv.Itoa(i), places)
		}
		return append(dst, ']')
	}
	dst, _ = jsontext.AppendQuote(dst, text(t, 0))
	return dst
}

func maybe(t *rapid.T, s func() string) string {
	if rapid.Bool().Draw(t, "stated") {
		return s()
	}
	return ""
}

// hostileAsk draws a valid ask of hostile strings.
func hostileAsk(t *rapid.T) *digest.Ask {
	some := func() string { return text(t, 1) }
	who := digest.Principal{Agent: some(), User: maybe(t, some), Host: maybe(t, some)}
	a := &digest.Ask{
		ID: "0193e5a0-7c11-7b3e-9a52-3f0c8d6e1b44", Kind: digest.KindCall,
		Reasons: rapid.SampledFrom([][]string{{"default"}, {"cross_boundary", "rule"}}).Draw(t, "reasons"),
		Why:     []string{some(), some()}[:rapid.IntRange(1, 2).Draw(t, "why")],
		Session: some(), Parents: names(t, 3), AnswerBy: "2026-12-01T14:30:12Z",
		UseWithin: rapid.Int64Range(1, digest.MaxUseWithin).Draw(t, "use"), AgentWords: maybe(t, some),
	}
	if rapid.Bool().Draw(t, "derived") {
		a.Replaces = "0193e5a0-7c11-7b3e-9a52-3f0c8d6e1b45"
		a.DerivedFrom = &digest.Derived{Ask: "0193e5a0-7c11-7b3e-9a52-3f0c8d6e1b46", By: some()}
	}
	if rapid.IntRange(0, 5).Draw(t, "question") == 0 {
		a.Kind, a.Principal = digest.KindQuestion, &who
		var p []string
		a.Question = &digest.Question{Text: some(), Schema: mustCanonical(t, []byte(`{"x":`+string(value(t, nil, 3, "", &p))+`}`))}
		return sealed(t, a)
	}
	var places []string
	act := &digest.Action{
		Tool: "t" + some(), Operation: maybe(t, some), Principal: who, Arguments: mustCanonical(t, value(t, nil, 4, "", &places)),
		Environment: digest.Environment{Name: some(), Cwd: maybe(t, some), Machine: maybe(t, some)},
	}
	for _, n := range sorted(names(t, 4)) {
		act.Environment.Vars = append(act.Environment.Vars, digest.Var{Name: n, Value: text(t, 0)})
	}
	for _, n := range sorted(names(t, 3)) {
		act.Operands = append(act.Operands, digest.Operand{Name: n, Digest: d0})
	}
	if rapid.Bool().Draw(t, "effect") {
		act.Effect = &digest.Effect{Class: "reversible", Access: "read", CommitBoundary: maybe(t, some)}
		if rapid.Bool().Draw(t, "key") {
			env, _ := jsontext.AppendQuote([]byte{'['}, some())
			fam, _ := jsontext.AppendQuote(append(env, ','), some())
			act.Effect.Key = mustCanonical(t, append(fam, ",7]"...))
		}
	}
	if rapid.Bool().Draw(t, "descriptor") {
		a.Descriptor = &digest.Descriptor{Digest: d0}
		for range rapid.IntRange(0, 3).Draw(t, "readings") {
			a.Descriptor.Readings = append(a.Descriptor.Readings, digest.Reading{Pointer: rapid.SampledFrom(places).Draw(t, "at"), Text: some()})
		}
	}
	a.Action = act
	return sealed(t, a)
}

func sorted(s []string) []string {
	slices.SortFunc(s, digest.Compare)
	return s
}

func mustCanonical(t *rapid.T, raw []byte) digest.JSON {
	v, err := digest.Canonical(raw, digest.Limits{})
	if err != nil {
		t.Fatalf("canonical %q: %v", raw, err)
	}
	return v
}

func sealed(t *rapid.T, a *digest.Ask) *digest.Ask {
	d, err := a.SubjectDigest()
	if err != nil {
		t.Fatalf("subject digest: %v", err)
	}
	a.ActionDigest = d
	return a
}

// checkHostile holds the bijection and the alphabet of a card.
func checkHostile(t *rapid.T) {
	a := hostileAsk(t)
	c, err := card.Render(a)
	if err != nil {
		t.Fatalf("render: %v", err)
	}
	if cap(c) != len(c) {
		t.Fatalf("measured %d bytes, wrote %d", cap(c), len(c))
	}
	back, err := card.Parse(c)
	if err != nil {
		t.Fatalf("parse: %v\n%s", err, c)
	}
	x, err := a.Canonical()
	if err != nil {
		t.Fatalf("canonical: %v", err)
	}
	if y, err := back.Canonical(); err != nil || !bytes.Equal(x, y) {
		t.Fatalf("another ask came back (%v) from\n%s", err, c)
	}
	if bad := forbidden(c); bad != "" {
		t.Fatalf("the card holds %q\n%s", bad, c)
	}
	var again []byte
	for i, l := range card.Lines(c) {
		if i > 0 {
			again = append(again, '\n')
		}
		again = append(again, c[l.Start:l.Bar]...)
		if l.Bar > l.Start {
			again = append(again, " │ "...)
		}
		again = append(again, l.Text.String()...)
	}
	if !bytes.Equal(again, c) {
		t.Fatalf("lines give\n%s\nfor\n%s", again, c)
	}
}

// forbidden returns the first character that no card may hold.
func forbidden(c []byte) string {
	for _, r := range string(c) {
		switch {
		case r < ' ' && r != '\n', r >= 0x7F && r < 0xA1, r == 0xAD, r == 0x34F, r == 0x61C, r >= 0x200B && r <= 0x200F,
			r >= 0x2028 && r <= 0x202F, r >= 0x2060 && r <= 0x206F, r == 0xFEFF, r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0000:
			return string(r)
		}
	}
	return ""
}

func TestHostileAsks(t *testing.T) { rapid.Check(t, checkHostile) }

func FuzzHostileAsks(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkHostile)) }

// FuzzParse: what parses is the card of what it parses to.
func FuzzParse(f *testing.F) {
	f.Add(render(f, fullAsk(f)))
	f.Add(render(f, questionAsk(f)))
	f.Add([]byte("nod card v1\nkind │ call"))
	f.Fuzz(func(t *testing.T, c []byte) {
		card.Lines(c)
		a, err := card.Parse(c)
		if err != nil {
			return
		}
		if again, err := card.Render(a); err != nil || !bytes.Equal(again, c) {
			t.Fatalf("parsed what is no card: %v\n%s", err, c)
		}
	})
}
