package themes

// AnswerWithinMS is how long a terminal may take to say what its background
// is. Many never say; a theme that changes later would change under the hand.
const AnswerWithinMS = 1000

// Pair is a theme for a light background and one for a dark one; they are the
// same theme where the operator chose one.
type Pair struct{ Light, Dark *Theme }

// Asks reports whether the answer of the terminal matters.
func (p Pair) Asks() bool { return p.Light != p.Dark }

// Start is the theme until the terminal has answered, and for good when it
// does not: most terminals are dark.
func (p Pair) Start() *Theme { return p.Dark }

// Answer is the theme once the terminal said whether its background is dark,
// afterMS milliseconds after the question. A late answer changes nothing.
func (p Pair) Answer(dark bool, afterMS int64) *Theme {
	if dark || afterMS > AnswerWithinMS {
		return p.Dark
	}
	return p.Light
}
