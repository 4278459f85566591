package card_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"nod/digest"
	"nod/digest/card"
)

// seal gives an ask the action digest of its subject.
func seal(t testing.TB, a *digest.Ask) *digest.Ask {
	t.Helper()
	d, err := a.SubjectDigest()
	if err != nil {
		t.Fatalf("subject digest: %v", err)
	}
	a.ActionDigest = d
	return a
}

// canonical is the canonical JSON of a test's own text.
func canonical(t testing.TB, s string) digest.JSON {
	t.Helper()
	v, err := digest.Canonical([]byte(s), digest.Limits{})
	if err != nil {
		t.Fatalf("canonical %q: %v", s, err)
	}
	return v
}

func callAsk(t testing.TB, arguments string) *digest.Ask {
	t.Helper()
	return &digest.Ask{
		ID:   "0193e5a0-7c11-7b3e-9a52-3f0c8d6e1b44",
		Kind: digest.KindCall,
		Action: &digest.Action{
			Tool:        "Bash",
			Arguments:   canonical(t, arguments),
			Principal:   digest.Principal{Agent: "shop-fixer", User: "mia", Host: "claude-code"},
			Environment: digest.Environment{Name: "local", Cwd: "/home/mia/shop"},
		},
		Reasons:   []string{"default"},
		Why:       []string{"no rule matches this call"},
		Session:   "s-6f02",
		AnswerBy:  "2026-12-01T14:30:12Z",
		UseWithin: 600,
	}
}

const d0 = "sha256:37d2b12d5d9abc2a364ef9448767ee03938e383c0284193477dc7602ac5f1f1d"

// fullAsk states every member of a call.
func fullAsk(t testing.TB) *digest.Ask {
	t.Helper()
	a := callAsk(t, `{"amount":4800,"digits":"9007199254740993","note":"two\nlines","refund":{"to":["a",{},[],null,true,{"x/y~ z":-1.5e-7}]}}`)
	a.Action.Operation = "refund"
	a.Action.Environment.Machine = "build-7"
	a.Action.Environment.Vars = []digest.Var{{Name: "A/B ~", Value: ""}, {Name: "PATH", Value: "/bin:/usr/bin"}, {Name: "SCRIPT", Value: "a\nb"}, {Name: "Z", Value: "z"}}
	a.Action.Effect = &digest.Effect{Key: canonical(t, `["prod-eu","refund","pay_8842",3]`), Class: "compensatable", Access: "write", CommitBoundary: "b-1"}
	a.Action.Operands = []digest.Operand{{Name: "./Makefilе", Digest: d0}, {Name: "/usr/bin/make", Digest: d0}}
	a.Action.Lifted = []string{"/digits"}
	a.Reasons = []string{"irreversible", "rule"}
	a.Why = append(a.Why, `Rule "money" asks a person for every refund.`)
	a.Parents = []string{"s-1", "s-0"}
	a.Descriptor = &digest.Descriptor{Digest: d0, Readings: []digest.Reading{{Pointer: "/amount", Text: "48.00 EUR"}, {Pointer: "", Text: "all"}, {Pointer: "/refund/to/5/x~1y~0 z", Text: "tiny"}}}
	a.AgentWords = "please\tbe quick"
	a.Replaces = "0193e5a0-7c11-7b3e-9a52-3f0c8d6e1b45"
	a.DerivedFrom = &digest.Derived{Ask: "0193e5a0-7c11-7b3e-9a52-3f0c8d6e1b46", By: "noé"}
	return seal(t, a)
}

func questionAsk(t testing.TB) *digest.Ask {
	t.Helper()
	a := callAsk(t, "null")
	a.Kind, a.Action = digest.KindQuestion, nil
	a.Principal = &digest.Principal{Agent: "shop-fixer"}
	a.Question = &digest.Question{Text: "Which region may it use?", Schema: canonical(t, `{"type":"string","enum":["eu","us"]}`)}
	return seal(t, a)
}

func render(t testing.TB, a *digest.Ask) []byte {
	t.Helper()
	c, err := card.Render(a)
	if err != nil {
		t.Fatalf("render: %v", err)
	}
	return c
}

// sameAsk compares by canonical bytes.
func sameAsk(t testing.TB, a, b *digest.Ask) bool {
	t.Helper()
	x, err := a.Canonical()
	if err != nil {
		t.Fatalf("canonical: %v", err)
	}
	y, err := b.Canonical()
	if err != nil {
		t.Fatalf("canonical: %v", err)
	}
	return bytes.Equal(x, y)
}

func roundTrip(t testing.TB, a *digest.Ask) []byte {
	t.Helper()
	c := render(t, a)
	back, err := card.Parse(c)
	if err != nil {
		t.Fatalf("parse: %v\n%s", err, c)
	}
	if !sameAsk(t, a, back) {
		t.Fatalf("another ask came back from\n%s", c)
	}
	return c
}

func TestRoundTrip(t *testing.T) {
	for _, a := range []*digest.Ask{fullAsk(t), questionAsk(t), seal(t, callAsk(t, `[]`)), seal(t, callAsk(t, `"x"`)), seal(t, callAsk(t, `[[[1],{"a":{}}],"\u0000"]`))} {
		c := roundTrip(t, a)
		if len(c) != cap(c) {
			t.Errorf("measured %d bytes, wrote %d", cap(c), len(c))
		}
	}
}

func TestTooLarge(t *testing.T) {
	// A long name above many leaves is repeated in every label.
	deep := `{"` + strings.Repeat("k", 100_000) + `":[` + strings.Repeat("0,", 200) + `0]}`
	many := `{"` + strings.Repeat("k", 100_000) + `":[` + strings.Repeat("0,", 100) + `0]}`
	if _, err := card.Render(seal(t, callAsk(t, many))); err != nil {
		t.Errorf("10 MB card: %v", err)
	}
	var e *digest.Error
	if _, err := card.Render(seal(t, callAsk(t, deep))); !errors.As(err, &e) || e.Code != card.CodeTooLarge {
		t.Errorf("20 MB card: %v, want %s", err, card.CodeTooLarge)
	}
}
