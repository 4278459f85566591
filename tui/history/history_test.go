package history

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"nod/queue"
	"nod/tui/frame"
)

var look = frame.Look{Glyphs: frame.Unicode(), W: 80, H: 24, Now: 1_800_000_000_000, Loc: time.UTC}

// past is asks that were answered, newest first.
type past []queue.Row

func answered(n int) past {
	var p past
	for seq := n; seq > 0; seq-- {
		p = append(p, queue.Row{Seq: int64(seq), ID: fmt.Sprint("id-", seq), State: queue.StateDenied, Verdict: queue.VerdictDeny,
			DecidedBy: queue.ByPerson, Tool: "Bash", Gist: fmt.Sprint("echo ", seq), MovedAt: look.Now - 1000})
	}
	return p
}

func (p past) page(q queue.QHistory) queue.History {
	var out queue.History
	for _, r := range p {
		if q.BeforeSeq != 0 && r.Seq >= q.BeforeSeq {
			continue
		}
		if len(out.Rows) == int(q.Limit) {
			out.More = true
			break
		}
		out.Rows = append(out.Rows, r)
	}
	return out
}

func follow(l *List, p past) {
	for {
		q, up, ok := l.Wants()
		if !ok {
			return
		}
		l.Extend(q, up, p.page(q))
	}
}

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("rapid.nofailfile", "true"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func TestTheWholeHistoryIsReachedAndOnlyPagesAreHeld(t *testing.T) {
	p := answered(1500)
	var l List
	l.Top(p.page(l.First()))
	for i := range 1499 {
		follow(&l, p)
		l.Move(1, 20)
		if len(l.rows) > held+Page {
			t.Fatalf("%d rows held", len(l.rows))
		}
		if r, _ := l.Selected(); r.Seq != int64(1499-i) {
			t.Fatalf("step %d is at %d", i, r.Seq)
		}
	}
	if r, _ := l.Selected(); r.ID != "id-1" {
		t.Fatalf("at %s", r.ID)
	}
	for i := range 1499 {
		follow(&l, p)
		l.Move(-1, 20)
		if r, _ := l.Selected(); r.Seq != int64(i+2) {
			t.Fatalf("step %d up is at %d", i, r.Seq)
		}
	}
}

func TestNewAnswersDoNotMoveTheRows(t *testing.T) {
	p := answered(30)
	var l List
	l.Top(p.page(l.First()))
	l.Move(5, 20)
	more := answered(31)
	more[6].State, more[6].Outcome = queue.StateSpent, queue.AttemptCommitted // the selected one, id-25
	l.Refresh(more.page(l.Again()))
	rows, at := l.Render(look, 80, 21)
	if got := rows[at].Plain(); !strings.Contains(got, "echo 25") || !strings.Contains(got, "committed") {
		t.Errorf("%s", got)
	}
	if strings.Contains(rows[1].Plain(), "echo 31") {
		t.Error("a new row came in by itself")
	}
	l.Top(more.page(l.First()))
	if r, _ := l.Selected(); r.ID != "id-31" {
		t.Errorf("g goes to %s", r.ID)
	}
}

func TestAnswerAndOutcomeAreTwoThings(t *testing.T) {
	person := func(s queue.State, v queue.Verdict) queue.Row {
		return queue.Row{State: s, Verdict: v, DecidedBy: queue.ByPerson, MovedAt: look.Now}
	}
	spent := func(o queue.AttemptState, e queue.ExitStatus) queue.Row {
		r := person(queue.StateSpent, queue.VerdictAllow)
		r.Outcome, r.Exit = o, e
		return r
	}
	rule := person(queue.StateDenied, queue.VerdictDeny)
	rule.DecidedBy = queue.ByRule
	grant := spent(queue.AttemptCommitted, queue.ExitSuccess)
	grant.DecidedBy = queue.ByGrant
	lie := spent(queue.AttemptCommitted, queue.ExitSuccess)
	lie.Mismatch = true
	for want, r := range map[string]queue.Row{
		"✓ 08:00  allowed  committed":    spent(queue.AttemptCommitted, queue.ExitSuccess),
		"✓ 08:00  allowed  ended":        spent("", queue.ExitSuccess),
		"✗ 08:00  allowed  failed":       spent("", queue.ExitFailure),
		"◇ 08:00  allowed  unknown  ":    spent(queue.AttemptUnknown, queue.ExitSuccess),
		"◇ 08:00  allowed  unknown":      spent(queue.AttemptUnknown, ""),
		"◇ 08:00  allowed  unknown ":     spent(queue.AttemptUnknown, queue.ExitTimeout),
		"· 08:00  allowed  not run":      spent(queue.AttemptNotExecuted, queue.ExitBlocked),
		"● 08:00  allowed  begun":        spent(queue.AttemptExecuting, ""),
		"✗ 08:00  allowed  MISMATCH":     lie,
		"✓ 08:00  by grant committed":    grant,
		"✗ 08:00  by rule  denied":       rule,
		"✗ 08:00  denied   –":            person(queue.StateDenied, queue.VerdictDeny),
		"✓ 08:00  answered –":            person(queue.StateAnswered, queue.VerdictAnswer),
		"· 08:00  nobody   expired":      {State: queue.StateExpired, MovedAt: look.Now},
		"· 08:00  –        withdrawn":    {State: queue.StateWithdrawn, MovedAt: look.Now},
		"· 08:00  allowed  revoked":      person(queue.StateRevoked, queue.VerdictAllow),
		"· 08:00  allowed  lapsed":       person(queue.StateLapsed, queue.VerdictAllow),
		"· 01-12  nobody   expired     ": {State: queue.StateExpired, MovedAt: look.Now - 3*86_400_000},
	} {
		if got := draw(look, &r, 80, false).Plain(); !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
}
