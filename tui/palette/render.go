package palette

import (
	"nod/digest/visible"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/say"
)

// Columns of the list (SCREENS §12).
const (
	indent   = 3
	actCells = 27 // at least
	keyCells = 6  // at least
)

// Render gives at most h rows of w cells, from the search to the count, and the
// cell of the cursor: in the search, so that what is typed stands where the
// terminal shows it.
func (p *Palette) Render(look frame.Look, w, h int) ([]frame.Line, frame.Point) {
	if w < 1 || h < 1 {
		return nil, frame.Point{}
	}
	text, at := p.typed.RenderIn(look, w-indent-1)
	text.Role = themes.Accent
	rows := []frame.Line{frame.Line{frame.Gap(1), frame.S(themes.Accent, ": "), text}.Fit(w)}
	cursor := frame.Point{X: min(indent+at, w-1)}
	act, key := p.columns(w)
	if h >= 4 {
		rows = append(rows, frame.Line{
			frame.Gap(indent), frame.Col(themes.Faint, "act", act), frame.Col(themes.Faint, "key", key), frame.S(themes.Faint, "why not now"),
		}.Fit(w))
	}
	room := h - len(rows) - 1 // the count is the last row
	top := max(min(p.at-room/2, len(p.found)-room), 0)
	for i := top; i < min(top+room, len(p.found)); i++ {
		rows = append(rows, p.row(look, p.found[i], act, key, w, i == p.at))
	}
	if len(p.found) == 0 && room > 0 {
		rows = append(rows, frame.Line{frame.Gap(indent), frame.S(themes.Muted, "No act has these letters.")}.Fit(w))
	}
	if h >= 2 {
		for len(rows) < h-1 {
			rows = append(rows, frame.Line(nil).Fit(w))
		}
		rows = append(rows, p.count().Fit(w))
	}
	return rows, cursor
}

// columns are the widths of acts and keys: what the widest of them needs, the
// gap behind it counted, so that a narrow screen cuts reasons and not acts. A
// reason is said whole when its entry is chosen. They are at least as in
// SCREENS, and as long as nothing is listed anew they stay.
func (p *Palette) columns(w int) (act, key int) {
	act, key = actCells, keyCells
	for i := range p.entries {
		e := &p.entries[i]
		n := frame.Width(visible.Drawn(e.Act)) + 1
		if e.Why != "" {
			n += 2 // its parentheses
		}
		act, key = max(act, n), max(key, frame.Width(visible.Drawn(e.Key))+2)
	}
	return min(act, max(w*2/3, 2)), min(key, max(w/5, 2))
}

func (p *Palette) row(look frame.Look, m match, act, keyW, w int, selected bool) frame.Line {
	e := p.entries[m.entry]
	mark := frame.Gap(1)
	if selected {
		mark = frame.S(themes.Accent, look.Glyphs.Mark)
	}
	key := e.Key
	if key == "" {
		key = look.Glyphs.None
	}
	line := frame.Line{mark, frame.Gap(indent - 1)}
	line = append(line, actSpans(look, e, m.hits, act-1)...)
	line = line.Fit(indent + act)
	line = append(line, frame.Col(themes.Accent, key, keyW))
	why := frame.Cut(visible.Drawn(e.Why), max(w-line.Width()-1, 0), 0, look.Glyphs.Cut)
	line = append(line, frame.T(themes.Muted, why)).Fit(w)
	if selected {
		line = line.Selected()
	}
	return line
}

// actSpans is the act in at most w cells, the found letters in the accent; in
// parentheses when it cannot be done now.
func actSpans(look frame.Look, e Entry, hits []bool, w int) frame.Line {
	role, open, shut := themes.Text, "", ""
	if e.Why != "" {
		role, open, shut = themes.Muted, "(", ")"
	}
	whole := visible.Drawn(open + e.Act + shut)
	if frame.Width(whole) > w {
		return frame.Line{frame.T(role, frame.Cut(whole, w, 0, look.Glyphs.Cut))}
	}
	line := frame.Line{}
	if open != "" {
		line = append(line, frame.S(role, open))
	}
	chars := []rune(e.Act)
	for i := 0; i < len(chars); {
		j, hit := i, i < len(hits) && hits[i]
		for j < len(chars) && (j < len(hits) && hits[j]) == hit {
			j++
		}
		r := role
		if hit {
			r = themes.Accent
		}
		line = append(line, frame.S(r, string(chars[i:j])))
		i = j
	}
	if shut != "" {
		line = append(line, frame.S(role, shut))
	}
	return line
}

func (p *Palette) count() frame.Line {
	all := say.Count(int64(len(p.entries)), "act", "acts")
	return frame.Line{frame.Gap(1), frame.S(themes.Muted, say.Number(int64(len(p.found)))+" of "+all)}
}
