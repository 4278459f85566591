package card_test

import (
	"errors"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"nod/digest"
	"nod/digest/card"
)

// column returns where the bar of a line stands, in code points.
func column(t *testing.T, c []byte, stem, pointer string) int {
	t.Helper()
	for _, l := range card.Lines(c) {
		if l.Stem == stem && l.Pointer == pointer {
			return len([]rune(string(c[l.Start:l.Bar])))
		}
	}
	t.Fatalf("no line %s%s in\n%s", stem, pointer, c)
	return 0
}

// TestColumn: a label of 28 code points moves the bar, one of 29 only its own.
func TestColumn(t *testing.T) {
	fits, long := strings.Repeat("k", 28-len("arguments/")), strings.Repeat("k", 29-len("arguments/"))
	c := roundTrip(t, seal(t, callAsk(t, `{"`+fits+`":1}`)))
	if k, a := column(t, c, "kind", ""), column(t, c, "arguments", "/"+fits); k != 28 || a != 28 {
		t.Errorf("28: bars at %d and %d", k, a)
	}
	c = roundTrip(t, seal(t, callAsk(t, `{"`+long+`":"a\nb"}`)))
	if k, a := column(t, c, "kind", ""), column(t, c, "arguments", "/"+long); k != len("use within (s)") || a != 29 {
		t.Errorf("29: bars at %d and %d", k, a)
	}
	if !strings.Contains(string(c), "a⏎\n             · │ b") {
		t.Errorf("the continuation of a long label is not in the column\n%s", c)
	}
	// Code points count, not bytes.
	wide := strings.Repeat("ж", 28-len("arguments/"))
	c = roundTrip(t, seal(t, callAsk(t, `{"`+wide+`":1}`)))
	if k := column(t, c, "kind", ""); k != 28 {
		t.Errorf("28 code points: bar at %d", k)
	}
}

// TestMemberOrder: short scalars and empty containers come first, only directly
// under a stem, and 200 bytes are short.
func TestMemberOrder(t *testing.T) {
	s200, s201 := strings.Repeat("é", 100), strings.Repeat("é", 100)+"x"
	esc := strings.Repeat(`\u0001`, 200) // 200 bytes, 1,200 in JSON
	c := roundTrip(t, seal(t, callAsk(t, `{"a":"x\ny","b":[1],"c":"`+s201+`","d":"`+s200+`","e":{},"f":{"a":"x\ny","b":1},"g":"`+esc+`","h":null,"\ud83d\ude00":1,"\ufb01":2}`)))
	var got []string
	for _, l := range card.Lines(c) {
		if l.Stem == "arguments" && !l.Continued {
			got = append(got, l.Pointer)
		}
	}
	const want = "/d /e /g /h /\U0001f600 /\ufb01 /a /b /b/0 /c /f/a /f/b"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("order %s, want %s", s, want)
	}
}

// TestSizeIsExact finds the boundary: a card of 16 MiB passes, and one byte
// more does not, whether text, padding or continuations make the size.
func TestSizeIsExact(t *testing.T) {
	for name, fill := range map[string]func(n int) string{
		"text":          func(n int) string { return `"` + strings.Repeat("x", n) + `"` },
		"continuations": func(n int) string { return `"` + strings.Repeat(`x\n`, 600_000) + strings.Repeat("x", n) + `"` },
		"padding": func(n int) string {
			return `[` + strings.Repeat("0,", 400_000) + `"` + strings.Repeat("x", n) + `"]`
		},
	} {
		ask := func(n int) *digest.Ask {
			a := callAsk(t, "null")
			v, err := digest.Canonical([]byte(fill(n)), digest.NoLimits())
			if err != nil {
				t.Fatal(err)
			}
			a.Action.Arguments = v
			a.ActionDigest = d0
			return a
		}
		free := card.MaxSize - len(render(t, ask(1)))
		if free < 1 {
			t.Fatalf("%s: %d bytes left", name, free)
		}
		if c := render(t, ask(1+free)); len(c) != card.MaxSize {
			t.Errorf("%s: %d bytes, want %d", name, len(c), card.MaxSize)
		}
		var e *digest.Error
		if _, err := card.Render(ask(2 + free)); !errors.As(err, &e) || e.Code != card.CodeTooLarge {
			t.Errorf("%s: one byte more: %v", name, err)
		}
	}
}

// TestDeeperThanJSON: nesting that no reader takes has no card.
func TestDeeperThanJSON(t *testing.T) {
	a := seal(t, callAsk(t, "null"))
	a.Action.Arguments = digest.JSON(strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000))
	var e *digest.Error
	if _, err := card.Render(a); !errors.As(err, &e) || e.Code != card.CodeBadAsk {
		t.Errorf("20,000 levels: %v", err)
	}
}

// TestForgedCounts: a text of counts cannot make the reader allocate what they
// claim.
func TestForgedCounts(t *testing.T) {
	var b strings.Builder
	b.WriteString(card.Head + "\nwhy │ · list of 50")
	for i := range 50 {
		b.WriteString("\nwhy/" + strconv.Itoa(i) + ` │ "⟨8000000×space⟩"`)
	}
	b.WriteString("\nwhy/51 │ \"⟨999999999×space⟩\"")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := card.Parse([]byte(b.String())); err == nil {
		t.Error("read as a card")
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 256<<20 {
		t.Errorf("allocated %d MiB for %d bytes", grown>>20, b.Len())
	}
}
