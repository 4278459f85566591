package cardview

import (
	"slices"
	"strings"
	"testing"
)

// broken returns the rows that s takes at that many cells.
func broken(s string, cells int) []string {
	var rows []string
	for s != "" {
		n := rowLen(s, cells)
		rows = append(rows, s[:n])
		s = s[n:]
	}
	return rows
}

func TestRowLen(t *testing.T) {
	for _, c := range []struct {
		what, text string
		cells      int
		want       []string
	}{
		{"fits", "one two", 7, []string{"one two"}},
		{"after a space", "one two three", 9, []string{"one two ", "three"}},
		{"a space hangs in the margin", "one two three", 7, []string{"one two ", "three"}},
		{"only one hangs", "one two   three", 7, []string{"one two ", "  three"}},
		{"at the edge", "aaaaaaaaaaaaaaa", 6, []string{"aaaaaa", "aaaaaa", "aaa"}},
		{"not after indentation", "    aaaaaaaaaa", 8, []string{"    aaaa", "aaaaaa"}},
		{"spaces only", strings.Repeat(" ", 12), 5, []string{"     ", "     ", "  "}},
		{"after a space, not ASCII", "óne twó three", 9, []string{"óne twó ", "three"}},
		{"a space hangs, not ASCII", "óne twó three", 7, []string{"óne twó ", "three"}},
		{"not after indentation, not ASCII", "    aaaéaaaaaa", 8, []string{"    aaaé", "aaaaaa"}},
		{"wide", "界界界界", 5, []string{"界界", "界界"}},
		{"flags take what two letters take", "\U0001F1E9\U0001F1EA\U0001F1E9\U0001F1EA", 5, []string{"\U0001F1E9\U0001F1EA", "\U0001F1E9\U0001F1EA"}},
		{"marks stay with their base", "aaaae\u0301\u0301b", 6, []string{"aaaa", "e\u0301\u0301b"}},
		{"an escape is not torn", `aaaaaaaa\u{200B}b`, 12, []string{`aaaaaaaa`, `\u{200B}b`}},
		{"an escape longer than the row is", `\u{200B}b`, 5, []string{`\u{20`, `0B}b`}},
		{"a doubled backslash is no escape", `aaaaaa\\u{200B}b`, 12, []string{`aaaaaa\\u{20`, `0B}b`}},
		{"an escape after a doubled one", `aaaaaa\\\u{200B}b`, 12, []string{`aaaaaa\\`, `\u{200B}b`}},
		{"backslashes by pairs", `aaa\\\\\\`, 6, []string{`aaa\\`, `\\\\`}},
		{"a count is not torn", "aaaaaa⟨45×space⟩b", 12, []string{"aaaaaa", "⟨45×space⟩b"}},
		{"a bracket that ends nowhere", "aaaaaa⟨45×space b c", 12, []string{"aaaaaa⟨45×sp", "ace b c"}},
		{"a mark of the twin", `aaaaaaaaaaa\nb`, 12, []string{`aaaaaaaaaaa`, `\nb`}},
	} {
		if got := broken(c.text, c.cells); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

func TestRowLenAlwaysGoesOn(t *testing.T) {
	for _, s := range []string{"e\u0301\u0301\u0301\u0301", "界", `\u{10FFFF}`, "⟨16777216×space⟩", " ", "\\", "\xff"} {
		for cells := 1; cells < 12; cells++ {
			if n := rowLen(strings.Repeat(s, 9), cells); n < 1 {
				t.Errorf("%q at %d cells: %d", s, cells, n)
			}
		}
	}
}
