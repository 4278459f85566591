package notice

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
)

// Detail is what a notice says besides its code. Which members it has is fixed
// by the code; none of them is a person's words.
type Detail struct {
	Count        int64 // of words: owed and not carried
	Cause        string
	Kind         Kind
	Carry        Carry
	Task         string
	Session      string
	Run          string
	ChildSession string // of a parent's copy: whose words they were
	Armed        bool   // of the taint bits: held
	Observed     bool
	Phase        Phase
	Governed     bool
}

// member is one place of a detail; exactly one pointer is set.
type member struct {
	name   string
	text   *string
	number *int64
	flag   *bool
}

// members lists d's places in the order of RFC 8785.
func (d *Detail) members() []member {
	return []member{
		{name: "carry", text: (*string)(&d.Carry)},
		{name: "cause", text: &d.Cause},
		{name: "childSessionId", text: &d.ChildSession},
		{name: "count", number: &d.Count},
		{name: "governed", flag: &d.Governed},
		{name: "kind", text: (*string)(&d.Kind)},
		{name: "offTargetReadObserved", flag: &d.Observed},
		{name: "phase", text: (*string)(&d.Phase)},
		{name: "runId", text: &d.Run},
		{name: "sessionId", text: &d.Session},
		{name: "targetExecutionArmed", flag: &d.Armed},
		{name: "taskId", text: &d.Task},
	}
}

func (m *member) stated() bool {
	return m.text != nil && *m.text != "" || m.number != nil && *m.number != 0 || m.flag != nil && *m.flag
}

// form gives the members that a detail of this code has, and those that it may
// have.
func form(code string, isCopy bool) (has, may []string) {
	switch code {
	case PostureUndeclared:
		return []string{"runId", "sessionId", "targetExecutionArmed"}, []string{"offTargetReadObserved"}
	case RecordUnwritten:
		return []string{"cause", "governed", "phase", "runId", "sessionId"}, nil
	case SteerUndrained:
		may = []string{"carry", "kind", "taskId"}
	case FollowUpUndrained:
		may = []string{"taskId"}
	default:
		return nil, nil
	}
	if isCopy {
		return []string{"cause", "childSessionId", "count", "sessionId"}, may
	}
	return []string{"cause", "count", "runId", "sessionId"}, may
}

// check holds the detail against its code. The error is a *digest.Error.
func (d *Detail) check(code string) error {
	has, may := form(code, d.ChildSession != "")
	if has == nil {
		return badDetail("", "the code is none of a notice")
	}
	for _, m := range d.members() {
		required := slices.Contains(has, m.name)
		switch {
		case required && !m.stated() && m.name != "governed": // false is a statement there
			return badDetail(m.name, "a member of the detail is missing")
		case !required && m.stated() && !slices.Contains(may, m.name):
			return badDetail(m.name, "the detail has no such member")
		case m.text != nil && !utf8.ValidString(*m.text):
			return badDetail(m.name, "a member of the detail is not UTF-8")
		}
	}
	closed := func(v string, words ...string) bool { return slices.Contains(words, v) }
	switch code {
	case PostureUndeclared:
		return nil
	case RecordUnwritten:
		switch {
		case !closed(string(d.Phase), string(Prepare), string(Exit), string(Suspend), string(Settle)):
			return badDetail("phase", "the phase is none of prepare, exit, suspend, settle")
		case utf8.RuneCountInString(d.Cause) > maxCause:
			return badDetail("cause", "the cause is longer than 300 characters")
		}
		return nil
	}
	switch {
	case !closed(d.Cause, string(LegEnd), string(Crashed)):
		return badDetail("cause", "the cause is none of leg_end, crashed")
	case !closed(string(d.Kind), "", string(ApprovalFeedback)):
		return badDetail("kind", "the kind is not approval_feedback")
	case !closed(string(d.Carry), "", string(InvalidContent), string(QueueFull)):
		return badDetail("carry", "the carry refusal is none of steering.invalid_content, steering.queue_full")
	case d.Carry != "" && d.Kind != ApprovalFeedback:
		return badDetail("carry", "only approval feedback is carried")
	case d.Carry != "" && d.Cause != string(LegEnd):
		return badDetail("cause", "the cause on a refused carry is leg_end")
	case d.Count < 1 || d.Count > maxCount:
		return badDetail("count", "the count is none of words")
	}
	return nil
}

// Canonical is the detail of a notice of this code as RFC 8785 bytes. The error
// is a *digest.Error.
func (d Detail) Canonical(code string) (digest.JSON, error) {
	if err := d.check(code); err != nil {
		return nil, err
	}
	has, _ := form(code, d.ChildSession != "")
	b := []byte{'{'}
	for _, m := range d.members() {
		if !m.stated() && !slices.Contains(has, m.name) {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), m.name...), '"', ':')
		switch {
		case m.text != nil:
			var err error
			if b, err = jsontext.AppendQuote(b, *m.text); err != nil {
				return nil, badDetail(m.name, "a member of the detail is not UTF-8")
			}
		case m.number != nil:
			b = strconv.AppendInt(b, *m.number, 10)
		default:
			b = strconv.AppendBool(b, *m.flag)
		}
	}
	return digest.Canonical(append(b, '}'), digest.NoLimits())
}

// ParseDetail reads the detail of a notice of this code. Whatever Canonical
// would not write is refused; the error is a *digest.Error.
func ParseDetail(code string, raw []byte) (Detail, error) {
	v, err := digest.Canonical(raw, digest.Limits{})
	if err != nil {
		return Detail{}, err
	}
	var d Detail
	if !v.IsObject() {
		return d, badDetail("", "the detail is not an object")
	}
	for _, m := range d.members() {
		at, there := digest.Lookup(v, "/"+m.name)
		if !there {
			continue
		}
		switch {
		case m.text != nil && at[0] == '"':
			*m.text, _ = at.Text()
		case m.number != nil && at[0] != '"':
			*m.number, _ = strconv.ParseInt(string(at), 10, 64) //nolint:errcheck // what is no whole number does not read back
		case m.flag != nil:
			*m.flag = string(at) == "true"
		}
	}
	again, err := d.Canonical(code)
	if err != nil {
		return Detail{}, err
	}
	if !bytes.Equal(again, v) {
		return Detail{}, badDetail("", "the detail has a member that does not belong there, or one of another type")
	}
	return d, nil
}
