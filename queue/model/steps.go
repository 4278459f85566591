package model

import (
	"fmt"

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
	list = p.freezeSteps(list)
	return p.clockSteps(list)
}

// submit is the call of a slot. Both have one tool, one set of arguments and one
// effect; who asks and the call's id differ.
func submit(k int) queue.Submit {
	return queue.Submit{Kind: digest.KindCall, Session: fmt.Sprint("session ", k+1), CallID: fmt.Sprint("call ", k+1), NoAdopt: true,
		Call: &queue.Call{Tool: "refund", Arguments: []byte(`{"payment_id":"pay_1"}`), Cwd: "/src",
			Effect: &queue.Effect{ID: []byte(`"pay_1"`), Class: digest.ClassCompensatable}}}
}

var submits = [slots]queue.Submit{submit(0), submit(1)}

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
	add(me, queue.Begin{Ask: c.ask, Token: c.token, Action: changed[k], Executor: names[me]}, "I2",
		fmt.Sprint("begins ask ", n, " with a changed action"))
	add(me, queue.Withdraw{Ask: c.ask, Token: c.token}, "", fmt.Sprint("withdraws ask ", n))
	add(ann, queue.Revoke{Ask: c.ask}, "", fmt.Sprint("revokes ask ", n))
	add(ben, queue.GrantDigest{Ask: c.ask, ShownDigest: c.shown, Times: 1, ForMS: grantMS}, "", fmt.Sprint("grants the call of ask ", n, " once more"))
	return list
}

// changed are the actions of the calls with other arguments.
var changed = [slots][]byte{change(left), change(right)}

func change(who int) []byte {
	return fmt.Appendf(nil, `{"type":"nod.action/v1","tool":"refund","arguments":{"payment_id":"pay_2"},"principal":{"agent":%q,"user":"dev","host":"host"},`+
		`"environment":{"name":"local","cwd":"/src"},"effect":{"key":["local","tool:refund","pay_1"],"class":"compensatable"}}`, names[who])
}

// reports are ways in which a call ends, as an executor says it.
var reports = [...]queue.Report{
	{Exit: queue.ExitSuccess, Outcome: queue.AttemptCommitted, Ref: "re_1"},
	{Exit: queue.ExitFailure, Outcome: queue.AttemptNotExecuted},
	{Exit: queue.ExitTimeout},
	{Exit: queue.ExitBlocked},
	{Exit: queue.ExitBlocked, Outcome: queue.AttemptCommitted},
}

// runSteps are those on an attempt.
func (p *position) runSteps(list []step, i int) []step {
	r := &p.runs[i]
	for _, report := range reports {
		report.Attempt, report.Token = r.attempt, r.token
		list = append(list, step{who: r.by, act: report, slot: r.slot,
			say: fmt.Sprintf("reports attempt %d: %s %s", i+1, report.Exit, report.Outcome)})
	}
	wrong := "none"
	if j := len(p.runs) - 1 - i; j != i {
		wrong = p.runs[j].token
	}
	return append(list,
		step{who: r.by, act: queue.Report{Attempt: r.attempt, Token: wrong, Exit: queue.ExitBlocked}, slot: r.slot, no: "not_yours",
			say: fmt.Sprintf("reports attempt %d with a wrong token", i+1)},
		step{who: r.by, act: queue.Renew{Attempt: r.attempt, Token: r.token}, slot: r.slot, say: fmt.Sprintf("renews attempt %d", i+1)})
}

func (p *position) freezeSteps(list []step) []step {
	scopes := []string{""}
	for _, s := range p.store.Sessions {
		scopes = append(scopes, s.ID)
	}
	for i, scope := range scopes {
		what := "everything"
		if i > 0 {
			what = "the session " + scope
		}
		list = append(list, step{who: ann, act: queue.Freeze{Session: scope}, say: "freezes " + what},
			step{who: ben, act: queue.Unfreeze{Session: scope}, say: "unfreezes " + what})
	}
	return list
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
	}
	for _, g := range p.store.Grants {
		if g.Left > 0 {
			see(g.Until)
		}
	}
	return next
}
