package transaction

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// ways is what may be reported after what, written out. A row is an entry and
// what may follow it; @ is what must have been seen, and what is seen otherwise
// is in the test of mismatches. "old" served before, "new" is the candidate.
var ways = map[string]string{
	"activate active": `
staged succeeded | applying started, staged failed apply_failed, staged failed effect_policy_denied
staged failed | reverting started, failed failed restore_failed
applying started | applied succeeded, applying failed apply_failed
applying failed | reverting started, failed failed restore_failed
applied succeeded | validating started, applied failed validation_failed
applied failed | reverting started, failed failed restore_failed
validating started | validated succeeded, validating failed validation_failed
validating failed | reverting started, failed failed restore_failed
validated succeeded | activating started, validated failed activation_failed
validated failed | reverting started, failed failed restore_failed
activating started | activated succeeded, activating failed activation_failed
activating failed | reverting started, failed failed restore_failed
activated succeeded | draining started, activated failed drain_failed
activated failed | reverting started, failed failed restore_failed
draining started | drained succeeded, draining failed drain_failed
draining failed | reverting started, failed failed restore_failed
drained succeeded | cutting_over started, drained failed cutover_failed
drained failed | reverting started, failed failed restore_failed
cutting_over started | runtime_cutover succeeded @new, cutting_over failed cutover_failed, cutting_over failed observed_state_mismatch
cutting_over failed | reverting started, failed failed restore_failed
runtime_cutover succeeded | pointer_cutover succeeded, runtime_cutover failed pointer_failed
runtime_cutover failed | reverting started, failed failed restore_failed
pointer_cutover succeeded | disposing_prior started, pointer_cutover failed disposal_failed
pointer_cutover failed | reverting started, failed failed restore_failed
disposing_prior started | committed succeeded, disposing_prior failed disposal_failed
disposing_prior failed | failed failed restore_failed
reverting started | restored succeeded @old, failed failed restore_failed
restored succeeded | failed failed SAME
committed succeeded | failed failed metadata_failed
failed failed |`,
	"activate shadow": `
cutting_over started | runtime_cutover succeeded @new, runtime_cutover succeeded @both, cutting_over failed cutover_failed, cutting_over failed observed_state_mismatch
runtime_cutover succeeded | committed succeeded
committed succeeded | failed failed metadata_failed`,
	"rollback active": `
staged succeeded | reverting started, committed succeeded @old, failed failed rollback_failed
reverting started | restored succeeded @old, failed failed rollback_failed
restored succeeded | pointer_cutover succeeded, failed failed rollback_failed
pointer_cutover succeeded | committed succeeded, failed failed rollback_failed
committed succeeded |
failed failed |`,
	"rollback canary": `
staged succeeded | reverting started, committed succeeded @old, failed failed rollback_failed
reverting started | restored succeeded @old, failed failed rollback_failed
restored succeeded | committed succeeded, failed failed rollback_failed
committed succeeded |
failed failed |`,
	"repair active": `
staged succeeded | reverting started, committed succeeded @new, failed failed restore_failed
reverting started | restored succeeded @new, failed failed restore_failed
restored succeeded | committed succeeded, failed failed restore_failed
committed succeeded |
failed failed |`,
}

var (
	allStages = []Stage{Staged, Applying, Applied, Validating, Validated, Activating, Activated, Draining, Drained, CuttingOver,
		RuntimeCutover, PointerCutover, DisposingPrior, Committed, Reverting, Restored, Failed, "live", ""}
	allOutcomes = []EntryOutcome{EntryStarted, EntrySucceeded, EntryFailed, "", "done"}
	allCodes    = []FailureCode{"", ApplyFailed, ValidationFailed, ActivationFailed, DrainFailed, CutoverFailed, PointerFailed, DisposalFailed,
		RollbackFailed, RestoreFailed, EffectPolicyDenied, MetadataFailed, ObservedStateMismatch, "it broke"}
)

// Every report after every entry: exactly what the table allows, and what is
// reached reads back as it was written.
func TestTheWayOfATransaction(t *testing.T) {
	for name, text := range ways {
		op, mode, _ := strings.Cut(name, " ")
		table := rows(text)
		met := map[string]bool{}
		open := []Record{begun(Operation(op), Mode(mode))}
		for len(open) > 0 {
			r := open[0]
			open = open[1:]
			from := string(r.Stage) + " " + string(r.Entries[len(r.Entries)-1].Outcome)
			key := from + string(r.FailureCode) + string(r.Outcome)
			if met[key] {
				continue
			}
			met[key], met[from] = true, true
			checkRecord(t, r)
			want, ok := table[from]
			if !ok && name == "activate shadow" { // as in active mode, but that it may be there already
				want, ok = rows(ways["activate active"])[from]
				if from == "staged succeeded" {
					want = append(want, "committed succeeded @new", "committed succeeded @both")
				}
			}
			if !ok {
				t.Errorf("%s: %s was reached and is not in the table", name, from)
				continue
			}
			var got []string
			for _, stage := range allStages {
				for _, outcome := range allOutcomes {
					for _, code := range allCodes {
						got = append(got, probe(t, r, stage, outcome, code, &open)...)
					}
				}
			}
			slices.Sort(got)
			want = slices.Clone(want)
			for i, w := range want {
				want[i] = strings.Replace(w, "SAME", string(r.FailureCode), 1)
			}
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s after %s:\n got %q\nwant %q", name, from, got, want)
			}
		}
		for from := range table {
			if !met[from] {
				t.Errorf("%s: %s was never reached", name, from)
			}
		}
	}
}

// rows gives, for each entry of a table, what may follow it.
func rows(text string) map[string][]string {
	table := map[string][]string{}
	for _, row := range strings.Split(strings.TrimSpace(text), "\n") {
		from, to, _ := strings.Cut(row, " |")
		table[from] = nil
		for _, cell := range strings.Split(to, ",") {
			if cell = strings.TrimSpace(cell); cell != "" {
				table[from] = append(table[from], cell)
			}
		}
	}
	return table
}

// probe reports one step with every observation, gives the ones that passed as
// the table writes them, and what they lead to.
func probe(t *testing.T, r Record, stage Stage, outcome EntryOutcome, code FailureCode, open *[]Record) (passed []string) {
	plain := false
	for _, word := range []string{"", "new", "both", "old", "none", "other", "dirty"} {
		s := Step{Sequence: len(r.Entries), Stage: stage, Outcome: outcome, FailureCode: code, Observed: seen[word]}
		next, err := r.Report(s, 9)
		if err != nil {
			codeOf(t, err)
			if !reflect.DeepEqual(next, r) {
				t.Errorf("a refused step changed the record")
			}
			continue
		}
		*open = append(*open, next)
		if next.Stage != stage { // kept as a mismatch: another test
			continue
		}
		line := strings.TrimSpace(string(stage) + " " + string(outcome) + " " + string(code))
		switch {
		case word == "":
			plain = true
			passed = append(passed, line)
		case !plain:
			passed = append(passed, line+" @"+word)
		}
	}
	return passed
}

// checkRecord holds what is true of every record.
func checkRecord(t *testing.T, r Record) {
	t.Helper()
	doc := must(r.Canonical())
	again, err := Read(doc)
	if err != nil || !reflect.DeepEqual(again, r) {
		t.Errorf("%s reads as %+v, %v", doc, again, err)
	}
	for i, e := range r.Entries {
		if e.Sequence != i {
			t.Errorf("entry %d is numbered %d", i, e.Sequence)
		}
	}
	last := r.Entries[len(r.Entries)-1]
	if last.Stage == RuntimeCutover && last.Outcome == EntrySucceeded && (last.Observed == nil || !last.Observed.Candidate) {
		t.Errorf("a cutover passed that nobody saw: %s", doc)
	}
	if (r.Outcome == Undone || r.Outcome == Diverged) && r.FailureCode == "" {
		t.Errorf("it failed without a code: %s", doc)
	}
	if r.Outcome == Diverged && r.Blocked() == nil && must(r.Recover(99)).Outcome != Diverged {
		t.Errorf("a recovery that has only begun changed %s", doc)
	}
}

func TestTheWholeWay(t *testing.T) {
	if r := walk(t, begun(Activate, Active), whole...); r.Outcome != Succeeded || r.FailureCode != "" || len(r.Entries) != 14 {
		t.Errorf("%+v", r)
	}
	for _, mode := range []Mode{Candidate, Shadow, Canary} {
		lines := append(slices.Clone(whole[:9]), "runtime_cutover succeeded @both", "committed succeeded")
		if r := walk(t, begun(Activate, mode), lines...); r.Outcome != Succeeded {
			t.Errorf("%s: %+v", mode, r)
		}
	}
	if r := walk(t, begun(Rollback, Active), "reverting started", "restored succeeded @old", "pointer_cutover succeeded", "committed succeeded"); r.Outcome != Succeeded {
		t.Errorf("%+v", r)
	}
	if r := walk(t, begun(Repair, Active), "reverting started", "restored succeeded @new", "committed succeeded"); r.Outcome != Succeeded {
		t.Errorf("%+v", r)
	}
}

// How a failure ends: taken back, it failed; not shown to be, it has diverged.
func TestHowAFailureEnds(t *testing.T) {
	for _, row := range []struct {
		lines   []string
		outcome Outcome
		code    FailureCode
	}{
		{[]string{"staged failed effect_policy_denied", "reverting started", "restored succeeded @old", "failed failed effect_policy_denied"}, Undone, EffectPolicyDenied},
		{[]string{"applying started", "applying failed apply_failed", "reverting started", "restored succeeded @old", "failed failed apply_failed"}, Undone, ApplyFailed},
		{[]string{"applying started", "applying failed apply_failed", "reverting started", "restored succeeded @old"}, InProgress, ApplyFailed},
		{[]string{"applying started", "applying failed apply_failed", "reverting started", "restored succeeded @other"}, Diverged, RestoreFailed},
		{[]string{"applying started", "applying failed apply_failed", "reverting started", "restored succeeded @both"}, Diverged, RestoreFailed},
		{[]string{"applying started", "applying failed apply_failed", "reverting started", "restored succeeded @dirty"}, Diverged, RestoreFailed},
		{[]string{"applying started", "applying failed apply_failed", "reverting started", "restored succeeded"}, Diverged, RestoreFailed},
		{[]string{"applying started", "applying failed apply_failed", "failed failed restore_failed"}, Diverged, RestoreFailed},
		{append(slices.Clone(whole), "failed failed metadata_failed @old"), Undone, MetadataFailed},
		{append(slices.Clone(whole), "failed failed metadata_failed @new"), Diverged, MetadataFailed},
		{append(slices.Clone(whole), "failed failed metadata_failed @dirty"), Diverged, MetadataFailed},
		{append(slices.Clone(whole), "failed failed metadata_failed"), Diverged, MetadataFailed},
	} {
		r := walk(t, begun(Activate, Active), row.lines...)
		if r.Outcome != row.outcome || r.FailureCode != row.code {
			t.Errorf("%q: %s %s", row.lines, r.Outcome, r.FailureCode)
		}
		checkRecord(t, r)
	}
	for _, row := range []struct {
		lines   []string
		outcome Outcome
	}{
		{[]string{"failed failed rollback_failed"}, Undone},
		{[]string{"failed failed rollback_failed @dirty"}, Diverged},
		{[]string{"reverting started", "failed failed rollback_failed"}, Diverged},
		{[]string{"reverting started", "restored succeeded @other"}, Diverged},
		{[]string{"reverting started", "restored succeeded @old", "failed failed rollback_failed"}, Diverged},
	} {
		r := walk(t, begun(Rollback, Active), row.lines...)
		if r.Outcome != row.outcome || r.FailureCode != RollbackFailed {
			t.Errorf("%q: %s %s", row.lines, r.Outcome, r.FailureCode)
		}
	}
}

// A call's return is no proof: a cutover that does not show the candidate is a
// mismatch, whatever was reported of it.
func TestACutoverHasToBeSeen(t *testing.T) {
	for mode, words := range map[Mode]map[string]bool{
		Active: {"": false, "new": true, "both": false, "old": false, "none": false, "other": false, "dirty": false},
		Canary: {"": false, "new": true, "both": true, "old": false, "none": false, "other": false, "dirty": false},
	} {
		for word, shows := range words {
			r := walk(t, begun(Activate, mode), whole[:9]...)
			r = walk(t, r, strings.TrimSuffix("runtime_cutover succeeded @"+word, " @"))
			if shows != (r.Stage == RuntimeCutover) || !shows && (r.Stage != CuttingOver || r.FailureCode != ObservedStateMismatch || r.Outcome != InProgress) {
				t.Errorf("%s %q: %s %s %s", mode, word, r.Stage, r.FailureCode, r.Outcome)
			}
			checkRecord(t, r)
		}
	}
}
