package descriptor_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"nod/descriptor"
	"nod/digest"
)

// FuzzRead: whatever the arguments and the pointers, each reading is of a value
// that is there, says something, and the same arguments are read the same.
func FuzzRead(f *testing.F) {
	for _, s := range [][3]string{
		{`{"items":[{"price":1,"currency":"EUR"},{"price":"x"}]}`, "/items/*/price", "/items/*/currency"},
		{`{"a/b":{"*":{"~":[1,2]}}}`, "/a~1b/*/~0/*", "EUR"},
		{`[[1],[2]]`, "/*/*", "/0/0"},
		{`{"":{"":1}}`, "//", "/"},
		{`{"a":{"0":1}}`, "/a/0", "JPY"},
		{`[1]`, "/01", "EUR"},
		{`[1]`, "/-", "EUR"},
	} {
		f.Add(s[0], s[1], s[2])
	}
	f.Fuzz(func(t *testing.T, arguments, at, currency string) {
		v, err := digest.Canonical([]byte(arguments), digest.Limits{})
		if err != nil {
			return
		}
		set, err := descriptor.Compile([]descriptor.Tool{{Name: "x", Confirm: strings.ReplaceAll(at, "*", "0"), Reading: []descriptor.Reading{
			{At: at, As: descriptor.AsMoney, Currency: currency},
		}}})
		if err != nil {
			return
		}
		d := set.Tool("x")
		got := d.Read(v)
		if len(got) > 200 {
			t.Fatalf("%d readings", len(got))
		}
		seen := map[string]bool{}
		for i, r := range got {
			if _, there := digest.Lookup(v, r.Pointer); !there || seen[r.Pointer] {
				t.Fatalf("%q is not there, or twice", r.Pointer)
			}
			seen[r.Pointer] = true
			if r.Text == "" || strings.ContainsFunc(r.Text, func(c rune) bool { return c < ' ' || c > '~' }) {
				t.Fatalf("%q reads %q", r.Pointer, r.Text)
			}
			if again := d.Read(v); again[i] != r {
				t.Fatalf("%q reads %q, then %q", r.Pointer, r.Text, again[i].Text)
			}
		}
		if value, ok := d.Confirm(v); ok && (value == "" || len(value) > 64 || !utf8.ValidString(value)) {
			t.Fatalf("wants %q typed", value)
		}
	})
}
