package plain

import (
	"context"
	"strings"

	"nod/digest/visible"
	"nod/queue"
	"nod/tui/inbox"
	"nod/tui/say"
)

// late reads out the answers that did not arrive, after the asks.
func (s *session) late(now int64) error {
	for i := range s.list.late {
		d := &s.list.late[i]
		s.list.items = append(s.list.items, item{delivery: d})
		head := "Answer, " + age(now-d.DecidedAt) + ": " + inbox.DeliverySays(d) + ": "
		if err := s.numbered(visible.Concat(visible.Drawn(head), s.draw(d.Tool), visible.Own("  "), s.draw(d.Gist))); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) readLate(ctx context.Context) error {
	open, err := queue.Get[queue.Deliveries](ctx, s.port, queue.QDeliveries{Open: true, Limit: notices})
	s.list.late = open.Deliveries
	return err
}

// deliveries reads out how far the newest answers came.
func (s *session) deliveries(ctx context.Context) error {
	s.open = nil
	page, err := queue.Get[queue.Deliveries](ctx, s.port, queue.QDeliveries{Limit: listLines})
	if err != nil {
		return s.sayFault(err)
	}
	s.list = list{at: page.Now}
	if len(page.Deliveries) == 0 {
		return s.say("No answer was given yet.")
	}
	for i := range page.Deliveries {
		d := &page.Deliveries[i]
		s.list.items = append(s.list.items, item{delivery: d})
		way := strings.Join(say.Way(d, func(ms int64) string { return say.ClockSec(ms, page.Now, s.o.Loc) }), ", ")
		if err := s.numbered(visible.Concat(s.draw(d.Tool), visible.Own("  "), s.draw(d.Gist), visible.Drawn(": "+way))); err != nil {
			return err
		}
	}
	return s.say("Say a number to open the ask, or \"ack\", \"resend\" or \"drop\" and a number.")
}

// aboutDelivery tells of one answer, and what can be done about it.
func (s *session) aboutDelivery(ctx context.Context, n int, d *queue.DeliveryView) error {
	if d.Item != "" {
		if err := s.print("Not arrived: \"ack " + itoa(n) + "\", \"resend " + itoa(n) + "\" or \"drop " + itoa(n) + "\"."); err != nil {
			return err
		}
	}
	return s.openAsk(ctx, d.Ask)
}

// settle sends words again, or gives them up: those of one answer, or all that a
// notice told of; then the notice is read.
func (s *session) settleWords(ctx context.Context, n int, question, done string, act func(ask string) queue.Act) error {
	if n < 1 || n > len(s.list.items) || s.list.items[n-1].delivery == nil && s.list.items[n-1].notice == nil {
		return s.say("No words: say \"list\" or \"notices\", then the word and the number of an answer or a notice.")
	}
	it := s.list.items[n-1]
	if ok, err := s.sure(ctx, question); err != nil || !ok {
		return err
	}
	if it.delivery != nil {
		return s.act(ctx, act(it.delivery.Ask), done)
	}
	asks, _, err := queue.SettleTold(ctx, s.port, it.notice.ID, act)
	switch {
	case err != nil:
		return s.sayFault(err)
	case len(asks) == 0:
		return s.say("No words: nod holds none that this notice tells of, or something was done about each already.")
	}
	return s.say(done)
}

func (s *session) resend(ctx context.Context, n int) error {
	return s.settleWords(ctx, n, "Send again: they go with the session's next answer, as yours.",
		"Owed again: they go with the session's next answer.", func(ask string) queue.Act { return queue.Resend{Ask: ask} })
}

func (s *session) drop(ctx context.Context, n int) error {
	return s.settleWords(ctx, n, "Drop: the words are given up, as not needed.", "Dropped: nothing of it is owed.",
		func(ask string) queue.Act { return queue.DropWords{Ask: ask, Reason: queue.DropReasons()[0]} })
}
