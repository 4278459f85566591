package transaction

import (
	"reflect"
	"slices"
)

// Step is what a host reports. Sequence is the number it has: how many entries
// the record held before it.
type Step struct {
	Sequence    int          `json:"sequence"`
	Stage       Stage        `json:"stage"`
	Outcome     EntryOutcome `json:"outcome"`
	FailureCode FailureCode  `json:"failureCode,omitzero"`
	Observed    *Observed    `json:"observed,omitzero"`
}

// Report appends what a host reports, at effective Unix ms. A step that is kept
// already changes nothing; a number that leaves a gap, or belongs to another
// step, is refused. A cutover whose observation does not show the candidate is
// kept as a failure, observed_state_mismatch, and a restore whose observation
// does not show what was before as restore_failed: the record then says so.
func (r Record) Report(s Step, at int64) (Record, error) {
	if s.Sequence < 0 || s.Sequence > len(r.Entries) {
		return r, refuse(CodeSequence, "/sequence", "the entry's number leaves a gap")
	}
	if s.Sequence < len(r.Entries) {
		before := r
		before.Entries = r.Entries[:s.Sequence]
		kept, told := r.Entries[s.Sequence], before.entry(s, r.Entries[s.Sequence].At)
		told.Sequence = kept.Sequence
		if !reflect.DeepEqual(kept, told) {
			return r, refuse(CodeSequence, "/sequence", "another entry is kept under this number")
		}
		return r, nil
	}
	if r.Outcome != InProgress && (r.Outcome != Succeeded || s.FailureCode != MetadataFailed) {
		return r, refuse(CodeOver, "", "the transaction is over: "+string(r.Outcome))
	}
	return r.append(r.entry(s, at))
}

// entry is what a report is kept as.
func (r Record) entry(s Step, when int64) Entry {
	e := Entry{Stage: s.Stage, Outcome: s.Outcome, FailureCode: s.FailureCode, Observed: s.Observed.own(), At: when}
	switch (at{s.Stage, s.Outcome}) {
	case at{RuntimeCutover, EntrySucceeded}:
		if !r.shows(s.Observed) {
			e.Stage, e.Outcome, e.FailureCode = CuttingOver, EntryFailed, ObservedStateMismatch
		}
	case at{Restored, EntrySucceeded}:
		if !r.restored(s.Observed) {
			e.Stage, e.Outcome, e.FailureCode = Failed, EntryFailed, RestoreFailed
			if r.Operation == Rollback {
				e.FailureCode = RollbackFailed
			}
		}
	}
	return e
}

// Recover begins to take an unfinished or diverged record back to what was before
// it (of a repair: to what it repairs to). What it left may then be reverted; the
// record is kept first. A record whose recovery was itself interrupted begins
// again. A blocked artifact is not gone back to.
func (r Record) Recover(at int64) (Record, error) {
	switch {
	case !r.Unfinished():
		return r, refuse(CodeOver, "", "the transaction is over: "+string(r.Outcome))
	case !r.reverts():
		return r, refuse(CodeUnacknowledged, "", "a cleanup of what it would go back to failed, and nobody has acknowledged it")
	}
	return r.append(Entry{Stage: Reverting, Outcome: EntryStarted, Recovery: true, At: at})
}

// Restored ends a recovery with what was seen after it: recovered where that is
// what was before, else diverged with restore_failed. nil is that nobody could
// look.
func (r Record) Restored(seen *Observed, at int64) (Record, error) {
	e := Entry{Stage: Restored, Outcome: EntrySucceeded, Observed: seen.own(), Recovery: true, At: at}
	if !r.restored(seen) {
		e.Stage, e.Outcome, e.FailureCode = Failed, EntryFailed, RestoreFailed
	}
	return r.append(e)
}

// append gives the record with e, numbered, at its end, and what that makes of it.
func (r Record) append(e Entry) (Record, error) {
	e.Sequence = 0
	if !r.leads(e) {
		return r, refuse(CodeStep, "", "nothing leads from where the transaction is to this step")
	}
	was := r
	e.Sequence = len(r.Entries)
	r.Entries = append(slices.Clip(r.Entries), e)
	r.Stage, r.Outcome = e.Stage, was.after(e)
	if e.FailureCode != "" {
		r.FailureCode = e.FailureCode
	}
	return r, nil
}

// after is the outcome that e leads to.
func (r Record) after(e Entry) Outcome {
	switch {
	case len(r.Entries) == 0:
		return InProgress
	case e.Recovery && e.Stage == Restored:
		return Recovered
	case e.Recovery && e.Stage == Failed:
		return Diverged
	case e.Recovery:
		return r.Outcome
	case e.Stage == Committed:
		return Succeeded
	case e.Stage != Failed:
		return InProgress
	}
	undone := false
	switch e.FailureCode {
	case RestoreFailed:
	case MetadataFailed:
		undone = r.restored(e.Observed)
	case RollbackFailed: // nothing was reverted yet, or nobody knows what was
		undone = r.Stage == Staged
	default:
		undone = true
	}
	if undone && (e.Observed == nil || len(e.Observed.Uncleaned) == 0) {
		return Undone
	}
	return Diverged
}
