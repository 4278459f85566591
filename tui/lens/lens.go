package lens

import (
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/say"
)

// Lens is one lens on one ask, and where it is scrolled to. It belongs to one
// goroutine at a time.
type Lens struct {
	kind  Kind
	sheet sheet
	lay   *layout
	top   int // first screen row
}

// New does the work of a lens: it compares, parses and counts. It is bounded,
// but may take a second for the largest file, so it belongs off the event
// loop. in is kept and not changed.
func New(k Kind, in In) *Lens {
	l := &Lens{kind: k}
	switch k {
	case Diff:
		l.sheet = newDiff(in)
	case Edited:
		l.sheet = newEdited(in)
	case Shell:
		l.sheet = newShell(in)
	case JSON:
		l.sheet = newJSON(in)
	case Precedent:
		l.sheet = newPrecedent(in)
	case Escapes:
		l.sheet = newEscapes(in)
	default:
		l.kind, l.sheet = Raw, newRaw(in)
	}
	return l
}

// Kind is the lens's kind.
func (l *Lens) Kind() Kind { return l.kind }

// Lay wraps the lens for a look and a width and draws what it shows first,
// which Render else does when it needs it. It is worth calling where New was
// called, and again off the event loop when Ready says so.
func (l *Lens) Lay(look frame.Look, w int) { l.layout(look, w).window(l.top, firstRows) }

// firstRows is more rows than most screens have.
const firstRows = 64

// heavyText is how many bytes of text take a while to wrap.
const heavyText = 128 << 10

// Heavy reports whether it takes a while to wrap the lens, and memory to keep
// it: it is worth making it anew instead.
func (l *Lens) Heavy() bool { return l.lay != nil && l.lay.bytes > heavyText }

// Ready reports whether Render can draw at once at this look and width.
func (l *Lens) Ready(look frame.Look, w int) bool {
	return l.laid(look, w) || l.lay != nil && !l.Heavy()
}

func (l *Lens) laid(look frame.Look, w int) bool {
	return l.lay != nil && l.lay.pen == penOf(look) && l.lay.w == max(w, leastWidth)
}

func (l *Lens) layout(look frame.Look, w int) *layout {
	if !l.laid(look, w) {
		old, row := l.lay, 0
		l.lay = newLayout(l.sheet, penOf(look), w)
		if old != nil && len(old.first) > 1 {
			// The bytes of raw have other rows at another width.
			row = old.rowAt(l.top) * (len(l.lay.first) - 1) / (len(old.first) - 1)
		}
		l.top = int(l.lay.first[min(row, len(l.lay.first)-1)])
	}
	return l.lay
}

// room is how the h rows of a pane are shared.
func room(heads, h int, foot bool) (head, body, feet int) {
	head = min(heads, h)
	if h < head+2 && head > 1 {
		head = 1
	}
	if foot && h >= head+2 {
		feet = 1
	}
	return head, h - head - feet, feet
}

// Render draws the lens: what it is, what it was held against, its rows from
// where it is scrolled to, and its sum. At most h lines, none wider than w.
func (l *Lens) Render(look frame.Look, w, h int) []frame.Line {
	if w <= 0 || h <= 0 {
		return nil
	}
	lay := l.layout(look, w)
	heads, foot := l.sheet.heads(lay.pen, look), l.sheet.foot(lay.pen)
	head, body, feet := room(len(heads), h, foot != nil)
	l.top = clamp(l.top, lay.rows()-body)
	if lay.rows() > body {
		heads[0] = position(heads[0], l.top, body, lay.rows(), w)
	}
	out := make([]frame.Line, 0, h)
	for _, row := range heads[:head] {
		out = append(out, fit(append(frame.Line{frame.Gap(1)}, row...), w, look.Glyphs.Cut))
	}
	for _, row := range lay.window(l.top, body) {
		out = append(out, fit(row, w, look.Glyphs.Cut))
	}
	if feet > 0 {
		out = append(out, fit(append(frame.Line{frame.Gap(1)}, foot...), w, look.Glyphs.Cut))
	}
	return out
}

// position puts the rows on the screen at the right end of the first row,
// where there is room.
func position(head frame.Line, top, body, all, w int) frame.Line {
	at := say.Number(int64(top+1)) + "-" + say.Number(int64(min(top+body, all))) + " of " + say.Number(int64(all))
	free := w - 2 - head.Width() - len(at)
	if free < 2 {
		return head
	}
	return append(append(head, frame.Gap(free)), frame.S(themes.Muted, at))
}

// fit cuts a row that is too wide, and says how many cells are hidden.
func fit(row frame.Line, w int, mark string) frame.Line {
	if row.Width() <= w {
		return row
	}
	left, out := w, make(frame.Line, 0, len(row))
	for i, s := range row {
		n := frame.Width(s.Text)
		rest := row[i+1:].Width()
		if n+rest <= left {
			out, left = append(out, s), left-n
			continue
		}
		// The cut, with its count, is in this span or at the start of the next.
		if n <= left && left-n >= len("~+")+digits(rest) {
			out, left = append(out, s), left-n
			continue
		}
		s.Text = frame.Cut(s.Text, left, int64(rest), mark)
		return append(out, s)
	}
	return out
}

func digits(n int) int { return len(say.Number(int64(n))) }

// Scroll moves by n screen rows, at the size that Render is called with. A
// number past an end goes to that end.
func (l *Lens) Scroll(look frame.Look, n, w, h int) {
	lay := l.layout(look, w)
	_, body, _ := room(len(l.sheet.heads(lay.pen, look)), h, l.sheet.foot(lay.pen) != nil)
	l.top = clamp(clamp(l.top, lay.rows()-body)+clampStep(n, lay.rows()), lay.rows()-body)
}

// stops is a sheet with rows that are worth going to.
type stops interface {
	stop(i int) bool
}

// Jump goes to the next run of rows that are worth it, or back to the one
// before: changed lines, or what is said of a command. It reports whether there
// was one.
func (l *Lens) Jump(look frame.Look, back bool, w, h int) bool {
	s, ok := l.sheet.(stops)
	if !ok {
		return false
	}
	lay := l.layout(look, w)
	step := 1
	if back {
		step = -1
	}
	n := len(lay.first) - 1
	for i := lay.rowAt(l.top) + step; i >= 0 && i < n; i += step {
		if s.stop(i) && (i == 0 || !s.stop(i-1)) {
			before := l.top
			l.Scroll(look, int(lay.first[i])-l.top, w, h)
			return l.top != before
		}
	}
	return false
}

// Page is how many rows a page moves at this size: all but one.
func (l *Lens) Page(look frame.Look, w, h int) int {
	lay := l.layout(look, w)
	_, body, _ := room(len(l.sheet.heads(lay.pen, look)), h, l.sheet.foot(lay.pen) != nil)
	return max(body-1, 1)
}

func clamp(n, most int) int { return max(min(n, most), 0) }

func clampStep(n, rows int) int { return max(min(n, rows), -rows) }
