package transaction

import (
	"errors"
	"fmt"
	"testing"

	"nod/digest"
)

func codeOf(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	var e *digest.Error
	if !errors.As(err, &e) || e.Sentence == "" || e.Hint == "" {
		t.Fatalf("%v is no refusal", err)
	}
	return e.Code
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// request is a request that the test knows to be good; "" for an artifact is none.
func request(op Operation, mode Mode, candidate, baseline string) Request {
	quote := func(s string) string {
		if s == "" {
			return "null"
		}
		return fmt.Sprintf("%q", s)
	}
	doc := fmt.Sprintf(`{"transactionId":"tx-1","operation":%q,"targetMode":%q,"candidateArtifactId":%s`, op, mode, quote(candidate))
	if op == Rollback {
		doc += `,"baselineArtifactId":` + quote(baseline)
	}
	return must(ReadRequest([]byte(doc + "}")))
}

// begun is a new record of it, of a runtime that serves "old".
func begun(op Operation, mode Mode) Record {
	r, answer, err := Submit(request(op, mode, "new", "old"), "old", nil, nil, 1)
	if err != nil || answer != Begun {
		panic(err)
	}
	return r
}

// seen are the observations that the tests make, by a word.
var seen = map[string]*Observed{
	"":      nil,
	"new":   {Active: "new", Candidate: true},
	"both":  {Active: "old", Candidate: true}, // the candidate beside what serves
	"old":   {Active: "old"},
	"none":  {},
	"other": {Active: "third"},
	"dirty": {Active: "old", Uncleaned: []string{"new"}},
}

// report is a step in a line: stage, outcome, then a code and @observation.
func report(t *testing.T, r Record, line string) (Record, error) {
	t.Helper()
	s := Step{Sequence: len(r.Entries)}
	var rest, more string
	if n, _ := fmt.Sscan(line, &s.Stage, &s.Outcome, &rest, &more); n < 2 {
		t.Fatal(line)
	}
	for _, w := range []string{rest, more} {
		if w != "" && w[0] == '@' {
			s.Observed = seen[w[1:]]
		} else if w != "" {
			s.FailureCode = FailureCode(w)
		}
	}
	return r.Report(s, int64(len(r.Entries)+1))
}

func walk(t *testing.T, r Record, lines ...string) Record {
	t.Helper()
	for _, line := range lines {
		next, err := report(t, r, line)
		if err != nil {
			t.Fatalf("%s after %s %s: %v", line, r.Stage, r.Outcome, err)
		}
		r = next
	}
	return r
}

var whole = []string{"applying started", "applied succeeded", "validating started", "validated succeeded", "activating started",
	"activated succeeded", "draining started", "drained succeeded", "cutting_over started", "runtime_cutover succeeded @new",
	"pointer_cutover succeeded", "disposing_prior started", "committed succeeded"}
