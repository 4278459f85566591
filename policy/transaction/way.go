package transaction

import "slices"

// at is a place on a transaction's way.
type at struct {
	stage   Stage
	outcome EntryOutcome
}

// onward is where an operation may go from a place when nothing fails.
func (r Record) onward(from at) []at {
	started := func(s Stage) []at { return []at{{s, EntryStarted}} }
	succeeded := func(s ...Stage) (to []at) {
		for _, s := range s {
			to = append(to, at{s, EntrySucceeded})
		}
		return to
	}
	last := Committed // what comes when the pointer is not to be moved
	if r.Mode == Active {
		last = PointerCutover
	}
	if r.Operation != Activate {
		switch from {
		case at{Staged, EntrySucceeded}:
			return append(started(Reverting), succeeded(Committed)...)
		case at{Reverting, EntryStarted}:
			return succeeded(Restored)
		case at{Restored, EntrySucceeded}:
			if r.Operation == Repair { // the pointer is what it repairs to
				last = Committed
			}
			return succeeded(last)
		case at{PointerCutover, EntrySucceeded}:
			return succeeded(Committed)
		}
		return nil
	}
	switch from {
	case at{Staged, EntrySucceeded}:
		return append(started(Applying), succeeded(Committed)...)
	case at{Applying, EntryStarted}:
		return succeeded(Applied)
	case at{Applied, EntrySucceeded}:
		return started(Validating)
	case at{Validating, EntryStarted}:
		return succeeded(Validated)
	case at{Validated, EntrySucceeded}:
		return started(Activating)
	case at{Activating, EntryStarted}:
		return succeeded(Activated)
	case at{Activated, EntrySucceeded}:
		return started(Draining)
	case at{Draining, EntryStarted}:
		return succeeded(Drained)
	case at{Drained, EntrySucceeded}:
		return started(CuttingOver)
	case at{CuttingOver, EntryStarted}:
		return succeeded(RuntimeCutover)
	case at{RuntimeCutover, EntrySucceeded}:
		return succeeded(last)
	case at{PointerCutover, EntrySucceeded}:
		return started(DisposingPrior)
	case at{DisposingPrior, EntryStarted}:
		return succeeded(Committed)
	}
	return nil
}

// failures are the codes with which an activation may fail at a stage. A failure
// between two stages is of the one that was to come.
func (r Record) failures(s Stage) []FailureCode {
	switch s {
	case Staged:
		return []FailureCode{ApplyFailed, EffectPolicyDenied}
	case Applying:
		return []FailureCode{ApplyFailed}
	case Applied, Validating:
		return []FailureCode{ValidationFailed}
	case Validated, Activating:
		return []FailureCode{ActivationFailed}
	case Activated, Draining:
		return []FailureCode{DrainFailed}
	case Drained:
		return []FailureCode{CutoverFailed}
	case CuttingOver:
		return []FailureCode{CutoverFailed, ObservedStateMismatch}
	case RuntimeCutover:
		if r.Mode == Active {
			return []FailureCode{PointerFailed}
		}
	case PointerCutover, DisposingPrior:
		return []FailureCode{DisposalFailed}
	}
	return nil
}

// leads reports whether e may come next. Nothing else decides what a record may
// become: reports, recoveries and stored records all go through it.
func (r Record) leads(e Entry) bool {
	if !r.observes(e) {
		return false
	}
	if len(r.Entries) == 0 {
		return e == Entry{Stage: Staged, Outcome: EntrySucceeded, At: e.At}
	}
	last := r.Entries[len(r.Entries)-1]
	to := at{e.Stage, e.Outcome}
	if e.Recovery || last.Recovery {
		return e.Recovery && r.recovers(last, e)
	}
	if e.Outcome != EntryFailed {
		if e.FailureCode != "" {
			return false
		}
		if last.Outcome == EntryFailed { // an activation that failed goes back
			return to == at{Reverting, EntryStarted} && r.Operation == Activate && last.Stage != Failed && r.reverts()
		}
		if r.Operation == Activate && last.Stage == Reverting {
			return to == at{Restored, EntrySucceeded} && r.restored(e.Observed)
		}
		return slices.Contains(r.onward(at{last.Stage, last.Outcome}), to) && r.proven(last, e)
	}
	switch r.Operation {
	case Activate:
		return r.fails(last, e)
	case Rollback:
		return e.Stage == Failed && e.FailureCode == RollbackFailed && r.Outcome == InProgress
	default:
		return e.Stage == Failed && e.FailureCode == RestoreFailed && r.Outcome == InProgress
	}
}

// observes reports whether an observation stands only where one decides, and is
// of this transaction's artifacts.
func (r Record) observes(e Entry) bool {
	if e.Observed == nil {
		return true
	}
	for i, a := range e.Observed.Uncleaned {
		if a == "" || a != r.Candidate && a != r.Prior || slices.Contains(e.Observed.Uncleaned[:i], a) {
			return false
		}
	}
	switch (at{e.Stage, e.Outcome}) {
	case at{RuntimeCutover, EntrySucceeded}, at{Restored, EntrySucceeded}, at{Committed, EntrySucceeded}, at{Failed, EntryFailed}:
		return true
	case at{CuttingOver, EntryFailed}:
		return e.FailureCode == ObservedStateMismatch
	}
	return false
}

// proven reports whether e has the observation that it needs.
func (r Record) proven(last, e Entry) bool {
	switch {
	case e.Stage == RuntimeCutover:
		return r.shows(e.Observed)
	case e.Stage == Restored:
		return r.restored(e.Observed)
	case e.Stage == Committed && last.Stage == Staged: // there was nothing to do
		if r.Operation == Activate {
			return r.shows(e.Observed) && (r.Mode != Active || r.Prior == r.Candidate)
		}
		return r.restored(e.Observed)
	case e.Stage == Reverting:
		return r.reverts() && (r.Operation == Repair || r.Candidate != "")
	}
	return e.Observed == nil
}

// fails reports whether an activation may fail so.
func (r Record) fails(last, e Entry) bool {
	if e.Stage != Failed { // a stage failed
		if last.Outcome == EntryFailed || e.Stage != last.Stage || !slices.Contains(r.failures(e.Stage), e.FailureCode) {
			return false
		}
		return e.FailureCode != ObservedStateMismatch || !r.shows(e.Observed)
	}
	switch {
	case last.Stage == Committed: // what is written of it elsewhere failed
		return e.FailureCode == MetadataFailed
	case last.Stage == Restored:
		return e.FailureCode == r.FailureCode && e.Observed == nil
	case last.Stage == Reverting, last.Outcome == EntryFailed && last.Stage != Failed:
		return e.FailureCode == RestoreFailed
	}
	return false
}

// recovers reports whether a recovery may go on so.
func (r Record) recovers(last, e Entry) bool {
	reverting := last.Recovery && last.Stage == Reverting
	switch (at{e.Stage, e.Outcome}) {
	case at{Reverting, EntryStarted}:
		return e.FailureCode == "" && r.Unfinished() && r.reverts()
	case at{Restored, EntrySucceeded}:
		return e.FailureCode == "" && reverting && r.restored(e.Observed)
	case at{Failed, EntryFailed}:
		return e.FailureCode == RestoreFailed && reverting && !r.restored(e.Observed)
	}
	return false
}

// reverts reports whether what is to be gone back to may be used.
func (r Record) reverts() bool { return !slices.Contains(r.Blocked(), r.target()) }
