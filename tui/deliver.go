package tui

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"nod/digest/visible"
	"nod/notice"
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/inbox"
	"nod/tui/keys"
	"nod/tui/say"
)

// undelivered is what an act on words is about: one answer, or all that a notice
// told of.
type undelivered struct {
	ask    string
	notice int64
}

// handWords is what the row under the hand has of words that did not arrive; why
// says why nothing can be done about any.
func (m *Model) handWords() (u undelivered, why string) {
	sel := m.list.Selected()
	if d, ok := m.list.Delivery(sel.Delivery); ok {
		switch d.Words {
		case queue.WordsNone:
			return u, "no words went with this answer"
		case queue.WordsCarried:
			return u, "these words arrived"
		}
		return undelivered{ask: d.Ask}, ""
	}
	n, ok := m.list.Notice(sel.Notice)
	if !ok {
		return u, "the selected row is about no words"
	}
	if d, err := notice.ParseDetail(n.Code, n.Detail); err != nil || d.Kind != notice.ApprovalFeedback || d.ChildSession != "" {
		return u, "nod does not hold the words that this is about"
	}
	return undelivered{notice: n.ID}, ""
}

// whyNotWords is why words can not be sent again, or dropped.
func (m *Model) whyNotWords(i keys.Intent) string {
	_, why := m.handWords()
	if d, ok := m.list.Delivery(m.list.Selected().Delivery); ok && why == "" && i == keys.Resend && d.Words == queue.WordsResent {
		return "they are to be sent again already"
	}
	return why
}

// deliver does something about words that did not arrive.
func (m *Model) deliver(i keys.Intent) tea.Cmd {
	u, _ := m.handWords()
	if i == keys.Resend {
		m.confirm("Send again", "they go with the session's next answer, as yours.", func(m *Model) tea.Cmd {
			return m.settle(u, func(ask string) queue.Act { return queue.Resend{Ask: ask} })
		})
		return nil
	}
	m.confirm("Drop", "the words are given up, as not needed.", func(m *Model) tea.Cmd {
		return m.settle(u, func(ask string) queue.Act { return queue.DropWords{Ask: ask, Reason: queue.DropReasons()[0]} })
	})
	return nil
}

// settle does one act on an answer, or on each whose words a notice told of;
// then the notice is read.
func (m *Model) settle(u undelivered, act func(ask string) queue.Act) tea.Cmd {
	if u.ask != "" {
		return m.act(act(u.ask))
	}
	ctx, port := m.ctx, m.port
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, actWithin)
		defer cancel()
		done := acted{act: act("")}
		asks, last, err := queue.SettleTold(ctx, port, u.notice, act)
		if err == nil && len(asks) == 0 {
			err = errors.New("somebody did something about these words already")
		}
		done.res = last
		done.err = err
		return done
	}
}

// onDelivery says what became of an act on a delivery.
func (m *Model) onDelivery(a acted) {
	if a.err != nil {
		m.note.undone("Not done", a.err)
		return
	}
	switch act := a.act.(type) {
	case queue.AckDelivery:
		m.list.Delivered(act.Ask, m.paneLook(), m.listRows())
		m.note.ok("Acknowledged", "it is out of the inbox; words that are owed stay owed.")
	case queue.Resend:
		if r, ok := a.res.(queue.Resending); ok && r.Ended {
			m.note.ok("Owed again", "the session is over; they go with its next answer if it starts anew.")
			return
		}
		m.note.ok("Owed again", "they go with the next answer that the session collects.")
	case queue.DropWords:
		m.note.ok("Dropped", "nothing of it is owed.")
	}
}

// deliveryPane is the selected delivery beside the list, whole.
func deliveryPane(look frame.Look, d *queue.DeliveryView, w int) []frame.Line {
	rows := []frame.Line{{frame.S(themes.Faint, " an answer that did not arrive")}}
	rows = append(rows, wrapped(visible.Drawn(upperFirst(inbox.DeliverySays(d))+"."), w)...)
	rows = append(rows, nil)
	rows = append(rows, wayRows(look, d, w)...)
	if d.Text != "" {
		rows = append(rows, nil, frame.Line{frame.Gap(2), frame.S(themes.Muted, "the words")})
		rows = append(rows, wrapped(visible.Row(d.Text), w)...)
	}
	return rows
}

// wayRows is how far an answer came, a stage a row.
func wayRows(look frame.Look, d *queue.DeliveryView, w int) (rows []frame.Line) {
	for _, stage := range say.Way(d, func(ms int64) string { return say.ClockSec(ms, look.Now, look.Loc) }) {
		rows = append(rows, wrapped(visible.Drawn(stage), w)...)
	}
	return rows
}

// wrapped is a text over as many rows as it takes.
func wrapped(t visible.Text, w int) (rows []frame.Line) {
	for t.Len() > 0 {
		at := frame.Break(t, w-3)
		if at == 0 {
			break
		}
		rows = append(rows, frame.Line{frame.Gap(2), frame.T(themes.Text, t.Slice(0, at))})
		t = t.Slice(at, t.Len())
	}
	return rows
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
