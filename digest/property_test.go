package digest

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// texts draws strings that a JSON writer can get wrong.
func texts() *rapid.Generator[string] {
	return rapid.OneOf(rapid.StringN(1, 12, -1),
		rapid.SampledFrom([]string{"\"", "\\", "\\u0041", "\x00", "\x7f", "\u0080", "\u2028", "<&>", "\U0001F600", "\uFFFD", "\uE000", "{", ":", "a\",\"b"}))
}

func maybe(t *rapid.T, label string) string {
	if rapid.Bool().Draw(t, label+"?") {
		return texts().Draw(t, label)
	}
	return ""
}

func drawJSON(t *rapid.T, depth int) string {
	kinds := 6
	if depth == 0 {
		kinds = 4
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "json") {
	case 0:
		return rapid.SampledFrom([]string{"null", "true", "false", "{}", "[]", `""`}).Draw(t, "constant")
	case 1:
		return rapid.SampledFrom([]string{"0", "-1", "0.5", "1e+21", "9007199254740991", "-5e-324"}).Draw(t, "number")
	case 2, 3:
		var w writer
		w.quote(texts().Draw(t, "string"))
		return string(w.b)
	case 4:
		var items []string
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			items = append(items, drawJSON(t, depth-1))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	var items []string
	for _, name := range rapid.SliceOfNDistinct(texts(), 0, 4, rapid.ID[string]).Draw(t, "names") {
		var w writer
		w.quote(name)
		items = append(items, string(w.b)+" : "+drawJSON(t, depth-1))
	}
	return "{" + strings.Join(items, ",\n") + "}"
}

func drawValue(t *rapid.T) JSON {
	doc, err := Canonical([]byte(drawJSON(t, 3)), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func drawAction(t *rapid.T) *Action {
	a := &Action{
		Tool: "t" + maybe(t, "tool"), Operation: maybe(t, "operation"), Arguments: drawValue(t),
		Principal:   Principal{texts().Draw(t, "agent"), maybe(t, "user"), maybe(t, "host")},
		Environment: Environment{Name: texts().Draw(t, "environment"), Cwd: maybe(t, "cwd"), Machine: maybe(t, "machine")},
	}
	names := rapid.SliceOfNDistinct(texts(), 0, 5, rapid.ID[string])
	sorted := func(label string) []string { return slices.SortedFunc(slices.Values(names.Draw(t, label)), Compare) }
	for _, n := range sorted("vars") {
		a.Environment.Vars = append(a.Environment.Vars, Var{n, maybe(t, "var")})
	}
	for _, n := range sorted("operands") {
		a.Operands = append(a.Operands, Operand{n, Of([]byte(n))})
	}
	if rapid.Bool().Draw(t, "effect?") {
		a.Effect = &Effect{
			Class:          rapid.SampledFrom([]string{"", ClassReversible, ClassCompensatable, ClassIrreversible}).Draw(t, "class"),
			Access:         rapid.SampledFrom([]string{"", AccessRead, AccessWrite, AccessIdempotent}).Draw(t, "access"),
			CommitBoundary: "b" + maybe(t, "boundary"),
		}
		if rapid.Bool().Draw(t, "key?") {
			a.Effect.Key = JSON(`["e","family","part",-3]`)
		}
	}
	return a
}

// TestActionProperty: every action that can be built is written as RFC 8785
// canonical bytes and reads back as the same action.
func TestActionProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawAction(t)
		doc, err := a.Canonical()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Canonical(doc, Limits{}); err != nil || string(again) != string(doc) {
			t.Fatalf("not canonical, %v:\n%s\n%s", err, doc, again)
		}
		back, err := ParseAction(doc, Limits{})
		if err != nil {
			t.Fatalf("%v: %s", err, doc)
		}
		if diff := cmp.Diff(a, back, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestAskProperty is the same for an ask.
func TestAskProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := &Ask{
			ID: someID, Kind: KindCall, Session: texts().Draw(t, "session"), AnswerBy: "2026-12-01T14:30:12Z",
			UseWithin: rapid.Int64Range(1, MaxUseWithin).Draw(t, "use within"), AgentWords: maybe(t, "words"),
			Reasons: []string{"default", "rule"}, Why: rapid.SliceOfN(texts(), 1, 3).Draw(t, "why"),
			Parents: rapid.SliceOfNDistinct(texts(), 0, 3, rapid.ID[string]).Draw(t, "parents"),
		}
		if rapid.Bool().Draw(t, "question?") {
			k.Kind = KindQuestion
			k.Principal = &Principal{Agent: texts().Draw(t, "agent"), User: maybe(t, "user")}
			k.Question = &Question{texts().Draw(t, "question"), JSON(`{"type":"string"}`)}
		} else {
			k.Action = drawAction(t)
			k.Descriptor = &Descriptor{Digest: someDigest}
			if rapid.Bool().Draw(t, "reading?") {
				k.Descriptor.Readings = []Reading{{"", texts().Draw(t, "reading")}}
			}
		}
		if rapid.Bool().Draw(t, "edited?") {
			k.Replaces = otherID
			k.DerivedFrom = &Derived{otherID, texts().Draw(t, "by")}
		}
		var err error
		if k.ActionDigest, err = k.SubjectDigest(); err != nil {
			t.Fatal(err)
		}
		doc, err := k.Canonical()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Canonical(doc, Limits{}); err != nil || string(again) != string(doc) {
			t.Fatalf("not canonical, %v:\n%s\n%s", err, doc, again)
		}
		back, err := ParseAsk(doc, Limits{})
		if err != nil {
			t.Fatalf("%v: %s", err, doc)
		}
		if diff := cmp.Diff(k, back, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}
