package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"nod/queue"
	"nod/tui/gate"
	"nod/tui/keys"
	"nod/tui/say"
)

// Update takes a message, then sees to it that the frame which is drawn next
// is known to the gate and asked about.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.look.Now = m.opts.Now().UnixMilli() + m.ahead
	open, ended, head := m.open, m.ended(), m.note.head
	cmd := m.take(msg)
	m.hintDesk()
	if m.open == open && !ended && m.ended() && m.note.head == head {
		m.note.clear() // the gate says how the ask ended; what was said before is over
	}
	return m, tea.Batch(cmd, m.follow(), m.carryOut(), m.catchUp())
}

// ended reports that the open ask takes no answer any more.
func (m *Model) ended() bool { return m.open != nil && m.open.Mode() == gate.ModeOver }

// carryOut sends what the gate gave out during this update.
func (m *Model) carryOut() tea.Cmd {
	if m.open == nil {
		return nil
	}
	d := m.open.Decision()
	if d == nil {
		return nil
	}
	m.stay() // what becomes of it is told on its own card
	switch m.place {
	case keys.Batch:
		return m.decideBatch(*d)
	case keys.Desk:
		return m.give(*d)
	}
	return m.decide(*d)
}

func (m *Model) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg.Content)
	case tea.BackgroundColorMsg:
		m.onBackground(msg.IsDark())
		return nil
	case tea.CursorPositionMsg:
		return m.answered()
	case tea.WindowSizeMsg:
		m.disturb()
		m.look.W, m.look.H = msg.Width, msg.Height
		if m.open != nil {
			m.open.Forget()
		}
		return tea.Batch(m.gate(gate.Resize{}), m.readPreview(), m.makeLens())
	case tea.FocusMsg:
		m.focused = true
		m.disturb()
		return tea.Batch(m.gate(gate.Focus{}), m.focus(true))
	case tea.BlurMsg:
		m.focused = false
		m.disturb()
		return tea.Batch(m.gate(gate.Blur{}), m.focus(false))
	case tea.ResumeMsg:
		m.disturb()
		if m.open != nil {
			m.open.Forget()
		}
		return tea.Batch(m.gate(gate.Focus{}), m.readInbox(refresh, ""))
	case tea.MouseMsg:
		m.disturb()
		return m.gate(gate.Mouse{})
	case clockTick:
		return m.onSecond()
	case gateTick:
		if m.frame.wakeAt == msg.at {
			m.frame.wakeAt = 0
		}
		return m.gate(gate.Tick{})
	}
	return m.news(msg)
}

// news takes what commands bring.
func (m *Model) news(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case watching:
		if msg.err != nil {
			m.note.fault("Blind", msg.err)
			return nil
		}
		m.live.events = msg.events
		return m.live.next(msg.events)
	case changed:
		return m.onChanged(msg)
	case stillness:
		return m.onStillness()
	case inboxRead:
		return m.onInbox(msg)
	case inboxMore:
		m.reads.more = false
		if msg.err != nil {
			m.note.fault("Not read", msg.err)
			return nil
		}
		m.list.Extend(msg.q, msg.up, msg.page)
		return m.readFurther()
	case historyRead:
		return m.onHistory(msg)
	case historyMore:
		m.reads.more = false
		if msg.err != nil {
			m.note.fault("Not read", msg.err)
			return nil
		}
		m.hist.Extend(msg.q, msg.up, msg.page)
		return m.readFurther()
	case askRead:
		return m.onAsk(msg)
	case previewRead:
		if msg.gen == m.reads.preview {
			m.preview.take(msg.askRead)
		}
		return nil
	case acted:
		return m.onActed(msg)
	case deskRead:
		return m.onDesk(msg)
	case peekRead:
		m.onPeek(msg)
	case cardRead:
		m.onCard(msg)
	case effectsRead:
		return m.onEffects(msg)
	case effectsMore:
		return m.onMoreEffects(msg)
	case observed:
		return m.onObserved(msg)
	case sessionsRead:
		return m.onSessions(msg)
	case statsRead:
		m.onStats(msg)
	case batchRead:
		return m.onBatch(msg)
	case lensRead:
		return m.onLens(msg)
	case lensMade:
		return m.onLensMade(msg)
	case delayedDue:
		return m.onDelayed(msg)
	case searchDue:
		return m.onSearchDue(msg)
	case paceRead:
		m.onPace(msg)
	case verified:
		m.onVerified(msg)
	case eventsRead:
		m.onEvents(msg)
	case recordsRead:
		m.onRecords(msg)
	}
	return nil
}

func (m *Model) onInbox(r inboxRead) tea.Cmd {
	done := m.readDone()
	if r.gen != m.reads.inbox {
		return done
	}
	if r.err != nil {
		m.note.fault("Not read", r.err)
		return done
	}
	m.readAt, m.wakes = m.ms(), r.page.Wakes
	m.sync(r.page.Now)
	m.status = r.status
	m.list.SetHeld(r.status.Held)
	fresh := m.list.Fresh() + m.list.FreshEffects()
	how := r.how
	if how == refresh && !m.touched {
		how = showTop // there is no hand yet under which it could move
	}
	switch how {
	case showTop:
		m.list.Top(r.page, r.lists)
		m.unsay("New")
	case refresh:
		m.list.Refresh(r.page, r.lists)
	case showEnd:
		m.list.End(r.page, r.lists)
		m.unsay("New")
	default:
		m.list.ShowAgain(r.page, r.lists, r.next)
		m.unsay("New")
	}
	if how != refresh {
		m.list.Move(0, m.paneLook(), m.listRows()) // the row under the hand is known from here on
	}
	if n := m.list.Fresh() + m.list.FreshEffects(); m.place == keys.Inbox && m.over == nil && (n > fresh || n > 0 && m.note.head == "") {
		m.tellFresh(m.list.Fresh(), m.list.FreshEffects())
	}
	return tea.Batch(done, m.readFurther(), m.readPreview(), m.call())
}

func (m *Model) tellFresh(asks, effects int64) {
	what, them := say.Count(asks, "ask", "asks"), "them"
	switch {
	case asks == 0:
		what = say.Count(effects, "unknown outcome", "unknown outcomes")
	case effects > 0:
		what += " and " + say.Count(effects, "unknown outcome", "unknown outcomes")
	}
	if asks+effects == 1 {
		them = "it"
	}
	m.note.tell("New", what+" came in and nothing moved under your hand"+m.hint(keys.Inbox, keys.Top, "shows "+them)+".")
}

// unsay takes a message back that is no longer true.
func (m *Model) unsay(head string) {
	if m.note.head == head {
		m.note.clear()
	}
}

func (m *Model) onHistory(r historyRead) tea.Cmd {
	if r.gen != m.reads.history {
		return nil
	}
	if r.err != nil {
		m.note.fault("Not read", r.err)
		return nil
	}
	m.sync(r.page.Now)
	m.status = r.status
	switch r.how {
	case showTop:
		m.hist.Top(r.page)
	case refresh:
		m.hist.Refresh(r.page)
	default:
		m.hist.Show(r.page)
	}
	return tea.Batch(m.readFurther(), m.readPreview(), m.readEvents())
}

// onAsk opens the ask that was asked for, or updates the open one.
func (m *Model) onAsk(r askRead) tea.Cmd {
	if r.gen != m.reads.ask {
		return nil
	}
	if r.err != nil {
		m.stay()
		m.note.fault("Not read", r.err)
		return nil
	}
	m.sync(r.view.Now)
	m.hist.Put(r.view.Row)
	switch {
	case r.id == m.opening:
		if m.arrives() {
			return m.opened(r.view)
		}
	case m.open != nil && slices.Contains(m.open.IDs(), r.view.Row.ID):
		m.open.Update(r.view, m.look.Loc, m.ms())
	}
	return nil
}

// arrives reports whether what was asked for is opened now that it is there: not
// over something that is being done.
func (m *Model) arrives() bool {
	if m.engaged() {
		m.stay()
		return false
	}
	if !m.keepNote {
		m.note.clear()
	}
	m.keepNote = false
	return true
}

// answered takes the terminal's answer to the question behind a frame.
func (m *Model) answered() tea.Cmd {
	if m.frame.owed > 0 {
		m.frame.owed--
		return nil
	}
	again, confirmed := m.frame.echo.Answer(m.frame.no, m.ms())
	if again {
		return m.opts.Ask
	}
	if confirmed {
		return m.gate(gate.Confirmed{Frame: m.frame.no})
	}
	return nil
}

// renewMS is how often the screen is read again without a change: a waiter
// renews its lease without an event.
const renewMS = 15_000

func (m *Model) onSecond() tea.Cmd {
	cmds := []tea.Cmd{m.second(), m.call()}
	if m.open != nil {
		use := m.look.Now + m.open.Row().UseWithinMS
		cmds = append(cmds, m.gate(gate.UseBy{Clock: say.Clock(use, m.look.Now, m.look.Loc)}))
	}
	if m.open != nil && m.open.Due(m.look.Now) {
		cmds = append(cmds, m.readOpen()) // an answer opens without an event
	}
	if m.wakes > 0 && m.look.Now >= m.wakes {
		m.wakes = 0
		cmds = append(cmds, m.readInbox(refresh, "")) // a snooze ends without an event
	}
	if m.ms()-m.readAt >= renewMS && m.live.running == 0 && !m.live.waiting && m.list.Loaded() {
		m.readAt = m.ms()
		cmds = append(cmds, m.onStillness())
	}
	return tea.Batch(cmds...)
}

// gate gives an event to the open ask's gate.
func (m *Model) gate(ev gate.Event) tea.Cmd { return m.gateAt(ev, m.ms()) }

func (m *Model) gateAt(ev gate.Event, ms int64) tea.Cmd {
	if m.open == nil {
		return nil
	}
	return m.outcome(m.open.Handle(ev, ms))
}

func (m *Model) outcome(out gate.Outcome) tea.Cmd {
	if out.Redraw {
		m.open.Forget()
		return tea.ClearScreen
	}
	return nil
}

// follow tells the gate about the frame that this update draws, and asks the
// terminal about it (see package echo for the order of the bytes).
func (m *Model) follow() tea.Cmd {
	if m.open == nil {
		return nil
	}
	if !m.cardVisible() {
		m.open.Forget()
		return m.wake()
	}
	g := m.layout()
	var cmds []tea.Cmd
	if m.open.Fit(m.look, g.cardW, g.cardH, g.split) {
		m.frame.no++
		m.open.Painted(m.frame.no, m.ms())
	}
	if m.open.HasGate() && m.open.Mode() != gate.ModeOver && m.frame.echo.Ask(m.frame.no, m.ms()) {
		cmds = append(cmds, m.opts.Ask)
	}
	return tea.Batch(append(cmds, m.wake())...)
}

// wake sees to it that the gate gets to know when its time comes.
func (m *Model) wake() tea.Cmd {
	at := m.open.WakeAt()
	if at <= 0 || m.frame.wakeAt != 0 && at >= m.frame.wakeAt {
		return nil
	}
	m.frame.wakeAt = at
	wait := time.Duration(max(at-m.ms(), 1)) * time.Millisecond
	return m.opts.Tick(wait, func(time.Time) tea.Msg { return gateTick{at: at} })
}

// selectedRow is the ask under the hand of the list in view.
func (m *Model) selectedRow() (queue.Row, bool) {
	switch m.from() {
	case keys.History:
		return m.hist.Selected()
	case keys.Inbox:
		return m.list.SelectedAsk()
	}
	return queue.Row{}, false
}

// bigEnough reports whether anything can be done at this size.
func (m *Model) bigEnough() bool { return m.look.W >= leastW && m.look.H >= leastH }
