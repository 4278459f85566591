package descriptor

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"nod/digest"
	"nod/digest/visible"
)

// Observation is what an observer saw, and what that says of the effect.
type Observation struct {
	Says      string        // committed, not_executed, unknown
	Divergent bool          // committed, and other than allowed
	Durable   bool          // what was seen will stay; of committed only
	Observed  digest.Digest // of what was seen: the canonical document or the file's bytes; "" when nothing was
	Seen      string        // one line, at most MaxSeen bytes, untrusted: how it was asked and what came
	Ref       string        // the provider's reference, at most MaxRef bytes, untrusted
	Why       string        // of unknown; "" else
	// Allowed and Content are what was allowed and what was seen where they
	// differ, for a diff; what is longer than MaxDiff, or no UTF-8, is left empty.
	Allowed, Content string
}

// The words of Says.
const (
	Committed   = "committed"
	NotExecuted = "not_executed"
	Unknown     = "unknown"
)

// The words of Why.
const (
	WhyUnavailable = "unavailable" // no answer, one that says nothing, or a question that cannot be asked
	WhyTimeout     = "timeout"
	WhyTooLarge    = "too_large"
	WhyRedirected  = "redirected"
	WhyMalformed   = "malformed" // no strict JSON, or without what is compared
	WhySeveral     = "several"   // more than one candidate
	WhyNotAsked    = "not_asked" // it was called off before it was asked
)

// Bounds of an observation, and of what is read for one.
const (
	MaxSeen     = 1024
	MaxRef      = 512
	MaxDiff     = 256 << 10
	MaxDocument = 1 << 20

	maxSeenValue = 160
)

// noFile is the digest, of a file as it was before, that says there was none:
// that of no bytes.
var noFile = digest.Of(nil)

// Unseen is an observation that says nothing. Seen is bounded.
func Unseen(why, seen string) Observation {
	return Observation{Says: Unknown, Why: why, Seen: visible.Clip(seen, MaxSeen)}
}

// After puts how it was asked before what was seen. However long the question
// is, the answer shows.
func (v Observation) After(asked string) Observation {
	v.Seen = visible.Clip(visible.Clip(asked, MaxSeen/2)+", "+v.Seen, MaxSeen)
	return v
}

// JudgeStatus reads an answer of HTTP. The document is read where the status is
// the expected one; one that says "not there" is not_executed, whatever the
// body; every other says nothing.
func (o *Observer) JudgeStatus(status int, body []byte, args digest.JSON) Observation {
	switch {
	case status >= 300 && status <= 399:
		return Unseen(WhyRedirected, "redirects are not followed")
	case slices.Contains(o.Absent, int64(status)):
		v := Observation{Says: NotExecuted, Seen: "which says that nothing is there"}
		if doc, _, err := digest.Lift(body, digest.Limits{MaxBytes: MaxDocument}); err == nil {
			v.Observed = digest.Of(doc)
		}
		return v
	case status != o.expected():
		return Unseen(WhyUnavailable, "not "+strconv.Itoa(o.expected()))
	}
	return o.Judge(body, args)
}

// Judge compares the document that an observer got with what the arguments
// allowed. Only one candidate that has every value is compared; whatever else
// came is unknown. Numbers that no double holds compare by their digits.
func (o *Observer) Judge(raw []byte, args digest.JSON) Observation {
	doc, _, err := digest.Lift(raw, digest.Limits{MaxBytes: MaxDocument})
	if e, ok := err.(*digest.Error); ok { //nolint:errorlint // an *Error by contract
		if e.Code == digest.CodeTooLarge {
			return Unseen(WhyTooLarge, "the document is larger than "+strconv.Itoa(MaxDocument)+" bytes")
		}
		return Unseen(WhyMalformed, e.Error())
	}
	v := o.judge(doc, args)
	v.Observed = digest.Of(doc)
	v.Seen = visible.Clip(v.Seen, MaxSeen)
	return v
}

func (o *Observer) judge(doc, args digest.JSON) Observation {
	candidate, seen := doc, "a document"
	if o.Candidates != "" {
		list, there := digest.Lookup(doc, o.Candidates)
		if !there || list[0] != '[' {
			return Unseen(WhyMalformed, "the document has no list at "+o.Candidates)
		}
		switch found := elementsOf(list); len(found) {
		case 0:
			return Observation{Says: NotExecuted, Seen: "no candidate"}
		case 1:
			candidate, seen = found[0], "1 candidate"
		default:
			return Unseen(WhySeveral, strconv.Itoa(len(found))+" candidates")
		}
	}
	v := Observation{Says: Committed, Durable: o.DurableAt == ""}
	for _, at := range []string{o.Ref, o.DurableAt} {
		if value, there := digest.Lookup(candidate, at); there && at != "" {
			seen += ", " + at + " " + visible.Clip(string(value), maxSeenValue)
		}
	}
	if value, there := digest.Lookup(candidate, o.DurableAt); there && o.DurableAt != "" {
		v.Durable = is(value, o.DurableIs)
	}
	if value, there := digest.Lookup(candidate, o.Ref); there && o.Ref != "" {
		v.Ref = reference(value)
	}
	var allowed, content strings.Builder
	var differ []string
	for _, at := range slices.SortedFunc(maps.Keys(o.Same), digest.Compare) {
		want, stated := digest.Lookup(args, o.Same[at])
		if !stated {
			return Unseen(WhyMalformed, seen+", and the arguments have no "+o.Same[at]+" to compare it with")
		}
		got, there := digest.Lookup(candidate, at)
		if !there {
			return Unseen(WhyMalformed, seen+" without "+at)
		}
		if !bytes.Equal(got, want) {
			differ = append(differ, at)
		}
		fmt.Fprintf(&allowed, "%s: %s\n", at, want)
		fmt.Fprintf(&content, "%s: %s\n", at, got)
	}
	if len(o.Same) == 0 {
		return Unseen(WhyMalformed, seen+", and nothing to compare it by")
	}
	if v.Seen = seen + ", as allowed"; len(differ) > 0 {
		v.Seen = seen + ", other than allowed at " + strings.Join(differ, " ")
		v.diverge(allowed.String(), content.String())
	}
	return v
}

// reference is the text or whole number that v is; "" for what is too long.
func reference(v digest.JSON) string {
	s, ok := v.Text()
	if !ok && whole(v) {
		s = string(v)
	}
	if len(s) > MaxRef {
		return ""
	}
	return s
}

func (v *Observation) diverge(allowed, content string) {
	v.Divergent = true
	v.diff(allowed, content)
}

func (v *Observation) diff(allowed, content string) {
	if len(allowed) <= MaxDiff {
		v.Allowed = allowed
	}
	if len(content) <= MaxDiff && utf8.ValidString(content) {
		v.Content = content
	}
}

// Held is what stands in a file's place.
type Held struct {
	There  bool
	Digest digest.Digest // of the bytes
	Bytes  []byte        // at most MaxDiff of them; nil for more
}

// JudgeFile compares a file with the text that the arguments wanted in it.
// before is the digest that it had before the call: "" when nobody knows, that
// of no bytes when there was none or an empty one. Where it does not tell, a
// file of other content proves nothing: it may be as it always was.
func (o *Observer) JudgeFile(h Held, args digest.JSON, before digest.Digest) Observation {
	at, _ := digest.Lookup(args, o.Content)
	want, ok := at.Text()
	if !ok {
		return Unseen(WhyMalformed, "the arguments have no text at "+o.Content+" to compare it with")
	}
	v := Observation{Says: Committed, Durable: true, Observed: h.Digest}
	switch wanted := digest.Of([]byte(want)); {
	case h.There && h.Digest == wanted:
		v.Seen = "the file holds what was allowed"
	case before == "", h.There && h.Digest == noFile && before == noFile: // made, and not written to?
		v = Unseen(WhyUnavailable, "the file "+h.other()+", and what it held before is not known")
		v.Observed = h.Digest
		v.diff(want, string(h.Bytes))
	case h.There && h.Digest == before:
		v = Observation{Says: NotExecuted, Observed: h.Digest, Seen: "the file holds what it held before"}
	case !h.There && before == noFile:
		v = Observation{Says: NotExecuted, Seen: "the file is not there, as before"}
	default:
		v.Seen = "the file " + h.other()
		v.diverge(want, string(h.Bytes))
	}
	return v
}

func (h *Held) other() string {
	if !h.There {
		return "is not there"
	}
	return "holds something else"
}
