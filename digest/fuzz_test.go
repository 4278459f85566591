package digest

import (
	"bytes"
	"testing"
)

// FuzzCanonicalIdempotent: what is accepted is its own canonical form, whatever
// the sender's layout was, and lifting changes nothing that is accepted.
func FuzzCanonicalIdempotent(f *testing.F) {
	for _, name := range []string{"jcs-vectors", "json-parser-differentials", "tool-calls"} {
		for _, r := range corpus(f, name) {
			f.Add(r.bytes())
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		was := bytes.Clone(raw)
		doc, err := Canonical(raw, Limits{})
		if !bytes.Equal(raw, was) {
			t.Fatal("the input was changed")
		}
		lifted, pointers, liftErr := Lift(raw, Limits{})
		if err != nil {
			if codeOf(err) == "" || doc != nil {
				t.Fatalf("refused with %v and %q", err, doc)
			}
			if liftErr != nil {
				return
			}
			if len(pointers) == 0 {
				t.Fatalf("lifted nothing, yet took what was refused with %v", err)
			}
			for i, v := range lookupAll(lifted, pointers) {
				if v == nil || v[0] != '"' {
					t.Fatalf("lifted %q is %s", pointers[i], v)
				}
			}
			doc = lifted
		} else if !bytes.Equal(lifted, doc) || pointers != nil || liftErr != nil {
			t.Fatalf("lifting changed it: %s %q %v", lifted, pointers, liftErr)
		}
		again, err := Canonical(doc, NoLimits())
		if err != nil || !bytes.Equal(again, doc) {
			t.Fatalf("%s became %s, %v", doc, again, err)
		}
		if end := afterValue(doc, 0); end != len(doc) {
			t.Fatalf("a value of %d bytes seems to end at %d", len(doc), end)
		}
	})
}

// FuzzParseWriteAction: an accepted action writes back as the canonical form of
// what was sent, so nothing sent is left out of the digest.
func FuzzParseWriteAction(f *testing.F) {
	f.Add([]byte(fullAction))
	f.Add([]byte(`{"type":"nod.action/v1","tool":"t","arguments":null,"principal":{"agent":"a"},"environment":{"name":"e"}}`))
	f.Add(action4K())
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, err := ParseAction(raw, Limits{})
		if err != nil {
			return
		}
		want, err := Canonical(raw, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := a.Canonical()
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%v\nread  %s\nwrote %s", err, want, got)
		}
	})
}

// FuzzParseWriteAsk is the same for an ask. The digest inside it is bound
// again first, because no fuzzer finds one.
func FuzzParseWriteAsk(f *testing.F) {
	f.Add([]byte(fullAsk()))
	f.Add([]byte(questionAsk()))
	f.Add([]byte(commitAsk()))
	f.Fuzz(func(t *testing.T, raw []byte) {
		doc, err := Canonical(raw, NoLimits())
		if err != nil || doc[0] != '{' {
			return
		}
		old, stated := Lookup(doc, "/action_digest")
		var shape Ask
		if _, err := shape.read(doc); err == nil && stated {
			if d, err := shape.SubjectDigest(); err == nil {
				raw = bytes.Replace(doc, append([]byte(`"action_digest":`), old...), []byte(`"action_digest":"`+string(d)+`"`), 1)
			}
		}
		k, err := ParseAsk(raw, Limits{})
		if err != nil {
			return
		}
		want, err := Canonical(raw, NoLimits())
		if err != nil {
			t.Fatal(err)
		}
		got, err := k.Canonical()
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%v\nread  %s\nwrote %s", err, want, got)
		}
	})
}
