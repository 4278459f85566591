package policy

import (
	"slices"
	"strings"
	"unicode"

	"nod/digest"
)

// ClassUndeclared is the class of a call that declares none, in the audit.
const ClassUndeclared = "undeclared"

// Mode is how far a run may reach. A closed set.
type Mode string

// Modes of execution.
const (
	Active    Mode = "active"
	Candidate Mode = "candidate"
	Shadow    Mode = "shadow"
	Canary    Mode = "canary"
)

// Known reports whether m is one of the words.
func (m Mode) Known() bool { return slices.Contains([]Mode{Active, Candidate, Shadow, Canary}, m) }

// Staging is the mode that a component is tried under on its way to mode m: what
// is staged never has the authority of active mode.
func (m Mode) Staging() Mode {
	if m == Active {
		return Candidate
	}
	return m
}

// Boundary is what separates a component from everything else. A closed set.
type Boundary string

// Sandbox boundaries. InProcess separates nothing.
const (
	InProcess   Boundary = "in_process"
	Process     Boundary = "process"
	Interpreter Boundary = "interpreter"
	Microvm     Boundary = "microvm"
)

// Known reports whether b is one of the words.
func (b Boundary) Known() bool { return b == InProcess || b.external() }

func (b Boundary) external() bool { return b == Process || b == Interpreter || b == Microvm }

// Codes of the effect policy (SEED-TABLES §1). They are part of the wire and of
// the audit.
const (
	CodeMetadataRequired     = "effect_metadata_required"
	CodeDisposerRequired     = "reversible_disposer_required"
	CodeCompensationRequired = "compensation_metadata_required"
	CodeScopeRequired        = "component_scope_required"
	CodeCommitRequired       = "irreversible_effect_requires_commit"
	CodeSandboxRequired      = "external_sandbox_required"
	CodeSandboxUnavailable   = "external_sandbox_unavailable"
)

// Codes of scopes and the acts they owe.
const (
	CodeComponentID    = "bad_component_id"
	CodeActivated      = "already_activated"
	CodeScopeState     = "bad_scope_state"         // the step is not for a scope in this state
	CodeOutOfTurn      = "cleanup_out_of_turn"     // not the cleanup that is next
	CodeUnacknowledged = "cleanup_unacknowledged"  // a cleanup that failed blocks the component
	CodeNothingOpen    = "nothing_open"            // no failed cleanup to acknowledge
	CodeBadScope       = "scope_record_unreadable" // a stored scope that no steps lead to
)

// codes are the words that may stand as a call's error in the audit.
var codes = []string{CodeMetadataRequired, CodeDisposerRequired, CodeCompensationRequired, CodeScopeRequired,
	CodeCommitRequired, CodeSandboxRequired, CodeSandboxUnavailable}

// hint says, for each code, what to do about it.
func hint(code string) string {
	switch code {
	case CodeMetadataRequired:
		return "declare exactly one class, reversible, compensatable or irreversible, with its metadata"
	case CodeDisposerRequired:
		return "state the disposer: the tool and the arguments that undo the effect"
	case CodeCompensationRequired:
		return "state compensate, idempotencyKey, observationalEquivalence and journaledBeforeInvoke: true"
	case CodeScopeRequired:
		return "activate the component's scope first: it owns what undoes the effect"
	case CodeCommitRequired:
		return "have an operator commit the boundary for this transaction and operation"
	case CodeSandboxRequired:
		return "run the component behind a process, interpreter or microvm boundary"
	case CodeSandboxUnavailable:
		return "make the sandbox available, then build the policy again"
	case CodeUnacknowledged:
		return "look at what was left behind, then acknowledge the cleanup"
	case CodeComponentID:
		return "name the component with 1 to 160 characters, none of them a control"
	}
	return "see docs/spec/policy.md"
}

func refuse(code, pointer, sentence string) *digest.Error {
	return &digest.Error{Code: code, Pointer: pointer, Sentence: sentence, Hint: hint(code)}
}

// trim takes white space off both ends, the byte order mark too: to an eye it is
// no more than a blank.
func trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' })
}

// blank reports whether nothing in s can be seen.
func blank(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) })
}
