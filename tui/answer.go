package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"nod/ambiguity"
	"nod/digest"
	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/detail"
	"nod/tui/field"
	"nod/tui/frame"
	"nod/tui/gate"
	"nod/tui/keys"
)

// answering is the form of an answer on the desk, below what is being answered.
// It gives nothing: what it holds is kept for the effect, and counts with the
// answer's key.
type answering struct {
	draft  detail.Draft
	effect string
	says   gate.Message // what it says and unlocks
	fields []*input
	at     int
	said   visible.Text  // why it is not kept
	page   digest.Digest // that was read when the last key came
}

// input is a field of the form: a text, or a choice.
type input struct {
	label, about string
	text         field.Field
	choice, on   bool
}

// openAnswer opens the form of an answer with what was written before, for this
// answer or for another one of the same effect.
func (m *Model) openAnswer(act string) {
	was := m.open.Draft()
	a, _ := m.open.AnswerTo(act)
	l := &answering{effect: m.open.ID(), page: m.open.Row().ShownDigest, draft: detail.Draft{Act: act, Attempt: a.Attempt}, says: detail.Sentence(a)}
	reason := &input{label: "reason", about: "why you say so; who reads it next knows nothing else"}
	reason.text.Set(was.Reason)
	l.fields = []*input{reason}
	switch act {
	case queue.AnswerOpen:
		reason.about = "why one more is wanted; it stands on the card of the next call"
	case queue.AnswerAcknowledge:
		reason.about = "what you make of it; may be empty"
	default:
		evidence := &input{label: "evidence", about: "what it rests on: a case, a record, who looked"}
		evidence.text.Set(was.Evidence)
		if act == string(ambiguity.Unknown) {
			evidence.about = "what was looked at so far; may be empty"
		}
		l.fields = append(l.fields, evidence, &input{label: "durable", about: "it can be looked up again", choice: true, on: was.Durable})
	}
	m.cover(l)
}

func (l *answering) press(m *Model, k tea.KeyPressMsg, name string, _ int64) tea.Cmd {
	l.said = visible.Text{}
	if m.open != nil {
		l.page = m.open.Row().ShownDigest
	}
	name = m.own(keys.Form, name, map[keys.Intent]string{
		keys.Keep: "ctrl+s", keys.Leave: "esc", keys.NextField: "tab", keys.PrevField: "shift+tab", keys.Choice: "space", keys.NextOrKeep: "enter",
	})
	in := l.fields[l.at]
	switch {
	case m.burst && name == "enter":
		l.insert("\n") // a line end in the middle of a paste
	case name == "esc":
		m.uncover()
		m.note.tell("Left", "what was written before stands; nothing was sent.")
	case name == "ctrl+s", name == "enter" && l.at == len(l.fields)-1:
		l.keep(m)
	case name == "tab", name == "enter":
		l.at = (l.at + 1) % len(l.fields)
	case name == "shift+tab":
		l.at = (l.at + len(l.fields) - 1) % len(l.fields)
	case in.choice:
		if name == "space" {
			in.on = !in.on
		}
	case in.text.Key(name):
	default:
		l.insert(k.Text)
	}
	return nil
}

func (l *answering) insert(text string) {
	in := l.fields[l.at]
	if text != "" && !in.choice && !in.text.Insert(text) {
		l.said = visible.Own("the field holds 16 KiB, so the rest was left out.")
	}
}

func (l *answering) paste(_ *Model, text string) tea.Cmd {
	l.insert(text)
	return nil
}

// keep hands what was written to the open effect.
func (l *answering) keep(m *Model) {
	d := l.draft
	for _, in := range l.fields {
		switch in.label {
		case "reason":
			d.Reason = strings.TrimSpace(in.text.Text())
		case "evidence":
			d.Evidence = strings.TrimSpace(in.text.Text())
		case "durable":
			d.Durable = in.on
		}
	}
	d.Durable = d.Durable && d.Evidence != ""
	if err := d.Check(); err != nil {
		sentence, hint := said(err)
		l.said = visible.Concat(visible.Row(sentence), visible.Own("; "), visible.Row(hint), visible.Own("."))
		if d.Reason != "" && len(l.fields) > 1 {
			l.at = 1
		} else {
			l.at = 0
		}
		return
	}
	m.uncover()
	if m.open == nil || m.open.ID() != l.effect || m.open.Desk() == nil {
		return
	}
	m.write(d)
}

func (l *answering) foot(m *Model, w int) ([]frame.Line, frame.Point) {
	says := l.says
	if m.open != nil && m.open.Desk() != nil && m.open.ID() == l.effect {
		if a, ok := m.open.AnswerTo(l.draft.Act); ok {
			says = detail.Sentence(a)
		}
	}
	rows := detail.Wrap(m.look, says, w)
	cursor := frame.Point{}
	for i, in := range l.fields {
		label := frame.Col(themes.Muted, in.label, 10)
		if i == l.at {
			label = frame.Col(themes.Accent, in.label, 10)
		}
		row := frame.Line{frame.Gap(1), label}
		switch {
		case in.choice:
			box := "[ ] "
			if in.on {
				box = "[x] "
			}
			row = append(row, frame.S(themes.Text, box), frame.S(themes.Muted, in.about))
			if i == l.at {
				cursor = frame.Point{X: 12, Y: len(rows)}
			}
		default:
			text, at := in.text.RenderIn(m.look, w-13)
			if in.text.Len() == 0 {
				text = frame.S(themes.Faint, " "+in.about)
			}
			row = append(row, text)
			if i == l.at {
				cursor = frame.Point{X: 11 + at, Y: len(rows)}
			}
		}
		rows = append(rows, row)
	}
	return append(rows, l.last(m, w)), cursor
}

// last is the keys, or why what is written is not kept, or what came meanwhile.
func (l *answering) last(m *Model, w int) frame.Line {
	if l.said.Len() > 0 {
		return frame.Line{frame.Gap(1), frame.S(themes.Warn, "Not kept: "), frame.T(themes.Text, frame.Cut(l.said, w-12, 0, m.look.Glyphs.Cut))}
	}
	if m.open != nil && m.open.ID() == l.effect && m.open.Row().ShownDigest != l.page {
		return frame.Line{frame.Gap(1), frame.S(themes.Warn, "Changed: "), frame.S(themes.Text, "evidence came in, so the page is another one; read it first.")}
	}
	key := func(i keys.Intent, does string) frame.Line {
		return frame.Line{frame.S(themes.Accent, m.keys.Shown(keys.Form, i)), frame.S(themes.Muted, " "+does)}
	}
	pairs := []frame.Line{key(keys.NextField, "next field")}
	if l.fields[l.at].choice {
		pairs = append(pairs, key(keys.Choice, "changes it"))
	}
	pairs = append(pairs, key(keys.Keep, "keeps it, not sent yet"), key(keys.Leave, "leaves"))
	return fitPairs(pairs, []int{5, 8, 10, 9}[:len(pairs)], w)
}
