package plain

import "github.com/clipperhouse/displaywidth"

// hang stands before what goes on from the row above.
const hang = "  "

// leastCells is the narrowest row that is laid out.
const leastCells = 20

// wrap cuts drawn text into rows that a terminal of that width does not wrap
// by itself, after a space where one is in its second half. A character whose width terminals disagree about counts as wide.
// Nothing is left out.
func wrap(s string, width int) []string {
	rows, _ := wrapMost(s, width, 0, 0)
	return rows
}

// wrapMost is wrap for at most so many rows (0 for all), the first of which
// has indent cells taken. It gives the rows and how many bytes they hold.
func wrapMost(s string, width, indent, most int) (rows []string, bytes int) {
	width = max(width, leastCells) - 1 // some terminals go on at the very edge
	wide := displaywidth.Options{EastAsianWidth: true}
	used, from := indent, 0
	space, atSpace := 0, 0 // after the last space of the row, and the cells up to there
	for i, r := range s {
		cells := 1
		if r >= 0x80 {
			cells = max(wide.Rune(r), 1)
		}
		if used+cells > width {
			end := i
			if space > from && 2*atSpace > width {
				end, used = space, used-atSpace
			} else {
				used = 0
			}
			rows = append(rows, s[from:end])
			if len(rows) == most {
				return rows, end
			}
			from, space = end, 0
			used += len(hang)
		}
		used += cells
		if r == ' ' {
			space, atSpace = i+1, used
		}
	}
	return append(rows, s[from:]), len(s)
}
