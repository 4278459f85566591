package queue

import "regexp/syntax"

// Bounds of a schema's regular expressions together, as they are held and run:
// what stands in a few bytes, such as (?i)\pL{1000}, may be compiled to
// megabytes, and each step of a match goes through all of it.
const (
	maxPatternSteps = 4_000   // instructions
	maxPatternRunes = 200_000 // ends of the ranges in their classes
)

// weight is what a regular expression is compiled to, at most.
type weight struct{ steps, runes int }

// weigh reads a pattern as regexp.Compile does, and counts without compiling.
func weigh(pattern string) (weight, error) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return weight{}, err
	}
	return weightOf(re), nil
}

func weightOf(re *syntax.Regexp) weight {
	w := weight{steps: 2}
	switch re.Op {
	case syntax.OpLiteral:
		w.steps, w.runes = len(re.Rune), len(re.Rune)
	case syntax.OpCharClass:
		w = weight{1, len(re.Rune)}
	}
	for _, sub := range re.Sub {
		s := weightOf(sub)
		w.steps, w.runes = w.steps+s.steps, w.runes+s.runes
	}
	if re.Op == syntax.OpRepeat {
		n := max(re.Min, re.Max) + 1
		w.steps, w.runes = w.steps*n, w.runes*n
	}
	return w
}
