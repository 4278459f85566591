package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/go-json-experiment/json/jsontext"

	"nod/themes"
	"nod/tui/field"
	"nod/tui/frame"
	"nod/tui/keys"
)

// line is a field of one line that the operator writes in.
type line struct {
	label  string // what it is for
	keeps  string // what Enter does with it
	drops  string // what Esc does
	about  string // said on the row while nothing is written yet
	keep   func(m *Model, text string) tea.Cmd
	change func(m *Model, text string) tea.Cmd // after each change; nil for nothing
	leave  func(m *Model) tea.Cmd              // on Esc; nil for nothing
	field  field.Field
}

// press edits the field. Every printable key is text there.
func (l *line) press(m *Model, k tea.KeyPressMsg, name string, _ int64) tea.Cmd {
	m.note.clear()
	if b, ok := m.keys.Find(keys.Line, name); ok {
		switch b.Intent {
		case keys.Leave:
			m.uncover()
			if l.leave != nil {
				return l.leave(m)
			}
			return nil
		case keys.Keep:
			if m.burst {
				l.field.Insert("\n") // a line end in the middle of a paste
				return l.changed(m)
			}
			m.uncover()
			return l.keep(m, l.field.Text())
		}
	}
	switch {
	case l.field.Key(name):
	case k.Text == "":
		return nil
	case !l.field.Insert(k.Text):
		m.note.warn("Too long", "the field holds 16 KiB, so this was left out.")
	}
	return l.changed(m)
}

func (l *line) changed(m *Model) tea.Cmd {
	if l.change == nil {
		return nil
	}
	return l.change(m, l.field.Text())
}

func (l *line) paste(m *Model, text string) tea.Cmd {
	if !l.field.Insert(text) {
		m.note.warn("Too long", "the field holds 16 KiB, so the end of the paste was left out.")
	}
	return l.changed(m)
}

func (l *line) foot(m *Model, w int) ([]frame.Line, frame.Point) {
	label := l.label + "  "
	text, at := l.field.Render(w - 2 - len(label))
	row := frame.Line{frame.Gap(1), frame.S(themes.Muted, label), text}
	if l.field.Len() == 0 && l.about != "" {
		row = frame.Line{frame.Gap(1), frame.S(themes.Muted, label), frame.S(themes.Faint, " "+l.about)}
	}
	foot := frame.Line{frame.Gap(1), frame.S(themes.Accent, m.keys.Shown(keys.Line, keys.Keep)), frame.S(themes.Muted, " "+l.keeps)}
	if l.field.Len() > 0 {
		foot = append(foot, frame.Gap(2), frame.S(themes.Accent, "Ctrl+U"), frame.S(themes.Muted, " empties"))
	}
	drops := l.drops
	if drops == "" {
		drops = "drops the change"
	}
	foot = append(foot, frame.Gap(2), frame.S(themes.Accent, m.keys.Shown(keys.Line, keys.Leave)), frame.S(themes.Muted, " "+drops))
	if m.note.head != "" { // it came while the line is open
		room := max(w-2-len(m.note.head)-2, 0)
		foot = frame.Line{frame.Gap(1), frame.S(m.note.role, m.note.head+": "), frame.T(themes.Text, frame.Cut(m.note.text, room, 0, m.look.Glyphs.Cut))}
	}
	return []frame.Line{row, foot}, frame.Point{X: 1 + len(label) + at, Y: 0}
}

// asJSON is what the operator typed as JSON: as it stands when it is JSON and
// the question wants no plain string, else as a string.
func asJSON(text string, wantsString bool) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	v := jsontext.Value(text)
	if v.IsValid() && (!wantsString || v.Kind() == '"') {
		return text
	}
	quoted, err := jsontext.AppendQuote(nil, text)
	if err != nil {
		return ""
	}
	return string(quoted)
}
