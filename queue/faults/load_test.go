//go:build unix

package faults

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
	"nod/queue"
	"nod/store/sqlite"
)

// rules allow one tool and deny another.
type rules struct{}

func (rules) Judge(a *digest.Action) queue.Ruling {
	switch a.Tool {
	case "Auto":
		return queue.Ruling{Verdict: queue.RuleAllow, Rule: "auto"}
	case "Nope":
		return queue.Ruling{Verdict: queue.RuleDeny, Rule: "nope", Why: "never"}
	}
	return queue.Ruling{}
}

// load is a process full of agents and operators that go on until they are
// killed. It tells of every act before it begins and after it ended.
type load struct {
	tag   string
	out   io.Writer
	q     *queue.Queue
	store *sqlite.Store
	next  atomic.Int64
	offer [2]chan queue.Submitted // to each operator
}

// loadSettings have deadlines so short that the clock has work too.
func loadSettings() queue.Settings {
	return queue.Settings{LeaseMS: 400, WaiterMS: 60, Rules: rules{}}
}

func runLoad(ctx context.Context, path, tag string, out io.Writer) error {
	store, err := sqlite.Open(ctx, path, sqlite.Options{Create: true})
	if err != nil {
		return err
	}
	l := &load{tag: tag, out: out, store: store, q: newQueue(store, loadSettings())}
	if _, err := io.WriteString(out, "ready\n"); err != nil {
		return err
	}
	broke := make(chan error)
	for i := range l.offer {
		l.offer[i] = make(chan queue.Submitted, 64)
		go func() { broke <- l.operator(ctx, i) }()
	}
	go func() { broke <- l.freezer(ctx) }()
	for i := range 8 {
		go func() { broke <- l.agent(ctx, i) }()
	}
	return <-broke // nobody comes to an end by itself
}

// act does one act between the two lines that tell of it. make gets the
// number under which the act is found again.
func (l *load) act(ctx context.Context, p queue.Port, kind string, make func(n string) queue.Act) (queue.Result, error) {
	n := kind + l.tag + "-" + strconv.FormatInt(l.next.Add(1), 10)
	act := make(n)
	b, err := queue.EncodeAct(act)
	if err != nil {
		return nil, err
	}
	if _, err := io.WriteString(l.out, "try\t"+n+"\t"+string(b)+"\n"); err != nil {
		return nil, err
	}
	r, err := p.Do(ctx, act)
	verdict, payload := answer(r, err)
	if _, err := io.WriteString(l.out, verdict+"\t"+n+"\t"+payload+"\n"); err != nil {
		return nil, err
	}
	if err != nil && strings.HasPrefix(payload, "untyped") {
		return nil, fmt.Errorf("%T failed without a code: %w", act, err)
	}
	return r, nil // nil: refused
}

func chance(percent int) bool { return rand.N(100) < percent } //nolint:gosec // a load, not a secret

func nap(most time.Duration) { time.Sleep(rand.N(most)) } //nolint:gosec // a load, not a secret

// agent submits, waits, begins and reports, and does now and then what it
// should not.
func (l *load) agent(ctx context.Context, i int) error {
	p := l.q.Port(agentConn())
	session := "s" + strconv.Itoa(i%4)
	for k := 0; ; k++ {
		sub := call(session, fmt.Sprintf("%s-%d-%d", l.tag, i, k))
		sub.NoAdopt, sub.Edits = chance(50), chance(50)
		if chance(70) {
			sub.CallID = mark(&sub)
		}
		switch rand.N(10) { //nolint:gosec // a load, not a secret
		case 0, 1:
			sub.Call.Tool, sub.Begin = "Auto", true
		case 2:
			sub.Call.Tool = "Nope"
		case 3:
			sub.Raise = []string{queue.ReasonCrossBoundary}
		}
		if chance(30) {
			sub.AnswerInMS, sub.UseInMS = 1500, 1000
		}
		if err := l.one(ctx, p, sub); err != nil {
			return err
		}
		if chance(1) {
			if _, err := l.act(ctx, p, "", func(string) queue.Act { return queue.EndSession{Session: session, Why: "done"} }); err != nil {
				return err
			}
		}
	}
}

// one is one call's way through the queue.
func (l *load) one(ctx context.Context, p queue.Port, sub queue.Submit) error {
	file := func() (*queue.Submitted, error) {
		r, err := l.act(ctx, p, "", func(n string) queue.Act { sub.Executor = n; return sub })
		s, ok := r.(queue.Submitted)
		if !ok {
			return nil, err
		}
		return &s, nil
	}
	s, err := file()
	if s == nil {
		return err
	}
	if chance(10) { // the host tries again
		if again, err := file(); again == nil {
			return err
		} else if again.Token != "" {
			s = again
		}
	}
	if s.Begun != nil {
		return l.report(ctx, p, s.Begun)
	}
	if s.State.Final() {
		return nil
	}
	for _, offer := range l.offer {
		if chance(60) {
			select {
			case offer <- *s:
			default:
			}
		}
	}
	switch {
	case chance(10):
		nap(150 * time.Millisecond) // killed by its host: somebody may adopt the ask
		again, err := file()
		if again == nil || again.State.Final() || again.Begun != nil {
			return err
		}
		s = again
	case chance(10):
		nap(3 * time.Millisecond)
		_, err := l.act(ctx, p, "", func(string) queue.Act { return queue.Withdraw{Ask: s.Ask, Token: s.Token} })
		return err
	}
	if ok, err := l.wait(ctx, p, s); !ok {
		return err
	}
	return l.begin(ctx, p, s)
}

// wait asks until the ask is answered or patience is over.
func (l *load) wait(ctx context.Context, p queue.Port, s *queue.Submitted) (allowed bool, err error) {
	for range 20 {
		r, err := p.Do(ctx, queue.Wait{Ask: s.Ask, Token: s.Token})
		if err != nil {
			if _, no := errors.AsType[*queue.Refusal](err); no {
				return false, nil
			}
			if _, typed := errors.AsType[*sqlite.Error](err); typed {
				return false, nil
			}
			return false, err
		}
		st := r.(queue.Standing)
		if e := st.EditedTo; e != nil && len(e.Action) > 0 {
			s.Ask, s.Action, s.ActionDigest, s.ShownDigest = e.Ask, e.Action, e.ActionDigest, e.ShownDigest
		}
		switch {
		case st.State == queue.StateAllowed:
			return true, nil
		case st.State.Final():
			return chance(20), nil // some begin all the same
		}
		nap(8 * time.Millisecond)
	}
	return chance(20), nil
}

// begin spends the ask, now and then from two places at once or with another
// action than the one allowed.
func (l *load) begin(ctx context.Context, p queue.Port, s *queue.Submitted) error {
	if chance(15) {
		other := queue.Begin{Ask: s.Ask, Token: s.Token,
			Action: jsontext.Value(strings.Replace(string(s.Action), `"command":"`, `"command":"rm `, 1))}
		if _, err := l.act(ctx, p, "evil", func(n string) queue.Act { other.Executor = n; return other }); err != nil {
			return err
		}
	}
	spend := func() (*queue.Begun, error) {
		r, err := l.act(ctx, p, "", func(n string) queue.Act { return begin(*s, n) })
		b, ok := r.(queue.Begun)
		if !ok {
			return nil, err
		}
		return &b, nil
	}
	twice := 1
	if chance(20) {
		twice = 2
	}
	errs := make(chan error, twice)
	for range twice {
		go func() {
			b, err := spend()
			if b != nil {
				err = l.report(ctx, p, b)
			}
			errs <- err
		}()
	}
	var all error
	for range twice {
		all = errors.Join(all, <-errs)
	}
	return all
}

func (l *load) report(ctx context.Context, p queue.Port, b *queue.Begun) error {
	if chance(40) {
		if _, err := l.act(ctx, p, "", func(string) queue.Act { return queue.Renew{Attempt: b.Attempt, Token: b.Token} }); err != nil {
			return err
		}
	}
	if chance(20) {
		return nil // its lease runs out
	}
	exits := []queue.ExitStatus{queue.ExitSuccess, queue.ExitFailure, queue.ExitTimeout, queue.ExitBlocked}
	_, err := l.act(ctx, p, "", func(n string) queue.Act {
		return queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: exits[rand.N(len(exits))], Ref: n} //nolint:gosec // a load
	})
	return err
}

// operator answers what the agents offer, takes some of it back and grants
// some of it for later.
func (l *load) operator(ctx context.Context, i int) error {
	p := l.q.Port(operatorConn([]string{"ann", "ben"}[i]))
	for s := range l.offer[i] {
		if chance(15) {
			done, err := l.batch(ctx, p, i, s)
			if err != nil {
				return err
			}
			if done {
				continue
			}
		}
		if chance(20) {
			edited, err := l.edit(ctx, p, s)
			if err != nil {
				return err
			}
			if edited == nil {
				continue
			}
			s = *edited
		}
		verdict := queue.VerdictAllow
		if chance(25) {
			verdict = queue.VerdictDeny
		}
		d := decide(s, verdict)
		if verdict == queue.VerdictAllow {
			d.Confirm = "Bash" // where it is mandated
		}
		if verdict == queue.VerdictAllow && chance(5) {
			d.HoldMS = 5
		}
		r, err := l.act(ctx, p, "", func(n string) queue.Act { d.Words = n; return d })
		if err != nil {
			return err
		}
		if r == nil || verdict == queue.VerdictDeny {
			continue
		}
		if chance(15) {
			if _, err := l.act(ctx, p, "", func(string) queue.Act { return queue.Revoke{Ask: s.Ask} }); err != nil {
				return err
			}
		}
		if chance(10) {
			if err := l.grant(ctx, p, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// batch answers s and what else is offered with one code; false where nothing is.
func (l *load) batch(ctx context.Context, p queue.Port, i int, s queue.Submitted) (bool, error) {
	act := queue.DecideBatch{Verdict: queue.VerdictAllow}
	if chance(25) {
		act.Verdict = queue.VerdictDeny
	}
	var shown []digest.Digest
	for more := true; more; {
		act.Items = append(act.Items, queue.BatchItem{Ask: s.Ask, ActionDigest: s.ActionDigest, ShownDigest: s.ShownDigest})
		shown = append(shown, s.ShownDigest)
		if len(act.Items) == 8 {
			break
		}
		select {
		case s, more = <-l.offer[i]:
		case <-time.After(2 * time.Millisecond):
			more = false
		}
	}
	if len(act.Items) < 2 {
		return false, nil
	}
	act.Digest = queue.BatchDigest(shown)
	_, err := l.act(ctx, p, "", func(n string) queue.Act { act.Words = n; return act })
	return true, err
}

// edit changes a call, and gives the ask in its place; nil where it was refused.
func (l *load) edit(ctx context.Context, p queue.Port, s queue.Submitted) (*queue.Submitted, error) {
	r, err := l.act(ctx, p, "", func(n string) queue.Act {
		return queue.Edit{Ask: s.Ask, ActionDigest: s.ActionDigest, ShownDigest: s.ShownDigest, Words: n,
			Arguments: fmt.Appendf(nil, `{"command":%q}`, n)}
	})
	e, ok := r.(queue.Edited)
	if !ok || e.State.Final() {
		return nil, err
	}
	s.Ask, s.ActionDigest, s.ShownDigest = e.Ask, e.Action, e.Shown
	return &s, nil
}

// grant lets the same call run again, and an agent makes use of it.
func (l *load) grant(ctx context.Context, p queue.Port, s queue.Submitted) error {
	r, err := l.act(ctx, p, "", func(string) queue.Act {
		return queue.GrantDigest{Ask: s.Ask, ShownDigest: s.ShownDigest, Times: 2, ForMS: 5000}
	})
	if r == nil {
		return err
	}
	a, err := digest.ParseAction(s.Action, digest.NoLimits())
	if err != nil {
		return err
	}
	session := "s" + strings.Split(mark(&queue.Submit{Call: &queue.Call{Arguments: jsontext.Value(a.Arguments)}}), "-")[1]
	for range 3 { // once more than granted
		sub := queue.Submit{Kind: digest.KindCall, Session: session, NoAdopt: true, Begin: true,
			Call: &queue.Call{Tool: a.Tool, Arguments: jsontext.Value(a.Arguments), Cwd: a.Environment.Cwd}}
		if _, err := l.act(ctx, l.q.Port(agentConn()), "", func(n string) queue.Act { sub.Executor = n; return sub }); err != nil {
			return err
		}
	}
	return nil
}

// freezer stops everything, or one session, for a moment, and lifts what the
// process before it left frozen.
func (l *load) freezer(ctx context.Context) error {
	p := l.q.Port(operatorConn("cleo"))
	for {
		scope := ""
		if chance(60) {
			list, err := queue.Get[queue.Sessions](ctx, p, queue.QSessions{Limit: 4})
			if err != nil {
				return err
			}
			if len(list.Sessions) > 0 {
				scope = list.Sessions[rand.N(len(list.Sessions))].ID //nolint:gosec // a load
			}
		}
		if _, err := l.act(ctx, p, "", func(string) queue.Act { return queue.Freeze{Session: scope} }); err != nil {
			return err
		}
		nap(6 * time.Millisecond)
		st, err := queue.Get[queue.Status](ctx, p, queue.QStatus{})
		if err != nil {
			return err
		}
		for _, f := range st.Freezes {
			if _, err := l.act(ctx, p, "", func(string) queue.Act { return queue.Unfreeze{Session: f.Session} }); err != nil {
				return err
			}
		}
		nap(60 * time.Millisecond)
	}
}
