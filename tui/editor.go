package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/editor"
	"nod/tui/frame"
	"nod/tui/keys"
	"nod/tui/lens"
)

// editing is the built-in editor on a call's arguments. It changes nothing:
// what it gives is compared first, and then asked for anew.
type editing struct {
	*editor.Editor
	ask  queue.Row
	from *digest.Ask
	said visible.Text // what is wrong with it
}

// openEditor opens the arguments of the open ask.
func (m *Model) openEditor() tea.Cmd {
	if m.unsent != nil && m.unsent.ask.ID == m.open.ID() {
		m.cover(m.unsent)
		return nil
	}
	view := m.open.View()
	ask, err := digest.ParseAsk(view.Ask, digest.Limits{})
	if err != nil || ask.Action == nil {
		m.note.warn("No edit", "the call's document cannot be read, so nothing can be edited.")
		return nil
	}
	m.cover(&editing{Editor: editor.New(editor.JSON(jsontext.Value(ask.Action.Arguments)), m.look.Glyphs.ASCII), ask: view.Row, from: ask})
	return nil
}

func (e *editing) press(m *Model, k tea.KeyPressMsg, name string, _ int64) tea.Cmd {
	e.said = visible.Text{}
	if b, ok := m.keys.Find(keys.Editor, name); ok {
		switch b.Intent {
		case keys.Leave:
			if !e.Changed() {
				m.uncover()
				return nil
			}
			m.confirm("Leave", "what you changed is thrown away.", func(m *Model) tea.Cmd { return nil })
			m.over.(*confirm).no = func(m *Model) { m.over = e }
			return nil
		case keys.Keep:
			return e.compare(m)
		}
	}
	e.Size(m.look.W, m.body())
	if e.Key(name, k.Text); e.Full() {
		e.said = visible.Own("Too long: the arguments are as long as they may be, so this was left out.")
	}
	return nil
}

func (e *editing) paste(m *Model, text string) tea.Cmd {
	e.Size(m.look.W, m.body())
	e.Paste(text)
	return nil
}

// compare parses what was written, strictly, and shows what it changes.
func (e *editing) compare(m *Model) tea.Cmd {
	args, problem, line, col := e.Check()
	switch {
	case problem.Len() > 0:
		e.Goto(line, col)
		e.said = problem
		return nil
	case !e.Changed():
		e.said = visible.Drawn("Same: nothing was changed" + m.hint(keys.Editor, keys.Leave, "leaves") + ".")
		return nil
	}
	canonical, err := digest.Canonical(args, digest.Limits{})
	if err != nil {
		text, _ := said(err)
		e.said = visible.Row(text)
		return nil
	}
	if string(canonical) == string(e.from.Action.Arguments) {
		e.said = visible.Drawn("Same: only spaces were changed, so it is the same call" + m.hint(keys.Editor, keys.Leave, "leaves") + ".")
		return nil
	}
	to := *e.from
	action := *e.from.Action
	action.Arguments = canonical
	to.Action = &action
	c := &comparing{editing: e, lens: lens.New(lens.Edited, lens.In{Ask: &to, Original: e.from})}
	c.sure = &confirm{head: "Edit", text: "deny the call as it was asked, and ask anew as shown here.", since: m.ms(),
		yes: func(m *Model) tea.Cmd { return e.send(m, jsontext.Value(canonical)) },
		no:  func(m *Model) { m.over = e }}
	m.cover(c)
	return nil
}

// send asks for the edit.
func (e *editing) send(m *Model, args jsontext.Value) tea.Cmd {
	m.unsent = e
	words := ""
	if m.open != nil && m.open.ID() == e.ask.ID {
		words = m.open.Words()
	}
	return m.act(queue.Edit{Ask: e.ask.ID, ActionDigest: e.ask.ActionDigest, ShownDigest: e.ask.ShownDigest, Arguments: args, Words: words})
}

func (e *editing) body(m *Model, w, h int) ([]frame.Line, frame.Point) { return e.Render(m.look, w, h) }

func (e *editing) foot(m *Model, w int) ([]frame.Line, frame.Point) {
	row := frame.Line{
		frame.Gap(1), frame.S(themes.Text, "Edit: "),
		frame.S(themes.Text, m.keys.Shown(keys.Editor, keys.Keep)+" compares; then this is denied, and asked anew."),
	}
	if e.said.Len() > 0 {
		row = frame.Line{frame.Gap(1), frame.T(themes.Warn, frame.Cut(e.said, w-2, 0, m.look.Glyphs.Cut))}
	}
	if gone, is := m.gone(e.ask.ID); is {
		row = gone
	}
	return []frame.Line{row, m.keysOf(keys.Editor)}, frame.Point{}
}

// comparing shows an edit against the original before it is asked for.
type comparing struct {
	*editing
	sure *confirm
	lens *lens.Lens
}

func (c *comparing) press(m *Model, k tea.KeyPressMsg, name string, ms int64) tea.Cmd {
	if _, mine := m.keys.Find(keys.Confirm, name); mine {
		return c.sure.press(m, k, name, ms)
	}
	if b, ok := m.keys.Find(keys.Detail, name); ok && b.Intent.Scrolls() {
		n := map[keys.Intent]int{keys.Up: -1, keys.LensUp: -1, keys.Down: 1, keys.LensDown: 1, keys.PageUp: -m.body(), keys.PageDown: m.body()}[b.Intent]
		c.lens.Scroll(m.look, n, m.look.W, m.body())
	}
	c.sure.disturb(ms)
	return nil
}

func (c *comparing) disturb(ms int64) { c.sure.disturb(ms) }

func (c *comparing) paste(m *Model, text string) tea.Cmd { return c.sure.paste(m, text) }

func (c *comparing) body(m *Model, w, h int) ([]frame.Line, frame.Point) {
	return c.lens.Render(m.look, w, h), frame.Point{}
}

func (c *comparing) foot(m *Model, w int) ([]frame.Line, frame.Point) {
	rows, at := c.sure.foot(m, w)
	if gone, is := m.gone(c.ask.ID); is {
		rows[0] = gone
	}
	return rows, at
}

// onEdited opens the ask that stands in the edited one's place.
func (m *Model) onEdited(a acted) tea.Cmd {
	if a.err != nil {
		m.note.undone("Not edited", a.err)
		if key := m.keys.Shown(keys.Detail, keys.Edit); key != "" && m.open != nil && m.open.Pending() {
			m.note.text = visible.Concat(m.note.text, visible.Drawn(" "+key+" opens it as you left it."))
		}
		return nil
	}
	r, ok := a.res.(queue.Edited)
	if !ok {
		return nil
	}
	m.unsent = nil
	if m.engaged() {
		m.note.tell("Edited", "the original is denied; what is asked now stands in the list.")
		return nil
	}
	m.note.tell("Edited", "the original is denied; this is what is asked now: read it, then answer.")
	m.keepNote = true
	return m.openAsk(r.Ask)
}
