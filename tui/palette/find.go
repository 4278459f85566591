package palette

import (
	"slices"
	"strings"
	"unicode"
)

// match is an entry that was found.
type match struct {
	entry int
	rank  int
	hits  []bool // by character of Act; nil for none
}

// Ranks of a match, the best first.
const (
	rankWord     = iota // a word begins with it
	rankInitials        // its letters are the first ones of words
	rankWithin          // it stands somewhere
	rankLetters         // its letters come in this order
	rankNone
)

// find gives the entries that every word of the search is in, the best first
// and equal ones in their order.
func find(entries []Entry, search string) []match {
	words := strings.Fields(search)
	var found []match
	for i, e := range entries {
		m := match{entry: i}
		act, also := fold(e.Act), fold(e.Also)
		for _, w := range words {
			term := fold(w)
			rank, at := place(act, term)
			if r, _ := place(also, term); r < rank {
				rank, at = r, nil
			}
			m.rank = max(m.rank, rank)
			for _, k := range at {
				if m.hits == nil {
					m.hits = make([]bool, len(act))
				}
				m.hits[k] = true
			}
		}
		if m.rank < rankNone {
			found = append(found, m)
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return a.rank - b.rank })
	return found
}

// fold gives the characters in lower case, one for one.
func fold(s string) []rune {
	r := []rune(s)
	for i := range r {
		r[i] = unicode.ToLower(r[i])
	}
	return r
}

// place ranks term in text, and gives the places of its characters.
func place(text, term []rune) (rank int, at []int) {
	rank = rankNone
	for i := 0; i+len(term) <= len(text); i++ {
		if !slices.Equal(text[i:i+len(term)], term) {
			continue
		}
		if start(text, i) {
			return rankWord, run(i, len(term))
		}
		if rank == rankNone {
			rank, at = rankWithin, run(i, len(term))
		}
	}
	if in, ok := letters(text, term, start); ok {
		return rankInitials, in
	}
	if rank == rankNone {
		if in, ok := letters(text, term, func([]rune, int) bool { return true }); ok {
			return rankLetters, in
		}
	}
	return rank, at
}

// letters finds the characters of term in text in their order, each at a place
// that counts.
func letters(text, term []rune, counts func([]rune, int) bool) (at []int, ok bool) {
	for i := 0; i < len(text) && len(at) < len(term); i++ {
		if text[i] == term[len(at)] && counts(text, i) {
			at = append(at, i)
		}
	}
	return at, len(at) == len(term)
}

// start reports whether a word begins at text[i].
func start(text []rune, i int) bool {
	return letter(text[i]) && (i == 0 || !letter(text[i-1]))
}

func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

func run(from, n int) []int {
	at := make([]int, n)
	for i := range at {
		at[i] = from + i
	}
	return at
}
