package tui

import (
	tea "charm.land/bubbletea/v2"

	"nod/tui/help"
	"nod/tui/keys"
)

// do carries out an intent that why does not forbid. What moves on the screen,
// what answers and what stands beside an answer have their own files.
func (m *Model) do(i keys.Intent) tea.Cmd {
	switch i {
	case keys.Open:
		return m.openSelected()
	case keys.Back:
		return m.goBack()
	case keys.Quit:
		return tea.Quit
	case keys.Suspend:
		return tea.Suspend
	case keys.Up, keys.Down, keys.PageUp, keys.PageDown, keys.Top, keys.End:
		return m.move(i)
	case keys.NextUnseen, keys.NextAsk, keys.PrevAsk:
		return m.read(i)
	case keys.NextLens, keys.PrevLens, keys.LensUp, keys.LensDown:
		return m.lensKey(i)
	case keys.Words, keys.Answer, keys.Edit, keys.Hold, keys.Grant, keys.OpenBatch, keys.Mark:
		return m.prepare(i)
	case keys.Revoke, keys.Freeze, keys.FreezeSession, keys.Acknowledge:
		return m.ask(i)
	case keys.Happened, keys.NotHappened, keys.StillUnknown, keys.Distinct, keys.SeenOpen, keys.Rewrite, keys.DropWritten,
		keys.Observe, keys.NextAttempt, keys.ToEffect:
		return m.reconcile(i)
	case keys.Resend, keys.DropWords:
		return m.deliver(i)
	case keys.Snooze, keys.Claim, keys.CopyID, keys.CopyDigest, keys.Verify:
		return m.aside(i)
	case keys.Search, keys.Filters, keys.Unfold, keys.NextSpan, keys.NextOrder:
		return m.arrange(i)
	case keys.ShowInbox, keys.ShowHistory, keys.ShowSessions, keys.ShowStats, keys.ShowNotices, keys.ShowEffects:
		return m.show(i)
	case keys.ShowHelp:
		if m.place == keys.Help { // the key that opened it closes it
			return m.goBack()
		}
		m.stay()
		m.help = help.New(m.place)
		m.enter(keys.Help)
	case keys.Palette:
		return m.openPalette()
	case keys.Theme:
		m.nextTheme()
	}
	return nil
}

// show goes to one of the views.
func (m *Model) show(i keys.Intent) tea.Cmd {
	switch i {
	case keys.ShowInbox:
		return m.goTo(keys.Inbox)
	case keys.ShowEffects:
		return m.goTo(keys.Effects)
	case keys.ShowHistory:
		return m.goTo(keys.History)
	case keys.ShowSessions:
		return m.goTo(keys.Sessions)
	case keys.ShowStats:
		return m.goTo(keys.Stats)
	case keys.ShowNotices:
		if !m.list.SelectNotice(m.paneLook(), m.listRows()) {
			return m.readInbox(showEnd, "")
		}
	}
	return nil
}
