package model

import (
	"fmt"
	"slices"

	"nod/digest"
	"nod/queue"
)

// step is one thing that can happen at a position: an act of an actor, or the
// clock goes on.
type step struct {
	who  int
	act  queue.Act
	slot int
	to   int64  // the clock's: the time it comes to
	no   string // the rule that it breaks if it is let through
	say  string
}

func (s *step) String() string {
	if s.act == nil {
		return s.say
	}
	return names[s.who] + " " + s.say
}

// steps lists everything that can happen at p, in an order that depends on p
// alone. list is room to use again.
func (p *position) steps(list []step) []step {
	list = list[:0]
	for k := range slots {
		list = p.callSteps(list, k)
	}
	for i := range p.runs {
		list = p.runSteps(list, i)
	}
	for i := range p.store.Effects {
		list = p.effectSteps(list, i)
	}
	list = p.freezeSteps(list)
	return p.clockSteps(list)
}

// submit is the call of a slot, under its id or, by an agent that tries again, a
// new one. Both slots have one tool, one set of arguments and one effect.
func submit(k int, id string) queue.Submit {
	return queue.Submit{Kind: digest.KindCall, Session: fmt.Sprint("session ", k+1), CallID: id, NoAdopt: true,
		Call: &queue.Call{Tool: "refund", Arguments: []byte(`{"payment_id":"pay_1"}`), Cwd: "/src"}}
}

var submits = [slots]queue.Submit{submit(0, "call 1"), submit(1, "call 2")}

// callSteps are those on the newest ask of a slot.
func (p *position) callSteps(list []step, k int) []step {
	c, other := &p.calls[k], &p.calls[1-k]
	me, them := executor(k), executor(1-k)
	add := func(who int, act queue.Act, no, say string) {
		list = append(list, step{who: who, act: act, slot: k, no: no, say: say})
	}
	add(me, submits[k], "", "submits its call")
	if c.ask == "" {
		return list
	}
	if p.row(c.ask).State.Final() {
		add(me, submit(k, ""), "", "submits its call again, as another one")
	}
	n := k + 1
	for _, o := range [...]int{ann, ben} {
		allow := queue.Decide{Ask: c.ask, Verdict: queue.VerdictAllow, ActionDigest: c.digest, ShownDigest: c.shown, Words: "go on"}
		add(o, allow, "", fmt.Sprint("allows ask ", n))
	}
	deny := queue.Decide{Ask: c.ask, Verdict: queue.VerdictDeny, ActionDigest: c.digest, ShownDigest: c.shown, Words: "not this"}
	add(ben, deny, "", fmt.Sprint("denies ask ", n))
	held := queue.Decide{Ask: c.ask, Verdict: queue.VerdictAllow, ActionDigest: c.digest, ShownDigest: c.shown, Words: "in a moment", HoldMS: holdMS}
	add(ann, held, "", fmt.Sprint("allows ask ", n, " after a hold"))
	if other.ask != "" {
		wrong := queue.Decide{Ask: c.ask, Verdict: queue.VerdictAllow, ActionDigest: c.digest, ShownDigest: other.shown}
		add(ann, wrong, "I6", fmt.Sprint("allows ask ", n, " on the other one's card"))
		add(them, queue.Begin{Ask: c.ask, Token: other.token, Action: c.action, Executor: names[them]}, "I2",
			fmt.Sprint("begins ask ", n, " with the token of the other one"))
		add(them, queue.Withdraw{Ask: c.ask, Token: other.token}, "not_yours", fmt.Sprint("withdraws ask ", n, " with the token of the other one"))
	}
	for _, e := range [...]int{me, them} {
		add(e, queue.Begin{Ask: c.ask, Token: c.token, Action: c.action, Executor: names[e]}, "", fmt.Sprint("begins ask ", n))
	}
	add(me, queue.Begin{Ask: c.ask, Token: c.token, Action: c.changed, Executor: names[me]}, "I2",
		fmt.Sprint("begins ask ", n, " with a changed action"))
	add(me, queue.Withdraw{Ask: c.ask, Token: c.token}, "", fmt.Sprint("withdraws ask ", n))
	add(ann, queue.Revoke{Ask: c.ask}, "", fmt.Sprint("revokes ask ", n))
	if row := p.row(c.ask); row.State.Final() && !p.granted(row.Session) {
		add(ben, queue.GrantDigest{Ask: c.ask, ShownDigest: c.shown, Times: 1, ForMS: grantMS}, "", fmt.Sprint("grants the call of ask ", n, " once more"))
	}
	return list
}

// reports are ways in which a call ends, as an executor says it, and again what
// it says afterwards.
var (
	reports = [...]queue.Report{
		{Exit: queue.ExitSuccess, Outcome: queue.AttemptCommitted, Ref: "re_1", Durable: true},
		{Exit: queue.ExitFailure, Outcome: queue.AttemptNotExecuted},
		{Exit: queue.ExitTimeout},
		{Exit: queue.ExitBlocked},
		{Exit: queue.ExitBlocked, Outcome: queue.AttemptCommitted},
	}
	again = [...]queue.Report{{Exit: queue.ExitBlocked}, {Exit: queue.ExitSuccess, Outcome: queue.AttemptCommitted, Ref: "re_2", Durable: true}}
)

// runSteps are those on an attempt.
func (p *position) runSteps(list []step, i int) []step {
	r, a := &p.runs[i], p.store.Attempts[i]
	said := reports[:]
	if a.Exit != "" {
		said = again[:]
	}
	n := i + 1
	for _, report := range said {
		report.Attempt, report.Token = r.attempt, r.token
		list = append(list, step{who: r.by, act: report, slot: r.slot, say: fmt.Sprintf("reports attempt %d: %s %s", n, report.Exit, report.Outcome)})
	}
	wrong := "none"
	if j := len(p.runs) - 1 - i; j != i {
		wrong = p.runs[j].token
	}
	list = append(list,
		step{who: r.by, act: queue.Report{Attempt: r.attempt, Token: wrong, Exit: queue.ExitBlocked}, slot: r.slot, no: "not_yours",
			say: fmt.Sprintf("reports attempt %d with a wrong token", n)},
		step{who: r.by, act: queue.Renew{Attempt: r.attempt, Token: r.token}, slot: r.slot, say: fmt.Sprintf("renews attempt %d", n)})
	return p.answerSteps(p.seeSteps(list, i), i)
}

// sights are what an observer may see.
var sights = [...]queue.Observe{
	{Outcome: queue.AttemptCommitted, Durable: true, Seen: "it matches", Ref: "re_1"},
	{Outcome: queue.AttemptCommitted, Durable: true, Divergent: true, Seen: "it differs"},
	{Outcome: queue.AttemptUnknown, Why: "unavailable"},
	{Outcome: queue.AttemptNotExecuted, Seen: "it is not there"},
}

func (p *position) seeSteps(list []step, i int) []step {
	if !p.store.Attempts[i].Watched {
		return list
	}
	for _, see := range sights {
		see.Attempt, see.Observer = p.runs[i].attempt, observer
		list = append(list, step{who: ann, act: see, say: fmt.Sprintf("looks at attempt %d: %s %s%s", i+1, see.Outcome, see.Why, see.Seen)})
	}
	return list
}

// answerSteps are what operators say became of an attempt: ann on the page as it
// is, ben on it too, and on the one that he read before something came in.
func (p *position) answerSteps(list []step, i int) []step {
	a := p.store.Attempts[i]
	e := p.effect(a.Effect)
	if e < 0 {
		return list
	}
	say := queue.Reconcile{Attempt: a.ID, Page: p.pages[e].digest, Confirm: p.pages[e].confirm, Reason: "I looked.", Evidence: "case 7", Durable: true}
	say.Correct = a.State == queue.AttemptCommitted || a.State == queue.AttemptNotExecuted
	verb := "answers"
	if say.Correct {
		verb = "corrects"
	}
	for _, say.Outcome = range [...]queue.AttemptState{queue.AttemptCommitted, queue.AttemptNotExecuted, queue.AttemptUnknown} {
		list = append(list, step{who: ann, act: say, say: fmt.Sprintf("%s attempt %d: %s", verb, i+1, say.Outcome)})
	}
	say.Outcome, say.Correct = queue.AttemptCommitted, false
	list = append(list, step{who: ben, act: say, say: fmt.Sprintf("answers attempt %d: %s", i+1, say.Outcome)})
	if e < len(p.stale) && p.stale[e] != "" && p.stale[e] != say.Page {
		say.Outcome, say.Correct, say.Page = queue.AttemptNotExecuted, true, p.stale[e]
		list = append(list, step{who: ben, act: say, no: "stale_page", say: fmt.Sprintf("answers attempt %d on the page of before: %s", i+1, say.Outcome)})
	}
	return list
}

// effectSteps are those on an effect as a whole.
func (p *position) effectSteps(list []step, i int) []step {
	e, page := p.store.Effects[i], p.pages[i].digest
	list = append(list,
		step{who: ben, act: queue.AckEffect{Effect: e.ID, Page: page, Reason: "read"}, say: fmt.Sprintf("acknowledges effect %d", i+1)},
		step{who: ann, act: queue.OpenEffect{Effect: e.ID, Page: page, Reason: "a second one is owed"}, say: fmt.Sprintf("opens another one beside effect %d", i+1)})
	if i < len(p.stale) && p.stale[i] != "" && p.stale[i] != page {
		list = append(list, step{who: ben, act: queue.OpenEffect{Effect: e.ID, Page: p.stale[i], Reason: "a second one is owed"}, no: "stale_page",
			say: fmt.Sprintf("opens another one beside effect %d on the page of before", i+1)})
	}
	return list
}

func (p *position) effect(id string) int {
	for i, e := range p.store.Effects {
		if e.ID == id {
			return i
		}
	}
	return -1
}

// freezeSteps freeze everything, or one session, where a call is open or granted
// that a freeze would stop: before that it can as well come after the submit.
func (p *position) freezeSteps(list []step) []step {
	frozen := map[string]bool{}
	for _, f := range p.store.Freezes {
		if f.LiftedAt == 0 {
			frozen[f.Session] = true
		}
	}
	for i := range slots + 1 {
		scope, what, stops := "", "everything", false
		for k := range slots {
			row := p.row(p.calls[k].ask)
			if row == nil || i > 0 && i != k+1 {
				continue
			}
			stops = stops || !row.State.Final() || p.granted(row.Session)
			if i > 0 {
				scope, what = row.Session, fmt.Sprint("session ", i)
			}
		}
		if i > 0 && scope == "" {
			continue
		}
		if stops || frozen[scope] {
			list = append(list, step{who: ann, act: queue.Freeze{Session: scope}, say: "freezes " + what})
		}
		if frozen[scope] || i == 0 {
			list = append(list, step{who: ben, act: queue.Unfreeze{Session: scope}, say: "unfreezes " + what})
		}
	}
	return list
}

// granted reports whether a grant of the session can be used.
func (p *position) granted(session string) bool {
	return slices.ContainsFunc(p.store.Grants, func(g *queue.Grant) bool { return g.Session == session && g.Left > 0 && g.Until > p.wall })
}

// clockSteps move the clock to just before what comes due next, to it, and to
// just after it.
func (p *position) clockSteps(list []step) []step {
	next := p.nextDue()
	if next == 0 {
		return list
	}
	for i, say := range [...]string{"just before", "at", "just after"} {
		if to := next + int64(i-1)*stepMS; to > p.wall {
			list = append(list, step{to: to, say: fmt.Sprintf("the clock: %s what comes next, %d s on", say, (to-p.wall)/stepMS)})
		}
	}
	return list
}

// nextDue is the first time after now at which anything ends; 0 for none.
func (p *position) nextDue() (next int64) {
	see := func(t int64) {
		if t > p.wall && (next == 0 || t < next) {
			next = t
		}
	}
	for _, a := range p.store.Asks {
		see(a.DueAt())
		if a.State == queue.StateAllowed {
			see(a.NotBefore)
		}
	}
	for _, a := range p.store.Attempts {
		if a.State == queue.AttemptExecuting {
			see(a.Lease)
		}
		see(settledAt(a))
	}
	for _, g := range p.store.Grants {
		if g.Left > 0 {
			see(g.Until)
		}
	}
	return next
}

// settledAt is when lease and settle time of an attempt are over: a call that
// returned has ended, one that timed out may still run.
func settledAt(a *queue.Attempt) int64 {
	switch a.Exit {
	case queue.ExitSuccess, queue.ExitFailure, queue.ExitBlocked:
		return a.EndedAt + settleMS
	default:
		return max(a.EndedAt, a.Lease) + settleMS
	}
}
