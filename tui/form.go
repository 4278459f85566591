package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
	"nod/digest/visible"
	"nod/themes"
	"nod/tui/form"
	"nod/tui/frame"
	"nod/tui/keys"
)

// filling is the form of a question. It answers nothing: what it holds goes to
// the open ask, and counts with the code.
type filling struct {
	*form.Form
	ask  string
	said visible.Text
}

// openForm opens the open question's form; false when its schema needs JSON.
func (m *Model) openForm() bool {
	if kept, ok := m.forms[m.open.ID()]; ok {
		m.cover(kept)
		return true
	}
	view := m.open.View()
	ask, err := digest.ParseAsk(view.Ask, digest.Limits{})
	if err != nil || ask.Question == nil {
		return false
	}
	f, ok := form.New(ask.Question.Text, jsontext.Value(ask.Question.Schema))
	if !ok {
		return false
	}
	l := &filling{Form: f, ask: m.open.ID()}
	m.forms = map[string]*filling{m.open.ID(): l} // of the open ask alone
	m.cover(l)
	return true
}

func (f *filling) press(m *Model, k tea.KeyPressMsg, name string, _ int64) tea.Cmd {
	f.said = visible.Text{}
	name = m.own(keys.Form, name, map[keys.Intent]string{
		keys.Keep: "ctrl+s", keys.Leave: "esc", keys.NextField: "tab", keys.PrevField: "shift+tab", keys.Choice: "space", keys.NextOrKeep: "enter",
	})
	if m.burst && name == "enter" {
		f.Paste("\n") // a line end in the middle of a paste
		return nil
	}
	switch f.Key(name, k.Text) {
	case form.Cancel:
		m.uncover()
	case form.Done:
		value, problem, ok := f.Value()
		if !ok {
			f.said = problem
			return nil
		}
		m.uncover()
		if m.open != nil && m.open.ID() == f.ask {
			m.open.SetAnswer(string(value), m.ms())
		}
	}
	return nil
}

func (f *filling) paste(_ *Model, text string) tea.Cmd {
	f.Paste(text)
	return nil
}

func (f *filling) body(m *Model, w, h int) ([]frame.Line, frame.Point) { return f.Render(m.look, w, h) }

func (f *filling) foot(m *Model, w int) ([]frame.Line, frame.Point) {
	row := frame.Line{frame.Gap(1), frame.S(themes.Text, "Answer: "), frame.S(themes.Text, "kept for the ask; nothing is sent before its code.")}
	if f.said.Len() > 0 {
		row = frame.Line{frame.Gap(1), frame.S(themes.Warn, "Not kept: "), frame.T(themes.Text, frame.Cut(f.said, w-12, 0, m.look.Glyphs.Cut))}
	}
	if gone, is := m.gone(f.ask); is {
		row = gone
	}
	return []frame.Line{row, f.keysRow(m)}, frame.Point{}
}

// keysRow is the keys of the field in use: what this one does not know is left
// out, so that the key that keeps the answer has room on every screen.
func (f *filling) keysRow(m *Model) frame.Line {
	at, of := f.At()
	var pairs []frame.Line
	var weight []int
	add := func(key, verb string, n int) {
		pairs = append(pairs, frame.Line{frame.S(themes.Accent, key), frame.S(themes.Muted, " "+verb)})
		weight = append(weight, n)
	}
	one, some := f.Options()
	switch {
	case one:
		add("arrows", "choose", weights[keys.Choice])
	case some:
		add("arrows", "move", usual)
	}
	for _, b := range m.keys.In(keys.Form) {
		verb := b.Label()
		if b.Quiet && b.Intent != keys.NextOrKeep {
			continue
		}
		switch b.Intent {
		case keys.Keep:
			if at == of {
				continue // Enter keeps it too
			}
		case keys.Choice:
			if !some {
				continue
			}
			verb = "mark"
		case keys.NextOrKeep:
			if verb = "keeps"; at < of {
				verb = "next field"
			}
		case keys.NextField, keys.PrevField:
			if of == 1 {
				continue
			}
		}
		add(b.Key(), verb, weigh(b, keys.Form))
	}
	return fitPairs(pairs, weight, m.look.W)
}
