package tui

import (
	tea "charm.land/bubbletea/v2"

	"nod/digest/visible"
	"nod/queue"
	"nod/tui/frame"
	"nod/tui/keys"
	"nod/tui/palette"
	"nod/tui/query"
)

// chooser is the palette: what it lists is done by the same intents as keys.
type chooser struct {
	*palette.Palette
	list []palette.Entry
	run  []func(m *Model) tea.Cmd // of each entry
}

func (c *chooser) add(act, key, why string, run func(m *Model) tea.Cmd) {
	c.list = append(c.list, palette.Entry{Act: act, Key: key, Why: why, ID: len(c.run)})
	c.run = append(c.run, run)
}

func (m *Model) choose(c *chooser) {
	c.Palette = palette.New(c.list)
	m.cover(c)
}

func (c *chooser) press(m *Model, k tea.KeyPressMsg, name string, _ int64) tea.Cmd {
	name = m.own(keys.Choose, name, map[keys.Intent]string{keys.Keep: "enter", keys.Leave: "esc"})
	if m.burst && name == "enter" {
		return nil // a paste's line end chooses nothing
	}
	event, entry := c.Key(name, k.Text)
	switch event {
	case palette.Close:
		m.uncover()
	case palette.NotNow:
		m.uncover()
		m.note.warn("Not now", entry.Why+".")
	case palette.Choose:
		m.uncover()
		return c.run[entry.ID](m)
	}
	return nil
}

func (c *chooser) paste(_ *Model, text string) tea.Cmd {
	c.Paste(text)
	return nil
}

func (c *chooser) body(m *Model, w, h int) ([]frame.Line, frame.Point) { return c.Render(m.look, w, h) }

func (c *chooser) foot(m *Model, _ int) ([]frame.Line, frame.Point) {
	return []frame.Line{m.keysOf(keys.Choose, "type to search", "arrows move")}, frame.Point{}
}

// openPalette lists every act of this place, then the filters.
func (m *Model) openPalette() tea.Cmd {
	c := &chooser{}
	for _, b := range m.keys.In(m.place) {
		if b.Intent == keys.Palette {
			continue
		}
		why := m.why(b)
		if why == m.notArmed() {
			why = "" // opening the palette disarms; its key says how it stands then
		}
		c.add(b.Does, b.Key(), why, m.chosen(b))
	}
	for _, s := range m.filters() {
		c.add("filter: "+s.Name, m.look.Glyphs.None, "", func(m *Model) tea.Cmd { return m.useFilter(s) })
	}
	m.choose(c)
	return nil
}

// chosen does what a binding asks for; an answer it never gives: it names the
// key instead.
func (m *Model) chosen(b keys.Binding) func(m *Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		switch b.Intent {
		case keys.Approve, keys.Deny, keys.SkipUnseen:
			m.note.tell("By key only", "press "+b.Key()+" yourself; the palette never answers.")
			return nil
		}
		if reason := m.why(b); reason != "" {
			m.note.warn("Not now", reason+".")
			return nil
		}
		return m.do(b.Intent)
	}
}

// filters are the saved ones for the list in view.
func (m *Model) filters() []Saved {
	if m.place == keys.History {
		return append(pastFilters(), m.opts.Filters...)
	}
	return append(ownFilters(), m.opts.Filters...)
}

// openFilters is the palette with the filters alone.
func (m *Model) openFilters() tea.Cmd {
	c := &chooser{}
	for _, s := range append([]Saved{{Name: "all"}}, m.filters()...) {
		c.add(s.Name, m.look.Glyphs.None, "", func(m *Model) tea.Cmd { return m.useFilter(s) })
	}
	m.choose(c)
	return nil
}

// useFilter narrows the list in view, from another place the inbox.
func (m *Model) useFilter(s Saved) tea.Cmd {
	f, problem := query.Parse(s.Query, m.look.Now, m.look.Loc)
	if problem != "" {
		m.note.warn("No filter", problem+".") // the configuration was checked: it cannot be
		return nil
	}
	name := visible.Of(visible.Strict, s.Name)
	if f == (queue.Filter{}) {
		name = visible.Text{}
	}
	m.searched = s.Query
	if m.place == keys.History {
		return m.narrowHistory(f, name)
	}
	if m.place != keys.Inbox {
		m.leave()
		m.place, m.back = keys.Inbox, nil
	}
	return m.narrow(f, name)
}
