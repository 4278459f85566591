package rules

import "unicode/utf8"

// Glob reports whether name as a whole matches pattern. "*" stands for any
// text, also none, also with slashes or line breaks; "?" stands for exactly one
// character; everything else, backslash and brackets included, stands for
// itself. Case counts. It takes time in the product of the lengths at worst.
func Glob(pattern, name string) bool {
	p, n := 0, 0
	star, resume := -1, 0 // the last star, and where its text would end next
	for n < len(name) {
		if p < len(pattern) {
			switch c := pattern[p]; c {
			case '*':
				star, resume = p, n
				p++
				continue
			case '?':
				_, size := utf8.DecodeRuneInString(name[n:])
				p++
				n += size
				continue
			case name[n]:
				p++
				n++
				continue
			}
		}
		if star < 0 {
			return false
		}
		_, size := utf8.DecodeRuneInString(name[resume:])
		resume += size
		p, n = star+1, resume
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
