package audit

import (
	announce "nod/notice"
	"nod/queue"
)

// way is how far a person's answer came, and what became of its words.
type way struct {
	session string
	stage   queue.Stage
	words   queue.WordsState
	item    queue.Item
}

// send opens the way of a decision, and closes that of words whose ask goes
// back.
func (l *life) send(e *event) {
	switch {
	case e.Delivery == queue.StageDecided:
		w := &way{session: e.Session, stage: queue.StageDecided}
		if e.Words {
			l.set(w, queue.WordsOwed, "")
			l.unread[e.Session] = append(l.unread[e.Session], w)
		}
		l.ways[e.Ask] = w
	case e.Act == "begin" && e.Delivery != "" && l.ways[e.Ask] != nil: // its gateway gives no receipt
		l.set(l.ways[e.Ask], l.ways[e.Ask].words, "")
	case e.Act == "withdraw" && e.Reason == "returned":
		l.goesBack(e.Ask)
	}
}

// set is what became of words, and why they are in the inbox; it counts both.
func (l *life) set(w *way, words queue.WordsState, item queue.Item) {
	count := func(n int64) {
		if w.words.Owed() {
			l.tally.Owed += n
		}
		if w.item != "" {
			l.tally.Undelivered += n
		}
	}
	count(-1)
	w.words, w.item = words, item
	count(1)
}

// goesBack says of an ask, and of the edits that made it, that its person is
// asked again.
func (l *life) goesBack(ask string) {
	for ; ask != ""; ask = l.derived[ask] {
		if w := l.ways[ask]; w != nil && w.words.Owed() {
			l.set(w, queue.WordsReturned, "")
		}
	}
}

// deliver plays one step of the delivery ledger.
func (l *life) deliver(e *event) string {
	if e.Act == "receipt" {
		return l.received(e)
	}
	w := l.ways[e.Ask]
	if w == nil {
		return "a delivery of what nobody decided"
	}
	ok := w.session == e.Session
	switch e.Act {
	case "uncollected":
		ok = ok && w.stage == queue.StageDecided && w.item == ""
		l.set(w, w.words, queue.ItemUncollected)
	case "delivery_ack":
		ok = ok && e.Reason == string(w.item)
		l.set(w, w.words, "")
	case "resend":
		ok = ok && (w.words == queue.WordsTold || w.words == queue.WordsOwed)
		l.set(w, queue.WordsResent, queue.ItemResent)
	case "drop_words":
		ok = ok && e.Reason != "" && (w.words == queue.WordsTold || w.words.Owed())
		l.set(w, queue.WordsDropped, "")
	case "returned":
		ok = ok && (w.words.Owed() || w.words == queue.WordsCarried)
		l.set(w, queue.WordsReturned, "")
	case "uncarried":
		ok = ok && (w.words.Owed() || w.words == queue.WordsCarried)
		if w.words == queue.WordsCarried {
			l.set(w, queue.WordsOwed, w.item)
		}
	}
	if !ok {
		return "a step of a delivery that does not follow the one before"
	}
	return ""
}

// received plays a receipt: it is of all that was said with the answer.
func (l *life) received(e *event) string {
	if l.asks[e.Ask] == nil || e.Delivery != queue.StageHandedOver && e.Delivery != queue.StageAcknowledged {
		return "a receipt of nothing, or that says nothing"
	}
	for ask := e.Ask; ask != ""; ask = l.derived[ask] {
		w := l.ways[ask]
		if w == nil {
			continue
		}
		if w.session != e.Session {
			return "a receipt of another session"
		}
		if w.stage == queue.StageDecided || e.Delivery == queue.StageAcknowledged {
			w.stage = e.Delivery
		}
		if w.item == queue.ItemUncollected {
			l.set(w, w.words, "")
		}
		switch {
		case e.Reason != "" && (w.words.Owed() || w.words == queue.WordsCarried):
			l.set(w, queue.WordsOwed, queue.ItemRefused)
		case e.Words && w.words.Owed():
			l.set(w, queue.WordsCarried, "")
		}
	}
	return ""
}

// tell plays a notice of words that did not arrive: it counts all that were owed
// to its session.
func (l *life) tell(e *event) string {
	if e.Notice != announce.SteerUndrained || e.Kind != string(announce.ApprovalFeedback) || e.ChildSession != "" {
		return ""
	}
	n := int64(0)
	for _, w := range l.unread[e.Session] {
		if w.words.Owed() {
			l.set(w, queue.WordsTold, "")
			n++
		}
	}
	if n > e.Count {
		return "a notice counts fewer words than did not arrive"
	}
	return ""
}

// undelivered holds that no session ends with words owed that nobody was told of
// (I8).
func (l *life) undelivered(session string) string {
	for _, w := range l.unread[session] {
		if w.words.Owed() {
			return "a session ended with words owed, and no notice tells of them"
		}
	}
	return ""
}

// checkDelivery holds an ask's row of the ledger against the events. What was
// decided before there was a ledger has none.
func (l *life) checkDelivery(v *queue.AskView) *Fault {
	w, r := l.ways[v.Row.ID], v.Delivery
	switch {
	case w == nil && r == nil:
		return nil
	case w == nil || r == nil:
		return fault(CodeRow, 0, "the ask %s has a delivery and no event, or an event and no delivery", v.Row.ID)
	case r.Session != w.session || r.Stage != w.stage || r.Words != w.words:
		return fault(CodeRow, 0, "the delivery of ask %s is not as its events say", r.Ask)
	case r.Item != w.item:
		return fault(CodeRow, 0, "the delivery of ask %s is in the inbox for another reason than its events say", r.Ask)
	}
	return nil
}
