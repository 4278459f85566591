package notice

import (
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Notice is one thing that its audience must read.
type Notice struct {
	Code     string
	Audience Audience
	Detail   Detail
	Key      string // the same notice again has the same key: it is told once

	// Of undrained words, for the sentences; they are kept beside the detail.
	Owed    int64
	Carried int64
	Parent  string // the session that has a copy
}

// IsCopy reports whether n is a parent's copy: the words in it are counted by
// the original.
func (n *Notice) IsCopy() bool { return n.Detail.ChildSession != "" }

// key names a notice by its code and what it is once for.
func key(parts ...string) string {
	b := []byte{'['}
	for i, p := range parts {
		if i > 0 {
			b = append(b, ',')
		}
		b, _ = jsontext.AppendQuote(b, p) //nolint:errcheck // reports only replaced bytes, and check refuses those
	}
	return string(append(b, ']'))
}

// maxCause bounds the cause of an unwritten record, in characters.
const maxCause = 300

// UndeclaredPosture is the notice of an armed tree while no posture is
// configured, once a run. observed says whether the second taint bit is held.
func UndeclaredPosture(session, run string, observed bool) (Notice, error) {
	n := Notice{Code: PostureUndeclared, Audience: Operator, Key: key(PostureUndeclared, session, run),
		Detail: Detail{Session: session, Run: run, Armed: true, Observed: observed}}
	return n, n.Detail.check(n.Code)
}

// UnwrittenRecord is the notice of a record that could not be written where that
// refused nothing, once a run and phase. The cause is cut to 300 characters.
func UnwrittenRecord(session, run string, phase Phase, governed bool, cause string) (Notice, error) {
	n := Notice{Code: RecordUnwritten, Audience: Operator, Key: key(RecordUnwritten, session, run, string(phase)),
		Detail: Detail{Session: session, Run: run, Phase: phase, Governed: governed, Cause: short(cause)}}
	return n, n.Detail.check(n.Code)
}

func short(cause string) string {
	cause = strings.ToValidUTF8(cause, "\ufffd")
	switch {
	case strings.TrimSpace(cause) == "":
		return "no cause was given"
	case utf8.RuneCountInString(cause) <= maxCause:
		return cause
	}
	return string([]rune(cause)[:maxCause-1]) + "…"
}
