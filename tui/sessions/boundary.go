package sessions

import (
	"slices"
	"strings"

	"nod/boundary"
	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/inbox"
	"nod/tui/say"
)

// RecordPage is how many records of the selected session are read.
const RecordPage = 100

// Records takes what was written down of a session's tree.
func (l *List) Records(session string, page queue.Records) { l.written, l.writtenOf = page, session }

// Armed is the selected session when its tree is armed, so that it has records.
func (l *List) Armed() (session string, ok bool) {
	s, ok := l.Selected()
	return s.ID, ok && s.Armed > 0
}

// bitWidth is the cells of a bit's time: a clock time, or a day.
const bitWidth = 5

// bit is a cell of a tree's column: since when, or that the tree is another
// session's.
func bit(look frame.Look, s *queue.SessionView, since int64) (themes.Role, string) {
	switch {
	case since == 0:
		return themes.Faint, " " + look.Glyphs.None
	case s.Unreadable != "":
		return themes.Warn, look.Glyphs.Notice + day(look, since)
	case s.Tree != "":
		return themes.Faint, " joins"
	}
	return themes.Warn, " " + day(look, since)
}

// day is a clock time, or the day where it was another one.
func day(look frame.Look, ms int64) string {
	at := say.Clock(ms, look.Now, look.Loc)
	date, _, other := strings.Cut(at, " ")
	if !other {
		return at
	}
	return date[len(date)-bitWidth:]
}

// treeRows says what the session's tree holds, since when and why, and what
// follows; a value has room cells.
func (l *List) treeRows(look frame.Look, s *queue.SessionView, room int, add func(label string, value ...frame.Span)) {
	text := func(t string) frame.Span { return frame.S(themes.Text, t) }
	if s.Armed == 0 {
		add("Tree", frame.S(themes.Muted, "not armed: "+boundary.So(boundary.Tree{})))
		return
	}
	if s.Unreadable != "" {
		add("Strictest", frame.S(themes.Warn, "because "), frame.T(themes.Text, inbox.Field(look, s.Unreadable)))
	}
	if s.Tree != "" {
		add("Shares", text("the tree of "), l.named(look, s.Tree))
	}
	for _, b := range []struct {
		label string
		since int64
		why   []frame.Span
	}{
		{"Armed", s.Armed, armedBy(look, s)},
		{"Read", s.Observed, []frame.Span{text(boundary.SetObserved)}},
		{"Governed", s.Governed, []frame.Span{text(boundary.SetGoverned)}},
	} {
		if b.since == 0 {
			continue
		}
		if s.Unreadable != "" {
			b.why = []frame.Span{text("read as the strictest")}
		}
		add(b.label, slices.Concat([]frame.Span{frame.S(themes.Warn, say.ClockSec(b.since, look.Now, look.Loc)), frame.S(themes.Text, "  ")}, b.why)...)
	}
	label, rest := "So", text(boundary.So(boundary.Tree{Armed: true, Observed: s.Observed > 0, Governed: s.Governed > 0}))
	for rest.Text.Len() > 0 {
		n := frame.Break(rest.Text, room)
		row := rest
		row.Text, rest.Text = rest.Text.Slice(0, n), rest.Text.Slice(n, rest.Text.Len())
		add(label, row)
		label = ""
	}
}

func armedBy(look frame.Look, s *queue.SessionView) []frame.Span {
	if s.Target == "" {
		return []frame.Span{frame.S(themes.Text, boundary.SetArmed(""))}
	}
	before, after, _ := strings.Cut(boundary.SetArmed("\x00"), "\x00")
	return []frame.Span{frame.S(themes.Text, before), frame.T(themes.Text, inbox.Field(look, s.Target)), frame.S(themes.Text, after)}
}

// recordRows counts the records of the selected session, and lists the newest.
func (l *List) recordRows(look frame.Look, s *queue.SessionView, add func(label string, value ...frame.Span)) {
	if s.Armed == 0 || l.writtenOf != s.ID {
		return
	}
	n := int64(len(l.written.Records))
	if n == 0 {
		add("Records", frame.S(themes.Muted, "none of this session"))
		return
	}
	bad := int64(0)
	for i := range l.written.Records {
		if l.written.Records[i].Unreadable != "" {
			bad++
		}
	}
	count := say.Number(n) + " written"
	if l.written.More {
		count = "the newest " + count
	}
	newest := ", newest " + say.ClockSec(l.written.Records[0].At, look.Now, look.Loc)
	if bad == 0 {
		add("Records", frame.S(themes.Text, count+", all readable"+newest))
	} else {
		add("Records", frame.S(themes.Text, count+", "), frame.S(themes.Warn, say.Number(bad)+" read as the strictest"), frame.S(themes.Text, newest))
	}
	for i := range l.written.Records {
		r := &l.written.Records[i]
		at := frame.S(themes.Muted, say.ClockSec(r.At, look.Now, look.Loc)+"  ")
		phase := frame.T(themes.Muted, visible.Of(visible.Name, string(r.Phase)))
		if r.Unreadable != "" {
			add("", at, phase, frame.S(themes.Warn, "  read as the strictest: "), frame.T(themes.Text, inbox.Field(look, r.Unreadable)))
			continue
		}
		add("", at, phase, frame.S(themes.Text, "  "+Words(r.Bits)))
	}
}

// Words are the bits of a tree in the words of the columns.
func Words(bits []string) string {
	out := make([]string, 0, len(bits))
	for _, b := range []struct{ bit, word string }{{boundary.BitArmed, "armed"}, {boundary.BitObserved, "read"}, {boundary.BitGoverned, "governed"}} {
		if slices.Contains(bits, b.bit) {
			out = append(out, b.word)
		}
	}
	return strings.Join(out, " ")
}
