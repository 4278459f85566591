package editor

import (
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"nod/digest/visible"
	"nod/themes"
	"nod/tui/frame"
)

// numbered is the width from which lines have numbers.
const numbered = 80

// row is one of the screen: a line, and which of its rows.
type row struct{ line, n int }

func (r row) before(q row) bool { return r.line < q.line || r.line == q.line && r.n < q.n }

// gutter is the cells before the text.
func (e *Editor) gutter(w int) int {
	if w < numbered {
		return 2
	}
	return 2 + max(len(strconv.Itoa(len(e.lines))), 3)
}

// textCells is the cells of a row's text; one more stands free for a cursor
// behind it.
func (e *Editor) textCells(w int) int { return max(w-e.gutter(w)-1, 2) }

// wrapped is the last long line that was laid out: a key asks for it several
// times.
type wrapped struct {
	text   string
	tw     int
	starts []int
}

// longLine is from how many bytes a line is kept laid out.
const longLine = 4 << 10

// starts is rowStarts of line i.
func (e *Editor) starts(i, tw int) []int {
	l := e.lines[i]
	if len(l) < longLine {
		return rowStarts(l, tw)
	}
	if e.last.tw != tw || e.last.text != l {
		e.last = wrapped{l, tw, rowStarts(l, tw)}
	}
	return e.last.starts
}

// rowStarts gives the byte at which each row of a line begins; there is one row
// at least. A row ends before an escape that it would tear.
func rowStarts(l string, tw int) []int {
	starts := make([]int, 1, len(l)/tw+1)
	if isASCII(l) {
		for i := tw; i < len(l); i += tw {
			i = edge(l, starts[len(starts)-1], i)
			starts = append(starts, i)
		}
		return starts
	}
	used := 0
	for i, r := range l {
		n := cells(r)
		if used += n; used > tw {
			from := edge(l, starts[len(starts)-1], i)
			starts, used = append(starts, from), i-from+n
		}
	}
	return starts
}

// edge is where the row that begins at from ends, i at the latest.
func edge(l string, from, i int) int {
	for j := i - 1; j > max(i-6, from); j-- {
		if l[j] != '\\' || !escape(l[j:]) {
			continue
		}
		run := j
		for run > 0 && l[run-1] == '\\' {
			run--
		}
		if (j-run)%2 == 0 {
			return j
		}
	}
	return i
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// rowOf gives the row that a place is on, and its cell.
func (e *Editor) rowOf(p place, tw int) (row, int) {
	l := e.lines[p.line]
	starts := e.starts(p.line, tw)
	n := sort.SearchInts(starts, p.col+1) - 1
	cell := 0
	for _, r := range l[starts[n]:p.col] {
		cell += cells(r)
	}
	return row{p.line, n}, cell
}

// walk goes n rows on from r, or back, as far as there are any.
func (e *Editor) walk(r row, n, tw int) row {
	for n < 0 {
		if r.n >= -n {
			return row{r.line, r.n + n}
		}
		if r.line == 0 {
			return row{}
		}
		n += r.n + 1
		r.line--
		r.n = len(e.starts(r.line, tw)) - 1
	}
	for n > 0 {
		last := len(e.starts(r.line, tw)) - 1
		if r.n+n <= last {
			return row{r.line, r.n + n}
		}
		if r.line == len(e.lines)-1 {
			return row{r.line, last}
		}
		n -= last - r.n + 1
		r = row{r.line + 1, 0}
	}
	return r
}

// follow gives the first row to show so that the cursor's is among h.
func (e *Editor) follow(top row, tw, h int) row {
	at, _ := e.rowOf(e.at, tw)
	if at.before(top) {
		return at
	}
	if least := e.walk(at, 1-h, tw); top.before(least) {
		return least
	}
	return top
}

// Render gives at most h rows of w cells and the cell of the cursor.
func (e *Editor) Render(look frame.Look, w, h int) ([]frame.Line, frame.Point) {
	if w < 1 || h < 1 {
		return nil, frame.Point{}
	}
	tw, gutter := e.textCells(w), e.gutter(w)
	at, cell := e.rowOf(e.at, tw)
	top := e.follow(e.clamp(e.top, tw), tw, h)
	rows := make([]frame.Line, 0, h)
	var cursor frame.Point
	for r := top; r.line < len(e.lines) && len(rows) < h; r = (row{r.line + 1, 0}) {
		l := e.lines[r.line]
		starts := e.starts(r.line, tw)
		for ; r.n < len(starts) && len(rows) < h; r.n++ {
			end := len(l)
			if r.n+1 < len(starts) {
				end = starts[r.n+1]
			}
			if r == at {
				cursor = frame.Point{X: min(gutter+cell, w-1), Y: len(rows)}
			}
			line := frame.Line{e.margin(look, r, gutter, r.line == at.line)}
			rows = append(rows, append(line, spans(l, starts[r.n], end)...).Fit(w))
		}
	}
	return rows, cursor
}

// clamp moves a row to one that is there.
func (e *Editor) clamp(r row, tw int) row {
	r.line = max(min(r.line, len(e.lines)-1), 0)
	r.n = max(min(r.n, len(e.starts(r.line, tw))-1), 0)
	return r
}

// margin is a line's number, or the mark of a row that goes on.
func (e *Editor) margin(look frame.Look, r row, gutter int, here bool) frame.Span {
	text, role := "", themes.Muted
	switch {
	case r.n > 0:
		text, role = look.Glyphs.Wrap, themes.Faint
	case gutter > 2:
		text = strconv.Itoa(r.line + 1)
	}
	if here && r.n == 0 {
		role = themes.Accent
	}
	return frame.S(role, strings.Repeat(" ", max(gutter-1-utf8.RuneCountInString(text), 0))+text+" ")
}

// spans is the text from one byte of a line up to another, its escapes apart.
func spans(l string, from, to int) frame.Line {
	i := max(from-5, 0) // an escape may have begun before
	for i > 0 && l[i-1] == '\\' {
		i--
	}
	var out frame.Line
	plain := from
	for i < to {
		switch {
		case l[i] != '\\':
			i++
		case escape(l[i:]):
			a, b := max(i, from), min(i+6, to)
			if a < b {
				out = span(span(out, themes.Text, l[plain:a]), themes.Warn, l[a:b])
				plain = b
			}
			i += 6
		default:
			i += 2
		}
	}
	return span(out, themes.Text, l[plain:to])
}

func span(out frame.Line, role themes.Role, s string) frame.Line {
	if s == "" {
		return out
	}
	return append(out, frame.T(role, visible.Drawn(s)))
}

// escape reports whether s begins with \uXXXX.
func escape(s string) bool {
	if len(s) < 6 || s[1] != 'u' {
		return false
	}
	for _, c := range []byte(s[2:6]) {
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return true
}
