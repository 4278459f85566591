package transaction

import (
	"slices"
	"testing"

	"nod/digest"
)

// Everything unfinished or diverged goes back to what was before it, and is
// recovered only when that was seen.
func TestRecovery(t *testing.T) {
	for _, row := range []struct {
		op     Operation
		mode   Mode
		lines  []string
		seen   string
		want   Outcome
		target string
	}{
		{Activate, Active, nil, "old", Recovered, "old"},
		{Activate, Active, whole[:9], "old", Recovered, "old"},
		{Activate, Active, whole[:10], "old", Recovered, "old"},
		{Activate, Active, whole[:12], "old", Recovered, "old"},
		{Activate, Active, whole[:12], "new", Diverged, "old"},
		{Activate, Active, whole[:12], "both", Diverged, "old"},
		{Activate, Active, whole[:12], "none", Diverged, "old"},
		{Activate, Active, whole[:12], "", Diverged, "old"},
		{Activate, Active, whole[:12], "dirty", Diverged, "old"},
		{Activate, Shadow, whole[:9], "old", Recovered, "old"},
		{Activate, Shadow, whole[:9], "both", Diverged, "old"},
		{Activate, Active, []string{"applying started", "applying failed apply_failed", "reverting started", "restored succeeded @old"}, "old", Recovered, "old"},
		{Activate, Active, []string{"applying started", "applying failed apply_failed", "failed failed restore_failed"}, "old", Recovered, "old"},
		{Activate, Active, append(slices.Clone(whole), "failed failed metadata_failed @new"), "old", Recovered, "old"},
		{Rollback, Active, []string{"reverting started"}, "old", Recovered, "old"},
		{Rollback, Active, []string{"reverting started", "failed failed rollback_failed"}, "old", Recovered, "old"},
		{Rollback, Active, []string{"reverting started"}, "new", Diverged, "old"},
		{Repair, Active, []string{"reverting started"}, "new", Recovered, "new"},
		{Repair, Active, []string{"reverting started", "restored succeeded @new"}, "old", Diverged, "new"},
	} {
		r := walk(t, begun(row.op, row.mode), row.lines...)
		if r.target() != row.target {
			t.Errorf("%s goes back to %s", row.op, r.target())
		}
		was := r.Outcome
		if _, err := r.Restored(seen[row.seen], 50); codeOf(t, err) != CodeStep {
			t.Errorf("a recovery ended that had not begun: %v", err)
		}
		r = must(r.Recover(50))
		if r.Outcome != was || r.Stage != Reverting {
			t.Errorf("%s %q: %s %s", row.op, row.lines, r.Stage, r.Outcome)
		}
		if _, err := report(t, r, "restored succeeded @old"); err == nil {
			t.Error("a report went on with what is being recovered")
		}
		r = must(r.Recover(51)) // the recovery was interrupted
		r = must(r.Restored(seen[row.seen], 52))
		if r.Outcome != row.want || row.want == Diverged && r.FailureCode != RestoreFailed {
			t.Errorf("%s %q seen %q: %s %s", row.op, row.lines, row.seen, r.Outcome, r.FailureCode)
		}
		checkRecord(t, r)
		_, err := r.Recover(53)
		switch {
		case r.Outcome == Recovered && codeOf(t, err) != CodeOver:
			t.Errorf("recovered twice: %v", err)
		case row.seen == "dirty" && codeOf(t, err) != "": // the candidate's cleanup, and it goes back to another
			t.Error(err)
		}
	}
	for _, r := range []Record{
		walk(t, begun(Activate, Active), whole...),
		walk(t, begun(Rollback, Active), "failed failed rollback_failed"),
	} {
		if _, err := r.Recover(50); codeOf(t, err) != CodeOver {
			t.Errorf("%s was recovered: %v", r.Outcome, err)
		}
		if _, err := report(t, r, "applying started"); codeOf(t, err) != CodeOver {
			t.Errorf("%s went on: %v", r.Outcome, err)
		}
	}
}

// A failed disposal of what was before blocks it: it is not gone back to, and not
// used by another transaction, until a person acknowledges it.
func TestAFailedCleanupBlocks(t *testing.T) {
	r := walk(t, begun(Activate, Active), whole[:12]...)
	r = walk(t, r, "disposing_prior failed disposal_failed")
	if !slices.Equal(r.Blocked(), []string{"old"}) {
		t.Fatalf("blocked: %v", r.Blocked())
	}
	if _, err := report(t, r, "reverting started"); codeOf(t, err) != CodeStep {
		t.Errorf("it went back to it: %v", err)
	}
	crashed := r
	r = walk(t, r, "failed failed restore_failed")
	if r.Outcome != Diverged {
		t.Errorf("%s", r.Outcome)
	}
	for _, r := range []Record{crashed, r} {
		if _, err := r.Recover(50); codeOf(t, err) != CodeUnacknowledged {
			t.Errorf("recovered to it: %v", err)
		}
	}
	for _, q := range []struct {
		request Request
		want    string
	}{
		{must(ReadRequest([]byte(`{"transactionId":"t","operation":"activate","targetMode":"shadow","candidateArtifactId":"old"}`))), CodeUnacknowledged},
		{must(ReadRequest([]byte(`{"transactionId":"t","operation":"rollback","targetMode":"active","baselineArtifactId":"old"}`))), CodeUnacknowledged},
		{must(ReadRequest([]byte(`{"transactionId":"t","operation":"repair","targetMode":"active","candidateArtifactId":"old"}`))), CodeUnacknowledged},
		{must(ReadRequest([]byte(`{"transactionId":"t","operation":"activate","targetMode":"active","candidateArtifactId":"third"}`))), ""},
		{must(ReadRequest([]byte(`{"transactionId":"t","operation":"rollback","targetMode":"active","candidateArtifactId":"old","baselineArtifactId":null}`))), ""},
	} {
		if _, _, err := Submit(q.request, "new", nil, []Record{r}, 60); codeOf(t, err) != q.want {
			t.Errorf("%s of %q: %v", q.request.Operation, q.request.Candidate, err)
		}
	}
	if _, err := r.Acknowledge("new"); codeOf(t, err) != CodeNothingToDo {
		t.Errorf("what did not fail was acknowledged: %v", err)
	}
	r = must(r.Acknowledge("old"))
	checkRecord(t, r)
	if r.Blocked() != nil || r.Outcome != Diverged {
		t.Errorf("acknowledging made %s of it, blocked %v", r.Outcome, r.Blocked())
	}
	if _, err := r.Acknowledge("old"); codeOf(t, err) != CodeNothingToDo {
		t.Errorf("acknowledged twice: %v", err)
	}
	r = must(must(r.Recover(70)).Restored(seen["old"], 71))
	if r.Outcome != Recovered {
		t.Errorf("%s", r.Outcome)
	}
	checkRecord(t, r)

	// A cleanup that fails again after it was acknowledged blocks again.
	again := must(walk(t, begun(Activate, Active), whole[:12]...).Recover(80))
	both := &Observed{Active: "old", Uncleaned: []string{"old"}}
	again = must(again.Restored(both, 81))
	again = must(again.Acknowledge("old"))
	again = must(must(again.Recover(82)).Restored(both, 83))
	if !slices.Equal(again.Blocked(), []string{"old"}) || again.Outcome != Diverged {
		t.Errorf("%s, blocked %v", again.Outcome, again.Blocked())
	}
	checkRecord(t, again)
}

// runtime is the world that a host acts on.
type runtime struct {
	active   string
	there    bool // the candidate
	disposed int  // how often what was before was disposed of
	left     int  // points it still lives for
	journal  digest.JSON
}

type killed struct{}

func (w *runtime) point() {
	if w.left == 0 {
		panic(killed{})
	}
	w.left--
}

func (w *runtime) keep(t *testing.T, r Record) Record {
	w.point()
	w.journal = must(r.Canonical())
	w.point()
	return r
}

func (w *runtime) look() *Observed { return &Observed{Active: w.active, Candidate: w.there} }

// activation is a host that reports each step before and after it acts. broken is
// the stage that fails.
func (w *runtime) activation(t *testing.T, broken Stage) {
	r, _, err := Submit(request(Activate, Active, "new", ""), "old", nil, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	r = w.keep(t, r)
	tell := func(stage Stage, outcome EntryOutcome, code FailureCode, o *Observed) {
		r = w.keep(t, must(r.Report(Step{len(r.Entries), stage, outcome, code, o}, 2)))
	}
	for _, part := range []struct {
		start, end Stage
		code       FailureCode
		act        func()
	}{
		{Applying, Applied, ApplyFailed, func() {}},
		{Validating, Validated, ValidationFailed, func() {}},
		{Activating, Activated, ActivationFailed, func() { w.there = true }},
		{Draining, Drained, DrainFailed, func() {}},
		{CuttingOver, RuntimeCutover, CutoverFailed, func() { w.active = "new" }},
		{DisposingPrior, Committed, DisposalFailed, func() { w.disposed++ }},
	} {
		if part.start == DisposingPrior {
			tell(PointerCutover, EntrySucceeded, "", nil)
		}
		tell(part.start, EntryStarted, "", nil)
		w.point()
		if part.start == broken {
			tell(part.start, EntryFailed, part.code, nil)
			if part.code == DisposalFailed {
				tell(Failed, EntryFailed, RestoreFailed, nil)
				return
			}
			tell(Reverting, EntryStarted, "", nil)
			w.active, w.there = "old", false
			w.point()
			tell(Restored, EntrySucceeded, "", w.look())
			tell(Failed, EntryFailed, part.code, nil)
			return
		}
		part.act()
		w.point()
		var o *Observed
		if part.end == RuntimeCutover {
			o = w.look()
		}
		tell(part.end, EntrySucceeded, "", o)
	}
}

func (w *runtime) recover(t *testing.T) {
	if w.journal == nil {
		return
	}
	r, err := Read(w.journal)
	if err != nil {
		t.Fatalf("%s: %v", w.journal, err)
	}
	if !r.Unfinished() {
		return
	}
	if len(r.Blocked()) > 0 {
		if _, err := r.Recover(3); codeOf(t, err) != CodeUnacknowledged {
			t.Errorf("%s: %v", w.journal, err)
		}
		r = w.keep(t, must(r.Acknowledge("old")))
	}
	r = w.keep(t, must(r.Recover(3)))
	w.active, w.there = "old", false
	w.point()
	w.keep(t, must(r.Restored(w.look(), 4)))
}

func lives(f func()) (ended bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(killed); !ok {
				panic(r)
			}
		}
	}()
	f()
	return true
}

// A crash at every point of an activation, and at every point of its recovery:
// the record reads, it ends succeeded, failed or recovered with the runtime that
// goes with it, and what was before is disposed of at most once.
func TestACrashAtEveryPointOfATransaction(t *testing.T) {
	crashes, twice := 0, 0
	for _, broken := range []Stage{"", Applying, Validating, Activating, Draining, CuttingOver, DisposingPrior} {
		for first := 0; ; first++ {
			one := runtime{active: "old", left: first}
			if lives(func() { one.activation(t, broken) }) {
				one.left = 1000
				one.recover(t)
				checkWorld(t, one)
				break
			}
			crashes++
			for second := 0; ; second++ {
				two := one
				two.left = second
				if lives(func() { two.recover(t) }) {
					checkWorld(t, two)
					break
				}
				twice++
				two.left = 1000
				two.recover(t)
				checkWorld(t, two)
			}
		}
	}
	if crashes < 150 || twice < 500 {
		t.Errorf("%d crashes, %d of them twice", crashes, twice)
	}
}

func checkWorld(t *testing.T, w runtime) {
	t.Helper()
	if w.disposed > 1 {
		t.Errorf("disposed of %d times: %s", w.disposed, w.journal)
	}
	if w.journal == nil {
		return
	}
	r := must(Read(w.journal))
	checkRecord(t, r)
	want := runtime{active: "old"}
	switch r.Outcome {
	case Succeeded:
		want = runtime{active: "new", there: true}
	case Undone, Recovered:
	default:
		t.Errorf("it ends %s: %s", r.Outcome, w.journal)
	}
	if w.active != want.active || w.there != want.there {
		t.Errorf("%s, and %s serves: %s", r.Outcome, w.active, w.journal)
	}
}
