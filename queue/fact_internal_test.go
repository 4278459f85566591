package queue

import (
	"reflect"
	"testing"

	"nod/ambiguity"
	"nod/digest"
)

// The event that brings a fact keeps its digest: whatever of the fact is
// changed later, it is another one. Only the time stands in the event itself.
func TestAFactsDigestNamesAllOfIt(t *testing.T) {
	whole := FactView{Attempt: "t", At: 1, Kind: ambiguity.Report, Source: ambiguity.ByTool, By: "a", Says: AttemptUnknown, Durable: true,
		Divergent: true, Late: true, Early: true, Why: "w", Exit: ExitTimeout, Observed: "o", Seen: "\u2028\x1b\"", Ref: "r", Reason: "s",
		Page: "p", Proof: true, Allowed: "x", Content: "c"}
	known := map[digest.Digest]string{whole.Digest("e"): "nothing", whole.Digest("other"): "the effect"}
	if len(known) != 2 {
		t.Error("the effect is not in it")
	}
	all := reflect.TypeFor[FactView]()
	for i := range all.NumField() {
		v := whole
		f, name := reflect.ValueOf(&v).Elem().Field(i), all.Field(i).Name
		if f.IsZero() {
			t.Fatalf("%s is not set", name)
		}
		if name == "At" {
			continue
		}
		f.SetZero()
		d := v.Digest("e")
		if was, there := known[d]; there {
			t.Errorf("without %s it is as without %s", name, was)
		}
		known[d] = name
	}
}

func TestAFactsDigestIsOfCanonicalJSON(t *testing.T) {
	v := FactView{Kind: ambiguity.Opened, Source: ambiguity.ByOperator, Reason: "on\u2028 purpose \x1b\U0001F600\"", Durable: true}
	raw := `{"type":"nod.fact/v1","source":"operator","reason":"on\u2028 purpose \u001b😀\"","kind":"opened","effect":"e","durable":true}`
	canonical, err := digest.Canonical([]byte(raw), digest.NoLimits())
	if err != nil {
		t.Fatal(err)
	}
	if got := v.Digest("e"); got != digest.Of(canonical) {
		t.Errorf("%s is not that of %s", got, canonical)
	}
}
