package plain

import (
	"errors"
	"strconv"

	"nod/digest"
	"nod/digest/visible"
	"nod/queue"
	"nod/tui/say"
)

// Times are said in whole words, for the ear.

type unit struct {
	ms        int64
	one, many string
}

func units() []unit {
	return []unit{
		{say.Week, "week", "weeks"}, {say.Day, "day", "days"}, {say.Hour, "hour", "hours"},
		{say.Minute, "minute", "minutes"}, {say.Second, "second", "seconds"},
	}
}

// age is a length of time in one unit, floored.
func age(ms int64) string {
	ms = max(ms, 0)
	for _, u := range units() {
		if ms >= u.ms || u.ms == say.Second {
			return say.Count(ms/u.ms, u.one, u.many)
		}
	}
	return ""
}

// span is a length of time in two units.
func span(ms int64) string {
	ms = max(ms, 0)
	all := units()
	for i, u := range all {
		if ms < u.ms {
			continue
		}
		out := say.Count(ms/u.ms, u.one, u.many)
		if i+1 < len(all) {
			if n := ms % u.ms / all[i+1].ms; n > 0 {
				out += " " + say.Count(n, all[i+1].one, all[i+1].many)
			}
		}
		return out
	}
	return "0 seconds"
}

// kindOf is what an ask is, in words.
func kindOf(r *queue.Row) string {
	switch {
	case r.Kind == digest.KindCommit:
		return "Commit"
	case r.Kind == digest.KindQuestion:
		return "Question"
	case r.Mandated && r.Irreversible:
		return "Mandated irreversible call"
	case r.Mandated:
		return "Mandated call"
	case r.Irreversible:
		return "Irreversible call"
	}
	return "Call"
}

// stateOf is what became of an ask. Silence is never told as a denial.
func stateOf(r *queue.Row, state queue.State) string {
	switch state {
	case queue.StateExpired:
		return "Expired, no person answered"
	case queue.StateSpent:
		return "Allowed and begun"
	case queue.StateAllowed:
		return "Allowed, not begun"
	case queue.StateLapsed:
		return "Allowed, not used in time"
	case queue.StateDenied:
		if r.DecidedBy == queue.ByPerson {
			return "Denied by a person"
		}
		return "Denied by " + string(r.DecidedBy)
	case queue.StateAnswered:
		return "Answered"
	case queue.StateWithdrawn:
		return "Withdrawn by its requester"
	case queue.StateRevoked:
		return "Revoked"
	}
	return "Pending"
}

// maxGist is how many characters of the telling argument a list reads out.
const maxGist = 120

// what is tool, telling argument and agent of an ask: untrusted, so it ends a
// line.
func (s *session) what(r *queue.Row) visible.Text {
	gist, more := []rune(r.Gist), r.GistMore
	if len(gist) > maxGist {
		more += int64(len(string(gist[maxGist:])))
		gist = gist[:maxGist]
	}
	out := s.draw(r.Tool)
	if len(gist) > 0 {
		if r.Tool != "" {
			out = visible.Concat(out, visible.Own(" "))
		}
		out = visible.Concat(out, s.draw(string(gist)))
	}
	if more > 0 {
		out = visible.Concat(out, visible.Own(" (and "), visible.Number(more), visible.Own(" bytes more)"))
	}
	if r.Agent != "" {
		out = visible.Concat(out, visible.Own(" by "), s.draw(r.Agent))
	}
	return out
}

// draw draws an untrusted string on one row.
func (s *session) draw(v string) visible.Text {
	if s.o.ASCII {
		return visible.Of(visible.Strict, v)
	}
	return visible.Row(v)
}

// name draws the name of a person or a place in a document.
func (s *session) name(v string) visible.Text {
	if s.o.ASCII {
		return visible.Of(visible.Strict, v)
	}
	return visible.Of(visible.Name, v)
}

// told is what another package's error says of itself.
func told(err error) string {
	var r *queue.Refusal
	if errors.As(err, &r) {
		sentence := r.Sentence
		if r.Who != "" {
			sentence += "; first: " + r.Who // what is said is drawn
		}
		return withHint(sentence, r.Hint)
	}
	var d *digest.Error
	if errors.As(err, &d) {
		return withHint(d.Sentence, d.Hint)
	}
	return err.Error()
}

func withHint(sentence, hint string) string {
	if hint == "" {
		return sentence
	}
	return sentence + "; " + hint
}

func itoa(n int) string { return strconv.Itoa(n) }
