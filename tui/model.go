package tui

import (
	"context"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"nod/queue"
	"nod/themes"
	"nod/themes/paint"
	"nod/tui/alert"
	"nod/tui/detail"
	"nod/tui/echo"
	"nod/tui/effects"
	"nod/tui/frame"
	"nod/tui/gate"
	"nod/tui/help"
	"nod/tui/history"
	"nod/tui/inbox"
	"nod/tui/keys"
	"nod/tui/pace"
	"nod/tui/sessions"
	"nod/tui/stats"
)

// Model is the console's state. It belongs to Bubble Tea's event loop; only
// commands leave it, and they see none of it.
type Model struct {
	ctx      context.Context
	port     queue.Port
	opts     Options
	keys     *keys.Map
	gateKeys gate.Keys // the same bindings, for the gate of an ask
	setKeys  gate.Keys // and for that of a batch
	deskKeys gate.Keys // and for that of an effect
	paint    *paint.Painter
	themes   themes.Pair

	look    frame.Look
	start   time.Time
	ahead   int64 // effective time minus wall time, ms
	focused bool
	keyAt   int64 // when the last key was read
	keyName string
	burst   bool // it came in one burst with the key before it
	held    bool // it is the key before it, repeating by itself
	delayed delayed
	touched bool // a key was pressed: from now on nothing moves by itself

	place    keys.Place
	back     []step
	over     layer
	note     note
	status   queue.Status
	list     inbox.List
	hist     history.List
	sessions sessions.List
	stats    stats.Page
	effects  effects.List
	help     help.Page
	preview  preview
	peek     peek
	forms    map[string]*filling // what was entered for the open question
	drafts   map[string]draft    // by ask: what was written and not sent
	unsent   *editing            // an edit that was sent, until it is known that it was taken

	open    *detail.Page
	opening string // the ask or effect that is being read to be opened
	left    string // the ask or effect that was open before it
	returns bool   // it was open before, and the way back leads to it
	lens    lenses
	tabs    tabs
	asked   string // the effect whose observers are being asked
	frame   frames

	pace   *pace.Meter
	alert  attention
	past   past
	reads  reads
	live   live
	readAt int64 // when the screen was last read, ms
	wakes  int64 // when the first snoozed ask comes back, effective Unix ms

	searched string // what the list in view was last narrowed by, as it was typed
	statsAt  int64  // when the statistics were last read, ms
	noticed  int64  // the notice whose sentence was shown whole before acknowledging
	keepNote bool   // the message stays when what is being read opens
	missed   bool   // the open ask was not read while another one was opening
}

// frames numbers the frames that draw other rows of the card.
type frames struct {
	no     uint64
	echo   echo.Echo
	owed   int   // answers that are still to come and are no frame's
	wakeAt int64 // the tick that is on its way; 0 for none
}

// NewModel makes a console on a port. It reads nothing until Init's commands
// run.
func NewModel(ctx context.Context, port queue.Port, opts Options) (*Model, error) {
	opts = opts.filled()
	table, err := keys.New(opts.Keys)
	if err != nil {
		return nil, err
	}
	one, err := gateKeys(table, keys.Detail)
	if err != nil {
		return nil, err
	}
	set, err := gateKeys(table, keys.Batch)
	if err != nil {
		return nil, err
	}
	settle, err := deskKeys(table)
	if err != nil {
		return nil, err
	}
	pair, err := opts.Themes.Pick(opts.Choice)
	if err != nil {
		return nil, err
	}
	p, err := painterOf(pair.Start(), opts.noColour)
	if err != nil {
		return nil, err
	}
	m := &Model{
		ctx: ctx, port: port, opts: opts, keys: table, gateKeys: one, setKeys: set, deskKeys: settle, paint: p, themes: pair,
		start: opts.Now(), place: keys.Inbox, focused: true, keyAt: -gate.BurstMS, live: live{next: nextChange},
		pace: pace.New(opts.Pace), alert: attention{state: alert.New(opts.Alert)},
		look: frame.Look{Glyphs: opts.glyphs(), Loc: opts.Loc, Now: opts.Now().UnixMilli()},
	}
	m.list.SetSelf(opts.Name)
	m.list.SetKeys(table.Shown(keys.Inbox, keys.Filters), table.Shown(keys.Inbox, keys.Back))
	m.past.events.SetSelf(opts.Name)
	return m, nil
}

// Init reads the inbox, follows changes and starts the clock.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.readInbox(showTop, ""), m.watch(), m.second(), m.readPace()}
	if m.themes.Asks() && !m.opts.noColour {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	return tea.Batch(cmds...)
}

// ms is the console's own clock: monotonic, in milliseconds.
func (m *Model) ms() int64 { return m.opts.Now().Sub(m.start).Milliseconds() }

// keyMS is when a key was read from the terminal, not when its turn came: a
// slow frame between two keys must not make a paste look typed.
func (m *Model) keyMS() int64 {
	if m.opts.stamp == nil {
		return m.ms()
	}
	if at := m.opts.stamp(); !at.IsZero() {
		return max(at.Sub(m.start).Milliseconds(), 0)
	}
	return m.ms()
}

// clockTick says that a second went by, gateTick that the gate wants to know
// the time.
type clockTick struct{}

type gateTick struct{ at int64 }

func (m *Model) second() tea.Cmd {
	rest := time.Second - time.Duration(m.opts.Now().Nanosecond())
	return m.opts.Tick(rest, func(time.Time) tea.Msg { return clockTick{} })
}

// sync takes the effective time of an answer that was just read.
func (m *Model) sync(now int64) {
	if now == 0 {
		return
	}
	m.ahead = now - m.opts.Now().UnixMilli()
	m.look.Now = now
}

// frozenAt is since when a freeze of everything ("") or of one session holds; 0
// for not.
func (m *Model) frozenAt(session string) int64 {
	for _, f := range m.status.Freezes {
		if f.Session == session {
			return f.Since
		}
	}
	return 0
}

func itoa(n int) string { return strconv.Itoa(n) }
