package desk

import (
	"nod/ambiguity"
	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/say"
)

// wideTable is the width from which what was seen stands beside who says it.
const wideTable = 76

// evidence is who says what happened, as it was appended.
func (s *sheet) evidence(v *queue.Desk, self string) {
	if len(v.Facts) == 0 {
		return
	}
	s.blank()
	head := frame.Line{frame.Gap(3), frame.Col(themes.Faint, "source", 9), frame.Col(themes.Faint, "when", 10),
		frame.Col(themes.Faint, "says", 14), frame.S(themes.Faint, "evidence")}
	if s.w >= wideTable {
		head = append(head[:len(head)-1], frame.Col(themes.Faint, "evidence", 13), frame.S(themes.Faint, "what was seen"))
	}
	s.add(head)
	several := len(v.Attempts) > 1
	for i := range v.Facts {
		f := &v.Facts[i]
		row := frame.Line{frame.Gap(1), s.shape(f), frame.Gap(1), frame.Col(themes.Text, string(f.Source), 9), frame.Col(themes.Muted, s.clock(f.At), 10)}
		says, role := word(f)
		row = append(row, frame.Col(role, says, 14))
		durable, role := durability(f)
		seen := s.seen(v, f, self)
		if several {
			if n := number(v, f.Attempt); n > 0 {
				seen = visible.Concat(visible.Drawn("attempt "+say.Number(n)+": "), seen)
			}
		}
		switch {
		case s.w >= wideTable:
			s.hang(append(row, frame.Col(role, durable, 13)), themes.Text, seen)
		case seen.Len() == 0:
			s.add(append(row, frame.S(role, durable)))
		default:
			s.add(append(row, frame.S(role, durable)))
			s.hang(frame.Line{frame.Gap(12)}, themes.Text, seen)
		}
	}
}

// shape marks what an observer saw of an outcome that is not settled by it.
func (s *sheet) shape(f *queue.FactView) frame.Span {
	if f.Kind != ambiguity.Observation {
		return frame.Gap(1)
	}
	return frame.S(themes.Unknown, s.look.Glyphs.Unknown)
}

// word is what a fact says of the outcome.
func word(f *queue.FactView) (string, themes.Role) {
	switch {
	case f.Kind == ambiguity.Begun:
		return "begun", themes.Text
	case f.Kind == ambiguity.LeaseOver, f.Kind == ambiguity.SessionEnd:
		return "unknown", themes.Unknown
	case f.Kind == ambiguity.Acknowledged:
		return "read", themes.Text
	case f.Kind == ambiguity.Opened:
		return "opened", themes.Text
	case f.Divergent:
		return "divergent", themes.Danger
	case f.Says == queue.AttemptCommitted:
		return "committed", themes.OK
	case f.Says == queue.AttemptUnknown:
		return "unknown", themes.Unknown
	case f.Says == "":
		return "nothing", themes.Muted
	}
	return plain(f.Says), themes.Text
}

func durability(f *queue.FactView) (string, themes.Role) {
	switch {
	case f.Durable || f.Source == ambiguity.ByGate:
		return "durable", themes.OK
	case f.Says == "" || f.Says == queue.AttemptUnknown && f.Seen == "":
		return "none", themes.Muted
	}
	return "not durable", themes.Warn
}

// seen is what stands behind a fact: ours of the gate's, theirs in quotes.
func (s *sheet) seen(v *queue.Desk, f *queue.FactView, self string) visible.Text {
	var parts []visible.Text
	add := func(t visible.Text) { parts = append(parts, t) }
	switch f.Kind {
	case ambiguity.Begun:
		add(visible.Own("attempt token given out"))
	case ambiguity.LeaseOver:
		add(visible.Own("the lease ran out"))
	case ambiguity.SessionEnd:
		add(visible.Own("its session ended; nobody can report it any more"))
	case ambiguity.Reconciliation, ambiguity.Correction, ambiguity.Acknowledged, ambiguity.Opened:
		by := s.name(f.By)
		if f.By == self {
			by = visible.Own("you")
		}
		what := map[ambiguity.Kind]string{ambiguity.Reconciliation: "answered by ", ambiguity.Correction: "corrected by ",
			ambiguity.Acknowledged: "read by ", ambiguity.Opened: "one more opened by "}[f.Kind]
		add(visible.Concat(visible.Drawn(what), by))
	case ambiguity.Observation:
		add(s.name(f.By))
	}
	if f.Exit != "" {
		add(visible.Drawn("exit " + string(f.Exit)))
	}
	for _, flag := range []struct {
		set  bool
		text string
	}{{f.Late, "late: it changes nothing"}, {f.Early && f.Says != queue.AttemptCommitted, "early: an empty answer proves nothing yet"}, {f.Why != "", f.Why}} {
		if flag.set {
			add(visible.Drawn(flag.text))
		}
	}
	if f.Reason != "" {
		add(s.said(f.Reason))
	}
	if f.Seen != "" {
		add(s.said(f.Seen))
	}
	if f.Ref != "" {
		add(visible.Concat(visible.Own("reference "), s.said(f.Ref)))
	}
	var t visible.Text
	for i, p := range parts {
		if i > 0 {
			t = visible.Concat(t, visible.Own(", "))
		}
		t = visible.Concat(t, p)
	}
	return t
}

// number is the number of an attempt; 0 for none.
func number(v *queue.Desk, id string) int64 {
	for i := range v.Attempts {
		if v.Attempts[i].ID == id {
			return v.Attempts[i].Number
		}
	}
	return 0
}
