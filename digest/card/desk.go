package card

import "nod/digest"

// DeskHead is the first line of every desk page.
const DeskHead = "nod desk v1"

// Codes of the errors about a desk page; each is a *digest.Error.
const (
	CodeDeskTooLarge = "desk_too_large" // the page would be larger than MaxDesk
	CodeBadDesk      = "desk_bad_value" // Pointer names the member that no page can hold
	CodeDeskNotRead  = "desk_not_read"  // the text is not a desk page
)

// Desk is what a person reads to reconcile an effect: what was allowed, what
// was tried, and who says what happened (docs/spec/desk.md). A zero member is
// not stated. Times are Unix milliseconds, from 1 to the end of the year 9999.
type Desk struct {
	Effect      string      // id (UUIDv7); required
	State       string      // executing unknown committed not_executed free; required
	Mark        string      // not_confirmed not_durable conflict divergent possible_double
	Key         digest.JSON // canonical JSON array
	Ordinal     int64       // 1, more for a distinct effect
	Links       string      // id of the effect that this one was opened beside
	Tool        string      // this and Agent are required once there is an attempt; what its ask alone holds may be pruned
	Operation   string
	Environment string
	Agent       string // who asked for the newest attempt
	User        string
	Host        string
	Class       string           // reversible compensatable irreversible
	Access      string           // read write idempotent
	Arguments   digest.JSON      // of the newest attempt: what was allowed
	Descriptor  digest.Digest    // of the descriptor that Readings and Provider come from
	Readings    []digest.Reading // pointers into Arguments
	Provider    *Provider        // nil, or with at least one member
	SettledAt   int64            // from when a reading of the provider counts as settled; 0: not known
	Attempts    []DeskAttempt
	Facts       []Fact
}

// Provider is the provider's contract on idempotency keys in the operator's own
// words.
type Provider struct {
	KeyLifetime string // how long a key is kept
	Changed     string // what happens to a key with other parameters
	Cached      string // what is kept of the first answer
}

// DeskAttempt is one execution of the effect.
type DeskAttempt struct {
	ID           string // id (UUIDv7); required
	Number       int64  // from 1; required
	Ask          string // id (UUIDv7); required
	ActionDigest digest.Digest
	ShownDigest  digest.Digest
	DecidedBy    string // person rule grant
	Decider      string
	DecidedAt    int64
	LinesSeen    int64
	LinesAll     int64
	DwellMS      int64
	Executor     string
	HostRuns     bool
	BeganAt      int64 // required
	Lease        int64 // when it runs, or ran, out
	EndedAt      int64
	State        string // executing unknown committed not_executed; required
	Exit         string // success failure timeout blocked
	Mismatch     bool
	Late         bool
}

// Fact is one thing that was said or done about the effect.
type Fact struct {
	Attempt   string // id of one of the attempts; "": the effect as a whole
	At        int64  // required
	Kind      string // begun report lease_over session_end observation reconciliation correction acknowledged opened; required
	Source    string // tool observer operator gate; required
	By        string // the observer's, operator's or agent's name
	Says      string // committed not_executed unknown
	Durable   bool
	Divergent bool
	Late      bool
	Why       string // code word [a-z_]+ of an observation that is unknown
	Exit      string // success failure timeout blocked
	Observed  digest.Digest
	Seen      string        // untrusted text
	Ref       string        // untrusted text
	Reason    string        // an operator's words
	Page      digest.Digest // of the page that an answer was made on
}

// Stems of a desk page that a card has not.
const (
	stemState    = "state"
	stemMark     = "mark"
	stemOrdinal  = "ordinal"
	stemProvider = "provider" // only as a word of stemNotStated
	stemLifetime = "key lifetime"
	stemChanged  = "changed parameters"
	stemCached   = "cached answers"
	stemSettled  = "settled from"
	stemAttempts = "attempts"
	stemFacts    = "facts"
	stemEffectID = "effect id"
	stemBeside   = "opened beside"
	stemReadBy   = "descriptor digest"
)

// Closed words, each set between spaces.
const (
	wordsState   = " executing unknown committed not_executed free "
	wordsMark    = " not_confirmed not_durable conflict divergent possible_double "
	wordsClass   = " " + digest.ClassReversible + " " + digest.ClassCompensatable + " " + digest.ClassIrreversible + " "
	wordsAccess  = " " + digest.AccessRead + " " + digest.AccessWrite + " " + digest.AccessIdempotent + " "
	wordsDecided = " person rule grant "
	wordsAttempt = " executing unknown committed not_executed "
	wordsExit    = " success failure timeout blocked "
	wordsKind    = " begun report lease_over session_end observation reconciliation correction acknowledged opened "
	wordsSource  = " tool observer operator gate "
	wordsSays    = " committed not_executed unknown "
)

func deskTooLarge() error {
	return &digest.Error{
		Code:     CodeDeskTooLarge,
		Sentence: "the desk page of this effect is larger than 32 MiB",
		Hint:     "bound what a report or an observation may carry",
	}
}

func badDesk(pointer string) error {
	return &digest.Error{
		Code:     CodeBadDesk,
		Pointer:  pointer,
		Sentence: "the effect has no desk page because a value is not one that a page can hold",
		Hint:     "see docs/spec/desk.md for the values of each member",
	}
}

func badPage() error {
	return &digest.Error{
		Code:     CodeDeskNotRead,
		Sentence: "the text is not a desk page of this version",
		Hint:     "use the bytes that were shown, unchanged",
	}
}
