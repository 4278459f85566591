package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"nod/digest"
	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/detail"
	"nod/tui/gate"
	"nod/tui/keys"
	"nod/tui/say"
)

// leastBatch is how many asks are a batch.
const leastBatch = 2

// batchRead is the marked asks, whole.
type batchRead struct {
	gen   uint64
	views []queue.AskView
	err   error
}

// whyNotBatch says why the selected row cannot be marked, or the marked ones
// not be answered together.
func (m *Model) whyNotBatch(i keys.Intent) string {
	if i == keys.Mark {
		if _, ok := m.list.SelectedAsk(); !ok {
			return "no ask is selected"
		}
		return ""
	}
	marked := m.list.Marked()
	switch {
	case len(marked) == 0:
		return "nothing is marked" + m.hint(keys.Inbox, keys.Mark, "marks")
	case len(marked) < leastBatch:
		return "one ask is no batch" + m.hint(keys.Inbox, keys.Open, "opens it")
	}
	return ""
}

// readBatch reads the marked asks to open them under one gate.
func (m *Model) readBatch() tea.Cmd {
	var ids []string
	for _, r := range m.list.Marked() {
		ids = append(ids, r.ID)
	}
	m.reads.ask++
	m.opening = openingBatch
	gen, port := m.reads.ask, m.port
	return m.command(func(ctx context.Context) tea.Msg {
		r := batchRead{gen: gen}
		for _, id := range ids {
			v, err := queue.Get[queue.AskView](ctx, port, queue.QAsk{ID: id})
			if err != nil {
				r.err = err
				return r
			}
			r.views = append(r.views, v)
		}
		return r
	})
}

// onBatch opens what is still pending of the marked asks.
func (m *Model) onBatch(r batchRead) tea.Cmd {
	if r.gen != m.reads.ask || m.opening != openingBatch {
		return nil
	}
	m.opening = ""
	if r.err != nil {
		m.note.fault("Not read", r.err)
		return nil
	}
	var views []queue.AskView
	var left []visible.Text
	for i := range r.views {
		row := &r.views[i].Row
		if row.State != queue.StatePending || r.views[i].Card == "" {
			left = append(left, visible.Of(visible.Name, row.ID[max(len(row.ID)-4, 0):]))
			continue
		}
		views = append(views, r.views[i])
	}
	if len(views) < leastBatch {
		m.note.warn("No batch", "fewer than two of the marked asks still wait; mark others.")
		return nil
	}
	if why := unlike(views); why != "" {
		m.note.warn("No batch", why)
		return nil
	}
	m.sync(views[0].Now)
	m.note.clear()
	m.open = detail.NewBatch(views, m.setKeys, m.look.Loc, m.ms())
	if !m.focused {
		m.open.Handle(gate.Blur{}, m.ms())
	}
	m.enter(keys.Batch)
	m.slowDown()
	if len(left) > 0 {
		text := left[0]
		for _, id := range left[1:] {
			text = visible.Concat(text, visible.Own(", "), id)
		}
		end := " no longer wait, so they are left out of the batch."
		if len(left) == 1 {
			end = " no longer waits, so it is left out of the batch."
		}
		m.note = note{head: "Left out", role: themes.Warn, text: visible.Concat(text, visible.Drawn(end))}
	}
	return nil
}

// unlike says why asks of one tool are still not answered by one code: where
// they would run. It is said before they are read; the queue holds to it.
func unlike(views []queue.AskView) string {
	var first string
	for i := range views {
		ask, err := digest.ParseAsk(views[i].Ask, digest.Limits{})
		if err != nil || ask.Action == nil {
			return "a marked ask's document cannot be read; mark others."
		}
		if env := ask.Action.Environment.Name; i == 0 {
			first = env
		} else if env != first {
			return "the marked asks are of more than one environment; mark those of one."
		}
	}
	return ""
}

// decideBatch sends what the gate of a batch gave out.
func (m *Model) decideBatch(d gate.Decision) tea.Cmd {
	return m.act(queue.DecideBatch{Verdict: queue.Verdict(d.Verdict), Items: m.open.Items(m.ms()), Digest: d.Shown, Words: d.Words})
}

// onBatchDecided says what became of each.
func (m *Model) onBatchDecided(a acted) {
	if m.place != keys.Batch || m.open == nil {
		if a.err != nil {
			m.note.undone("Not taken", a.err)
		}
		return
	}
	if a.err != nil {
		m.open.Handle(gate.Failed{Sentence: failure(a.err)}, m.ms())
		return
	}
	r, ok := a.res.(queue.BatchDecided)
	if !ok {
		return
	}
	for _, d := range r.Results {
		if d.Decided != nil {
			m.kept(d.Decided.Decision)
		}
	}
	m.list.ClearMarks()
	m.open.TakenBatch(r.Results, m.ms())
	m.open.Say(batchSentence(r.Results, a.act.(queue.DecideBatch).Verdict))
}

// batchSentence counts what was done and names what was not.
func batchSentence(results []queue.BatchResult, v queue.Verdict) gate.Message {
	done, skipped := int64(0), []visible.Text(nil)
	for _, r := range results {
		if r.Decided != nil {
			done++
			continue
		}
		skipped = append(skipped, visible.Concat(visible.Of(visible.Name, r.Ask[len(r.Ask)-4:]), visible.Own(" "), visible.Row(r.Sentence)))
	}
	head, role := "Allowed:", themes.OK
	if v == queue.VerdictDeny {
		head, role = "Denied:", themes.Text
	}
	msg := gate.Message{Head: visible.Drawn(head), Role: role}
	means := ", so each gate is open once"
	if v == queue.VerdictDeny {
		means = ", so none of them runs"
	}
	msg.Rest = visible.Drawn(" " + say.Count(done, "ask", "asks") + means + "; Esc back.")
	if len(skipped) > 0 {
		msg.Role = themes.Warn
		msg.Rest = visible.Concat(visible.Drawn(" "+say.Count(done, "ask", "asks")+", "+say.Count(int64(len(skipped)), "was", "were")+" skipped: "), skipped[0])
		for _, s := range skipped[1:] {
			msg.Rest = visible.Concat(msg.Rest, visible.Own(", "), s)
		}
		msg.Rest = visible.Concat(msg.Rest, visible.Own("."))
	}
	return msg
}

// readCards reads the asks of the open batch again.
func (m *Model) readCards() tea.Cmd {
	m.reads.ask++
	var cmds []tea.Cmd
	for _, id := range m.open.IDs() {
		cmds = append(cmds, m.askCommand(m.reads.ask, id, func(r askRead) tea.Msg { return r }))
	}
	return tea.Batch(cmds...)
}
