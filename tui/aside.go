package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"nod/queue"
	"nod/tui/keys"
	"nod/tui/say"
)

// aside does what changes no ask.
func (m *Model) aside(i keys.Intent) tea.Cmd {
	switch i {
	case keys.Verify:
		return m.verify()
	case keys.CopyID, keys.CopyDigest:
		return m.copy(i)
	}
	row, ok := m.handRow()
	if !ok {
		return nil
	}
	if i == keys.Claim {
		if row.ClaimedBy == m.opts.Name && row.ClaimedUntil > m.look.Now {
			return m.act(queue.Claim{Ask: row.ID})
		}
		return m.act(queue.Claim{Ask: row.ID, ForMS: queue.UsualClaim.Milliseconds()})
	}
	m.writeSnooze(row)
	return nil
}

func (m *Model) writeSnooze(row queue.Row) {
	if row.SnoozedUntil > m.look.Now {
		m.confirm("Wake", "it comes back into the list.", func(m *Model) tea.Cmd {
			return m.act(queue.Snooze{Ask: row.ID})
		})
		return
	}
	l := &line{
		label: "snooze for", keeps: "keeps it out of the list so long",
		about: "10m when empty; it binds nobody and its time runs on",
	}
	l.keep = func(m *Model, text string) tea.Cmd {
		d, ok := duration(text)
		switch {
		case !ok || d > 24*time.Hour:
			m.note.warn("No snooze", "it is a time like 10m or 2h, at most 24h; nothing was changed.")
			return nil
		case d == 0:
			d = 10 * time.Minute
		}
		return m.act(queue.Snooze{Ask: row.ID, ForMS: d.Milliseconds()})
	}
	m.cover(l)
}

// onSetAside says what became of a row of the console.
func (m *Model) onSetAside(a acted) {
	if a.err != nil {
		m.note.undone("Not done", a.err)
		return
	}
	switch act := a.act.(type) {
	case queue.Snooze:
		if act.ForMS == 0 {
			m.note.tell("Awake", "it is in the list again.")
			return
		}
		which := ""
		if n := len(m.list.Folded(act.Ask)); n > 1 {
			which = "one of " + say.Number(int64(n)) + " alike, "
		}
		m.note.tell("Snoozed", which+"for "+say.Span(act.ForMS)+", or until it changes"+m.hint(keys.Inbox, keys.Filters, "shows what is snoozed")+".")
	case queue.Claim:
		if act.ForMS == 0 {
			m.note.tell("Let go", "others see that nobody looks at it.")
			return
		}
		m.note.tell("Claimed", "others see for "+say.Span(act.ForMS)+" that you look at it; it binds nobody.")
	case queue.GrantDigest:
		m.note.ok("Granted", say.Number(act.Times)+" more of this exact digest within "+say.Span(act.ForMS)+".")
	}
}

// copy sends an id or a digest to the terminal. Whether it kept it nobody here
// can know, so it is never said that it was copied.
func (m *Model) copy(i keys.Intent) tea.Cmd {
	if e, ok := m.handEffect(); ok {
		return m.copyEffect(i, &e)
	}
	row, ok := m.handRow()
	if !ok {
		return nil
	}
	text, what := row.ID, "the ask's id went"
	if i == keys.CopyDigest {
		text, what = string(row.ShownDigest), "the whole shown digest went"
	}
	m.note.tell("Sent", what+" to the terminal, for its clipboard.")
	return tea.SetClipboard(text)
}
