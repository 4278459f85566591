package sessions

import (
	"slices"

	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/inbox"
	"nod/tui/say"
	"strings"
)

// blockRows is what the block of the selected session takes at the most, the
// blank row above it included.
const blockRows = 16

// labelWidth is the cells of a label, with the gap after it.
const labelWidth = 12

// detail says what is known of the selected session, in at most h rows; the
// host's id is whole and comes last, where it may take several.
func (l *List) detail(look frame.Look, w, h int) []frame.Line {
	s, ok := l.Selected()
	if !ok || h <= 0 {
		return nil
	}
	var out []frame.Line
	add := func(label string, value ...frame.Span) {
		line := frame.Line{frame.Gap(3), frame.Col(themes.Muted, label, labelWidth)}
		room := max(w-1-line.Width(), 0)
		for _, v := range value {
			v.Text = frame.Cut(v.Text, room, 0, look.Glyphs.Cut)
			room = max(room-frame.Width(v.Text), 0)
			line = append(line, v)
		}
		out = append(out, line.Fit(w))
	}
	text := func(t string) frame.Span { return frame.S(themes.Text, t) }
	// The id goes first into what is left when the rows are few.
	id := l.id(look, &s, w)
	agent := frame.S(themes.Faint, "not stated")
	if s.Agent != "" {
		agent = frame.T(themes.Text, inbox.Field(look, s.Agent))
	}
	if s.Frozen {
		f, known := l.since[s.ID]
		if known {
			add("Frozen", frame.S(themes.Danger, "since "+say.Clock(f.Since, look.Now, look.Loc)+" by "),
				frame.T(themes.Text, inbox.Field(look, f.By)))
		} else {
			add("Frozen", frame.S(themes.Danger, "nothing of it begins"))
		}
	}
	l.treeRows(look, &s, max(w-1-3-labelWidth, 1), add)
	records := len(out)
	if n := l.nodes[l.find(s.ID)].below; n > 0 {
		how := " below it, shown"
		if l.folded[s.ID] {
			how = " below it, folded"
		}
		add("Children", text(say.Count(int64(n), "session", "sessions")+how))
	}
	if len(s.Clamps)+len(s.DenyRules) > 0 {
		add("Clamps", l.clamps(look, &s)...)
	}
	if s.Parent != "" {
		add("Parent", l.parent(look, &s))
	}
	if s.Source != "" {
		add("Source", frame.T(themes.Text, inbox.Field(look, s.Source)))
	}
	add("Last act", text(ago(look, s.LastAct)))
	if s.EndedAt != 0 {
		add("Ended", text(ago(look, s.EndedAt)))
	}
	add("Started", text(ago(look, s.Started)))
	add("Agent", agent)
	if s.Waits > 0 {
		add("Waits", text(say.Count(s.Waits, "ask", "asks")+" for an answer"))
	} else {
		add("Waits", text("nothing"))
	}
	rest := slices.Clone(out[records:])
	out = out[:records]
	l.recordRows(look, &s, add)
	// Their count is told before the rest, each of them where there is room.
	if n := max(h-len(id)-len(rest), records+1); len(out) > n {
		out = out[:n]
	}
	out = append(out, rest...)
	if n := h - len(id); len(out) > n {
		out = out[:max(n, 0)]
	}
	out = append(out, id...)
	return out[:min(len(out), h)]
}

func ago(look frame.Look, ms int64) string {
	return say.ClockSec(ms, look.Now, look.Loc) + ", " + say.Span(look.Now-ms) + " ago"
}

// clamps names the cells that hold for a session, then the rules that its clamps
// deny by.
func (l *List) clamps(look frame.Look, s *queue.SessionView) []frame.Span {
	out := []frame.Span{frame.S(themes.Warn, strings.Join(s.Clamps, ", "))}
	for i, r := range s.DenyRules {
		sep := ", "
		switch {
		case i == 0 && len(s.Clamps) == 0:
			sep = "denies by "
		case i == 0:
			sep = ", denies by "
		}
		out = append(out, frame.S(themes.Warn, sep), frame.T(themes.Text, inbox.Field(look, r)))
	}
	return out
}

// parent names the parent by the host's id for it, where it is in the list.
func (l *List) parent(look frame.Look, s *queue.SessionView) frame.Span {
	if s.Parent == s.ID {
		return frame.S(themes.Warn, "itself, as it says")
	}
	return l.named(look, s.Parent)
}

// named names a session by the host's id for it.
func (l *List) named(look frame.Look, id string) frame.Span {
	if at := l.find(id); at >= 0 {
		return frame.T(themes.Text, inbox.Field(look, l.all[l.nodes[at].of].Host))
	}
	return frame.S(themes.Muted, "not among these sessions")
}

// idRows is how many rows a long id may take.
const idRows = 4

// id is the host's id, whole as long as it has the room.
func (l *List) id(look frame.Look, s *queue.SessionView, w int) []frame.Line {
	room := max(w-1-3-labelWidth, 1)
	rest := inbox.Field(look, s.Host)
	label := "Host id"
	var out []frame.Line
	for {
		n := frame.Break(rest, room)
		if len(out) == idRows-1 || n == 0 {
			n = rest.Len()
		}
		part := frame.Cut(rest.Slice(0, n), room, 0, look.Glyphs.Cut)
		out = append(out, frame.Line{frame.Gap(3), frame.Col(themes.Muted, label, labelWidth), frame.T(themes.Text, part)}.Fit(w))
		if rest = rest.Slice(n, rest.Len()); rest.Len() == 0 {
			return out
		}
		label = look.Glyphs.Wrap
	}
}

// Filter is the asks of a session, for the inbox and the history.
func Filter(s *queue.SessionView) queue.Filter { return queue.Filter{Session: s.ID} }

// Name says in words what Filter shows.
func Name(s *queue.SessionView) visible.Text {
	return visible.Concat(visible.Own("session "), visible.Row(s.Host))
}
