package audit

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"nod/ambiguity"
	"nod/digest"
	"nod/queue"
)

// event is nod.event/v1 as it is read back. The members are closed; a test
// compares them with those that the queue writes.
type event struct {
	Type         string           `json:"type"`
	Store        string           `json:"store"`
	Seq          int64            `json:"seq"`
	Prev         string           `json:"prev"`
	Effective    int64            `json:"effective_ms"`
	Wall         int64            `json:"wall_ms"`
	Act          string           `json:"act"`
	Actor        string           `json:"actor"`
	By           queue.DecidedBy  `json:"by"`
	Way          string           `json:"way"`
	Ask          string           `json:"ask"`
	AskDigest    digest.Digest    `json:"ask_digest"`
	ActionDigest digest.Digest    `json:"action_digest"`
	ShownDigest  digest.Digest    `json:"shown_digest"`
	Session      string           `json:"session"`
	From         string           `json:"from"`
	To           string           `json:"to"`
	Tool         string           `json:"tool"`
	Cwd          string           `json:"cwd"`
	Class        string           `json:"class"`
	Reason       string           `json:"reason"`
	Rule         string           `json:"rule"`
	Grant        string           `json:"grant"`
	Config       digest.Digest    `json:"config"`
	Replaces     string           `json:"replaces"`
	EditedTo     string           `json:"edited_to"`
	DerivedFrom  string           `json:"derived_from"`
	Attempt      string           `json:"attempt"`
	Number       int64            `json:"attempt_number"`
	Exit         queue.ExitStatus `json:"exit_status"`
	Observed     digest.Digest    `json:"observed_digest"`
	Mismatch     bool             `json:"mismatch"`
	Late         bool             `json:"late"`
	Lease        int64            `json:"lease_until"`
	AnswerBy     int64            `json:"answer_by"`
	UseWithinMS  int64            `json:"use_within_ms"`
	NotBefore    int64            `json:"not_before"`
	DwellMS      int64            `json:"dwell_ms"`
	LinesSeen    int64            `json:"lines_seen"`
	LinesAll     int64            `json:"lines_all"`
	Words        bool             `json:"words"`
	Said         digest.Digest    `json:"said_digest"`
	Count        int64            `json:"count"`
	Notice       string           `json:"notice"`
	Effect       string           `json:"effect"`
	EffectKey    string           `json:"effect_key"` // a hash
	Evidence     ambiguity.Source `json:"evidence"`
	Durable      bool             `json:"durable"`
	Divergent    bool             `json:"divergent"`
	Bits         string           `json:"bits"`
	Phase        string           `json:"phase"`
	Delivery     queue.Stage      `json:"delivery"`
	Kind         string           `json:"kind"`
	ChildSession string           `json:"child_session"`
	Policy       string           `json:"policy"`
	Scope        string           `json:"scope"`
	Cleanup      int64            `json:"cleanup"`
	Transaction  string           `json:"transaction"`
	Outcome      string           `json:"outcome"`
	Redaction    string           `json:"redaction"`
	Freeze       string           `json:"freeze"`
	Left         int64            `json:"grant_left"`
	Until        int64            `json:"grant_until"`
}

// read parses one event's bytes, which must be canonical (RFC 8785): another
// writing of the same members is not what was hashed by anybody honest.
func read(body jsontext.Value) (*event, bool) {
	canonical, err := digest.Canonical(body, digest.NoLimits())
	if err != nil || !bytes.Equal(canonical, body) {
		return nil, false
	}
	e := new(event)
	if json.Unmarshal(body, e, json.RejectUnknownMembers(true)) != nil {
		return nil, false
	}
	return e, e.Type == queue.TypeEvent && e.Act != ""
}
