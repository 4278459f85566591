package client

import (
	"context"
	"strings"
	"time"

	"nod/digest/visible"
	"nod/notice"
	"nod/queue"
)

// Load is what goes to an agent with one answer besides the answer itself, and
// the receipts for it. A receipt is sent after the answer was written, so that
// it never says more than is true: what was not receipted is owed, and told of.
type Load struct {
	Receipts []queue.Receipt
	also     []string // framed sentences
}

// Pack makes the load of an answer for a carrier of at most most bytes of words,
// as the agent gets them; 0 for as many as Nod takes. Words that the carrier does not take leave st, and
// the agent is told that there were some.
func Pack(st *queue.Standing, ask, token string, most int) Load {
	var l Load
	left := queue.MaxWords * 8 // a byte that does not show is written out in six
	if most > 0 {
		left = most
	}
	byPerson := st.Decision != nil && st.Decision.By == queue.ByPerson
	if byPerson || st.EditedTo != nil {
		r := queue.Receipt{Ask: ask, Token: token, Got: queue.StageHandedOver}
		if n := ownWords(st); most > 0 && n > left {
			r.Refused = string(notice.InvalidContent)
			drop(st)
			l.also = append(l.also, "A person's words went with this answer. They are longer than this connection carries, so they are not here; the person is told.")
		} else {
			left -= n
		}
		l.Receipts = append(l.Receipts, r)
	}
	for i := range st.Resent {
		w := &st.Resent[i]
		n := len(queue.Spoken(w.Words))
		r := queue.Receipt{Ask: w.Ask, Token: token, Via: ask, Got: queue.StageHandedOver}
		switch {
		case most > 0 && n > most:
			r.Refused = string(notice.InvalidContent)
		case n > left:
			continue // there is room with another answer
		default:
			left -= n
			l.also = append(l.also, resent(w))
		}
		l.Receipts = append(l.Receipts, r)
	}
	return l
}

func ownWords(st *queue.Standing) (n int) {
	if st.Decision != nil && st.Decision.By == queue.ByPerson {
		n = len(queue.Spoken(st.Decision.Words))
	}
	if st.EditedTo != nil {
		n += len(queue.Spoken(st.EditedTo.Words))
	}
	return n
}

// drop takes a person's words out of st, for whoever shares what it points to.
func drop(st *queue.Standing) {
	if st.Decision != nil {
		d := *st.Decision
		d.Words = ""
		st.Decision = &d
	}
	if st.EditedTo != nil {
		e := *st.EditedTo
		e.Words = ""
		st.EditedTo = &e
	}
}

// Also is what the load adds to what the agent reads; "" for nothing.
func (l *Load) Also() string { return strings.Join(l.also, " ") }

// With is text and what the load adds to it.
func (l *Load) With(text string) string { return strings.TrimSpace(text + " " + l.Also()) }

// resent frames words that an operator sent again.
func resent(w *queue.ResentWords) string {
	which := "an earlier answer"
	if w.Tool != "" {
		which += " (on " + visible.Draw(visible.Label, w.Tool) + ")"
	}
	return "The operator sends words again that went with " + which + " and did not reach you: \"" + queue.Spoken(w.Words) + "\"."
}

// receiptsWithin bounds what is still said after an answer was written.
const receiptsWithin = 5 * time.Second

// Deliver sends the receipts of a load whose answer was written. One that cannot
// be sent leaves its words owed.
func Deliver(ctx context.Context, p queue.Port, l Load) {
	if len(l.Receipts) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), receiptsWithin)
	defer cancel()
	for _, r := range l.Receipts {
		_, _ = p.Do(ctx, r) // owed words are told of
	}
}

// Said frames the words of a person who did something.
func Said(did, words string) string {
	return "The person who " + did + " said: \"" + queue.Spoken(words) + "\""
}
