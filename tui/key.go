package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/go-json-experiment/json/jsontext"

	"nod/queue"
	"nod/tui/gate"
	"nod/tui/keys"
)

// key is the one way of a key: gate, binding, intent.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	m.touched = true
	ms := m.keyMS()
	name := k.String()
	if name == "ctrl+c" {
		return tea.Quit
	}
	if !m.bigEnough() {
		if name == "q" {
			return tea.Quit
		}
		return nil
	}
	if m.prompt != nil {
		return m.promptKey(k, name, ms)
	}
	burst := ms-m.keyAt < gate.BurstMS
	m.keyAt = ms
	if m.place == keys.Detail && m.open != nil {
		out := m.open.Handle(gate.Key{Name: name, Text: k.Text, Repeat: k.IsRepeat}, ms)
		if cmd := m.outcome(out); cmd != nil || out.Consumed {
			m.note.clear() // the gate speaks again
			return cmd
		}
	}
	b, ok := m.keys.Find(m.place, name)
	if !ok {
		return nil
	}
	if burst && m.cardPlace() && !b.Intent.Scrolls() {
		return nil // text that was pasted without its brackets is no command
	}
	if m.cardPlace() || !b.Intent.Scrolls() {
		m.note.clear()
	}
	if reason := m.why(b); reason != "" {
		m.note.warn("Not now", strings.Fields(b.Shown)[0]+" does nothing here: "+reason+".")
		return nil
	}
	return m.do(b.Intent)
}

// paste is text for a field that the operator opened, and for nothing else.
func (m *Model) paste(text string) tea.Cmd {
	if m.prompt != nil && m.prompt.line() {
		if !m.prompt.field.Insert(text) {
			m.note.warn("Too long", "the field holds 16 KiB, so the end of the paste was left out.")
		}
		return nil
	}
	if m.prompt != nil {
		m.prompt.since = m.ms()
		return nil
	}
	return m.gate(gate.Paste{})
}

func (m *Model) promptKey(k tea.KeyPressMsg, name string, ms int64) tea.Cmd {
	p := m.prompt
	if p.line() {
		return m.lineKey(k, name)
	}
	rest := ms - p.since
	p.since = ms
	b, ok := m.keys.Find(keys.Confirm, name)
	switch {
	case !ok:
		return nil
	case b.Intent == keys.No:
		m.closePrompt()
		m.note.tell("Left alone", "nothing was changed.")
		return nil
	case b.Intent != keys.Yes:
		return m.do(b.Intent)
	case k.IsRepeat || rest < restMS:
		m.note.warn("Too soon", "y came without rest, so nothing was done; rest, then y.")
		return nil
	}
	m.closePrompt()
	switch p.kind {
	case askFreeze:
		return m.freeze()
	case askUnfreeze:
		return m.unfreeze()
	case askRevoke:
		return m.revoke(p.ask)
	case askClock:
		return tea.Sequence(m.act(queue.ConfirmClock{}), m.acknowledge(p.about))
	}
	return nil
}

// lineKey edits the field. Every printable key is text there.
func (m *Model) lineKey(k tea.KeyPressMsg, name string) tea.Cmd {
	p := m.prompt
	switch {
	case name == "esc":
		m.closePrompt()
	case name == "enter":
		m.keepLine()
	case p.field.Key(name):
	case k.Text != "":
		if !p.field.Insert(k.Text) {
			m.note.warn("Too long", "the field holds 16 KiB, so this was left out.")
		}
	}
	return nil
}

func (m *Model) keepLine() {
	p := m.prompt
	if m.open == nil {
		m.closePrompt()
		return
	}
	text := p.field.Text()
	if p.kind == writeWords {
		m.open.SetWords(text, m.ms())
		m.closePrompt()
		return
	}
	m.open.SetAnswer(asJSON(text, m.open.WantsString()), m.ms())
	m.closePrompt()
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

// closePrompt gives the rows back to the gate, which starts its rest anew.
func (m *Model) closePrompt() {
	m.prompt = nil
	if m.open != nil {
		m.open.Handle(gate.Changed{Shown: m.open.Row().ShownDigest}, m.ms())
	}
}
