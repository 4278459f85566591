package queue

import (
	"strings"
	"unicode/utf8"

	"nod/digest"
)

// Bounds of a Filter's Find.
const (
	maxFind  = 256 // bytes
	maxWords = 16
)

// HidesSnoozed reports whether f leaves out what is snoozed: who looks for words
// or at one session sees all there is.
func (f *Filter) HidesSnoozed() bool { return !f.Snoozed && f.Find == "" && f.Session == "" }

// Words are the words of f.Find, with ASCII letters small: what spaces part.
func (f *Filter) Words() []string {
	return strings.FieldsFunc(lower(f.Find), func(r rune) bool { return r == ' ' })
}

// Found reports whether each of words is in one of texts: its characters in
// that order, others may stand between. ASCII letters of texts count as small
// ones; words are as Words gives them.
func Found(words []string, texts ...string) bool {
	for _, w := range words {
		in := false
		for _, t := range texts {
			if in = within(w, t); in {
				break
			}
		}
		if !in {
			return false
		}
	}
	return true
}

// within reports whether text has the characters of word in their order.
func within(word, text string) bool {
	rest := word
	for _, r := range text {
		if rest == "" {
			return true
		}
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		if next, n := utf8.DecodeRuneInString(rest); next == r {
			rest = rest[n:]
		}
	}
	return rest == ""
}

func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

func badFilter(format string, args ...any) *Refusal {
	return refuse(CodeBadInput, format, args...).hint("the filter is left as it was")
}

// check refuses what no row could be asked for. past is a filter of the history.
func (f *Filter) check(past bool) error {
	for _, t := range [...]struct{ what, text string }{
		{"words to find", f.Find}, {"tool", f.Tool}, {"agent", f.Agent}, {"session", f.Session},
	} {
		switch {
		case !utf8.ValidString(t.text):
			return refuse(digest.CodeBadUTF8, "the filter's %s are not UTF-8", t.what).hint("send UTF-8")
		case len(t.text) > maxName:
			return tooLong("the filter's " + t.what)
		}
	}
	switch {
	case len(f.Find) > maxFind:
		return badFilter("the words to find are longer than %d bytes", maxFind)
	case len(f.Words()) > maxWords:
		return badFilter("there are more than %d words to find", maxWords)
	case f.Kind != "" && f.Kind != digest.KindCall && f.Kind != digest.KindQuestion && f.Kind != digest.KindCommit:
		return badFilter("the filter's kind is none of call, question, commit")
	case f.Since < 0:
		return badFilter("the filter's time is before 1970")
	case !past && (f.State != "" || f.Verdict != "" || f.By != ""):
		return badFilter("what waits has no state, verdict or decider to be filtered by")
	case past && f.Snoozed:
		return badFilter("nothing of the history is snoozed")
	}
	switch f.State {
	case "", StateAllowed, StateDenied, StateAnswered, StateExpired, StateWithdrawn, StateRevoked, StateLapsed, StateSpent:
	default:
		return badFilter("the filter's state is none of the history")
	}
	switch f.Verdict {
	case "", VerdictAllow, VerdictDeny, VerdictAnswer:
	default:
		return badFilter("the filter's verdict is none of allow, deny, answer")
	}
	switch f.By {
	case "", ByPerson, ByRule, ByGrant:
	default:
		return badFilter("the filter's decider is none of person, rule, grant")
	}
	return nil
}
