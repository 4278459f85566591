// Package query reads what an operator types: to narrow a list words to find and
// words that name what a row must be, and lengths of time.
//
// The rule it keeps: every word is either one of the words below or text to
// find, a name:value pair with an unknown name is text too (a search for
// "http://x" finds it), and only a value that can never match is refused. Pure.
package query

import (
	"strings"
	"time"

	"nod/queue"
	"nod/tui/say"
)

// Words is the help of the language in one sentence.
const Words = "tool: agent: session: kind: by: today lately mandated irreversible alone snoozed allowed denied …"

// Parse reads a query; now is for "today". problem is the middle of a sentence,
// "" when the query can be used.
func Parse(text string, now int64, loc *time.Location) (f queue.Filter, problem string) {
	var find []string
	for _, word := range strings.Fields(text) {
		name, value, pair := strings.Cut(word, ":")
		switch {
		case pair && value != "":
			known, why := named(&f, name, value)
			if why != "" {
				return queue.Filter{}, why
			}
			if known {
				continue
			}
		case !pair && plain(&f, word, now, loc):
			continue
		}
		find = append(find, word)
	}
	f.Find = strings.Join(find, " ")
	return f, ""
}

// named takes name:value; false when there is no such name.
func named(f *queue.Filter, name, value string) (known bool, problem string) {
	switch name {
	case "tool":
		f.Tool = value
	case "agent":
		f.Agent = value
	case "session":
		f.Session = value
	case "kind":
		switch value {
		case "call", "question", "commit":
			f.Kind = value
		default:
			return true, "a kind is call, question or commit"
		}
	case "by":
		switch value {
		case "person", "rule", "grant":
			f.By = queue.DecidedBy(value)
		default:
			return true, "an answer is by person, rule or grant"
		}
	default:
		return false, ""
	}
	return true, ""
}

// plain takes a word that stands alone; false when it is text to find.
func plain(f *queue.Filter, word string, now int64, loc *time.Location) bool {
	switch word {
	case "mandated":
		f.Mandated = true
	case "irreversible":
		f.Irreversible = true
	case "alone":
		f.Alone = true
	case "snoozed":
		f.Snoozed = true
	case "allowed":
		f.Verdict = queue.VerdictAllow
	case "denied":
		f.Verdict = queue.VerdictDeny
	case "expired", "lapsed", "revoked", "withdrawn", "answered":
		f.State = queue.State(word)
	case "today":
		t := time.UnixMilli(now).In(loc)
		f.Since = time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, loc).UnixMilli()
	case "lately":
		f.Since = now - say.Day
	default:
		return false
	}
	return true
}
