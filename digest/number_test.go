package digest

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNumberGuard(t *testing.T) {
	for lit, want := range map[string]bool{
		"0": true, "1": true, "-1": true, "0.1": true, "1.0": true, "1e21": true, "1E+2": true, "100e-2": true,
		"0.0": true, "0e999999999999": true, "0.000": true, "9007199254740992": true, "9007199254740991": true,
		"123456789012345": true, "-123456789012345": true, "999999999999999": true, "1e308": true,
		"1.7976931348623157e308": true, "5e-324": true, "2.2250738585072014e-308": true, "0.30000000000000004": true,
		"18014398509481984": true, "100000000000000000000": true, "0.00000000000000000000000000001": true,
		"1" + strings.Repeat("0", 300): true, "1" + strings.Repeat("0", 400) + "e-400": true,
		"0." + strings.Repeat("0", 400) + "1e401": true,

		"-0": false, "-0.0": false, "-0e5": false, "9007199254740993": false, "-9007199254740993": false,
		"1e400": false, "-1e400": false, "1e-400": false, "1e99999999999999999999": false, "1e-99999999999999999999": false,
		"3.141592653589793238": false, "333333333.33333329": false, "0.10000000000000001": false,
		"18446744073709551615": false, "9223372036854775807": false, "2e308": false, "4e-324": false, "1e-324": false,
		"1234567890123456789012345678901234567890": false, "1" + strings.Repeat("0", 400): false,
		"0." + strings.Repeat("0", 400) + "1": false, "1.0000000000000001": false,
	} {
		if got := lossless([]byte(lit)); got != want {
			t.Errorf("%.60s: %v", lit, got)
		}
		if !numberLiteral([]byte(lit)) {
			t.Errorf("%.60s is a number", lit)
		}
	}
	for _, bad := range []string{"", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "1 ", " 1", "0x1", "1.e1", "Infinity", "NaN", "1_0", "١"} {
		if numberLiteral([]byte(bad)) {
			t.Errorf("%q is no number", bad)
		}
	}
}

// exact is the guard's rule in the words of DESIGN §3, by exact arithmetic.
func exact(t *rapid.T, lit string) bool {
	f, err := strconv.ParseFloat(lit, 64)
	if err != nil {
		return false
	}
	sent, ok := new(big.Rat).SetString(lit)
	if !ok {
		t.Fatalf("%q is no rational", lit)
	}
	printed, ok := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	if !ok {
		t.Fatalf("%v prints badly", f)
	}
	return sent.Cmp(printed) == 0 && (sent.Sign() != 0 || lit[0] != '-')
}

func TestNumberGuardAgainstExactArithmetic(t *testing.T) {
	digits := rapid.StringMatching(`[0-9]{0,20}`)
	random := rapid.Custom(func(t *rapid.T) string {
		lit := rapid.SampledFrom([]string{"", "-"}).Draw(t, "sign")
		lit += rapid.SampledFrom([]string{"0", "1", "9", "12", "9007199254740", "1797693134862315", "49406564584124"}).Draw(t, "head")
		if lit[len(lit)-1] != '0' {
			lit += digits.Draw(t, "whole")
		}
		if rapid.Bool().Draw(t, "fraction") {
			lit += "." + strings.Repeat("0", rapid.IntRange(0, 25).Draw(t, "zeros")) + "0" + digits.Draw(t, "part")
		}
		if rapid.Bool().Draw(t, "scaled") {
			lit += rapid.SampledFrom([]string{"e", "E"}).Draw(t, "e") + rapid.SampledFrom([]string{"", "+", "-"}).Draw(t, "way")
			lit += strconv.Itoa(rapid.SampledFrom([]int{0, 1, 5, 17, 20, 21, 22, 290, 299, 300, 301, 305, 307, 308, 309, 323, 324, 340}).Draw(t, "power"))
		}
		return lit
	})
	printed := rapid.Custom(func(t *rapid.T) string {
		f := math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
		if math.IsNaN(f) || math.IsInf(f, 0) {
			f = 0.1
		}
		format := rapid.SampledFrom([]byte{'e', 'f', 'g'}).Draw(t, "format")
		return strings.Replace(strconv.FormatFloat(f, format, rapid.SampledFrom([]int{-1, -1, 14, 15, 16, 17}).Draw(t, "precision"), 64), "+", "", 1)
	})
	rapid.Check(t, func(t *rapid.T) {
		lit := rapid.OneOf(random, printed).Draw(t, "literal")
		if got, want := lossless([]byte(lit)), exact(t, lit); got != want {
			t.Fatalf("%s: guard says %v, exact arithmetic %v", lit, got, want)
		}
		doc, err := Canonical([]byte(lit), Limits{})
		if (err == nil) != lossless([]byte(lit)) {
			t.Fatalf("%s: guard and reader differ: %v", lit, err)
		}
		if err == nil {
			a, _ := new(big.Rat).SetString(lit)
			b, ok := new(big.Rat).SetString(string(doc))
			if !ok || a.Cmp(b) != 0 {
				t.Fatalf("%s became %s", lit, doc)
			}
		}
	})
}

// TestNumberForms: a value has one written form, whatever the sender's was.
func TestNumberForms(t *testing.T) {
	for raw, want := range map[string]string{
		"1" + strings.Repeat("0", 21): "1e+21", "1" + strings.Repeat("0", 20): "1" + strings.Repeat("0", 20),
		"-1" + strings.Repeat("0", 300): "-1e+300", "1E0": "1", "0.50": "0.5", "0e7": "0", "12e-1": "1.2",
	} {
		if doc, err := Canonical([]byte(raw), Limits{}); err != nil || string(doc) != want {
			t.Errorf("%s: %s, %v; want %s", raw, doc, err, want)
		}
	}
}

func TestLift(t *testing.T) {
	for _, c := range []struct {
		raw, doc string
		lifted   []string
		code     string
	}{
		{`{"b":[1,9007199254740993,-0],"a":1e400}`, `{"a":"1e400","b":[1,"9007199254740993","-0"]}`, []string{"/a", "/b/1", "/b/2"}, ""},
		{`9007199254740993`, `"9007199254740993"`, []string{""}, ""},
		{` [ 1.0 , "9007199254740993" ] `, `[1,"9007199254740993"]`, nil, ""},
		{`{"a/~":{"\u00e9":9223372036854775807}}`, `{"a/~":{"é":"9223372036854775807"}}`, []string{"/a~1~0/é"}, ""},
		{`{"\uffee":-0,"\ud83d\ude00":-0}`, "{\"\U0001F600\":\"-0\",\"\uFFEE\":\"-0\"}", []string{"/\U0001F600", "/\uFFEE"}, ""},
		{`{"a":-0,"a":1}`, "", nil, CodeDuplicateMember},
		{`{"a":-0}x`, "", nil, CodeTrailingBytes},
		{`[-0,"\ud800"]`, "", nil, CodeLoneSurrogate},
		{`[-0,` + nested(128) + `]`, "", nil, CodeTooDeep},
	} {
		doc, lifted, err := Lift([]byte(c.raw), Limits{})
		if codeOf(err) != c.code || string(doc) != c.doc || !slices.Equal(lifted, c.lifted) {
			t.Errorf("%s: %s %q %v", c.raw, doc, lifted, err)
		}
		if err != nil {
			continue
		}
		a := sampleAction(t)
		a.Arguments, a.Lifted = doc, lifted
		if _, err := a.Canonical(); err != nil {
			t.Errorf("%s: the action with the lifted numbers: %v", c.raw, err)
		}
	}
	// One long name over many numbers would make a list far beyond the text.
	many := `{"` + strings.Repeat("n", 1<<16) + `":[` + strings.Repeat("-0,", 1000) + `-0]}`
	if _, _, err := Lift([]byte(many), Limits{}); codeOf(err) != CodeTooLarge {
		t.Errorf("the list of pointers is not bounded: %v", err)
	}
}

func TestCompareIsUTF16Order(t *testing.T) {
	sorted := []string{"", "\r", "/", "/a", "/a!b", "/a/b", "1", "a", "aa", "\u0080", "ö", "öa", "€", "\ud7ff", "\U00010000", "\U0001F600", "\U0001F601", "\U0010FFFF", "\ue000", "\ufb33", "\uffff"}
	for i, a := range sorted {
		for j, b := range sorted {
			if got := Compare(a, b); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("Compare(%q, %q) = %d", a, b, got)
			}
		}
	}
}

func TestLookup(t *testing.T) {
	doc := JSON(`{"":0,"a/b":{"~":[10,[11],{"x\"y":"z"}]},"a":1,"1":"one"}`)
	for pointer, want := range map[string]string{
		"": string(doc), "/": "0", "/a": "1", "/1": `"one"`, "/a~1b/~0/0": "10", "/a~1b/~0/1/0": "11", `/a~1b/~0/2/x"y`: `"z"`,
		"/a~1b/~0/3": "", "/a~1b/~0/-": "", "/a~1b/~0/00": "", "/a~1b/~0/+1": "", "/b": "", "a": "", "/a/0": "", "/a~1b/~": "", "/a~": "", "/a~2": "", "/a~1b/~0/": "",
	} {
		got, ok := Lookup(doc, pointer)
		if ok != (want != "") || string(got) != want {
			t.Errorf("%q: %s, %v", pointer, got, ok)
		}
	}
	if _, ok := Lookup(nil, ""); ok {
		t.Error("nothing holds nothing")
	}
}
