package model

import (
	"slices"
	"strconv"
	"strings"

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
	say  string // what is done to #, its number
	n    int
}

func (s *step) String() string {
	say := strings.ReplaceAll(s.say, "#", strconv.Itoa(s.n))
	if s.act == nil {
		return say
	}
	return names[s.who] + " " + say
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
func (p *position) submit(k int, id string) queue.Submit {
	s := queue.Submit{Kind: digest.KindCall, Session: sessions[k], CallID: id, NoAdopt: true, Call: &refund}
	if p.mandated {
		s.Raise = raised
	}
	return s
}

var (
	sessions = [slots]string{"session 1", "session 2"}
	refund   = queue.Call{Tool: tool, Arguments: []byte(`{"payment_id":"pay_1"}`), Cwd: "/src"}
	raised   = []string{queue.ReasonCrossBoundary}
)

// callSteps are those on the newest ask of a slot. One that is final is tried
// once in each way: that nothing moves it does not hang on who tries.
func (p *position) callSteps(list []step, k int) []step {
	c, other := &p.calls[k], &p.calls[1-k]
	me, them := executor(k), executor(1-k)
	add := func(who int, act queue.Act, no, say string) {
		list = append(list, step{who: who, act: act, slot: k, no: no, say: say, n: k + 1})
	}
	add(me, p.submit(k, c.id), "", "submits its call")
	if c.ask == "" {
		return list
	}
	decide := queue.Decide{Ask: c.ask, Verdict: queue.VerdictAllow, ActionDigest: c.digest, ShownDigest: c.shown, Words: "go on"}
	if p.mandated {
		decide.Confirm = tool
	}
	begin := queue.Begin{Ask: c.ask, Token: c.token, Action: c.action, Executor: names[me]}
	add(ann, decide, "", "allows ask #")
	add(me, begin, "", "begins ask #")
	add(me, queue.Withdraw{Ask: c.ask, Token: c.token}, "", "withdraws ask #")
	add(ann, queue.Revoke{Ask: c.ask}, "", "revokes ask #")
	row := p.row(c.ask)
	if row.State.Final() {
		if row.State == queue.StateDenied || row.State == queue.StateSpent { // else the same call id gives a new ask too
			add(me, p.submit(k, "call "+strconv.Itoa(p.ids)), "", "submits its call again, as another one")
		}
		if !p.granted(row.Session) {
			add(ben, queue.GrantDigest{Ask: c.ask, ShownDigest: c.shown, Times: 1, ForMS: grantMS}, "", "grants the call of ask # once more")
		}
		return list
	}
	add(ben, decide, "", "allows ask #")
	decide.Words, decide.HoldMS = "in a moment", holdMS
	add(ann, decide, "", "allows ask # after a hold")
	if p.mandated {
		decide.Confirm, decide.HoldMS = "", 0
		add(ann, decide, "I6", "allows ask # with nothing typed")
	}
	decide.Verdict, decide.Words, decide.HoldMS = queue.VerdictDeny, "not this", 0
	add(ben, decide, "", "denies ask #")
	begin.Executor = names[them]
	add(them, begin, "", "begins ask #")
	begin.Action, begin.Executor = c.changed, names[me]
	add(me, begin, "I2", "begins ask # with a changed action")
	if other.ask != "" {
		add(ann, queue.Decide{Ask: c.ask, Verdict: queue.VerdictAllow, ActionDigest: c.digest, ShownDigest: other.shown, Confirm: decide.Confirm}, "I6",
			"allows ask # on the other one's card")
		add(them, queue.Begin{Ask: c.ask, Token: other.token, Action: c.action, Executor: names[them]}, "I2",
			"begins ask # with the token of the other one")
		add(them, queue.Withdraw{Ask: c.ask, Token: other.token}, "not_yours", "withdraws ask # with the token of the other one")
	}
	return list
}

// reports are ways in which a call ends, as an executor says it; again is what
// it says afterwards.
var (
	reports = [...]said{
		{"reports attempt #: success, it is committed", queue.Report{Exit: queue.ExitSuccess, Outcome: queue.AttemptCommitted, Ref: "re_1", Durable: true}},
		{"reports attempt #: failure, it is not executed", queue.Report{Exit: queue.ExitFailure, Outcome: queue.AttemptNotExecuted}},
		{"reports attempt #: timeout", queue.Report{Exit: queue.ExitTimeout}},
		{"reports attempt #: blocked", queue.Report{Exit: queue.ExitBlocked}},
		{"reports attempt #: blocked, it is committed", queue.Report{Exit: queue.ExitBlocked, Outcome: queue.AttemptCommitted}},
	}
	again = [...]said{
		{"reports attempt # again: blocked", queue.Report{Exit: queue.ExitBlocked}},
		{"reports attempt # again: success, it is committed", queue.Report{Exit: queue.ExitSuccess, Outcome: queue.AttemptCommitted, Ref: "re_2", Durable: true}},
	}
)

type said struct {
	say    string
	report queue.Report
}

// runSteps are those on an attempt.
func (p *position) runSteps(list []step, i int) []step {
	r, a := &p.runs[i], p.store.Attempts[i]
	add := func(who int, act queue.Act, no, say string) {
		list = append(list, step{who: who, act: act, slot: r.slot, no: no, say: say, n: i + 1})
	}
	what := reports[:]
	if a.Exit != "" {
		what = again[:]
	} else {
		wrong := "none"
		if j := len(p.runs) - 1 - i; j != i {
			wrong = p.runs[j].token
		}
		add(r.by, queue.Report{Attempt: r.attempt, Token: wrong, Exit: queue.ExitBlocked}, "not_yours", "reports attempt # with a wrong token")
		add(r.by, queue.Renew{Attempt: r.attempt, Token: r.token}, "", "renews attempt #")
	}
	for j := range what {
		report := what[j].report
		report.Attempt, report.Token = r.attempt, r.token
		add(r.by, report, "", what[j].say)
	}
	if a.Watched {
		for j := range sights {
			see := sights[j].see
			see.Attempt, see.Observer = a.ID, observer
			add(ann, see, "", sights[j].say)
		}
	}
	e := p.effect(a.Effect)
	if e < 0 {
		return list
	}
	answer := queue.Reconcile{Attempt: a.ID, Outcome: queue.AttemptCommitted, Page: p.pages[e].digest, Confirm: p.pages[e].confirm,
		Reason: "I looked.", Evidence: "case 7", Durable: true}
	switch a.State {
	case queue.AttemptExecuting, queue.AttemptUnknown:
	default:
		add(ben, answer, "", "answers attempt #, which is settled: it is committed")
		answer.Correct = true
	}
	for j, outcome := range [...]queue.AttemptState{queue.AttemptCommitted, queue.AttemptNotExecuted, queue.AttemptUnknown} {
		answer.Outcome = outcome
		add(ann, answer, "", answers[j])
		if a.State == queue.AttemptExecuting && p.wall < a.Lease {
			return list // whatever is said, it may still be reported
		}
	}
	if old := p.stale[e].digest; old != "" {
		answer.Outcome, answer.Correct, answer.Page = queue.AttemptNotExecuted, true, old
		add(ben, answer, "stale_page", "answers attempt # on the page of before: it is not executed")
	}
	return list
}

var answers = [...]string{"answers attempt #: it is committed", "answers attempt #: it is not executed", "answers attempt #: unknown"}

// sights are what an observer may see.
var sights = [...]struct {
	say string
	see queue.Observe
}{
	{"looks at attempt #: it matches", queue.Observe{Outcome: queue.AttemptCommitted, Durable: true, Seen: "it matches", Ref: "re_1"}},
	{"looks at attempt #: it differs", queue.Observe{Outcome: queue.AttemptCommitted, Durable: true, Divergent: true, Seen: "it differs"}},
	{"looks at attempt #: nobody answers", queue.Observe{Outcome: queue.AttemptUnknown, Why: "unavailable"}},
	{"looks at attempt #: it is not there", queue.Observe{Outcome: queue.AttemptNotExecuted, Seen: "it is not there"}},
}

// effectSteps are those on an effect as a whole.
func (p *position) effectSteps(list []step, i int) []step {
	e, page := p.store.Effects[i], p.pages[i].digest
	return append(list,
		step{who: ben, act: queue.AckEffect{Effect: e.ID, Page: page, Reason: "read"}, say: "acknowledges effect #", n: i + 1},
		step{who: ann, act: queue.OpenEffect{Effect: e.ID, Page: page, Reason: "a second one is owed"}, say: "opens another one beside effect #", n: i + 1})
}

func (p *position) effect(id string) int {
	for i, e := range p.store.Effects {
		if e.ID == id {
			return i
		}
	}
	return -1
}

// freezeSteps freeze everything where a call is open or granted that a freeze
// would stop, and one session where there is another that goes on. Before that a
// freeze can as well come after the submit.
func (p *position) freezeSteps(list []step) []step {
	frozen := map[string]bool{}
	for _, f := range p.store.Freezes {
		if f.LiftedAt == 0 {
			frozen[f.Session] = true
		}
	}
	scopes, going := [slots + 1]string{}, 0
	for k := range slots {
		if row := p.row(p.calls[k].ask); row != nil {
			scopes[k+1] = row.Session
			if !row.State.Final() || p.granted(row.Session) {
				going++
			}
		}
	}
	for i, scope := range scopes {
		all := i == 0
		if !all && scope == "" {
			continue
		}
		if all && going > 0 || !all && going == slots && !frozen[""] || frozen[scope] {
			list = append(list, step{who: ann, act: queue.Freeze{Session: scope}, say: freezes[i], n: i})
		}
		if all || frozen[scope] {
			list = append(list, step{who: ben, act: queue.Unfreeze{Session: scope}, say: "un" + freezes[i], n: i})
		}
	}
	return list
}

var freezes = [...]string{"freezes everything", "freezes session #", "freezes session #"}

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
	for i, say := range [...]string{"the clock: just before what comes next, # s on", "the clock: at what comes next, # s on", "the clock: just after what comes next, # s on"} {
		if to := next + int64(i-1)*stepMS; to > p.wall {
			list = append(list, step{to: to, say: say, n: int((to - p.wall) / stepMS)})
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
// returned in time has ended, one that timed out may still run.
func settledAt(a *queue.Attempt) int64 {
	if a.Late || a.Exit == "" || a.Exit == queue.ExitTimeout {
		return a.Lease + settleMS
	}
	return a.EndedAt + settleMS
}
