package ambiguity

import (
	"strings"
	"testing"
)

// The tables are written out; the first row that fits counts. "*" fits anything.

// claims is what a report and the descriptor come to before anybody looked.
const claims = `
report       exit     says          durable proof claims observed | state         mark
none         *        *             *       *     *      *        | executing     -
lease_over   *        *             *       *     *      *        | unknown       not_confirmed
session_end  *        *             *       *     *      *        | unknown       not_confirmed
report       *        not_executed  *       yes   *      *        | not_executed  -
report       *        not_executed  *       no    *      *        | unknown       not_confirmed
report       *        unknown       *       *     *      *        | unknown       not_confirmed
report       *        committed     *       *     *      yes      | unknown       not_confirmed
report       *        committed     yes     *     *      no       | committed     -
report       *        committed     no      *     *      no       | unknown       not_durable
report       success  -             *       *     yes    no       | committed     -
report       *        -             *       *     *      *        | unknown       not_confirmed
`

// sights is what observations make of that, or of a person's answer: what
// stands, whether a matching, a divergent, an empty observation that counts was
// made since, and whether a matching or divergent one was durable.
const sights = `
stands                 matched diverged absent durable | state         mark           open
executing              *       *        *      *       | executing     -              no

tool:committed         yes     yes      *      *       | unknown       conflict       yes
tool:committed         yes     *        yes    *       | unknown       conflict       yes
tool:committed         *       yes      yes    *       | unknown       conflict       yes
tool:committed         no      no       yes    *       | unknown       conflict       yes
tool:committed         *       yes      no     *       | committed     divergent      yes
tool:committed         *       no       no     *       | committed     -              no

gate:not_executed      yes     yes      *      *       | unknown       conflict       yes
gate:not_executed      yes     *        yes    *       | unknown       conflict       yes
gate:not_executed      *       yes      yes    *       | unknown       conflict       yes
gate:not_executed      no      no       *      *       | not_executed  -              no
gate:not_executed      yes     no       no     yes     | committed     -              no
gate:not_executed      no      yes      no     yes     | committed     divergent      yes
gate:not_executed      *       *        no     no      | unknown       not_durable    yes

*:unknown              yes     yes      *      *       | unknown       conflict       yes
*:unknown              yes     *        yes    *       | unknown       conflict       yes
*:unknown              *       yes      yes    *       | unknown       conflict       yes
*:unknown              no      no       *      *       | unknown       same           yes
*:unknown              yes     no       no     yes     | committed     -              no
*:unknown              no      yes      no     yes     | committed     divergent      yes
*:unknown              *       *        no     no      | unknown       not_durable    yes

operator:committed     yes     yes      *      *       | unknown       conflict       yes
operator:committed     yes     *        yes    *       | unknown       conflict       yes
operator:committed     *       yes      yes    *       | unknown       conflict       yes
operator:committed     no      no       yes    *       | unknown       conflict       yes
operator:committed     *       yes      no     *       | committed     divergent      yes
operator:committed     *       no       no     *       | committed     -              no

operator:not_executed  yes     *        *      *       | unknown       conflict       yes
operator:not_executed  *       yes      *      *       | unknown       conflict       yes
operator:not_executed  no      no       *      *       | not_executed  -              no
`

type row struct{ when, then []string }

func table(text string) (rows []row) {
	for line := range strings.Lines(text) {
		if when, then, ok := strings.Cut(line, "|"); ok {
			rows = append(rows, row{strings.Fields(when), strings.Fields(then)})
		}
	}
	return rows[1:] // the head
}

// find gives the row for these facts, and counts that it was used.
func find(t *testing.T, rows []row, used []int, facts ...string) []string {
	t.Helper()
next:
	for i, r := range rows {
		for k, want := range r.when {
			if want != "*" && want != facts[k] && (want[0] != '*' || !strings.HasSuffix(facts[k], want[1:])) {
				continue next
			}
		}
		used[i]++
		return r.then
	}
	t.Fatalf("no row of the table is for %v", facts)
	return nil
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func word[S ~string](s S) string {
	if s == "" {
		return "-"
	}
	return string(s)
}

// observations are all that an observer may say.
var observations = []Fact{
	{Kind: Observation, Says: Unknown},
	{Kind: Observation, Says: Committed, Durable: true},
	{Kind: Observation, Says: Committed},
	{Kind: Observation, Says: Committed, Divergent: true, Durable: true},
	{Kind: Observation, Says: Committed, Divergent: true},
	{Kind: Observation, Says: NotExecuted},
	{Kind: Observation, Says: NotExecuted, Early: true},
	{Kind: Observation, Says: NotExecuted, Durable: true},
}

// looks are all runs of at most two observations.
func looks() (out [][]Fact) {
	out = append(out, nil)
	for _, a := range observations {
		out = append(out, []Fact{a})
		for _, b := range observations {
			out = append(out, []Fact{a, b})
		}
	}
	return out
}

func reports() (out []Fact) {
	out = append(out, Fact{}, Fact{Kind: LeaseOver}, Fact{Kind: SessionEnd})
	for _, exit := range []Exit{Success, Failure, Timeout, Blocked, ""} {
		for _, says := range []State{"", Committed, NotExecuted, Unknown} {
			for _, durable := range []bool{false, true} {
				for _, proof := range []bool{false, true} {
					if proof && says != NotExecuted {
						continue // only what says not_executed can be proof of it
					}
					out = append(out, Fact{Kind: Report, Exit: exit, Says: says, Durable: durable, Proof: proof})
				}
			}
		}
	}
	return out
}

// TestTheTable plays every report under every contract, with up to two
// observations before an answer, every answer and a correction of it, up to two
// observations after it, a late report and an acknowledgement.
func TestTheTable(t *testing.T) {
	first, then := table(claims), table(sights)
	usedFirst, usedThen := make([]int, len(first)), make([]int, len(then))
	n := 0
	for _, report := range reports() {
		for _, c := range []Contract{{}, {SuccessClaims: true}, {Observed: true}, {SuccessClaims: true, Observed: true}} {
			kind := word(report.Kind)
			if kind == "-" {
				kind = "none"
			}
			claimed := find(t, first, usedFirst, kind, word(report.Exit), word(report.Says), yes(report.Durable), yes(report.Proof),
				yes(c.SuccessClaims), yes(c.Observed))
			for _, before := range looks() {
				for _, answer := range []State{"", Committed, NotExecuted, Unknown} {
					for _, after := range looks() {
						if answer == "" && after != nil {
							continue
						}
						facts := []Fact{{Kind: Begun}}
						if report.Kind != "" {
							facts = append(facts, report)
						}
						facts = append(facts, before...)
						stands, since := claimed[0], before
						if answer != "" {
							facts = append(facts, Fact{Kind: Reconciliation, Says: answer})
							facts = append(facts, after...)
							since = after
						}
						mark := claimed[1]
						switch stands {
						case "executing":
						case "not_executed":
							stands = "gate:not_executed"
						default:
							stands = "tool:" + stands
						}
						if answer != "" && stands != "executing" {
							was := expect(t, then, usedThen, stands, mark, before)
							stands, mark = "operator:"+string(answer), "not_confirmed"
							if was[0] == "unknown" { // what made it so still does
								mark = was[1]
							}
						}
						want := expect(t, then, usedThen, stands, mark, since)
						n++
						check(t, c, facts, want)
						// A late report and another attempt's words never change it.
						check(t, c, append(facts, Fact{Kind: Report, Late: true, Says: Committed, Durable: true, Exit: Success},
							Fact{Kind: Report, Late: true, Says: NotExecuted, Proof: true, Exit: Blocked}), want)
						if acked := append(facts, Fact{Kind: Acknowledged}); want[1] == "divergent" {
							check(t, c, acked, []string{want[0], want[1], "no"})
						} else {
							check(t, c, acked, want)
						}
					}
				}
			}
		}
	}
	for i, used := range usedFirst {
		if used == 0 {
			t.Errorf("nothing is for the row %v", first[i])
		}
	}
	for i, used := range usedThen {
		if used == 0 {
			t.Errorf("nothing is for the row %v", then[i])
		}
	}
	t.Logf("%d combinations, each also with late reports and with an acknowledgement", n)
}

func expect(t *testing.T, rows []row, used []int, stands, mark string, seen []Fact) []string {
	t.Helper()
	var matched, diverged, absent, durable bool
	for _, f := range seen {
		happened := f.Says == Committed
		matched = matched || happened && !f.Divergent
		diverged = diverged || happened && f.Divergent
		durable = durable || happened && f.Durable
		absent = absent || f.Says == NotExecuted && !f.Early
	}
	want := find(t, rows, used, stands, yes(matched), yes(diverged), yes(absent), yes(durable))
	if want[1] == "same" {
		return []string{want[0], mark, want[2]}
	}
	return want
}

func check(t *testing.T, c Contract, facts []Fact, want []string) {
	t.Helper()
	j := Judge(c, facts)
	if word(j.State) != want[0] || word(j.Mark) != want[1] || yes(j.Open) != want[2] {
		t.Fatalf("%+v, want %v, of %+v under %+v", j, want, facts, c)
	}
}

// TestACorrectionIsTheNewestAnswer: of two answers the later one counts, and
// what was seen between them does not contradict it.
func TestACorrectionIsTheNewestAnswer(t *testing.T) {
	for _, first := range []State{Committed, NotExecuted, Unknown} {
		for _, second := range []State{Committed, NotExecuted, Unknown} {
			for _, between := range looks() {
				facts := append([]Fact{{Kind: LeaseOver}, {Kind: Reconciliation, Says: first}}, between...)
				if j := Judge(Contract{}, append(facts, Fact{Kind: Correction, Says: second})); j.State != second || j.Source != ByOperator {
					t.Fatalf("%v after %v and %v: %+v", second, first, between, j)
				}
			}
		}
	}
}
