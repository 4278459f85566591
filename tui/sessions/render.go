package sessions

import (
	"strconv"
	"strings"

	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/inbox"
	"nod/tui/say"
)

// quiet is how long a session that did not end may go without an act before it
// is no longer called live.
const quiet = 24 * say.Hour

const (
	headsNeed = 20 // rows of the screen (SCREENS, grammar)
	airy      = 24 // from which there is a blank row above the block
)

// column is one of the fixed cells left of what.
type column struct {
	head  string
	width int // of the cells, without the gap before them
	right bool
	cell  func(look frame.Look, l *List, s *queue.SessionView) (themes.Role, string)
}

// treeNeed is the cells of the screen from which each bit has a column.
const treeNeed = 72

func columns(w int) []column {
	cols := []column{
		{"age", 4, true, func(look frame.Look, l *List, s *queue.SessionView) (themes.Role, string) {
			return themes.Muted, say.Age(look.Now - l.begin(look.Now, s))
		}},
		{"waits", 6, true, func(_ frame.Look, _ *List, s *queue.SessionView) (themes.Role, string) {
			if s.Waits == 0 {
				return themes.Muted, "0"
			}
			return themes.Text, say.Column(s.Waits)
		}},
	}
	add := func(head string, width int, since func(s *queue.SessionView) int64) {
		cols = append(cols, column{" " + head, width, false, func(look frame.Look, _ *List, s *queue.SessionView) (themes.Role, string) {
			return bit(look, s, since(s))
		}})
	}
	if w < treeNeed {
		add("tree", 1+bitWidth, func(s *queue.SessionView) int64 { return s.Armed })
		return cols
	}
	add("armed", 1+bitWidth, func(s *queue.SessionView) int64 { return s.Armed })
	add("read", 1+bitWidth, func(s *queue.SessionView) int64 { return s.Observed })
	add("governed", 9, func(s *queue.SessionView) int64 { return s.Governed })
	return cols
}

// stateWidth is the cells of the state's word.
const stateWidth = 7

// State is how a session stands: its shape, its word and its role. A frozen
// one is frozen before anything else, since that is what stops it.
func State(g frame.Glyphs, s *queue.SessionView, now int64) (shape, word string, role themes.Role) {
	switch {
	case s.Frozen:
		return g.Frozen, "frozen", themes.Danger
	case s.EndedAt != 0:
		return g.Alone, "ended", themes.Muted
	case now-s.LastAct >= quiet:
		return g.Alone, "quiet", themes.Muted
	}
	return g.Call, "live", themes.Text
}

// begin is when the state that State gives began.
func (l *List) begin(now int64, s *queue.SessionView) int64 {
	f, known := l.since[s.ID]
	switch {
	case s.Frozen && known:
		return f.Since
	case s.EndedAt != 0:
		return s.EndedAt
	case now-s.LastAct >= quiet:
		return s.LastAct
	}
	return s.Started
}

// Render gives at most h rows in w cells, and the row on which the selected
// session stands (-1 for none).
func (l *List) Render(look frame.Look, w, h int) (rows []frame.Line, cursor int) {
	cursor = -1
	if h <= 0 {
		return nil, cursor
	}
	if look.H >= headsNeed && h > 1 {
		rows = append(rows, heads(w).Fit(w))
	}
	switch {
	case !l.loaded:
		return append(rows, frame.Line{frame.S(themes.Muted, "   reading…")}.Fit(w)), cursor
	case len(l.nodes) == 0:
		return append(rows, frame.Line{frame.S(themes.Muted, "   No agent has opened a session yet.")}.Fit(w)), cursor
	}
	list, block := heights(look, h)
	shown := l.rows()
	at := l.at(shown)
	top := l.scroll.Top(at, 0, len(shown), list)
	end := len(rows) + list
	for i := top; i < len(shown) && i < top+list; i++ {
		if i == at {
			cursor = len(rows)
		}
		rows = append(rows, l.draw(look, shown[i], w, i == at))
	}
	if block == 0 {
		return rows, cursor
	}
	if spare := list - len(shown); spare > 0 { // the block follows the rows where there is room
		end = len(rows)
		block = min(block+spare, max(block, blockRows))
	}
	for len(rows) < end {
		rows = append(rows, nil)
	}
	if look.H >= airy {
		rows = append(rows, frame.Line(nil).Fit(w))
		block--
	}
	return append(rows, l.detail(look, w, block)...), cursor
}

// heights divides the h rows of Render into the list's rows and those of the
// block below, its blank row among them. It depends on nothing that is
// selected, so that moving the selection moves no row.
func heights(look frame.Look, h int) (list, block int) {
	if look.H >= headsNeed && h > 1 {
		h--
	}
	h = max(h, 1)
	block = min(blockRows, h/2)
	if block < 3 {
		block = 0
	}
	return h - block, block
}

func heads(w int) frame.Line {
	var b strings.Builder
	b.WriteString("   state  ")
	for _, c := range columns(w) {
		pad := strings.Repeat(" ", max(c.width-len(c.head), 0))
		if c.right {
			b.WriteString(" " + pad + c.head)
		} else {
			b.WriteString(" " + c.head + pad)
		}
	}
	return frame.Line{frame.S(themes.Faint, b.String()+"  what")}
}

func (l *List) draw(look frame.Look, at, w int, selected bool) frame.Line {
	n := &l.nodes[at]
	s := &l.all[n.of]
	shape, word, role := State(look.Glyphs, s, look.Now)
	mark := frame.S(themes.Text, " ")
	if selected {
		mark = frame.S(themes.Accent, look.Glyphs.Mark)
	}
	line := frame.Line{mark, frame.S(role, shape), frame.Gap(1), frame.Col(role, word, stateWidth)}
	for _, c := range columns(w) {
		cellRole, text := c.cell(look, l, s)
		cell := frame.Right(cellRole, text, c.width)
		if !c.right {
			cell = frame.Col(cellRole, text, c.width)
		}
		line = append(line, frame.Gap(1), cell)
	}
	line = append(line, frame.Gap(2))
	line = append(line, l.what(look, at, w-line.Width()-1)...)
	line = line.Fit(w)
	if selected {
		return line.Selected()
	}
	return line
}

// what is the branches, the fold's count, the host's id and the agent, in at
// most room cells.
func (l *List) what(look frame.Look, at, room int) frame.Line {
	n := &l.nodes[at]
	s := &l.all[n.of]
	line := frame.Line{frame.S(themes.Border, l.branches(look.Glyphs, at, room/3))}
	if l.folded[s.ID] {
		line = append(line, frame.S(themes.Muted, look.Glyphs.Times+strconv.Itoa(n.below)+" folded "))
	}
	role := themes.Text
	if s.EndedAt != 0 {
		role = themes.Muted
	}
	text := inbox.Field(look, s.Host)
	if s.Agent != "" {
		text = visible.Concat(text, visible.Own("  "), inbox.Field(look, s.Agent))
	}
	return append(line, frame.T(role, frame.Cut(text, max(room-line.Width(), 0), 0, look.Glyphs.Cut)))
}

// branches are the tree's lines before a session. Where they would take more
// than room cells, the outer levels are a count.
func (l *List) branches(g frame.Glyphs, at, room int) string {
	n := &l.nodes[at]
	if n.depth == 0 {
		return ""
	}
	down, fork, corner, dash := "│", "├", "└", "─"
	if g.ASCII {
		down, fork, corner, dash = "|", "+", "+", "-"
	}
	own := fork + dash + " "
	if n.last {
		own = corner + dash + " "
	}
	var outer []string
	for up := n.up; up >= 0 && l.nodes[up].depth > 0; up = l.nodes[up].up {
		if l.nodes[up].last {
			outer = append(outer, "   ")
		} else {
			outer = append(outer, down+"  ")
		}
	}
	lead := ""
	if keep := max(room/3-2, 0); len(outer) > keep {
		lead = g.Cut + "+" + strconv.Itoa(len(outer)-keep) + " "
		outer = outer[:keep]
	}
	var b strings.Builder
	b.WriteString(lead)
	for i := len(outer) - 1; i >= 0; i-- {
		b.WriteString(outer[i])
	}
	return b.String() + own
}
