package desk

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"nod/ambiguity"
	"nod/queue"
	"nod/tui/frame"
	"nod/tui/frame/frametest"
)

const now = 1796135320034

func desk(text string) *queue.Desk {
	return &queue.Desk{
		Effect:   queue.EffectView{ID: "e1", Tool: "T" + text, Gist: text, Agent: "a" + text, Key: []byte(`["local","f","x"]`), Standing: ambiguity.StandsUnknown, Attempts: 1},
		Attempts: []queue.DeskAttempt{{AttemptView: queue.AttemptView{ID: "a1", Number: 1, State: queue.AttemptUnknown, Executor: "e" + text, BeganAt: now, Lease: now + 1}, Ask: "k1", Decider: "d" + text}},
		Facts: []queue.FactView{
			{Attempt: "a1", At: now, Kind: ambiguity.Begun, Source: ambiguity.ByGate, By: text},
			{Attempt: "a1", At: now, Kind: ambiguity.Report, Source: ambiguity.ByTool, By: text, Exit: "timeout", Seen: text, Ref: text},
			{Attempt: "a1", At: now, Kind: ambiguity.Observation, Source: ambiguity.ByObserver, By: "refunds", Says: "committed", Seen: "the last word"},
		},
		Repeats: []queue.RepeatView{{Session: text, Agent: text, Code: "ambiguous_effect", Count: 2}},
		Waiting: []queue.Row{{ID: "k2", Tool: text, Gist: text, Agent: text, State: queue.StatePending, AnswerBy: now + 1000}},
	}
}

func look(split, ascii bool) frame.Look {
	l := frame.Look{Glyphs: frame.Unicode(), W: 120, H: 40, Now: now, Loc: time.UTC, Split: split}
	if ascii {
		l.Glyphs = frame.ASCII()
	}
	return l
}

// Whatever a tool, an agent or an observer writes, a row is exactly as wide as
// its pane, and what the last one said stays near the first.
func TestNobodyPushesWhatOthersSayOutOfSight(t *testing.T) {
	texts := append(frametest.Hostile(t, "../testdata"), strings.Repeat("x", 1<<20), strings.Repeat("é\n", 1<<18))
	choices := []Choice{{Key: "m", Verb: "it happened", Unlocks: "Repeats are refused."}, {Key: "v", Verb: "it did not happen", Unlocks: "x", Why: "too soon"}}
	for _, text := range texts {
		in := In{Desk: desk(text), Attempt: "a1", Choices: choices}
		for n, w := range []int{20, 59, 75, 76, 120} {
			l := look(n%2 == 0, n == 3)
			rows := Rows(l, in, w)
			seen := -1
			for i := range rows {
				if strings.Contains(strings.Join(strings.Fields(plainOf(rows[i:])), " "), "the last word") {
					seen = i
				}
			}
			if most := 40 * 120 / w; seen < 0 || seen > most && w >= 59 {
				t.Fatalf("%.20q at %d: the observer's word stands on row %d of %d", text, w, seen, len(rows))
			}
			waits, _ := WaitRows(l, in, 0, w)
			for _, out := range [][]frame.Line{
				Window(l, "x", rows, Answers(l, in, w), 3, w, 30), Window(l, "x", AttemptRows(l, in, w), nil, 0, w, 9), Window(l, "x", waits, nil, 0, w, 9),
			} {
				for _, r := range out {
					if got := ansi.StringWidth(r.Plain()); got != w {
						t.Fatalf("%.20q: %d cells of %d: %q", text, got, w, r.Plain())
					}
				}
			}
		}
	}
}

func plainOf(rows []frame.Line) string {
	var b strings.Builder
	for _, r := range rows[:min(len(rows), 3)] {
		b.WriteString(r.Plain() + " ")
	}
	return b.String()
}

// The answers stay on the screen, however much was said, where there is room
// for both; else they follow the last row.
func TestTheAnswersStayOnTheScreen(t *testing.T) {
	v := desk("x")
	for range 200 {
		v.Facts = append(v.Facts, v.Facts[1])
	}
	in := In{Desk: v, Choices: []Choice{{Key: "m", Verb: "it happened", Unlocks: "Repeats are refused."}}}
	l := look(true, false)
	rows, foot := Rows(l, in, 59), Answers(l, in, 59)
	for _, c := range []struct {
		h    int
		pins bool
	}{{34, true}, {12, false}} {
		for _, top := range []int{0, 50, 1 << 20} {
			out := Window(l, "x", rows, foot, top, 59, c.h)
			if len(out) > c.h {
				t.Fatalf("%d rows of %d", len(out), c.h)
			}
			last := ""
			for _, r := range out {
				last += r.Plain()
			}
			if shows := strings.Contains(last, "it happened"); shows != (c.pins || top == 1<<20) {
				t.Errorf("at %d rows from %d: %v\n%s", c.h, top, shows, last)
			}
		}
	}
}

// What is unknown looks different by its word, not by its colour.
func TestEvidenceIsToldApartByWords(t *testing.T) {
	for want, f := range map[string]queue.FactView{
		"begun durable": {Kind: ambiguity.Begun, Source: ambiguity.ByGate}, "unknown durable": {Kind: ambiguity.LeaseOver, Source: ambiguity.ByGate, Says: "unknown"},
		"nothing none":             {Kind: ambiguity.Report, Source: ambiguity.ByTool},
		"committed not durable":    {Kind: ambiguity.Observation, Source: ambiguity.ByObserver, Says: "committed"},
		"committed durable":        {Kind: ambiguity.Observation, Source: ambiguity.ByObserver, Says: "committed", Durable: true},
		"divergent durable":        {Kind: ambiguity.Observation, Source: ambiguity.ByObserver, Says: "committed", Divergent: true, Durable: true},
		"not executed not durable": {Kind: ambiguity.Reconciliation, Source: ambiguity.ByOperator, Says: "not_executed"},
	} {
		says, _ := word(&f)
		durable, _ := durability(&f)
		if got := fmt.Sprint(says, " ", durable); got != want {
			t.Errorf("%+v is %q", f, got)
		}
	}
}

// A report that the call came back ends its lease; after a timeout it runs on.
func TestALeaseThatAReportEndedDoesNotRun(t *testing.T) {
	for exit, want := range map[queue.ExitStatus]string{"failure": "ended with its report, at ", "success": "ended with its report, at ", "timeout": " runs until "} {
		v := desk("x")
		a := &v.Attempts[0]
		a.Exit, a.EndedAt, a.Lease = exit, now, now+60_000
		if got := plainAll(Rows(look(false, false), In{Desk: v, Attempt: "a1"}, 120)); !strings.Contains(got, want) {
			t.Errorf("%s:\n%s", exit, got)
		}
	}
}

func plainAll(rows []frame.Line) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(r.Plain() + "\n")
	}
	return b.String()
}
