package inbox

import (
	"slices"

	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/say"
)

// MostDeliveries is how many answers that did not arrive the inbox lists.
const MostDeliveries = 50

func deliveryKey(d *queue.DeliveryView) string { return "d" + d.Ask }

// Delivery gives an answer of the list that did not arrive.
func (l *List) Delivery(ask string) (queue.DeliveryView, bool) {
	for i := range l.deliveries {
		if l.deliveries[i].Ask == ask {
			return l.deliveries[i], true
		}
	}
	return queue.DeliveryView{}, false
}

// keepDeliveries takes the newest ones; the one under the hand stays.
func (l *List) keepDeliveries(newest []queue.DeliveryView) {
	has := func(list []queue.DeliveryView) bool {
		return slices.ContainsFunc(list, func(d queue.DeliveryView) bool { return deliveryKey(&d) == l.sel })
	}
	if has(newest) || !has(l.deliveries) {
		l.deliveries = newest
	}
}

// Delivered takes an answer off the list and moves the selection on.
func (l *List) Delivered(ask string, look frame.Look, h int) {
	for i := range l.deliveries {
		if l.deliveries[i].Ask != ask {
			continue
		}
		l.leave(deliveryKey(&l.deliveries[i]), look, h)
		l.deliveries = append(l.deliveries[:i:i], l.deliveries[i+1:]...)
		l.counters.Undelivered = max(l.counters.Undelivered-1, 0)
		return
	}
}

// DeliverySays is why an answer is in the list, in a sentence.
func DeliverySays(d *queue.DeliveryView) string {
	what := map[queue.Verdict]string{queue.VerdictAllow: "allowed", queue.VerdictAnswer: "answered"}[d.Verdict]
	if what == "" {
		what = "denied"
	}
	with := ""
	if d.Words == queue.WordsOwed {
		with = " with words"
	}
	then := ""
	switch d.State {
	case queue.StateRevoked, queue.StateWithdrawn, queue.StateLapsed:
		then = ", then " + string(d.State)
	}
	switch d.Item {
	case queue.ItemRefused:
		return what + ", and its words were not carried (" + d.Carry + ")"
	case queue.ItemResent:
		return "words to be sent again, with the session's next answer"
	default:
		return what + with + then + ", and nobody collected it"
	}
}

func drawDelivery(look frame.Look, d *queue.DeliveryView, w int) frame.Line {
	line := columns(look, look.Glyphs.Alone, "undelivered", themes.Warn,
		frame.Right(themes.Muted, say.Age(look.Now-d.DecidedAt), 4), frame.Gap(5), w)
	room := w - 1 - line.Width() - 1
	of := visible.Concat(Field(look, d.Tool), visible.Own("  "), Field(look, d.Gist), visible.Drawn("  "+DeliverySays(d)))
	return append(line, frame.T(themes.Text, frame.Cut(of, room, 0, look.Glyphs.Cut)))
}
