package notify

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"

	"nod/digest"
	"nod/notify/ladder"
	"nod/queue"
)

// Type is the type word of a payload.
const Type = "nod.notify/v1"

// maxItems is how many asks a payload names.
const maxItems = 20

// Payload is all that a receiver is told. Its members are closed, and nothing
// in it is anybody's text but ours. Times are effective Unix ms.
type Payload struct {
	Type     string      `json:"type"`
	ID       string      `json:"id"`    // of this telling: the same in each attempt and for each receiver
	Store    string      `json:"store"` // the store's random id
	At       int64       `json:"at"`
	Event    ladder.Kind `json:"event"`
	Text     string      `json:"text"` // one sentence of fixed words and counts
	Counts   Counts      `json:"counts"`
	OldestMS int64       `json:"oldest_ms"` // how long the oldest ask has waited; 0 for none
	Asks     []Item      `json:"asks"`      // what came due, most urgent first; at most 20
	More     int64       `json:"more"`      // how many asks came due besides
}

// Counts are the store's kept counters.
type Counts struct {
	Pending   int64 `json:"pending"`
	Mandated  int64 `json:"mandated"`
	Questions int64 `json:"questions"`
	Unknown   int64 `json:"unknown"`
	Notices   int64 `json:"notices"`
}

// Item is one ask, by its random id.
type Item struct {
	ID        string   `json:"id"`
	Kind      string   `json:"kind"`    // call, question, commit
	Reasons   []string `json:"reasons"` // of the closed set
	Mandated  bool     `json:"mandated"`
	Rung      int      `json:"rung"` // 1 for the first; 0 when it is expiring
	CreatedAt int64    `json:"created_at"`
	AnswerBy  int64    `json:"answer_by"`
}

// reasons are the words that a payload may hold; a store that was changed
// beside Nod sends no others.
func reasons() []string {
	return []string{
		queue.ReasonDefault, queue.ReasonRule, queue.ReasonCrossBoundary, queue.ReasonIrreversible, queue.ReasonRealApproval,
		queue.ReasonCommit, queue.ReasonQuestion, queue.ReasonRuleError, queue.ReasonFrozen, queue.ReasonGrant, queue.ReasonEdited, queue.ReasonDistinct,
		queue.ReasonClamped, queue.ReasonCompliance,
	}
}

func kinds() []string { return []string{"call", "question", "commit"} }

var plainID = regexp.MustCompile(`\A[0-9a-f-]{1,64}\z`)

// word is s where it is one of ours, else nothing.
func word(s string, ours []string) string {
	if slices.Contains(ours, s) {
		return s
	}
	return ""
}

func item(r *queue.Row, rung int) Item {
	i := Item{Kind: word(r.Kind, kinds()), Reasons: []string{}, Mandated: r.Mandated, Rung: rung, CreatedAt: r.CreatedAt, AnswerBy: r.AnswerBy}
	if plainID.MatchString(r.ID) {
		i.ID = r.ID
	}
	for _, reason := range r.Reasons {
		if w := word(reason, reasons()); w != "" {
			i.Reasons = append(i.Reasons, w)
		}
	}
	return i
}

// sight is what one look at the queue found.
type sight struct {
	store  string
	now    int64
	counts Counts
	rows   map[string]*queue.Row // by id
	oldest int64                 // when the oldest ask was made; 0 for none
}

// written is a payload's canonical bytes (RFC 8785) and its sentence.
type written struct {
	bytes digest.JSON
	text  string
}

// payload writes an event.
func payload(id string, e *ladder.Event, s *sight) (w written, err error) {
	p := Payload{Type: Type, ID: id, Store: s.store, At: s.now, Event: e.Kind, Counts: s.counts, Asks: []Item{}}
	if s.oldest > 0 {
		p.OldestMS = max(s.now-s.oldest, 0)
	}
	for i, d := range e.Asks {
		if i == maxItems {
			p.More = int64(len(e.Asks) - i)
			break
		}
		p.Asks = append(p.Asks, item(s.rows[d.Ask.ID], d.Rung))
	}
	p.Text = text(&p, int64(len(e.Asks)))
	raw, err := json.Marshal(&p)
	if err != nil {
		return w, fmt.Errorf("write a notification: %w", err)
	}
	w.text = p.Text
	w.bytes, err = digest.Canonical(raw, digest.NoLimits())
	return w, err
}

// text is the sentence for receivers that show one.
func text(p *Payload, due int64) string {
	c := &p.Counts
	waits := count(c.Pending, "waits", "wait")
	if p.OldestMS >= minuteMS {
		waits += ", the oldest " + span(p.OldestMS)
	}
	switch p.Event {
	case ladder.Mandated:
		return "nod: " + waits + "; " + strconv.FormatInt(c.Mandated, 10) + " mandated"
	case ladder.Expiring:
		return "nod: " + count(due, "expires", "expire") + " soon, and no answer is a no; " + waits
	case ladder.Unknown:
		return "nod: " + count(c.Unknown, "outcome is", "outcomes are") + " unknown"
	case ladder.Unwatched:
		return "nod: nobody watches; " + waits
	case ladder.Test:
		return "nod: this is a test; " + waits
	default:
		return "nod: " + waits
	}
}

func count(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatInt(n, 10) + " " + many
}

const minuteMS = 60_000

// span is a time in one unit.
func span(ms int64) string {
	const hour = 60 * minuteMS
	switch {
	case ms >= 48*hour:
		return strconv.FormatInt(ms/(24*hour), 10) + " d"
	case ms >= 2*hour:
		return strconv.FormatInt(ms/hour, 10) + " h"
	default:
		return strconv.FormatInt(ms/minuteMS, 10) + " min"
	}
}
