package hook

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"nod/ambiguity"
	"nod/client"
	"nod/digest"
	"nod/observe"
	"nod/queue"
)

// Bounds of what is kept of a call's result.
const (
	maxCameBack = queue.MaxSeen
	maxLooked   = 16 << 10 // of a result that no strict reader accepts
)

// observeWithin bounds the observers that run by themselves: the host waits for
// the report, and gives it 10 seconds.
const observeWithin = 5 * time.Second

// cameBack is what a call gave back, in a line: what its host or tool wrote
// last. It is untrusted.
func cameBack(e *event) string {
	if text, ok := loose(e.Error); ok {
		first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
		last := client.LastLine(text, maxCameBack/2)
		if first = client.LastLine(first, maxCameBack/4); first != last {
			return first + ": " + last // "Exit code 3: oops"
		}
		return last
	}
	doc, _, err := digest.Lift(e.Response, digest.Limits{})
	if err != nil {
		return client.LastLine(string(e.Response[:min(len(e.Response), maxLooked)]), maxCameBack)
	}
	for _, at := range [...]string{"", "/stdout", "/stderr"} {
		if text, there := textAt(doc, at); there {
			return client.LastLine(text, maxCameBack)
		}
	}
	if _, output := digest.Lookup(doc, "/stdout"); output || string(doc) == "null" {
		return "" // it wrote nothing
	}
	return client.LastLine(string(doc), maxCameBack)
}

// loose is the text of a JSON string that a strict reader may refuse.
func loose(v jsontext.Value) (string, bool) {
	if v.Kind() != '"' {
		return "", false
	}
	b, _ := jsontext.AppendUnquote(nil, v) //nolint:errcheck // reports only replaced bytes
	return string(b), strings.TrimSpace(string(b)) != ""
}

// said is what the tool's structured result says of the outcome: the members of
// Nod's names at the top of an object, or of a text that is one. Results of
// other shapes have no place for it.
func said(e *event, b *begun) (client.Outcome, error) {
	doc, _, err := digest.Lift(e.Response, digest.Limits{})
	if err != nil {
		return client.Outcome{}, nil //nolint:nilerr // what cannot be read strictly says nothing
	}
	if text, is := textAt(doc, ""); is {
		if doc, _, err = digest.Lift([]byte(text), digest.Limits{}); err != nil {
			return client.Outcome{}, nil //nolint:nilerr // a text is no fault
		}
	}
	members := map[string]jsontext.Value{}
	for _, name := range [...]string{"effect_outcome", "effect_id", "action_digest"} {
		if v, there := digest.Lookup(doc, "/"+name); there {
			members[name] = jsontext.Value(v)
		}
	}
	if members["effect_outcome"] == nil {
		return client.Outcome{}, nil
	}
	raw, err := json.Marshal(members, json.Deterministic(true))
	if err != nil {
		return client.Outcome{}, err
	}
	return client.ReadOutcome(raw, b.Action)
}

// file reports a call to the queue; a report that is refused for what the tool
// says is sent without that. no is why its word does not count.
func (h *hook) file(ctx context.Context, e *event, b *begun, r queue.Report) (out queue.Reported, no, err error) {
	o, no := said(e, b)
	r.CameBack, r.Outcome, r.ActionDigest = cameBack(e), o.Says, o.ActionDigest
	out, err = queue.As[queue.Reported](ctx, h.port, r)
	if refusal, refused := errors.AsType[*queue.Refusal](err); refused && r.Outcome != "" && refusal.Code != queue.CodeReported {
		no = errors.Join(client.ErrOutcome, err)
		r.Outcome, r.ActionDigest = "", ""
		out, err = queue.As[queue.Reported](ctx, h.port, r)
	}
	return out, no, err
}

// look asks the observers that run by themselves about an effect whose outcome
// was left open, and gives what the agent is to know of it.
func (h *hook) look(ctx context.Context, b *begun, r *queue.Reported) (words string, err error) {
	if r.Effect == "" {
		return "", nil
	}
	state, mark, ref := r.State, ambiguity.Mark(""), b.Ask
	if state == queue.AttemptUnknown {
		ctx, cancel := context.WithTimeout(ctx, observeWithin)
		defer cancel()
		var seen []observe.Seen
		seen, err = observe.Effect(ctx, h.port, h.Tools, r.Effect, nil, true)
		for i := range seen {
			state, mark = seen[i].Judged.State, seen[i].Judged.Mark
			if seen[i].Judged.Ref != "" {
				ref = seen[i].Judged.Ref
			}
		}
	}
	return client.Happened(state, mark, ref), err
}
