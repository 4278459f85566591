package query

import (
	"testing"
	"time"

	"nod/queue"
)

func TestParse(t *testing.T) {
	loc := time.FixedZone("x", 2*3600)
	now := time.Date(2026, 11, 30, 0, 30, 0, 0, loc).UnixMilli()
	midnight := time.Date(2026, 11, 30, 0, 0, 0, 0, loc).UnixMilli()
	for text, want := range map[string]queue.Filter{
		"":                              {},
		"go test":                       {Find: "go test"},
		"  tool:Bash   go  test ":       {Tool: "Bash", Find: "go test"},
		"http://x agent:a":              {Find: "http://x", Agent: "a"},
		"tool:":                         {Find: "tool:"},
		"tool:mcp:read":                 {Tool: "mcp:read"},
		"kind:question by:person today": {Kind: "question", By: queue.ByPerson, Since: midnight},
		"mandated irreversible alone":   {Mandated: true, Irreversible: true, Alone: true},
		"denied lately":                 {Verdict: queue.VerdictDeny, Since: now - 24*3_600_000},
		"Denied expired":                {Find: "Denied", State: queue.StateExpired},
		"session:s-1 snoozed allowed":   {Session: "s-1", Snoozed: true, Verdict: queue.VerdictAllow},
	} {
		got, problem := Parse(text, now, loc)
		if got != want || problem != "" {
			t.Errorf("%q: %+v %q, want %+v", text, got, problem, want)
		}
	}
}

func TestAValueThatNeverMatchesIsRefused(t *testing.T) {
	for _, text := range []string{"kind:calls", "by:mia x"} {
		if f, problem := Parse(text, 0, time.UTC); problem == "" || f != (queue.Filter{}) {
			t.Errorf("%q: %+v %q", text, f, problem)
		}
	}
}

func TestALengthIsNeverNothingByAccident(t *testing.T) {
	for text, want := range map[string]time.Duration{"0s": 0, "0": 0, "1ms": time.Millisecond, "1.5h": 90 * time.Minute, "-2m": -2 * time.Minute} {
		if got, err := Length(text); got != want || err != nil {
			t.Errorf("%q: %v %v", text, got, err)
		}
	}
	for _, text := range []string{"", "30", "30d", "100us", "-999999ns", "soon", "1 h"} {
		if got, err := Length(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}
