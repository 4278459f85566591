package audit

import (
	"fmt"

	"nod/ambiguity"
	"nod/boundary"
	"nod/digest"
	"nod/queue"
)

// life plays the events through the closed table of DESIGN §4. It holds that
// each change is one step of an ask, an attempt, a grant or a freeze from the
// state it is in (I1-I4, I7), that no effect begins beside itself (I5), that a begin had a timely allow that no freeze
// covers (I2, I9), and that no rule or grant allowed what is irreversible (I6,
// as far as events tell).
type life struct {
	asks     map[string]*ask
	attempts map[string]*attempt
	effects  map[string]*effect
	kept     int64                // event number of the first begin that names an effect
	keys     map[string][]*effect // by the key's hash, in the order in which they were opened
	grants   map[string]*grant
	freezes  map[string]frozen // by scope
	due      *edit             // whose ask the next event files
	over     map[queue.State]*ask
	trails   map[string]*trail
	notices  map[notice][]int64 // times at which open ones were raised, and as many acknowledged
	acked    map[notice]int
	trees    map[string]boundary.Tree // of a session, as its last event says
	declared map[string]digest.Digest // of a session: what it was last registered with
	ways     map[string]*way          // of persons' answers, by ask
	unread   map[string][]*way        // with words, by session
	derived  map[string]string        // the ask that one is an edit of
	owing    owing                    // what effect policy keeps
	tally    queue.Counters
}

type ask struct {
	state          queue.State
	by             queue.DecidedBy
	action, shown  digest.Digest
	session, grant string
	answerBy       int64
	useWithin      int64
	usable         int64 // from when on it may begin; its time runs from there
	decided        int64 // event number of the allow
}

// edit is an edit whose new ask was not filed yet.
type edit struct {
	from, to, session, actor string
	answerBy                 int64
}

type attempt struct {
	id, ask  string
	effect   string // "" where none is kept
	number   int64
	state    queue.AttemptState
	reported bool
	seq      int64 // event number of its begin
	began    int64
	ended    int64
}

type grant struct {
	action  digest.Digest
	session string
	left    int64
	until   int64
	by      string
}

type frozen struct {
	holds bool
	seq   int64 // of the newest freeze
	since int64 // its time
	by    string
}

const freezeAll = "all"

func newLife() *life {
	return &life{
		asks: map[string]*ask{}, attempts: map[string]*attempt{}, effects: map[string]*effect{}, keys: map[string][]*effect{},
		grants: map[string]*grant{}, freezes: map[string]frozen{}, over: map[queue.State]*ask{},
		trails: map[string]*trail{}, notices: map[notice][]int64{}, acked: map[notice]int{}, trees: map[string]boundary.Tree{}, declared: map[string]digest.Digest{},
		ways: map[string]*way{}, unread: map[string][]*way{}, derived: map[string]string{},
		owing: newOwing(),
	}
}

// step plays one event; it answers "" or what is wrong with it.
func (l *life) step(e *event) string {
	l.follow(e)
	if why := l.edited(e); why != "" {
		return why
	}
	switch e.Act {
	case "submit":
		return l.submit(e)
	case "decide", "edit", "expire", "lapse", "withdraw", "revoke", "begin", "commit":
		return l.move(e)
	case "adopt":
		return l.adopt(e)
	case "report", "lease_over":
		return l.settleAttempt(e)
	case "observe", "reconcile", "correct":
		return l.state(e)
	case "ack_effect":
		return l.acknowledge(e)
	case "open_effect":
		return l.distinct(e)
	case "refuse":
		if e.Outcome != "" {
			return denied(e)
		}
		return l.refuse(e)
	case "grant":
		return l.giveGrant(e)
	case "freeze", "unfreeze":
		return l.freeze(e)
	case "notice", "notice_ack":
		return l.notify(e)
	case "tree":
		return l.grow(e)
	case "screen":
		return screened(e)
	case "register":
		return l.register(e)
	case "receipt", "uncollected", "uncarried", "returned", "delivery_ack", "resend", "drop_words":
		return l.deliver(e)
	case "session_end":
		return l.undelivered(e.Session)
	case "clock_confirm":
	default:
		return l.owing.step(e)
	}
	return ""
}

// edited holds that an edit and the ask it puts in the original's place come one
// after the other, and that only an edit makes such an ask.
func (l *life) edited(e *event) string {
	d := l.due
	l.due = nil
	switch {
	case d == nil && e.DerivedFrom == "":
		return ""
	case d == nil || e.Act != "submit" || e.DerivedFrom != d.from || e.Ask != d.to:
		return "an edit is not followed by the ask that it made, or such an ask by no edit"
	case e.Session != d.session || e.Actor != d.actor || e.AnswerBy > d.answerBy:
		return "the ask of an edit is of another session or editor, or has more time than the original"
	case e.To == string(queue.StateAllowed):
		return "an edited ask was allowed without a person"
	}
	return ""
}

func (l *life) submit(e *event) string {
	to := queue.State(e.To)
	switch {
	case e.Ask == "" || l.asks[e.Ask] != nil:
		return "the ask was submitted before"
	case e.From != "" || !e.AskDigest.Valid() || !e.ActionDigest.Valid() || !e.ShownDigest.Valid() || e.AnswerBy <= 0 || e.UseWithinMS <= 0:
		return "a submit without digests or deadlines"
	case e.Replaces != "" && !l.replaceable(e.Replaces):
		return "it replaces an ask that is not over"
	case to == queue.StatePending && e.By == "":
	case to == queue.StateDenied && e.By == queue.ByRule && e.Rule != "":
	case to == queue.StateAllowed && e.Class == digest.ClassIrreversible:
		return "an irreversible effect was allowed without a person"
	case to == queue.StateAllowed && e.By == queue.ByRule && e.Rule != "":
	case to == queue.StateAllowed && e.By == queue.ByGrant:
		if why := l.grantCovers(e.Grant, e.ActionDigest, e.Session, e.Effective); why != "" {
			return why
		}
	default:
		return fmt.Sprintf("no submit ends in %q by %q", e.To, e.By)
	}
	if to == queue.StateAllowed && l.frozenNow(e.Session) {
		return "something was allowed under a freeze"
	}
	a := &ask{
		state: to, by: e.By, action: e.ActionDigest, shown: e.ShownDigest, session: e.Session, grant: e.Grant,
		answerBy: e.AnswerBy, useWithin: e.UseWithinMS,
	}
	if to == queue.StateAllowed {
		a.usable, a.decided = e.Effective, e.Seq
	}
	if e.Replaces != "" {
		l.goesBack(e.Replaces)
	}
	if e.DerivedFrom != "" {
		l.derived[e.Ask] = e.DerivedFrom
	}
	l.asks[e.Ask] = a
	if to.Final() {
		l.asks[e.Ask] = l.ended(to)
	}
	l.tally.Asks++
	l.count(to, 1)
	return ""
}

// replaceable reports whether a repeat of the ask's call makes a new ask.
func (l *life) replaceable(id string) bool {
	a := l.asks[id]
	if a == nil {
		return false
	}
	switch a.state {
	case queue.StateRevoked, queue.StateLapsed, queue.StateExpired, queue.StateWithdrawn:
		return true
	}
	return false
}

func (l *life) move(e *event) string {
	a := l.asks[e.Ask]
	switch {
	case a == nil:
		return "the ask was never submitted"
	case string(a.state) != e.From:
		return fmt.Sprintf("the ask was %s, not %s", a.state, e.From)
	case a.state.Final():
		return "the ask was over"
	case e.ActionDigest != a.action || e.ShownDigest != a.shown:
		return "its digests are not those that were submitted"
	}
	if !legal(e.Act, a.state, queue.State(e.To)) {
		return fmt.Sprintf("no %s leads from %s to %s", e.Act, e.From, e.To)
	}
	if why := l.judge(a, e); why != "" {
		return why
	}
	l.send(e)
	l.count(a.state, -1)
	a.state = queue.State(e.To)
	l.count(a.state, 1)
	if a.state.Final() {
		l.asks[e.Ask] = l.ended(a.state)
	}
	return ""
}

// ended stands for every ask that ended in s: nothing else of it is asked for
// again, and a long history has many.
func (l *life) ended(s queue.State) *ask {
	if l.over[s] == nil {
		l.over[s] = &ask{state: s}
	}
	return l.over[s]
}

// legal is DESIGN §4's table, without submit.
func legal(act string, from, to queue.State) bool {
	pending, allowed := from == queue.StatePending, from == queue.StateAllowed
	switch act {
	case "decide":
		return pending && (to == queue.StateAllowed || to == queue.StateDenied || to == queue.StateAnswered)
	case "edit":
		return pending && to == queue.StateDenied
	case "expire":
		return pending && to == queue.StateExpired
	case "withdraw":
		return (pending || allowed) && to == queue.StateWithdrawn
	case "revoke":
		return allowed && to == queue.StateRevoked
	case "lapse":
		return allowed && to == queue.StateLapsed
	case "begin", "commit":
		return allowed && to == queue.StateSpent
	}
	return false
}

// judge holds what a step needs besides the right states.
func (l *life) judge(a *ask, e *event) string {
	switch e.Act {
	case "decide":
		if e.By != queue.ByPerson || e.Effective >= a.answerBy {
			return "a decision that is nobody's, or too late"
		}
		if e.To == string(queue.StateAllowed) {
			a.by, a.usable, a.decided = e.By, max(e.Effective, e.NotBefore), e.Seq
		}
	case "edit":
		if e.By != queue.ByPerson || e.Effective >= a.answerBy || e.EditedTo == "" || e.Reason != queue.ReasonEdited {
			return "an edit that is nobody's, too late, or makes no ask"
		}
		l.due = &edit{from: e.Ask, to: e.EditedTo, session: a.session, actor: e.Actor, answerBy: a.answerBy}
	case "expire":
		if e.Effective < a.answerBy {
			return "it expired before its time"
		}
	case "lapse":
		if e.Effective < a.usable+a.useWithin {
			return "it lapsed before its time"
		}
	case "begin":
		return l.begin(a, e)
	case "commit":
		return l.committed(a, e)
	}
	return ""
}

func (l *life) begin(a *ask, e *event) string {
	switch {
	case !classed(e, "start", "allowed"):
		return "a begin says of its class what no policy does"
	case e.By != a.by || a.by != queue.ByGrant && e.Grant != a.grant:
		return "it began on another allow than it was given"
	case e.Effective < a.usable || e.Effective >= a.usable+a.useWithin:
		return "it began before or after the time it was allowed for"
	case l.frozenNow(a.session) || l.frozenSince(a.session, a.decided):
		return "it began under a freeze, or on an allow older than one"
	case e.Attempt == "" || l.attempts[e.Attempt] != nil || e.Effect == "" && e.Number != 1:
		return "its attempt has no name or number of its own"
	}
	t := &attempt{id: e.Attempt, ask: e.Ask, effect: e.Effect, number: e.Number, state: queue.AttemptExecuting,
		seq: e.Seq, began: e.Effective}
	if why := l.reserve(a, t, e); why != "" {
		return why
	}
	if a.by == queue.ByGrant {
		// Another grant of the same call is as good as the one that allowed it.
		if why := l.grantCovers(e.Grant, a.action, a.session, e.Effective); why != "" {
			return why
		}
		l.grants[e.Grant].left--
	}
	l.attempts[e.Attempt] = t
	return ""
}

func (l *life) adopt(e *event) string {
	a := l.asks[e.Ask]
	if a == nil || a.state.Final() || e.Session != a.session || e.ActionDigest != a.action {
		return "an ask was adopted that is over, or is not that call's"
	}
	return ""
}

// settleAttempt plays what ends an attempt, or reports on one that was lost.
func (l *life) settleAttempt(e *event) string {
	t, why := l.begun(e)
	if why != "" {
		return why
	}
	to := queue.AttemptState(e.To)
	if !to.Outcome() {
		return fmt.Sprintf("no attempt ends in %q", e.To)
	}
	running := t.state == queue.AttemptExecuting
	switch {
	case !classed(e, "end", "completed") && !classed(e, "error", "failed"):
		return "a report says of its class what no policy does"
	case e.Act == "lease_over" && !running:
		return "an attempt was lost that had ended"
	case e.Act == "lease_over" && to != queue.AttemptUnknown && (to != queue.AttemptCommitted || t.effect == ""):
		return "an attempt was lost to something else than unknown, and nobody had seen it"
	case e.Act == "report" && t.reported && t.effect == "":
		return "the attempt was reported twice"
	case e.Act == "report" && t.effect != "" && running && to == queue.AttemptNotExecuted && e.Evidence != ambiguity.ByGate:
		return "it was said not to have happened, and Nod held no proof"
	case e.Act == "report" && e.Late == running:
		return "a report says wrongly whether it came in time"
	case e.Act == "report" && e.Late && to != t.state:
		return "a late report changed what is known"
	}
	t.reported = t.reported || e.Act == "report"
	l.said(t, e)
	return ""
}

func (l *life) giveGrant(e *event) string {
	if e.Grant == "" || l.grants[e.Grant] != nil || e.Left < 1 || e.Until <= e.Effective || !e.ActionDigest.Valid() {
		return "a grant without a name, a count or a time of its own"
	}
	l.grants[e.Grant] = &grant{action: e.ActionDigest, session: e.Session, left: e.Left, until: e.Until, by: e.Actor}
	return ""
}

func (l *life) grantCovers(id string, action digest.Digest, session string, now int64) string {
	g := l.grants[id]
	if g == nil || g.left < 1 || now >= g.until || g.action != action || g.session != session {
		return "no grant covers it"
	}
	return ""
}

func (l *life) freeze(e *event) string {
	f := l.freezes[e.Freeze]
	on := e.Act == "freeze"
	if e.Freeze == "" || f.holds == on {
		return "a freeze is set twice, or lifted without one"
	}
	if f.holds = on; on {
		f.seq, f.since, f.by = e.Seq, e.Effective, e.Actor
	}
	l.freezes[e.Freeze] = f
	return ""
}

func (l *life) frozenNow(session string) bool {
	return l.freezes[freezeAll].holds || l.freezes[session].holds
}

// frozenSince reports whether a freeze came after event number seq.
func (l *life) frozenSince(session string, seq int64) bool {
	return l.freezes[freezeAll].seq > seq || l.freezes[session].seq > seq
}

func (l *life) count(s queue.State, n int64) {
	switch s {
	case queue.StatePending:
		l.tally.Pending += n
	case queue.StateAllowed:
		l.tally.Allowed += n
	case queue.StateDenied:
		l.tally.Denied += n
	case queue.StateExpired:
		l.tally.Expired += n
	case queue.StateSpent:
		l.tally.Spent += n
	}
}

// counts compares the counters that the store keeps from its rows with those
// of the events: a row that was changed without an event shows here.
func (l *life) counts(kept *queue.Counters) *Fault {
	for _, c := range []struct {
		name         string
		kept, played int64
	}{
		{"asks", kept.Asks, l.tally.Asks}, {"pending asks", kept.Pending, l.tally.Pending},
		{"allowed asks", kept.Allowed, l.tally.Allowed}, {"denied asks", kept.Denied, l.tally.Denied},
		{"expired asks", kept.Expired, l.tally.Expired}, {"spent asks", kept.Spent, l.tally.Spent},
		{"open notices", kept.Notices, l.tally.Notices}, {"open deliveries", kept.Undelivered, l.tally.Undelivered}, {"answers with words owed", kept.Owed, l.tally.Owed},
	} {
		if c.kept != c.played {
			return fault(CodeCounts, 0, "the store counts %d %s, its events %d", c.kept, c.name, c.played)
		}
	}
	return nil
}
