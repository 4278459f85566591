package queue

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"nod/ambiguity"
	"nod/digest"
)

// TypeEvent names an event document and its version.
const TypeEvent = "nod.event/v1"

// Event is one change, as the chain keeps it (DESIGN §4, Events). It holds
// who, what, when and digests; never arguments, outputs or anybody's text.
// Zero members are left out of the document. Times are Unix ms.
type Event struct {
	Act          string // submit, decide, expire, lapse, begin, …
	Actor        string // person, rule, grant, agent, or "clock"
	By           DecidedBy
	Way          string
	Ask          string
	AskDigest    digest.Digest
	ActionDigest digest.Digest
	ShownDigest  digest.Digest
	Session      string
	From, To     string
	Tool, Cwd    string
	Class        string
	Reason       string // a code
	Rule, Grant  string
	Config       digest.Digest
	Replaces     string
	EditedTo     string // of an edit: the ask that takes the original's place
	DerivedFrom  string // of the submit of that ask
	Attempt      string
	Number       int64 // of the attempt
	Exit         ExitStatus
	Observed     digest.Digest
	Mismatch     bool
	Late         bool
	Lease        int64
	AnswerBy     int64
	UseWithinMS  int64
	NotBefore    int64
	DwellMS      int64
	LinesSeen    int64
	LinesAll     int64
	Words        bool          // words came with it
	Said         digest.Digest // of a decision's words and answer (SaidDigest), or of the fact that came (FactView.Digest)
	Count        int64
	Notice       string // its code
	Effect       string // its id; the key only as a hash under a key of the store
	EffectKey    string
	Evidence     ambiguity.Source
	Durable      bool
	Divergent    bool
	Bits         string // of a tree, in order, parted by spaces
	Phase        string // of a record
	Delivery     string // of a receipt: the stage that it says
	Kind         string // of a notice of words: approval_feedback
	ChildSession string // of a parent's copy: whose words they were
	Policy       string // ids of Nod's
	Scope        string
	Cleanup      int64 // from 1
	Transaction  string
	Outcome      string // of a classified call, with Class and Phase
	Redaction    string // kinds that are left out, parted by spaces
	Freeze       string // scope: "all" or a session
	Left         int64  // of a grant
	Until        int64  // of a grant
	Effective    int64
	Wall         int64
}

// chain gives the event its place: canonical bytes without hash, and the hash
// SHA-256 over them. Members stand in UTF-16 order, which for these names is
// byte order; a test compares with digest.Canonical.
func (e *Event) chain(head Head) StoredEvent {
	w := eventWriter{b: append(make([]byte, 0, 1280), '{')}
	w.text("act", e.Act)
	w.text("action_digest", string(e.ActionDigest))
	w.text("actor", e.Actor)
	w.num("answer_by", e.AnswerBy)
	w.text("ask", e.Ask)
	w.text("ask_digest", string(e.AskDigest))
	w.text("attempt", e.Attempt)
	w.num("attempt_number", e.Number)
	w.text("bits", e.Bits)
	w.text("by", string(e.By))
	w.text("child_session", e.ChildSession)
	w.text("class", e.Class)
	w.num("cleanup", e.Cleanup)
	w.text("config", string(e.Config))
	w.num("count", e.Count)
	w.text("cwd", e.Cwd)
	w.text("delivery", e.Delivery)
	w.text("derived_from", e.DerivedFrom)
	w.flag("divergent", e.Divergent)
	w.flag("durable", e.Durable)
	w.num("dwell_ms", e.DwellMS)
	w.text("edited_to", e.EditedTo)
	w.text("effect", e.Effect)
	w.text("effect_key", e.EffectKey)
	w.num("effective_ms", e.Effective)
	w.text("evidence", string(e.Evidence))
	w.text("exit_status", string(e.Exit))
	w.text("freeze", e.Freeze)
	w.text("from", e.From)
	w.text("grant", e.Grant)
	w.num("grant_left", e.Left)
	w.num("grant_until", e.Until)
	w.text("kind", e.Kind)
	w.flag("late", e.Late)
	w.num("lease_until", e.Lease)
	w.num("lines_all", e.LinesAll)
	w.num("lines_seen", e.LinesSeen)
	w.flag("mismatch", e.Mismatch)
	w.num("not_before", e.NotBefore)
	w.text("notice", e.Notice)
	w.text("observed_digest", string(e.Observed))
	w.text("outcome", e.Outcome)
	w.text("phase", e.Phase)
	w.text("policy", e.Policy)
	w.text("prev", hashText(head.Hash))
	w.text("reason", e.Reason)
	w.text("redaction", e.Redaction)
	w.text("replaces", e.Replaces)
	w.text("rule", e.Rule)
	w.text("said_digest", string(e.Said))
	w.text("scope", e.Scope)
	w.num("seq", head.Seq+1)
	w.text("session", e.Session)
	w.text("shown_digest", string(e.ShownDigest))
	w.text("store", head.StoreID)
	w.text("to", e.To)
	w.text("tool", e.Tool)
	w.text("transaction", e.Transaction)
	w.text("type", TypeEvent)
	w.num("use_within_ms", e.UseWithinMS)
	w.num("wall_ms", e.Wall)
	w.text("way", e.Way)
	w.flag("words", e.Words)
	w.b = append(w.b, '}')
	sum := sha256.Sum256(w.b)
	return StoredEvent{Seq: head.Seq + 1, Hash: hex.EncodeToString(sum[:]), Body: w.b}
}

// hashText writes a chain hash as 64 hex digits.
func hashText(h [32]byte) string { return hex.EncodeToString(h[:]) }

type eventWriter struct{ b []byte }

func (w *eventWriter) name(n string) {
	if len(w.b) > 1 {
		w.b = append(w.b, ',')
	}
	w.b = append(w.b, '"')
	w.b = append(w.b, n...)
	w.b = append(w.b, '"', ':')
}

func (w *eventWriter) text(n, v string) {
	if v == "" {
		return
	}
	w.name(n)
	// Every text here was checked as UTF-8 before it reached an event; a byte
	// that is not would be written as U+FFFD, never as broken JSON.
	w.b, _ = jsontext.AppendQuote(w.b, v) //nolint:errcheck // reports only the replacement
}

func (w *eventWriter) num(n string, v int64) {
	if v == 0 {
		return
	}
	w.name(n)
	w.b = strconv.AppendInt(w.b, v, 10)
}

func (w *eventWriter) flag(n string, v bool) {
	if v {
		w.name(n)
		w.b = append(w.b, "true"...)
	}
}
