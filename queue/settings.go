package queue

import (
	"nod/boundary"
	"nod/descriptor"
	"nod/digest"
	"nod/policy"
	"nod/policy/clamp"
)

// Settings are what the operator's configuration fixes for one queue. They do
// not change while it is open.
type Settings struct {
	AnswerWithinMS int64         // default 24 h
	UseWithinMS    int64         // default 10 min
	LeaseMS        int64         // an executor's lease, default 5 min
	HostLeaseMS    int64         // where nobody can renew, default 1 h
	WaiterMS       int64         // a waiter's lease, default 30 s
	SessionMS      int64         // a session without an act ends, default 24 h
	MaxPending     int64         // pending asks an agent, default 1000
	ConfigDigest   digest.Digest // recorded with each event
	Limits         digest.Limits
	Rules          Rules           // nil: no rules
	Descriptors    *descriptor.Set // nil: no tool is described
	PerCall        PerCall         // nil: a tool whose legs depend on the call has every leg
	Targets        []string        // names of the environments whose executions arm a tree
	Posture        boundary.Posture
	Clamps         clamp.Declaration // the operator's own level, the outermost
	DenyRules      DenyRules         // nil: no rule that clamps name can be evaluated
	Denied         policy.Denied     // capabilities that no tool may have
	NoRuling       []string          // words of classifierNoRuling in a decision from elsewhere; nil: any text

	// HoldIrreversibleMS is how long a person's allow of an irreversible or
	// commit ask waits at the least before it may begin; 0 for no such time.
	HoldIrreversibleMS int64
}

// DefaultSettings are DESIGN §4's defaults.
func DefaultSettings() Settings {
	const second, minute, hour = 1000, 60_000, 3_600_000
	return Settings{
		AnswerWithinMS: 24 * hour, UseWithinMS: 10 * minute,
		LeaseMS: 5 * minute, HostLeaseMS: hour, WaiterMS: 30 * second,
		SessionMS: 24 * hour, MaxPending: 1000,
	}
}

// Rules answers what the operator's rules say of a call. It is pure: the same
// call gets the same ruling. Deny beats everything; the default is to ask; a
// rule whose predicate errors never allows.
type Rules interface {
	Judge(a *digest.Action) Ruling
}

// PerCall gives what a tool's own expression says of one call's legs: a list of
// words. It is pure; an error, or anything else, is every leg.
type PerCall interface {
	Legs(a *digest.Action) (any, error)
}

// Ruling is what the rules say of one call.
type Ruling struct {
	Verdict        string // RuleDeny, RuleAsk, RuleAllow or "" (no rule matched)
	Rule           string // the deciding rule's name
	Why            string // one sentence, for the card's why and for the agent
	Erred          bool   // a predicate erred: the call is asked or denied, never allowed
	AnswerWithinMS int64  // 0: the default; else a shorter time
	UseWithinMS    int64
}

// Verdicts of a rule.
const (
	RuleDeny  = "deny"
	RuleAsk   = "ask"
	RuleAllow = "allow"
)

// Edge is what the queue needs of the world.
type Edge struct {
	WallMS func() int64  // wall clock, Unix ms
	BootMS func() int64  // monotonic clock of this boot, ms
	NewID  func() string // UUIDv7, lowercase
	Token  func() string // 128 random bits, printable
	// KeyHash hashes an effect key under a key of this store; nil leaves it out
	// of events.
	KeyHash func(key string) string
}
