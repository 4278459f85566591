package history

import (
	"bytes"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"nod/digest/visible"
	"nod/queue"
	"nod/tui/say"
)

// told is one event as its document tells it, read strictly: a member that is
// not known here is drawn, never passed over, and a document that cannot be
// read says so.
type told struct {
	seq     int64
	at      int64 // effective Unix ms
	act, to string
	body    document
	rest    visible.Text // members that are not known here; all of it with a fault
	fault   string
}

// document is the members of nod.event/v1 that the pane shows. The others
// that are known (known) are said elsewhere: digests and ids by the row, the
// store and the chain by the line above.
type document struct {
	Type        string           `json:"type"`
	Seq         int64            `json:"seq"`
	Effective   int64            `json:"effective_ms"`
	Act         string           `json:"act"`
	Actor       string           `json:"actor"`
	By          queue.DecidedBy  `json:"by"`
	Way         string           `json:"way"`
	To          string           `json:"to"`
	Reason      string           `json:"reason"`
	Rule        string           `json:"rule"`
	Number      int64            `json:"attempt_number"`
	Exit        queue.ExitStatus `json:"exit_status"`
	Mismatch    bool             `json:"mismatch"`
	Evidence    string           `json:"evidence"`
	Durable     bool             `json:"durable"`
	Divergent   bool             `json:"divergent"`
	Late        bool             `json:"late"`
	DwellMS     int64            `json:"dwell_ms"`
	LinesSeen   int64            `json:"lines_seen"`
	LinesAll    int64            `json:"lines_all"`
	Words       bool             `json:"words"`
	Count       int64            `json:"count"`
	Notice      string           `json:"notice"`
	Freeze      string           `json:"freeze"`
	Bits        string           `json:"bits"`
	Phase       string           `json:"phase"`
	Delivery    string           `json:"delivery"`
	Kind        string           `json:"kind"`
	Cleanup     int64            `json:"cleanup"`
	Outcome     string           `json:"outcome"`
	EditedTo    string           `json:"edited_to"`
	DerivedFrom string           `json:"derived_from"`

	Others jsontext.Value `json:",embed"`
}

// known reports whether a member is one of nod.event/v1 that the pane leaves
// to the row and the card: they name what the selected row is.
func known(member string) bool {
	switch member {
	case "action_digest", "answer_by", "ask", "ask_digest", "attempt", "class", "child_session", "config", "cwd", "effect", "effect_key", "from", "grant",
		"grant_left", "grant_until", "lease_until", "not_before", "observed_digest", "policy", "prev", "redaction", "replaces", "said_digest",
		"scope", "session", "shown_digest", "store", "tool", "transaction", "use_within_ms", "wall_ms":
		return true
	}
	return false
}

func read(s *queue.StoredEvent) told {
	t := told{seq: s.Seq}
	bad := func(fault string) told {
		return told{seq: s.Seq, fault: fault, rest: visible.Concat(visible.Own("  "), visible.Of(visible.Strict, string(s.Body)))}
	}
	if json.Unmarshal(s.Body, &t.body) != nil {
		return bad("not an event document")
	}
	switch {
	case t.body.Type != queue.TypeEvent:
		return bad("another kind of document")
	case t.body.Seq != s.Seq:
		return bad("another event's document")
	case t.body.Act == "":
		return bad("an event without an act")
	}
	t.at, t.act, t.to = t.body.Effective, t.body.Act, t.body.To
	rest, ok := others(t.body.Others)
	if !ok {
		return bad("not an event document")
	}
	t.rest = rest
	return t
}

// others draws the members that nothing here knows.
func others(members jsontext.Value) (visible.Text, bool) {
	if len(members) == 0 {
		return visible.Text{}, true
	}
	d := jsontext.NewDecoder(bytes.NewReader(members))
	if tok, err := d.ReadToken(); err != nil || tok.Kind() != jsontext.KindBeginObject {
		return visible.Text{}, false
	}
	var parts []visible.Text
	for d.PeekKind() != jsontext.KindEndObject {
		name, err := d.ReadToken()
		if err != nil {
			return visible.Text{}, false
		}
		member := name.String()
		value, err := d.ReadValue()
		if err != nil {
			return visible.Text{}, false
		}
		if !known(member) {
			parts = append(parts, visible.Of(visible.Strict, member+": "+string(value)))
		}
	}
	return list(parts), true
}

// last is what the last column says: who, how, and what came with it.
func (t *told) last(self string) visible.Text {
	var parts []visible.Text
	add := func(s string) { parts = append(parts, visible.Of(visible.Strict, s)) }
	d := &t.body
	if d.Mismatch {
		add("MISMATCH")
	}
	switch {
	case d.By == queue.ByRule && d.Rule != "":
		add("rule " + d.Rule)
	case d.By == queue.ByRule:
		add("a rule")
	case d.By == queue.ByGrant:
		add("a grant")
	case d.Act == "decide" && d.Actor == self && self != "":
		add("you")
	case d.Act == "decide" && d.Actor != "":
		add(d.Actor)
	}
	if d.Number > 0 {
		add("attempt " + strconv.FormatInt(d.Number, 10))
	}
	if d.Exit != "" {
		add(string(d.Exit))
	}
	if d.Evidence != "" {
		add("says " + d.Evidence)
	}
	if d.Durable {
		add("durable")
	}
	if d.Divergent {
		add("divergent")
	}
	if d.Late {
		add("late")
	}
	if d.DwellMS > 0 {
		add(say.Span(d.DwellMS))
	}
	if d.LinesAll > 0 {
		add(say.Number(d.LinesSeen) + " of " + say.Number(d.LinesAll))
	}
	if d.Words {
		add("with words")
	}
	if d.EditedTo != "" {
		add("edited")
	}
	if d.DerivedFrom != "" {
		add("an edit")
	}
	if d.Cleanup > 0 {
		add("cleanup " + strconv.FormatInt(d.Cleanup, 10))
	}
	for _, code := range []string{d.Delivery, d.Kind, d.Reason, d.Notice, d.Freeze, d.Outcome, d.Phase, d.Bits} {
		if code != "" {
			add(code)
		}
	}
	if d.Count > 0 {
		add(say.Number(d.Count))
	}
	switch {
	case d.Way != "":
		add(d.Way)
	case d.Act != "decide" && d.By == "" && d.Actor != "":
		add(d.Actor)
	}
	if t.rest.Len() > 0 {
		parts = append(parts, t.rest)
	}
	return list(parts)
}

func list(parts []visible.Text) visible.Text {
	out := make([]visible.Text, 0, 2*len(parts))
	for i, p := range parts {
		if i > 0 {
			out = append(out, visible.Own(", "))
		}
		out = append(out, p)
	}
	return visible.Concat(out...)
}
