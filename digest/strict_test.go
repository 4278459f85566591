package digest

import (
	"strings"
	"testing"
)

func TestRefusalsNameThePlace(t *testing.T) {
	for _, c := range []struct{ raw, code, pointer string }{
		{`{"to":{"iban":"A","iban":"B"}}`, CodeDuplicateMember, "/to/iban"},
		{`{"a":1,"\u0061":2}`, CodeDuplicateMember, "/a"},
		{`{"a/b":{"~":[1,{"x":"\ud800"}]}}`, CodeLoneSurrogate, "/a~1b/~0/1/x"},
		{`"\ud83d\u0041"`, CodeLoneSurrogate, ""},
		{`"\udc00\ud83d"`, CodeLoneSurrogate, ""},
		{`{"a":"\uDFFF"}`, CodeLoneSurrogate, "/a"},
		{"{\"a\":\"x\xffy\"}", CodeBadUTF8, "/a"},
		{"[\"\xed\xa0\x80\"]", CodeBadUTF8, "/0"}, // a surrogate as three bytes
		{"[\"\xc0\xaf\"]", CodeBadUTF8, "/0"},     // an overlong slash
		{`{"a":[1,2,9007199254740993]}`, CodeLossyNumber, "/a/2"},
		{`{"a":-0}`, CodeLossyNumber, "/a"},
		{`-0.0e7`, CodeLossyNumber, ""},
		{`{}{}`, CodeTrailingBytes, ""},
		{`{} null`, CodeTrailingBytes, ""},
		{"{}\x00", CodeTrailingBytes, ""},
		{`{"a":tru}`, CodeBadJSON, "/a"},
		{`["a`, CodeBadJSON, "/0"},
		{`["\x"]`, CodeBadJSON, "/0"},
		{"[\"a\nb\"]", CodeBadJSON, "/0"},
		{`{"a" 1}`, CodeBadJSON, "/a"},
		{`{a:1}`, CodeBadJSON, ""},
		{`[+1]`, CodeBadJSON, "/0"},
		{`[.5]`, CodeBadJSON, "/0"},
	} {
		doc, err := Canonical([]byte(c.raw), Limits{})
		e, ok := err.(*Error) //nolint:errorlint // the contract is *Error itself
		if !ok || e.Code != c.code || e.Pointer != c.pointer {
			t.Errorf("%q: got %q, %v; want %s at %q", c.raw, doc, err, c.code, c.pointer)
		}
	}
}

// TestErrorsHoldNoValue: a refusal is shown and logged, so it carries the place
// and never the content.
func TestErrorsHoldNoValue(t *testing.T) {
	for _, raw := range []string{
		`{"k":9007199254740993}`, `{"k":"s3cret\ud800"}`, "{\"k\":\"s3cret\xff\"}", `{"k":"s3cret" "x"}`, `{"k":s3cret}`, `{"k":1}s3cret`,
		`{"k":"s3cret","k":1}`,
	} {
		_, err := Canonical([]byte(raw), Limits{})
		e, ok := err.(*Error) //nolint:errorlint // the contract is *Error itself
		if !ok {
			t.Fatalf("%q is taken: %v", raw, err)
		}
		all := e.Error() + e.Sentence + e.Hint + e.Pointer
		if strings.Contains(all, "s3cret") || strings.Contains(all, "9007") {
			t.Errorf("%q: %s", raw, all)
		}
	}
}

// TestErrorLineIsPlain: a hostile member name reaches no terminal through it.
func TestErrorLineIsPlain(t *testing.T) {
	name := strings.Repeat("\\u001b]0;x\\u202e", 400)
	_, err := Canonical([]byte(`{"`+name+`":-0}`), Limits{})
	if codeOf(err) != CodeLossyNumber {
		t.Fatal(err)
	}
	line := err.Error()
	if len(line) > 1200 {
		t.Errorf("%d bytes", len(line))
	}
	for _, c := range []byte(line) {
		if c < 0x20 || c > 0x7E {
			t.Fatalf("byte %#x in %q", c, line)
		}
	}
}

func nested(depth int) string {
	return strings.Repeat("[", depth) + strings.Repeat("]", depth)
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		raw  string
		lim  Limits
		code string
	}{
		{nested(128), Limits{}, ""},
		{nested(129), Limits{}, CodeTooDeep},
		{nested(129), Limits{MaxDepth: 129}, ""},
		{nested(3), Limits{MaxDepth: 2}, CodeTooDeep},
		{`[[],[],[[]],{"a":"[[[["}]`, Limits{MaxDepth: 3}, ""},
		{`1`, Limits{MaxDepth: 1}, ""},
		{nested(9_999), NoLimits(), ""},
		{nested(10_001), NoLimits(), CodeTooDeep},
		{`"` + strings.Repeat("x", 1<<20-2) + `"`, Limits{}, ""},
		{`"` + strings.Repeat("x", 1<<20-1) + `"`, Limits{}, CodeTooLarge},
		{`"` + strings.Repeat("x", 1<<20-1) + `"`, NoLimits(), ""},
		{`[1,2]`, Limits{MaxBytes: 4}, CodeTooLarge},
		{`[1,2]`, Limits{MaxBytes: 5}, ""},
	} {
		if _, err := Canonical([]byte(c.raw), c.lim); codeOf(err) != c.code {
			t.Errorf("%.20q %+v: %v, want %q", c.raw, c.lim, err, c.code)
		}
	}
}

// TestEveryActionFitsAnAsk: an action at the limit can still be asked about.
func TestEveryActionFitsAnAsk(t *testing.T) {
	args := nested(DefaultMaxDepth - 1)
	text := `{"arguments":["` + strings.Repeat("x", DefaultMaxBytes-500) + `",` + args[1:] + `,"environment":{"name":"e"},"principal":{"agent":"a"},"tool":"t","type":"nod.action/v1"}`
	a, err := ParseAction([]byte(text), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	k, err := ParseAsk([]byte(fullAsk()), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	k.Action, k.Descriptor = a, nil
	if k.ActionDigest, err = a.Digest(); err != nil {
		t.Fatal(err)
	}
	doc, err := k.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ParseAsk(doc, Limits{}); err != nil {
		t.Error(err)
	}
}

// TestInputIsKept: reading changes no byte of what the caller forwards.
func TestInputIsKept(t *testing.T) {
	const text = `{ "b":1.0, "a":"\u0041" }`
	raw := []byte(text)
	doc, err := Canonical(raw, Limits{})
	if err != nil || string(raw) != text || string(doc) != `{"a":"A","b":1}` {
		t.Errorf("%s, %s, %v", raw, doc, err)
	}
	clear(raw)
	if string(doc) != `{"a":"A","b":1}` {
		t.Error("the result shares the input's bytes")
	}
}

func TestStringEnds(t *testing.T) {
	for _, s := range []string{``, `a`, `\"`, `\\`, `\\\"`, strings.Repeat(`\\`, 40), strings.Repeat(`x`, 40) + `\"` + strings.Repeat(`y`, 40), `0123456789abcde\"`, `0123456789abcd\\`, `0123456789abcdef\"q`} {
		b := []byte(`"` + s + `",9007199254740993`)
		if got, want := afterString(b, 0), len(s)+2; got != want {
			t.Errorf("%s: ends at %d, want %d", b, got, want)
		}
		if _, err := Canonical([]byte(`{"k":"`+s+`","n":9007199254740993}`), Limits{}); codeOf(err) != CodeLossyNumber {
			t.Errorf("a number hides behind %s: %v", s, err)
		}
		if _, err := Canonical([]byte(`["`+s+`","9007199254740993"]`), Limits{}); err != nil {
			t.Errorf("a string is taken for a number: %v", err)
		}
	}
	for _, s := range []string{`"`, `"\`, `"abc`, `"0123456789abcdef\`, `"0123456789abcdefgh`} {
		if got := afterString([]byte(s), 0); got < len(s) {
			t.Errorf("%s: ends at %d", s, got)
		}
	}
}

func TestDigestForm(t *testing.T) {
	d := Of(nil)
	if d != someDigest || !d.Valid() || d.Hex() != someDigest[7:] || d.Short() != "e3b0c44298fc" {
		t.Errorf("%s %s %s", d, d.Hex(), d.Short())
	}
	for _, bad := range []Digest{"", "sha256:", Digest(someDigest[:70]), someDigest + "0", Digest("SHA256:" + someDigest[7:]), Digest(strings.ToUpper(someDigest)), Digest("sha256:g" + someDigest[8:])} {
		if bad.Valid() || bad.Hex() != "" || bad.Short() != "" {
			t.Errorf("%q is taken", bad)
		}
	}
}
