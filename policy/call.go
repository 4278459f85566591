package policy

import (
	"errors"
	"slices"

	"nod/digest"
)

// Outcome of a classified call, as the audit has it. A closed set.
type Outcome string

// Outcomes: let through by the policy, refused by it, ended well, ended badly.
const (
	OutcomeAllowed   Outcome = "allowed"
	OutcomeDenied    Outcome = "denied"
	OutcomeCompleted Outcome = "completed"
	OutcomeFailed    Outcome = "failed"
)

// phase is where in a call an outcome stands: start, end or error; "" for a word
// that is none.
func (o Outcome) phase() string {
	switch o {
	case OutcomeAllowed:
		return "start"
	case OutcomeCompleted:
		return "end"
	case OutcomeDenied, OutcomeFailed:
		return "error"
	}
	return ""
}

// CodeInvocationFailed stands for every error of a call that is no policy code:
// an error's text is the candidate's.
const CodeInvocationFailed = "effect_invocation_failed"

// Kinds of what is left out of a record.
const (
	LeftArguments       = "arguments"
	LeftOutput          = "output"
	LeftProvenance      = "provenance"
	LeftText            = "text" // the candidate's: messages, errors
	LeftCallbacks       = "callbacks"
	LeftIdempotencyKeys = "idempotency_keys"
	LeftBoundaryIDs     = "boundary_ids"
)

// Call is a classified call as whoever ran it knows it. Only its name and working
// directory are written down.
type Call struct {
	Name        string
	Cwd         string
	Declaration []byte // as it was stated, whether or not it passed; nil: none
	Arguments   []byte
	Output      []byte
	Provenance  []byte
	Text        []byte
}

// Record is what the audit holds of a classified call. It has no place for
// anything else: that is the redaction, and Redaction says what it was of.
type Record struct {
	Name      string   `json:"name"`
	Cwd       string   `json:"cwd,omitzero"`
	Class     string   `json:"class"`
	Phase     string   `json:"phase"`
	Outcome   Outcome  `json:"outcome"`
	Error     string   `json:"error,omitzero"`     // a policy code, or effect_invocation_failed
	Redaction []string `json:"redaction,omitzero"` // kinds that were there and are left out
}

// Audit gives the record of a call at an outcome. err is why it was denied or
// failed; of it no more than its code is kept, and only where it is one of the
// policy's. An outcome that is none of the words counts as failed.
func Audit(c Call, o Outcome, err error) Record {
	if o.phase() == "" {
		o = OutcomeFailed
	}
	r := Record{Name: c.Name, Cwd: c.Cwd, Class: ClassOf(c.Declaration), Phase: o.phase(), Outcome: o}
	text := len(c.Text) > 0
	if r.Phase == "error" {
		r.Error = CodeInvocationFailed
		var refusal *digest.Error
		if errors.As(err, &refusal) && slices.Contains(codes, refusal.Code) {
			r.Error = refusal.Code
		} else {
			text = text || err != nil
		}
	}
	callbacks, keys, boundaries := kept(c.Declaration)
	for _, k := range []struct {
		there bool
		kind  string
	}{
		{len(c.Arguments) > 0, LeftArguments}, {len(c.Output) > 0, LeftOutput}, {len(c.Provenance) > 0, LeftProvenance},
		{text, LeftText}, {callbacks, LeftCallbacks}, {keys, LeftIdempotencyKeys}, {boundaries, LeftBoundaryIDs},
	} {
		if k.there {
			r.Redaction = append(r.Redaction, k.kind)
		}
	}
	return r
}

// kept says which kinds a declaration holds that no record does. What cannot be
// read is taken to hold callbacks: something was there.
func kept(declaration []byte) (callbacks, keys, boundaries bool) {
	if len(declaration) == 0 {
		return false, false, false
	}
	doc, err := digest.Canonical(declaration, digest.Limits{})
	if err != nil {
		return true, false, false
	}
	_, disposer := doc.Member("disposer")
	compensation, compensates := doc.Member("compensation")
	_, keys = compensation.Member("idempotencyKey")
	_, boundaries = doc.Member("commitBoundary")
	return disposer || compensates, keys, boundaries
}
