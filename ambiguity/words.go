package ambiguity

// State is what is known of one attempt. A closed set (DESIGN §1).
type State string

// States of an attempt. Executing is the only one that a report can end.
const (
	Executing   State = "executing"
	Committed   State = "committed"
	NotExecuted State = "not_executed"
	Unknown     State = "unknown"
)

// Outcome reports whether s is a word that somebody may say of an effect.
func (s State) Outcome() bool { return s == Committed || s == NotExecuted || s == Unknown }

// Exit describes the call, never the effect (SEED-TABLES §2).
type Exit string

// Exit statuses.
const (
	Success Exit = "success"
	Failure Exit = "failure"
	Timeout Exit = "timeout"
	Blocked Exit = "blocked"
)

// Source is who makes a statement (DESIGN §1, evidence).
type Source string

// Sources of a statement.
const (
	ByTool     Source = "tool"
	ByObserver Source = "observer"
	ByOperator Source = "operator"
	ByGate     Source = "gate"
)

// Kind is what a fact is. A closed set.
type Kind string

// Kinds of facts, in the order in which an attempt mostly meets them.
const (
	Begun          Kind = "begun"
	Report         Kind = "report"
	LeaseOver      Kind = "lease_over"
	SessionEnd     Kind = "session_end" // of a host-run attempt: nobody can report any more
	Observation    Kind = "observation"
	Reconciliation Kind = "reconciliation"
	Correction     Kind = "correction"
	Acknowledged   Kind = "acknowledged" // a person read what stays open
	Opened         Kind = "opened"       // of the effect: a distinct one, beside a committed one
)

// Mark says why an effect is on the desk, where its state does not.
type Mark string

// Marks. The first three are unknown, and look different.
const (
	NotConfirmed   Mark = "not_confirmed" // nobody who can know has said what happened
	NotDurable     Mark = "not_durable"   // seen, but nothing that lasts shows it
	Conflict       Mark = "conflict"      // two statements that cannot both be true
	Divergent      Mark = "divergent"     // it happened, with other content than was allowed
	PossibleDouble Mark = "possible_double"
)
