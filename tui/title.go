package tui

import (
	"strconv"

	"nod/themes"
	"nod/tui/frame"
	"nod/tui/inbox"
	"nod/tui/keys"
	"nod/tui/say"
)

// allViews is the width from which all views are named.
const allViews = 80

// title is the first row: where you are, and on the right what must never be
// overlooked, whose store it is and the time.
func (m *Model) title(w int) frame.Line {
	left := frame.Line{frame.Gap(1), frame.S(themes.Text, "nod"), frame.Gap(2)}
	left = append(left, m.where(w)...)
	var right frame.Line
	for _, f := range m.status.Freezes {
		text := "FROZEN " + say.Clock(f.Since, m.look.Now, m.look.Loc)
		if f.Session != "" {
			text += " in a session"
		}
		right = append(right, frame.S(themes.Danger, text), frame.Gap(2))
		if f.Session == "" {
			break
		}
	}
	if m.away() {
		right = append(right, frame.S(themes.Warn, "nobody watches"), frame.Gap(2))
	}
	switch {
	case m.status.Held:
		right = append(right, frame.S(themes.Warn, "clock held"), frame.Gap(2))
	case m.status.OffsetMS != 0:
		right = append(right, frame.S(themes.Warn, "clock behind"), frame.Gap(2))
	}
	now := m.opts.Now().In(m.look.Loc)
	right = append(right, frame.S(themes.Muted, m.opts.Role+" "+now.Format("15:04")))
	return frame.Ends(left, right, w)
}

func (m *Model) where(w int) frame.Line {
	switch m.place {
	case keys.Detail, keys.Replay, keys.Batch, keys.Desk:
		return m.path()
	case keys.Help:
		return frame.Line{frame.S(themes.Accent, "help"), frame.S(themes.Muted, " for "+helpName(m.help.For))}
	}
	c := m.list.Counters()
	name := func(place keys.Place, text, fresh string) frame.Line {
		if m.place != place {
			if w < allViews {
				return nil
			}
			return frame.Line{frame.S(themes.Muted, text), frame.Gap(2)}
		}
		return frame.Line{frame.S(themes.Accent, "["+text+fresh+"]"), frame.Gap(2)}
	}
	fresh := ""
	if n := m.list.Fresh() + m.list.FreshEffects(); n > 0 {
		fresh = " +" + say.Column(n)
	}
	line := name(keys.Inbox, "inbox "+say.Column(c.Pending), fresh)
	came := ""
	if n := m.effects.Fresh(); n > 0 {
		came = " +" + say.Column(int64(n))
	}
	line = append(line, name(keys.Effects, "effects "+say.Column(c.Unknown), came)...)
	if w >= allViews {
		line = append(line, frame.S(themes.Muted, "notices "+say.Column(c.Notices+c.Undelivered)), frame.Gap(2))
	}
	line = append(line, name(keys.History, "history", "")...)
	line = append(line, name(keys.Sessions, "sessions", "")...)
	line = append(line, name(keys.Stats, "stats", "")...)
	if w < allViews {
		line = append(line, frame.S(themes.Muted, "1-6 views"), frame.Gap(2))
	}
	if n := len(m.list.Marked()); n > 0 && m.place == keys.Inbox && m.look.H < airyH {
		line = append(line, frame.S(themes.Warn, say.Number(int64(n))+" marked")) // where the list has no heads to say it
	}
	return line
}

// path is the way to what is open, instead of the views.
func (m *Model) path() frame.Line {
	from := "inbox"
	switch {
	case m.under(keys.History):
		from = "history"
	case m.under(keys.Effects), m.place == keys.Desk:
		from = "effects"
	}
	line := frame.Line{frame.S(themes.Muted, from+" / ")}
	if m.open == nil {
		return append(line, frame.S(themes.Muted, "opening"))
	}
	if d := m.open.Desk(); d != nil {
		_, word, role := inbox.StandAtLength(m.look.Glyphs, &d.Effect)
		line = append(line, frame.S(role, word))
		if at, all := m.positionOf(d.Effect.ID); at > 0 {
			line = append(line, frame.S(themes.Text, " "+itoa(at)+" of "+say.Number(max(all, int64(at)))))
		}
		return line
	}
	row := m.open.Row()
	if row.Mandated {
		line = append(line, frame.S(themes.Warn, m.look.Glyphs.Mandated), frame.Gap(1))
	} else if row.Irreversible {
		line = append(line, frame.S(themes.Danger, m.look.Glyphs.Commit), frame.Gap(1))
	}
	text := row.Kind
	if m.place == keys.Batch {
		return append(frame.Line{frame.S(themes.Muted, from+" / ")}, frame.S(themes.Text, "batch of "+strconv.Itoa(m.open.Cards())))
	}
	if n := m.list.Position(row.ID); n > 0 && from == "inbox" {
		text += " " + strconv.Itoa(n) + " of " + say.Number(max(m.list.Counters().Pending, int64(n)))
	}
	return append(line, frame.S(themes.Text, text))
}

func helpName(p keys.Place) string {
	switch p {
	case keys.Detail:
		return "the detail of an ask"
	case keys.History:
		return "the history"
	case keys.Replay:
		return "a replay"
	case keys.Sessions:
		return "the sessions"
	case keys.Stats:
		return "the statistics"
	case keys.Batch:
		return "a batch"
	case keys.Effects:
		return "the effects"
	case keys.Desk:
		return "an effect"
	}
	return "the inbox"
}
