package transaction

import (
	"slices"

	"nod/digest"
)

// TypeRecord names the document of a record.
const TypeRecord = "nod.transaction/v1"

// Record is what is kept of one transaction. It is a value: a step gives the next
// one, or an error and the record as it was. Stage, Outcome and FailureCode say
// what Entries make of it.
type Record struct {
	Type         string          `json:"type"`
	ID           string          `json:"transactionId"`
	Operation    Operation       `json:"operation"`
	Mode         Mode            `json:"targetMode"`
	Candidate    string          `json:"candidateArtifactId,omitzero"` // "": none
	Prior        string          `json:"priorArtifactId,omitzero"`     // what served before, and is gone back to; "": none
	Request      digest.Digest   `json:"requestDigest"`
	Stage        Stage           `json:"stage"`
	Outcome      Outcome         `json:"outcome"`
	FailureCode  FailureCode     `json:"failureCode,omitzero"`
	Entries      []Entry         `json:"entries"`
	Acknowledged []Acknowledging `json:"acknowledged,omitzero"`
}

// Entry is one thing that happened. Sequence numbers them from 0 without gaps.
type Entry struct {
	Sequence    int          `json:"sequence"`
	Stage       Stage        `json:"stage"`
	Outcome     EntryOutcome `json:"outcome"`
	FailureCode FailureCode  `json:"failureCode,omitzero"`
	Observed    *Observed    `json:"observed,omitzero"` // where an observation decides
	Recovery    bool         `json:"recovery,omitzero"` // of a recovery, not of the transaction's own way
	At          int64        `json:"at"`                // effective Unix ms
}

// Observed is what somebody saw of the runtime, not what a call returned.
type Observed struct {
	Active    string   `json:"active,omitzero"`        // the artifact that serves in active mode; "": none
	Candidate bool     `json:"candidate,omitzero"`     // the candidate is there, in the target mode
	Uncleaned []string `json:"cleanupFailed,omitzero"` // artifacts with a cleanup that failed, or may have
}

// own is a copy that nobody else changes.
func (o *Observed) own() *Observed {
	if o == nil {
		return nil
	}
	c := *o
	c.Uncleaned = append([]string(nil), o.Uncleaned...)
	return &c
}

// Acknowledging is a person's word on an artifact's failed cleanups: on those of
// the entries before Before.
type Acknowledging struct {
	Artifact string `json:"artifactId"`
	Before   int    `json:"before"`
}

// Answer is what a submitted request meets.
type Answer string

// Answers. After Unfinished the stored record is recovered, and submitting again
// is a Replay of what that left.
const (
	Begun      Answer = "begun"
	Replay     Answer = "replay"     // the stored record is the result; nothing is repeated
	Unfinished Answer = "unfinished" // recover it first
)

// Submit answers a request: with a new record, or with the one that is stored
// under its id. now names what serves ("": nothing), which a new activation or
// repair goes back to; others are the records that may block its artifact.
func Submit(q Request, now string, stored *Record, others []Record, at int64) (Record, Answer, error) {
	if stored != nil {
		switch {
		case stored.ID != q.ID || stored.Request != q.digest:
			return *stored, "", refuse(CodeReused, "/transactionId", "the transaction's id is bound to another request")
		case stored.Unfinished():
			return *stored, Unfinished, nil
		}
		return *stored, Replay, nil
	}
	r := Record{Type: TypeRecord, ID: q.ID, Operation: q.Operation, Mode: q.Mode, Candidate: q.Candidate, Prior: now, Request: q.digest}
	if q.Operation == Rollback {
		r.Prior = q.Baseline
	}
	serves := r.Candidate
	if q.Operation == Rollback {
		serves = r.Prior
	}
	for _, o := range others {
		if serves != "" && slices.Contains(o.Blocked(), serves) {
			return Record{}, "", refuse(CodeUnacknowledged, "", "a cleanup of this artifact failed, and nobody has acknowledged it")
		}
	}
	if !r.headed() {
		return Record{}, "", refuse(CodeRequest, "", "the request was not read")
	}
	r, err := r.append(Entry{Stage: Staged, Outcome: EntrySucceeded, At: at})
	return r, Begun, err
}

// Unfinished reports whether the record is to be recovered before anything else.
func (r Record) Unfinished() bool { return r.Outcome == InProgress || r.Outcome == Diverged }

// Blocked are the artifacts with a failed cleanup that nobody has acknowledged.
// They are not used again, not even to recover.
func (r Record) Blocked() (artifacts []string) {
	for i, e := range r.Entries {
		for _, a := range r.uncleaned(e) {
			known := slices.ContainsFunc(r.Acknowledged, func(k Acknowledging) bool { return k.Artifact == a && k.Before > i })
			if !known && !slices.Contains(artifacts, a) {
				artifacts = append(artifacts, a)
			}
		}
	}
	return artifacts
}

// uncleaned are the artifacts whose cleanup an entry says failed.
func (r Record) uncleaned(e Entry) (artifacts []string) {
	if e.Stage == DisposingPrior && e.Outcome == EntryFailed && r.Prior != "" {
		artifacts = append(artifacts, r.Prior)
	}
	if e.Observed != nil {
		artifacts = append(artifacts, e.Observed.Uncleaned...)
	}
	return artifacts
}

// Acknowledge says that a person looked at what an artifact's failed cleanups
// left behind. It makes no success of them.
func (r Record) Acknowledge(artifact string) (Record, error) {
	if !slices.Contains(r.Blocked(), artifact) {
		return r, refuse(CodeNothingToDo, "", "no failed cleanup of this artifact waits for a person")
	}
	r.Acknowledged = append(slices.Clip(r.Acknowledged), Acknowledging{artifact, len(r.Entries)})
	return r, nil
}

// target is what a recovery goes back to.
func (r Record) target() string {
	if r.Operation == Repair {
		return r.Candidate
	}
	return r.Prior
}

// shows reports whether what was seen is the candidate, serving.
func (r Record) shows(o *Observed) bool {
	return o != nil && o.Candidate && (r.Mode != Active || o.Active == r.Candidate) && len(o.Uncleaned) == 0
}

// restored reports whether what was seen is what was to be gone back to, with
// nothing of the candidate left.
func (r Record) restored(o *Observed) bool {
	return o != nil && o.Active == r.target() && (!o.Candidate || r.Candidate == r.target()) && len(o.Uncleaned) == 0
}
