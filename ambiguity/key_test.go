package ambiguity

import (
	"errors"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"nod/digest"
	"nod/digest/visible"
)

func TestAKeyOfATemplate(t *testing.T) {
	refund := Template{Family: "refund", Parts: []Part{{At: "/payment_id"}, {At: "/line", Whole: true}}}
	for _, c := range []struct{ name, arguments, want string }{
		{"text and number", `{"line":2,"payment_id":"pay_1"}`, `["local","refund","pay_1",2]`},
		{"an inner space", `{"line":-2,"payment_id":"pay 1"}`, `["local","refund","pay 1",-2]`},
		{"other letters", `{"line":0,"payment_id":"Zürich-№9"}`, `["local","refund","Zürich-№9",0]`},
		{"quotes", `{"line":1,"payment_id":"a\"b\\c"}`, `["local","refund","a\"b\\c",1]`},
		{"nothing there", `{"line":2}`, ""},
		{"empty", `{"line":2,"payment_id":""}`, ""},
		{"a blank before", `{"line":2,"payment_id":" pay_1"}`, ""},
		{"a no-break space after", "{\"line\":2,\"payment_id\":\"pay_1\u00a0\"}", ""},
		{"an invisible character", "{\"line\":2,\"payment_id\":\"pay\u200b_1\"}", ""},
		{"a control", `{"line":2,"payment_id":"pay\n1"}`, ""},
		{"a letter that is not seen", "{\"line\":2,\"payment_id\":\"pay_1\u3164\"}", ""},
		{"a pattern of no dots", "{\"line\":2,\"payment_id\":\"pay_1\u2800\"}", ""},
		{"a syllable", `{"line":2,"payment_id":"김-1"}`, `["local","refund","김-1",2]`},
		{"a syllable in parts", "{\"line\":2,\"payment_id\":\"\u1100\u1175\u11b7-1\"}", ""},
		{"the sign of kelvin", "{\"line\":2,\"payment_id\":\"\u212a1\"}", ""},
		{"a combining mark", "{\"line\":2,\"payment_id\":\"pay\u0301\"}", ""},
		{"too long", `{"line":2,"payment_id":"` + strings.Repeat("x", 257) + `"}`, ""},
		{"a number as text", `{"line":"2","payment_id":"pay_1"}`, ""},
		{"a text as number", `{"line":2,"payment_id":7}`, ""},
		{"no whole number", `{"line":2.5,"payment_id":"pay_1"}`, ""},
		{"an exponent", `{"line":1e21,"payment_id":"pay_1"}`, ""},
		{"true", `{"line":true,"payment_id":"pay_1"}`, ""},
		{"null", `{"line":2,"payment_id":null}`, ""},
		{"a list", `{"line":2,"payment_id":["pay_1"]}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			key, err := refund.Key("local", canonical(t, c.arguments))
			if c.want == "" {
				var e *digest.Error
				if !errors.As(err, &e) || e.Code != CodeKey || e.Hint == "" || strings.Contains(e.Error(), "pay") && !strings.Contains(e.Pointer, "pay") {
					t.Fatalf("%s, %v", key, err)
				}
				return
			}
			if string(key) != c.want || err != nil {
				t.Fatalf("%s, %v", key, err)
			}
			if again, err := digest.Canonical(key, digest.NoLimits()); err != nil || string(again) != c.want {
				t.Errorf("the key is not canonical: %s, %v", again, err)
			}
		})
	}
}

// TestATextHasOneKey: what Unicode holds equal is not a second key, and what
// names an effect is seen.
func TestATextHasOneKey(t *testing.T) {
	is := func(s string) bool { return text(digest.JSON(`"` + s + `"`)) }
	named := 0
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		s := string(r)
		if r >= 0xd800 && r < 0xe000 || !is(s) {
			continue
		}
		named++
		for _, f := range []norm.Form{norm.NFC, norm.NFD} {
			if other := f.String(s); other != s && is(other) {
				t.Errorf("%q and %q are two keys", s, other)
			}
		}
		if visible.Draw(visible.Value, s) != s {
			t.Errorf("%q is not seen", s)
		}
	}
	if named < 100_000 {
		t.Errorf("only %d characters name an effect", named)
	}
}

// TestAnotherToolNeverMakesTheKey: what a caller names is of its tool alone,
// and of no template, whatever it writes.
func TestAnotherToolNeverMakesTheKey(t *testing.T) {
	seen := map[string]string{}
	for _, tool := range []string{"refund", "tool:refund", `refund","x`, "refund ", "Refund", "payout"} {
		for _, id := range []string{`"pay_1"`, `"tool:refund"`, `1`, `"1"`} {
			key, err := CallerKey("local", tool, digest.JSON(id))
			if err != nil {
				t.Fatal(err)
			}
			if by, there := seen[string(key)]; there {
				t.Errorf("%s and %s make %s", by, tool, key)
			}
			seen[string(key)] = tool
			if got, ok := CallerID(key); !ok || string(got) != id {
				t.Errorf("the id of %s is %s", key, got)
			}
		}
	}
	key, err := (&Template{Family: "refund", Parts: []Part{{At: "/id"}}}).Key("local", digest.JSON(`{"id":"pay_1"}`))
	if err != nil || seen[string(key)] != "" {
		t.Errorf("a template makes a caller's key: %s, %v", key, err)
	}
	if _, stated := CallerID(key); stated {
		t.Error("a template's key is read as a caller's")
	}
	for _, bad := range []string{``, `""`, `" x"`, `true`, `null`, `{}`, `[]`, `1.5`, `"` + "\\u202e" + `"`} {
		if key, err := CallerKey("local", "refund", digest.JSON(bad)); err == nil {
			t.Errorf("%s makes %s", bad, key)
		}
	}
}

func TestTheLastPart(t *testing.T) {
	for key, want := range map[string]string{
		`["local","refund","pay_8842"]`: "pay_8842", `["local","refund","a",7]`: "7", `["local","refund"]`: "", ``: "",
		`["local","refund","a\"b"]`: `a"b`,
	} {
		if got := LastPart(digest.JSON(key)); got != want {
			t.Errorf("%s: %q", key, got)
		}
	}
}

func canonical(t *testing.T, text string) digest.JSON {
	t.Helper()
	j, err := digest.Canonical([]byte(text), digest.NoLimits())
	if err != nil {
		t.Fatal(err)
	}
	return j
}
