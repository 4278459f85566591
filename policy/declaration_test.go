package policy

import (
	"strings"
	"testing"
)

// shapes is SEED-TABLES §1's first table, a row for each way in which metadata is
// there, blank, of another type, or not there. want is a class or a code.
var shapes = []struct{ text, want string }{
	// none, not an object, a list, unknown class
	{``, CodeMetadataRequired},
	{`null`, CodeMetadataRequired},
	{`true`, CodeMetadataRequired},
	{`7`, CodeMetadataRequired},
	{`"reversible"`, CodeMetadataRequired},
	{`[]`, CodeMetadataRequired},
	{`[` + reversible + `]`, CodeMetadataRequired},
	{`{}`, CodeMetadataRequired},
	{`{"disposer":` + undo + `}`, CodeMetadataRequired},
	{`{"effectClass":null,"disposer":` + undo + `}`, CodeMetadataRequired},
	{`{"effectClass":"","disposer":` + undo + `}`, CodeMetadataRequired},
	{`{"effectClass":"undeclared"}`, CodeMetadataRequired},
	{`{"effectClass":"Reversible","disposer":` + undo + `}`, CodeMetadataRequired},
	{`{"effectClass":" reversible","disposer":` + undo + `}`, CodeMetadataRequired},
	{`{"effectClass":["reversible"],"disposer":` + undo + `}`, CodeMetadataRequired},
	{`{"EffectClass":"reversible","disposer":` + undo + `}`, CodeMetadataRequired},
	{`{"effectClass":"irreversible","effectClass":"reversible","disposer":` + undo + `}`, CodeMetadataRequired},
	{`{"effectClass":"reversible"`, CodeMetadataRequired},
	{`{"effectClass":"irreversible","commitBoundary":"` + "\xff" + `"}`, CodeMetadataRequired},
	// reversible
	{reversible, "reversible"},
	{`{"effectClass":"reversible","disposer":{"tool":"x","operation":"rm","arguments":null}}`, "reversible"},
	{`{"effectClass":"reversible"}`, CodeDisposerRequired},
	{`{"effectClass":"reversible","disposer":null}`, CodeDisposerRequired},
	{`{"effectClass":"reversible","disposer":true}`, CodeDisposerRequired},
	{`{"effectClass":"reversible","disposer":"sub.cancel"}`, CodeDisposerRequired},
	{`{"effectClass":"reversible","disposer":[` + undo + `]}`, CodeDisposerRequired},
	{`{"effectClass":"reversible","disposer":{}}`, CodeDisposerRequired},
	{`{"effectClass":"reversible","disposer":{"tool":"","arguments":{}}}`, CodeDisposerRequired},
	{`{"effectClass":"reversible","disposer":{"tool":" \t\n","arguments":{}}}`, CodeDisposerRequired},
	{`{"effectClass":"reversible","disposer":{"tool":"\u200b","arguments":{}}}`, CodeDisposerRequired},
	{`{"effectClass":"reversible","disposer":{"tool":7,"arguments":{}}}`, CodeDisposerRequired},
	{`{"effectClass":"reversible","disposer":{"tool":"x"}}`, CodeDisposerRequired},
	{`{"effectClass":"reversible","disposer":{"tool":"x","operation":"","arguments":{}}}`, CodeDisposerRequired},
	{`{"effectClass":"reversible","disposer":{"tool":"x","arguments":{},"then":1}}`, CodeDisposerRequired},
	// compensatable
	{compensatable, "compensatable"},
	{`{"effectClass":"compensatable"}`, CodeCompensationRequired},
	{`{"effectClass":"compensatable","compensation":null}`, CodeCompensationRequired},
	{`{"effectClass":"compensatable","compensation":[]}`, CodeCompensationRequired},
	{`{"effectClass":"compensatable","compensation":"undo"}`, CodeCompensationRequired},
	{without("compensate"), CodeCompensationRequired},
	{with("compensate", `null`), CodeCompensationRequired},
	{with("compensate", `{}`), CodeCompensationRequired},
	{with("compensate", `"sub.cancel"`), CodeCompensationRequired},
	{without("idempotencyKey"), CodeCompensationRequired},
	{with("idempotencyKey", `null`), CodeCompensationRequired},
	{with("idempotencyKey", `""`), CodeCompensationRequired},
	{with("idempotencyKey", `" "`), CodeCompensationRequired},
	{with("idempotencyKey", `"\ufeff\u00a0"`), CodeCompensationRequired},
	{with("idempotencyKey", `7`), CodeCompensationRequired},
	{with("idempotencyKey", `["k"]`), CodeCompensationRequired},
	{without("observationalEquivalence"), CodeCompensationRequired},
	{with("observationalEquivalence", `null`), CodeCompensationRequired},
	{with("observationalEquivalence", `""`), CodeCompensationRequired},
	{with("observationalEquivalence", `"\t"`), CodeCompensationRequired},
	{with("observationalEquivalence", `true`), CodeCompensationRequired},
	{without("journaledBeforeInvoke"), CodeCompensationRequired},
	{with("journaledBeforeInvoke", `null`), CodeCompensationRequired},
	{with("journaledBeforeInvoke", `false`), CodeCompensationRequired},
	{with("journaledBeforeInvoke", `"true"`), CodeCompensationRequired},
	{with("journaledBeforeInvoke", `1`), CodeCompensationRequired},
	{with("journaledBeforeInvoke", `[true]`), CodeCompensationRequired},
	{with("retries", `3`), CodeCompensationRequired},
	// irreversible
	{irreversible, "irreversible"},
	{`{"effectClass":"irreversible","commitBoundary":" publish "}`, "irreversible"},
	{`{"effectClass":"irreversible"}`, CodeMetadataRequired},
	{`{"effectClass":"irreversible","commitBoundary":null}`, CodeMetadataRequired},
	{`{"effectClass":"irreversible","commitBoundary":""}`, CodeMetadataRequired},
	{`{"effectClass":"irreversible","commitBoundary":"  "}`, CodeMetadataRequired},
	{`{"effectClass":"irreversible","commitBoundary":7}`, CodeMetadataRequired},
	{`{"effectClass":"irreversible","commitBoundary":{"id":"publish"}}`, CodeMetadataRequired},
	// exactly one class with its metadata; its own comes first
	{`{"effectClass":"reversible","disposer":` + undo + `,"commitBoundary":"publish"}`, CodeMetadataRequired},
	{`{"effectClass":"reversible","commitBoundary":"publish"}`, CodeDisposerRequired},
	{`{"effectClass":"irreversible","commitBoundary":"publish","disposer":` + undo + `}`, CodeMetadataRequired},
	{`{"effectClass":"irreversible","commitBoundary":"publish","note":""}`, CodeMetadataRequired},
}

var compensation = []string{"compensate", undo, "idempotencyKey", `"k-7"`, "observationalEquivalence", `"no reservation 7"`, "journaledBeforeInvoke", "true"}

// with is a compensation with one member of another value, or one more.
func with(name, value string) string {
	members := []string{}
	for i := 0; i < len(compensation); i += 2 {
		if compensation[i] != name {
			members = append(members, `"`+compensation[i]+`":`+compensation[i+1])
		}
	}
	if value != "" {
		members = append(members, `"`+name+`":`+value)
	}
	return `{"effectClass":"compensatable","compensation":{` + strings.Join(members, ",") + `}}`
}

func without(name string) string { return with(name, "") }

func TestTheShapeOfADeclaration(t *testing.T) {
	for _, row := range shapes {
		d, err := ReadDeclaration([]byte(row.text))
		got := codeOf(t, err)
		if err == nil {
			got = d.Class
		}
		if got != row.want || (d == nil) != (err != nil) {
			t.Errorf("%s: %s, want %s", row.text, got, row.want)
		}
	}
}

// A declaration that Go code made is judged as one that was read.
func TestADeclarationMadeInCode(t *testing.T) {
	u := &Undo{Tool: "x", Arguments: []byte(`{}`)}
	c := &Compensation{Compensate: *u, IdempotencyKey: "k", Equivalence: "e", JournaledBeforeInvoke: true}
	for want, list := range map[string][]*Declaration{
		"":                   {{Class: "reversible", Disposer: u}, {Class: "compensatable", Compensation: c}, {Class: "irreversible", CommitBoundary: "b"}},
		CodeDisposerRequired: {{Class: "reversible"}, {Class: "reversible", Disposer: &Undo{Tool: "x", Arguments: []byte(`{"a":1,"a":2}`)}}},
		CodeMetadataRequired: {nil, {}, {Class: "irreversible"}, {Class: "reversible", Disposer: u, Compensation: c},
			{Class: "compensatable", Compensation: c, CommitBoundary: "b"}, {Class: "irreversible", CommitBoundary: "b", Disposer: u}},
		CodeCompensationRequired: {{Class: "compensatable"}, {Class: "compensatable", Compensation: &Compensation{Compensate: *u, IdempotencyKey: "k", Equivalence: "e"}}},
	} {
		for i, d := range list {
			if got := codeOf(t, d.check()); got != want {
				t.Errorf("%s %d: %s", want, i, got)
			}
		}
	}
}

func TestTheClassForTheAudit(t *testing.T) {
	for text, want := range map[string]string{
		``: "undeclared", `null`: "undeclared", `[]`: "undeclared", `{}`: "undeclared", `{"effectClass":"other"}`: "undeclared",
		`{"effectClass":1}`: "undeclared", `{"effectClass":"reversible"}`: "reversible",
		`{"effectClass":"compensatable","compensation":7}`: "compensatable", irreversible: "irreversible",
	} {
		if got := ClassOf([]byte(text)); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// FuzzReadDeclaration: what passes has one class and what that class needs, and
// a scope that owes it is read back as it was written.
func FuzzReadDeclaration(f *testing.F) {
	for _, row := range shapes {
		f.Add([]byte(row.text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := ReadDeclaration(raw)
		if err != nil {
			if d != nil || codeOf(t, err) == "" {
				t.Fatalf("%v with %v", d, err)
			}
			return
		}
		if ClassOf(raw) != d.Class {
			t.Fatalf("the audit says %s of a %s effect", ClassOf(raw), d.Class)
		}
		s := must(must(NewScope("c")).Activate())
		class, after, err := must(New(Facts{Mode: Active})).Authorize(d, &s)
		if err != nil || class != d.Class {
			t.Fatalf("%s, %v", class, err)
		}
		if d.Class == "irreversible" {
			return
		}
		doc, err := after.Canonical()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ReadScope(doc); err != nil || string(must(again.Canonical())) != string(doc) {
			t.Fatalf("%s: %v", doc, err)
		}
	})
}
