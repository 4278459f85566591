package queue_test

import (
	"context"
	"errors"
	"testing"

	"nod/queue"
)

func TestTimeNeverGoesBack(t *testing.T) {
	w := newWorld(t)
	s := w.allowed(call("ls"))
	w.wall -= 5 * hour // the boot clock goes on
	w.boot += 1
	st := must[queue.Status](t)(queue.Get[queue.Status](t.Context(), w.operator, queue.QStatus{}))
	if st.Now < start {
		t.Fatalf("effective time went back to %d", st.Now)
	}
	w.pass(10 * minute)
	w.submit(call("tick")) // an act notices the wall, and the offset grows
	w.pass(10 * minute)
	w.refused(w.agent, begin(s), queue.CodeTooLate, 2) // nobody collected it, and it lapsed
	st = must[queue.Status](t)(queue.Get[queue.Status](t.Context(), w.operator, queue.QStatus{}))
	if st.OffsetMS <= 0 {
		t.Errorf("the offset does not show: %+v", st)
	}
}

func TestAForwardJumpHoldsSettleUntilConfirmed(t *testing.T) {
	w := newWorld(t)
	s := w.submit(call("ls"))
	w.refused(w.operator, queue.ConfirmClock{}, queue.CodeBadAct, 0)
	w.wall += 48 * hour // not the boot clock
	w.ok(w.agent, call("pwd"), 2)
	if got := w.state(s.Ask); got != queue.StatePending {
		t.Fatalf("it expired by a jump: %s", got)
	}
	st := must[queue.Status](t)(queue.Get[queue.Status](t.Context(), w.operator, queue.QStatus{}))
	if !st.Held || st.Counters.Notices != 1 {
		t.Fatalf("status: %+v", st)
	}
	w.refused(w.operator, w.decision(s.Ask, queue.VerdictAllow), queue.CodeTooLate, 0)
	n := must[queue.Notices](t)(queue.Get[queue.Notices](t.Context(), w.operator, queue.QNotices{Open: true}))
	if len(n.Notices) != 1 || n.Notices[0].Code != queue.NoticeClockJump {
		t.Fatalf("notices: %+v", n)
	}
	w.ok(w.operator, queue.AckNotice{Notice: n.Notices[0].ID}, 2) // read, and so confirmed
	w.refused(w.operator, queue.ConfirmClock{}, queue.CodeBadAct, 1)
	if got := w.state(s.Ask); got != queue.StateExpired {
		t.Errorf("after the operator confirmed: %s", got)
	}
}

func TestALeaseThatRanOutIsUnknownAndALateReportIsEvidence(t *testing.T) {
	w := newWorld(t)
	s := w.allowed(call("ls"))
	b := w.ok(w.agent, begin(s), 1).(queue.Begun)
	w.pass(4 * minute)
	w.ok(w.agent, queue.Renew{Attempt: b.Attempt, Token: b.Token}, 0)
	w.pass(5 * minute)
	r := w.ok(w.agent, queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitBlocked}, 2).(queue.Reported)
	if r.State != queue.AttemptUnknown || !r.Late {
		t.Fatalf("a late report: %+v", r)
	}
	w.refused(w.agent, queue.Renew{Attempt: b.Attempt, Token: b.Token}, queue.CodeTooLate, 0)
	w.refused(w.agent, queue.Report{Attempt: b.Attempt, Token: "x", Exit: queue.ExitSuccess}, queue.CodeNotYours, 0)
}

func TestBlockedByNodsOwnExecutorIsNotExecuted(t *testing.T) {
	for _, c := range []struct{ host, own, proves bool }{
		{false, true, true}, {true, true, false}, {false, false, false}, // a host's word, or another program's, is evidence, and a person closes
	} {
		w := newWorld(t)
		if c.own {
			w.runs()
		}
		s := w.allowed(call("ls"))
		bg := begin(s)
		bg.HostRuns = c.host
		b := w.ok(w.agent, bg, 1).(queue.Begun)
		r := w.ok(w.agent, queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitBlocked}, 1).(queue.Reported)
		if (r.State == queue.AttemptNotExecuted) != c.proves {
			t.Errorf("%+v: %s", c, r.State)
		}
	}
}

func TestWhatRanOtherwiseIsAMismatch(t *testing.T) {
	w := newWorld(t)
	s := w.allowed(call("ls"))
	b := w.ok(w.agent, begin(s), 1).(queue.Begun)
	other := w.submit(call("rm -rf ~"))
	r := w.ok(w.agent, queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitSuccess, Observed: other.Action}, 2).(queue.Reported)
	if !r.Mismatch {
		t.Fatalf("reported: %+v", r)
	}
	n := must[queue.Notices](t)(queue.Get[queue.Notices](t.Context(), w.operator, queue.QNotices{Open: true}))
	if len(n.Notices) != 1 || n.Notices[0].Code != queue.NoticeMismatch || n.Notices[0].Ask != s.Ask {
		t.Fatalf("notices: %+v", n)
	}
	w.ok(w.operator, queue.AckNotice{Notice: n.Notices[0].ID}, 1)
	w.refused(w.operator, queue.AckNotice{Notice: n.Notices[0].ID}, queue.CodeDecided, 0)
	if v := w.see(s.Ask); !v.Attempts[0].Mismatch || !v.Row.Mismatch {
		t.Errorf("the row does not say MISMATCH: %+v", v.Row)
	}
}

// losing is a store whose next act is undone.
type losing struct {
	queue.Store
	lose bool
}

func (s *losing) Do(ctx context.Context, fn func(queue.Tx) error) error {
	if !s.lose {
		return s.Store.Do(ctx, fn)
	}
	s.lose = false
	return s.Store.Do(ctx, func(tx queue.Tx) error { return errors.Join(fn(tx), errors.New("lost")) })
}

func TestAJumpWhoseActIsUndoneStillHolds(t *testing.T) {
	w := newWorld(t)
	store := &losing{Store: w.store}
	w.q = queue.New(store, queue.DefaultSettings(), queue.Edge{
		WallMS: func() int64 { return w.wall }, BootMS: func() int64 { return w.boot }, NewID: w.id,
		Token: func() string { return "token" },
	})
	w.agent = w.q.Port(agentConn("shop-fixer"))
	s := w.submit(call("ls"))
	w.wall += 48 * hour
	store.lose = true
	if _, err := w.agent.Do(t.Context(), call("lost")); err == nil {
		t.Fatal("the act was to be lost")
	}
	w.ok(w.agent, call("pwd"), 2)
	if got := w.state(s.Ask); got != queue.StatePending {
		t.Fatalf("it expired by a jump: %s", got)
	}
}
