package tui

import (
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"nod/queue"
	"nod/tui/detail"
	"nod/tui/keys"
	"nod/tui/query"
)

// prepare opens what goes with an answer, before it is given.
func (m *Model) prepare(i keys.Intent) tea.Cmd {
	switch i {
	case keys.Words:
		m.writeWords()
	case keys.Answer:
		m.writeAnswer()
	case keys.Edit:
		return m.openEditor()
	case keys.Hold:
		m.writeHold()
	case keys.Grant:
		m.writeGrant()
	case keys.Mark:
		if why := m.list.ToggleMark(m.look.Now); why != "" {
			m.note.warn("Not marked", why+".")
		}
	case keys.OpenBatch:
		return m.readBatch()
	}
	return nil
}

// writeWords asks for the words, and says first what becomes of them.
func (m *Model) writeWords() {
	page := m.open
	l := &line{label: "words", keeps: "keeps them, for either answer", about: m.wordsReach()}
	l.keep = func(m *Model, text string) tea.Cmd {
		if m.open != page {
			return nil
		}
		if view := page.View(); page.Cards() < 2 && view.CarryWords(text) != nil {
			m.note.fault("Not kept", view.CarryWords(text))
			return nil
		}
		page.SetWords(text, m.ms())
		return nil
	}
	l.field.Set(m.open.Words())
	m.cover(l)
}

// wordsReach is what the gateway of an ask can do with words.
func (m *Model) wordsReach() string {
	if m.open.Cards() > 1 {
		return "handed to each agent with its answer"
	}
	view := m.open.View()
	view.Now = m.look.Now
	return view.Reach()
}

// writeAnswer takes the answer to a question that no form can show, as JSON.
func (m *Model) writeAnswer() {
	if m.openForm() {
		return
	}
	page := m.open
	l := &line{label: "answer", keeps: "keeps it; nothing is sent yet", about: "JSON by the schema on the card"}
	if m.open.WantsString() {
		l.about = "text, as it is to be sent"
	}
	l.keep = func(m *Model, text string) tea.Cmd {
		if m.open == page {
			page.SetAnswer(asJSON(text, page.WantsString()), m.ms())
		}
		return nil
	}
	l.field.Set(m.open.Answer())
	m.cover(l)
}

// writeHold asks for how long an allow is held before it may begin.
func (m *Model) writeHold() {
	page := m.open
	l := &line{label: "hold for", keeps: "holds an allow so long", about: "30s, 5m or 2h after your allow; empty for none"}
	l.keep = func(m *Model, text string) tea.Cmd {
		d, ok := duration(text)
		switch {
		case m.open != page:
		case !ok || queue.CheckHold(d.Milliseconds()) != nil:
			m.note.warn("No hold", "it is a time like 30s, 5m or 2h, at most 24h; nothing was changed.")
		default:
			t := m.open.Terms()
			t.HoldMS = d.Milliseconds()
			m.open.SetTerms(t, m.ms())
		}
		return nil
	}
	if ms := m.open.Terms().HoldMS; ms > 0 {
		l.field.Set((time.Duration(ms) * time.Millisecond).String())
	}
	m.cover(l)
}

// duration reads what an operator types for a time; nothing is 0.
func duration(text string) (time.Duration, bool) {
	text = strings.ReplaceAll(strings.TrimSpace(text), " ", "")
	if text == "" {
		return 0, true
	}
	d, err := query.Length(text)
	return d, err == nil && d >= 0
}

// grantFor is how long a grant holds when nothing is said.
const grantFor = time.Hour

// writeGrant asks for how many more of the same an allow counts. Nothing is
// granted before the allow is given.
func (m *Model) writeGrant() {
	page := m.open
	l := &line{
		label: "times", keeps: "goes with your allow",
		about: "3 or 3 30m: this exact digest, in this session, so often",
	}
	l.keep = func(m *Model, text string) tea.Cmd {
		if m.open != page {
			return nil
		}
		t := m.open.Terms()
		var ok bool
		if t.Times, t.WithinMS, ok = timesAndTime(text); !ok {
			m.note.warn("No grant", "it is 1 to 1000 times, then a time to 24h; nothing was changed.")
			return nil
		}
		m.open.SetTerms(t, m.ms())
		return nil
	}
	if t := m.open.Terms(); t.Times > 0 {
		l.field.Set(strconv.FormatInt(t.Times, 10) + " " + (time.Duration(t.WithinMS) * time.Millisecond).String())
	}
	m.cover(l)
}

// timesAndTime reads "3" or "3 30m"; nothing is no grant.
func timesAndTime(text string) (times, within int64, ok bool) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return 0, 0, true
	}
	n, err := strconv.ParseInt(words[0], 10, 64)
	if err != nil {
		return 0, 0, false
	}
	d := grantFor
	if len(words) > 1 {
		if d, ok = duration(strings.Join(words[1:], "")); !ok {
			return 0, 0, false
		}
	}
	return n, d.Milliseconds(), queue.CheckGrant(n, d.Milliseconds()) == nil
}

// granted files what was to go with an allow that was just given.
func (m *Model) granted(t detail.Terms, ask string) tea.Cmd {
	if t.Times == 0 {
		return nil
	}
	return m.act(queue.GrantDigest{Ask: ask, ShownDigest: m.open.Row().ShownDigest, Times: t.Times, ForMS: t.WithinMS})
}
