package tui

import (
	"strconv"

	"nod/queue"
	"nod/tui/inbox"
	"nod/tui/keys"
)

// why says why a binding cannot be used now; "" when it can.
func (m *Model) why(b keys.Binding) string {
	switch b.Intent {
	case keys.Open:
		return m.whyNotOpen()
	case keys.Approve, keys.Deny:
		return m.whyNotAnswer(b.Intent)
	case keys.Words, keys.SkipUnseen, keys.NextUnseen, keys.Answer, keys.Edit, keys.Hold, keys.Grant:
		return m.whyNotPrepare(b.Intent)
	case keys.Happened, keys.NotHappened, keys.StillUnknown, keys.Distinct, keys.SeenOpen, keys.Rewrite, keys.DropWritten,
		keys.Observe, keys.NextAttempt, keys.ToEffect:
		return m.whyNotReconcile(b.Intent)
	case keys.NextAsk, keys.PrevAsk:
		if m.from() == keys.Desk {
			if _, ok := m.neighbour(b.Intent); !ok {
				return "no further effect is on the desk there"
			}
		}
		if m.from() == keys.Detail {
			if _, ok := m.neighbour(b.Intent); !ok {
				return "no further ask is waiting there"
			}
		}
	case keys.NextLens, keys.PrevLens, keys.LensUp, keys.LensDown:
		return m.whyNotLens(b.Intent)
	case keys.Revoke:
		if m.revocable() == nil {
			return "only an allow that has not begun can be taken back"
		}
	case keys.Acknowledge:
		if s := m.list.Selected(); s.Notice == 0 && s.Delivery == "" {
			return "the selected row is no notice"
		}
	case keys.Resend, keys.DropWords:
		return m.whyNotWords(b.Intent)
	case keys.ShowNotices:
		if c := m.list.Counters(); c.Notices+c.Undelivered == 0 {
			return "there is nothing to read"
		}
	case keys.Mark, keys.OpenBatch:
		return m.whyNotBatch(b.Intent)
	case keys.Snooze, keys.Claim:
		row, ok := m.handRow()
		switch {
		case !ok:
			return "no ask is selected"
		case row.StateAt(m.look.Now) != queue.StatePending:
			return "it is not waiting for an answer"
		}
	case keys.CopyID, keys.CopyDigest:
		_, ask := m.handRow()
		if _, effect := m.handEffect(); !ask && (!effect || b.Intent == keys.CopyDigest) {
			return "nothing is selected that has one"
		}
	case keys.FreezeSession:
		if _, ok := m.sessions.Selected(); !ok {
			return "no session is selected"
		}
	case keys.Verify:
		if m.opts.Verify == nil {
			return "this console cannot reach the events whole"
		}
	case keys.Back:
		if b.In == keys.Inbox && !m.narrowed() { // everywhere else there is a way back, from its help too
			return "no filter and no mark is set" + m.hint(keys.Inbox, keys.Quit, "quits")
		}
	}
	return ""
}

// from is the place that keys are about: under the help the one it is for.
func (m *Model) from() keys.Place {
	if m.place == keys.Help {
		return m.help.For
	}
	return m.place
}

func (m *Model) whyNotOpen() string {
	const nothing = "nothing is selected"
	switch m.from() {
	case keys.Inbox:
		if m.list.Selected() == (inbox.Key{}) {
			return nothing
		}
	case keys.History:
		if _, ok := m.hist.Selected(); !ok {
			return nothing
		}
	case keys.Effects:
		if _, ok := m.effects.Selected(); !ok {
			return nothing
		}
	case keys.Desk:
		if m.open != nil && m.open.Desk() != nil && len(m.open.Desk().Waiting) == 0 {
			return "no open ask has its key"
		}
		if _, ok := m.waiting(); !ok {
			return "no waiting ask is selected" + m.hint(keys.Desk, keys.NextLens, "goes to who waits")
		}
	case keys.Sessions:
		if _, ok := m.sessions.Selected(); !ok {
			return nothing
		}
	case keys.Stats:
		if _, _, ok := m.stats.Filter(); !ok {
			return "the history holds none of these"
		}
	}
	return ""
}

// notArmed is why a key of the gate does not count right now.
func (m *Model) notArmed() string {
	if m.open != nil && m.open.IsSlow() {
		return "not armed: it takes 2 s of rest"
	}
	return "not armed: it takes 400 ms of rest"
}

// whyNotAnswer is for the keys row and the help; the gate itself answers the
// key with its own sentence.
func (m *Model) whyNotAnswer(i keys.Intent) string {
	switch {
	case m.open == nil || !m.open.Pending():
		return "it is not waiting for an answer"
	case m.lensCovers():
		return m.covers()
	case i == keys.Deny && m.open.Armed(), i == keys.Approve && m.open.MayAllow():
		return ""
	case i == keys.Approve && m.open.Unread() > 0:
		return strconv.Itoa(m.open.Unread()) + " lines have not been on the screen"
	case i == keys.Approve && m.open.Armed():
		if m.open.Row().Kind == "question" {
			return "no answer is written"
		}
		return "it cannot be allowed here"
	}
	return m.notArmed()
}

// covers is why a key of the card does nothing while a lens stands in its place.
func (m *Model) covers() string {
	if m.from() == keys.Desk {
		return "the lens covers the page" + m.hint(keys.Desk, keys.NextLens, "goes on to it")
	}
	return "the lens covers the card" + m.hint(keys.Detail, keys.NextLens, "goes on to the card")
}

func (m *Model) whyNotPrepare(i keys.Intent) string {
	if m.from() == keys.Desk && m.open != nil { // to the next unseen line
		switch {
		case m.lensCovers():
			return m.covers()
		case m.open.Unseen() == 0:
			return "every line was shown"
		}
		return ""
	}
	if m.open == nil || !m.open.Pending() {
		return "it is not waiting for an answer"
	}
	if (i == keys.NextUnseen || i == keys.SkipUnseen) && m.lensCovers() {
		return m.covers()
	}
	row := m.open.Row()
	question := row.Kind == "question"
	switch i {
	case keys.NextUnseen:
		if m.open.Unseen() == 0 {
			return "every line was shown"
		}
	case keys.Answer:
		if !question {
			return "it is a call, not a question"
		}
	case keys.Edit:
		switch {
		case row.Kind != "call":
			return "only a call has arguments to edit"
		case !row.Edits:
			return "its gateway cannot run changed arguments"
		case m.open.Clamped("edits"):
			return "a clamp of its session allows no edit"
		}
	case keys.Hold:
		if question {
			return "a question runs nothing"
		}
	case keys.Grant:
		switch {
		case question:
			return "a question runs nothing"
		case row.Mandated || row.Irreversible:
			return "a person answers each of these"
		case m.open.Clamped("grants"):
			return "a clamp of its session allows no grant"
		}
	}
	return ""
}

// revocable is the allow that the revoke key would take back.
func (m *Model) revocable() *queue.Row {
	row, ok := m.handRow()
	if !ok || row.StateAt(m.look.Now) != queue.StateAllowed {
		return nil
	}
	return &row
}

// handRow is the ask that a key is about: the open one, else the one under the
// hand.
func (m *Model) handRow() (queue.Row, bool) {
	if m.from()&keys.Cards != 0 {
		if m.open == nil {
			return queue.Row{}, false
		}
		return *m.open.Row(), true
	}
	return m.selectedRow()
}

// neighbour is the pending ask after or before the open one.
func (m *Model) neighbour(i keys.Intent) (string, bool) {
	if m.open == nil {
		return "", false
	}
	if m.open.Desk() != nil {
		return m.nextEffect(i)
	}
	if i == keys.PrevAsk {
		return m.list.Near(m.open.ID(), -1)
	}
	return m.list.Near(m.open.ID(), 1)
}
