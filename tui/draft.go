package tui

import "nod/tui/detail"

// draft is what was written for an ask that was left unanswered. It comes back
// when the ask is opened again, by this console and no other.
type draft struct {
	words, answer string
	terms         detail.Terms
	effect        detail.Draft // of an effect
}

// mostDrafts bounds what is kept.
const mostDrafts = 50

// keepDraft keeps what was written for the open ask, when it is left without
// an answer, and says so.
func (m *Model) keepDraft() {
	if m.open == nil || m.open.Cards() > 1 || !m.open.Written() && !m.open.Drafted() {
		return
	}
	if m.open.Desk() == nil && !m.open.Pending() {
		delete(m.drafts, m.open.ID())
		return
	}
	if m.drafts == nil || len(m.drafts) >= mostDrafts {
		m.drafts = map[string]draft{}
	}
	if m.open.Desk() != nil {
		m.drafts[m.open.ID()] = draft{effect: m.open.Draft()}
		m.note.tell("Kept", "what you wrote for that effect is there again when you open it.")
		return
	}
	m.drafts[m.open.ID()] = draft{words: m.open.Words(), answer: m.open.Answer(), terms: m.open.Terms()}
	m.note.tell("Kept", "what you wrote for that ask is there again when you open it.")
}

// bringDraft gives the ask that was just opened what was written for it.
func (m *Model) bringDraft() {
	d, ok := m.drafts[m.open.ID()]
	if !ok || !m.open.HasGate() {
		return
	}
	delete(m.drafts, m.open.ID())
	if m.open.Desk() != nil {
		m.write(d.effect)
		return
	}
	m.open.SetWords(d.words, m.ms())
	m.open.SetTerms(d.terms, m.ms())
	if d.answer != "" {
		m.open.SetAnswer(d.answer, m.ms())
	}
}
