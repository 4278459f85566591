// Package probe asks the terminal, before the console starts, how many cells
// it gives the glyph │ (SCREENS §A): where it is two, every frame would be torn
// and the console draws in ASCII.
//
// The rule it keeps: only the terminal's own answer changes anything. One that
// does not answer in time, or answers anything but two cells, keeps Unicode.
// Keys that came before the answer are thrown away and counted: they were
// typed before anything was shown, and the console says so.
//
// It runs before Bubble Tea does: afterwards the same answers say which frame
// is on the screen (package echo), and carry no number.
package probe

import (
	"strconv"
	"time"
)

// Within is how long the terminal may take.
const Within = 150 * time.Millisecond

// half is how much longer an answer that has begun may take: its rest would
// come as keys.
const half = 50 * time.Millisecond

// glyph is what is measured. Terminals that take one character of ambiguous
// width for two cells take all of them so.
const glyph = "│"

// question asks where the cursor is (DSR 6); the answer is a CPR.
const question = "\x1b[6n"

// answersWanted is how many answers a whole probe has.
const answersWanted = 2

// Ask is what is written: the cursor's place before and after one glyph, at
// the left edge, where nothing wraps.
func Ask() string { return "\r" + question + glyph + question }

// Erase takes the glyph off the screen.
func Erase() string { return "\r\x1b[K" }

// Wide reports whether the glyph took two cells, from the columns before and
// after it.
func Wide(before, after int) bool { return after-before == 2 }

// Wanted reports whether to ask at all: not when the answer changes nothing,
// and not where sequences would be printed as text.
func Wanted(ascii bool, term string) bool { return !ascii && term != "" && term != "dumb" }

// Result is what became of a probe.
type Result struct {
	Wide  bool // two cells: draw in ASCII
	Typed int  // bytes of keys that were thrown away
	Quit  bool // Ctrl+C was among them
	// Owed is how many answers may still come. Whoever matches answers with
	// frames drops so many of the first.
	Owed int
}

// Says is what the console says of a result, in its head and the rest; "" when
// there is nothing.
func (r Result) Says() (head, rest string) {
	switch {
	case r.Wide:
		return "ASCII", "a line glyph is two cells wide here, so frames are plain; read on."
	case r.Typed > 0:
		return "Early", "keys came before the console, so they were thrown away; go on."
	}
	return "", ""
}

// parsed is what stands in the bytes that a terminal sent.
type parsed struct {
	cols  []int // of the answers, in order
	typed int   // bytes that are no answer
	quit  bool
	half  bool // the bytes end inside what may be an answer
}

// parse finds the answers.
func parse(b []byte) parsed {
	var p parsed
	for i := 0; i < len(b); {
		col, n, whole := answer(b[i:])
		switch {
		case whole:
			p.cols = append(p.cols, col)
		case n > 0: // the bytes end in it
			p.half = true
			p.typed += n
		default:
			n = 1
			p.typed++
			p.quit = p.quit || b[i] == 0x03
		}
		i += n
	}
	return p
}

// answer reads ESC [ row ; column R at the start of b: its column and length,
// or the length of what may become one.
func answer(b []byte) (col, n int, whole bool) {
	state := 0
	from := 0
	for i, c := range b {
		digit := c >= '0' && c <= '9'
		switch {
		case state == 0 && c == 0x1b, state == 1 && c == '[':
			state++
		case state == 2 && digit, state == 3 && digit && i-from < 6:
		case state == 2 && c == ';' && i > 2:
			state, from = 3, i+1
		case state == 3 && c == 'R' && i > from:
			col, err := strconv.Atoi(string(b[from:i]))
			return col, i + 1, err == nil
		default:
			return 0, 0, false
		}
	}
	return 0, len(b), false
}
