//go:build unix

package faults

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"

	"nod/digest"
	"nod/queue"
)

// event is one document of the chain, as docs/spec names its members.
type event struct {
	Type         string           `json:"type"`
	Store        string           `json:"store"`
	Seq          int64            `json:"seq"`
	Prev         string           `json:"prev"`
	Act          string           `json:"act"`
	Actor        string           `json:"actor"`
	By           queue.DecidedBy  `json:"by"`
	Ask          string           `json:"ask"`
	ActionDigest digest.Digest    `json:"action_digest"`
	ShownDigest  digest.Digest    `json:"shown_digest"`
	Session      string           `json:"session"`
	From         string           `json:"from"`
	To           string           `json:"to"`
	Reason       string           `json:"reason"`
	Grant        string           `json:"grant"`
	Attempt      string           `json:"attempt"`
	Number       int64            `json:"attempt_number"`
	Lease        int64            `json:"lease_until"`
	AnswerBy     int64            `json:"answer_by"`
	UseWithinMS  int64            `json:"use_within_ms"`
	NotBefore    int64            `json:"not_before"`
	Freeze       string           `json:"freeze"`
	Left         int64            `json:"grant_left"`
	Until        int64            `json:"grant_until"`
	Exit         queue.ExitStatus `json:"exit_status"`
	Late         bool             `json:"late"`
	Effective    int64            `json:"effective_ms"`
	EditedTo     string           `json:"edited_to"`
	DerivedFrom  string           `json:"derived_from"`
}

// life is what the events say of one ask.
type life struct {
	state                queue.State
	session              string
	action, shown        digest.Digest
	createdAt, movedAt   int64
	answerBy, useWithin  int64
	decisions            int
	decidedSeq           int64
	decidedAt, notBefore int64
	verdict              queue.Verdict
	editedTo, from       string
	by                   queue.DecidedBy
	grant                string
	attempt              string
}

func (l *life) useBy() int64 { return max(l.decidedAt, l.notBefore) + l.useWithin }

// run is one attempt's fold.
type run struct {
	ask   string
	state queue.AttemptState
	exit  queue.ExitStatus
	lease int64
}

type frozen struct {
	seq, since int64
	session    string // "" covers everything
	lifted     bool
}

type grant struct {
	action      digest.Digest
	session     string
	left, until int64
}

// ledger folds the chain of one store, event by event, and refuses the first
// that DESIGN §4 does not allow.
type ledger struct {
	store   string
	seq     int64
	head    string
	now     int64
	asks    map[string]*life
	runs    map[string]*run
	grants  map[string]*grant
	freezes []frozen
	edited  string // the ask of the last event, an edit: the next files the one in its place
	edits   int
	counts  queue.Counters // without Mandated, Questions and Notices
}

func newLedger() *ledger {
	return &ledger{head: strings.Repeat("0", 64), asks: map[string]*life{}, runs: map[string]*run{}, grants: map[string]*grant{}}
}

// follow reads what came after the last event seen, checks it and gives it.
func (l *ledger) follow(ctx context.Context, store queue.Store) (news []event, err error) {
	err = store.View(ctx, func(tx queue.ReadTx) error {
		head, err := tx.Head()
		if err != nil {
			return err
		}
		l.store = head.StoreID
		for {
			page, more, err := tx.Events(queue.QEvents{After: l.seq, Limit: 500})
			if err != nil {
				return err
			}
			for i := range page {
				e, err := l.link(&page[i])
				if err != nil {
					return err
				}
				if err := l.step(e); err != nil {
					return fmt.Errorf("event %d (%s of ask %s): %w", e.Seq, e.Act, e.Ask, err)
				}
				news = append(news, *e)
			}
			if !more {
				break
			}
		}
		if head.Seq != l.seq || hex.EncodeToString(head.Hash[:]) != l.head {
			return fmt.Errorf("I7: the head says event %d, the chain ends with %d", head.Seq, l.seq)
		}
		if l.edited != "" {
			return fmt.Errorf("half an edit: ask %s was denied and none is in its place", l.edited)
		}
		return l.sameCounters(tx)
	})
	return news, err
}

// link checks one event's place in the chain.
func (l *ledger) link(s *queue.StoredEvent) (*event, error) {
	sum := sha256.Sum256(s.Body)
	if hash := hex.EncodeToString(sum[:]); hash != s.Hash {
		return nil, fmt.Errorf("I7: event %d hashes to %s, not to %s", s.Seq, hash, s.Hash)
	}
	if canonical, err := digest.Canonical(s.Body, digest.NoLimits()); err != nil || string(canonical) != string(s.Body) {
		return nil, fmt.Errorf("I7: event %d is not canonical JSON: %w", s.Seq, err)
	}
	e := new(event)
	if err := json.Unmarshal(s.Body, e); err != nil {
		return nil, fmt.Errorf("I7: event %d: %w", s.Seq, err)
	}
	switch {
	case s.Seq != l.seq+1 || e.Seq != s.Seq:
		return nil, fmt.Errorf("I7: event %d (in itself %d) follows %d", s.Seq, e.Seq, l.seq)
	case e.Prev != l.head:
		return nil, fmt.Errorf("I7: event %d does not follow the one before it", s.Seq)
	case e.Store != l.store || e.Type != queue.TypeEvent:
		return nil, fmt.Errorf("I7: event %d is of another store or type", s.Seq)
	case e.Effective < l.now:
		return nil, fmt.Errorf("event %d is older than the one before it", s.Seq)
	}
	l.seq, l.head, l.now = s.Seq, s.Hash, e.Effective
	return e, nil
}

// step applies one event, or says which rule it breaks.
func (l *ledger) step(e *event) error {
	was := l.edited
	l.edited = ""
	if e.DerivedFrom != was || was != "" && (e.Act != "submit" || l.asks[was].editedTo != e.Ask || l.asks[was].session != e.Session) {
		return fmt.Errorf("an edit of %q is followed by this", was)
	}
	switch e.Act {
	case "submit":
		return l.submit(e)
	case "report", "lease_over":
		return l.attempt(e)
	case "grant":
		l.grants[e.Grant] = &grant{action: e.ActionDigest, session: e.Session, left: e.Left, until: e.Until}
		return nil
	case "freeze":
		if l.open(e.Session) >= 0 {
			return fmt.Errorf("frozen twice")
		}
		l.freezes = append(l.freezes, frozen{seq: e.Seq, since: e.Effective, session: e.Session})
		return nil
	case "unfreeze":
		i := l.open(e.Session)
		if i < 0 {
			return fmt.Errorf("lifts a freeze that does not hold")
		}
		l.freezes[i].lifted = true
		return nil
	case "session_end", "notice", "notice_ack", "clock_confirm":
		return nil
	}
	a := l.asks[e.Ask]
	if a == nil {
		return fmt.Errorf("I7: nothing submitted this ask")
	}
	if e.ActionDigest != a.action || e.ShownDigest != a.shown || e.Session != a.session {
		return fmt.Errorf("its digests or session are not the ask's")
	}
	if e.Act == "adopt" {
		if a.state.Final() {
			return fmt.Errorf("adopts an ask that is %s", a.state)
		}
		return nil
	}
	if queue.State(e.From) != a.state {
		return fmt.Errorf("I7: leaves %s, but the ask is %s", e.From, a.state)
	}
	if err := l.move(e, a); err != nil {
		return err
	}
	l.count(a.state, -1)
	a.state, a.movedAt = queue.State(e.To), e.Effective
	l.count(a.state, 1)
	return nil
}

func (l *ledger) submit(e *event) error {
	if l.asks[e.Ask] != nil {
		return fmt.Errorf("I7: submitted twice")
	}
	a := &life{state: queue.State(e.To), session: e.Session, action: e.ActionDigest, shown: e.ShownDigest, createdAt: e.Effective,
		movedAt: e.Effective, from: e.DerivedFrom, answerBy: e.AnswerBy, useWithin: e.UseWithinMS, grant: e.Grant}
	switch a.state {
	case queue.StatePending:
	case queue.StateAllowed, queue.StateDenied:
		if a.from != "" && a.state == queue.StateAllowed {
			return fmt.Errorf("an edit was allowed without a person")
		}
		if e.By == queue.ByPerson || e.By == "" {
			return fmt.Errorf("answered at once by %q", e.By)
		}
		if a.state == queue.StateAllowed && l.holds(a.session) {
			return fmt.Errorf("I9: a %s allowed it under a freeze", e.By)
		}
		a.decided(e)
	default:
		return fmt.Errorf("begins its life %s", e.To)
	}
	l.asks[e.Ask] = a
	l.counts.Asks++
	l.count(a.state, 1)
	return nil
}

func (l *life) decided(e *event) {
	l.decisions++
	l.decidedSeq, l.decidedAt, l.notBefore, l.by = e.Seq, e.Effective, e.NotBefore, e.By
	switch queue.State(e.To) {
	case queue.StateAllowed:
		l.verdict = queue.VerdictAllow
	case queue.StateAnswered:
		l.verdict = queue.VerdictAnswer
	default:
		l.verdict = queue.VerdictDeny
	}
}

// move checks a change of an ask's state against the table of DESIGN §4.
func (l *ledger) move(e *event, a *life) error {
	from, to := a.state, queue.State(e.To)
	want := func(ok bool, rule string) error {
		if !ok {
			return fmt.Errorf("%s (%s to %s, at %d)", rule, from, to, e.Effective)
		}
		return nil
	}
	switch e.Act {
	case "decide":
		a.decided(e)
		if a.decisions > 1 {
			return fmt.Errorf("I1: decided %d times", a.decisions)
		}
		return want(from == queue.StatePending && (to == queue.StateAllowed || to == queue.StateDenied || to == queue.StateAnswered) &&
			e.By == queue.ByPerson && e.Effective < a.answerBy, "I1: not a person's answer to a pending ask in time")
	case "edit":
		a.decided(e)
		if a.decisions > 1 {
			return fmt.Errorf("I1: decided %d times", a.decisions)
		}
		a.editedTo, l.edited = e.EditedTo, e.Ask
		l.edits++
		return want(from == queue.StatePending && to == queue.StateDenied && e.By == queue.ByPerson && e.EditedTo != "" &&
			e.Effective < a.answerBy, "I1: not a person's edit of a pending ask in time")
	case "expire":
		return want(from == queue.StatePending && to == queue.StateExpired && e.Effective >= a.answerBy, "expires too early")
	case "lapse":
		return want(from == queue.StateAllowed && to == queue.StateLapsed && e.Effective >= a.useBy(), "lapses too early")
	case "withdraw":
		return want(!from.Final() && to == queue.StateWithdrawn, "not a withdrawal")
	case "revoke":
		if e.Reason == queue.CodeFrozen && !l.frozenAfter(a.session, a.decidedAt) {
			return fmt.Errorf("revoked for a freeze that is not there")
		}
		return want(from == queue.StateAllowed && to == queue.StateRevoked, "not a revocation")
	case "begin":
		return l.begin(e, a)
	default:
		return fmt.Errorf("no such change")
	}
}

// begin holds I2, I3 and I9.
func (l *ledger) begin(e *event, a *life) error {
	switch {
	case a.attempt != "" || e.Number != 1 || l.runs[e.Attempt] != nil:
		return fmt.Errorf("I3: begins a second time")
	case a.state != queue.StateAllowed || queue.State(e.To) != queue.StateSpent || a.verdict != queue.VerdictAllow:
		return fmt.Errorf("I2: begins while %s", a.state)
	case e.Effective >= a.useBy() || e.Effective < a.notBefore:
		return fmt.Errorf("I2: begins at %d, allowed from %d to %d", e.Effective, a.notBefore, a.useBy())
	case l.holds(a.session):
		return fmt.Errorf("I9: begins under a freeze")
	}
	for i := range l.freezes {
		if f := &l.freezes[i]; f.seq > a.decidedSeq && covers(f, a.session) {
			return fmt.Errorf("I9: its allow is older than freeze %d", f.seq)
		}
	}
	if a.by == queue.ByGrant {
		g := l.grants[a.grant]
		if g == nil || g.left < 1 || g.action != a.action || g.session != a.session || e.Effective >= g.until {
			return fmt.Errorf("begins on a grant that does not give it: %+v", g)
		}
		g.left--
	}
	a.attempt = e.Attempt
	l.runs[e.Attempt] = &run{ask: e.Ask, state: queue.AttemptExecuting, lease: e.Lease}
	return nil
}

func (l *ledger) attempt(e *event) error {
	r := l.runs[e.Attempt]
	if r == nil || r.ask != e.Ask {
		return fmt.Errorf("nothing began this attempt")
	}
	to := queue.AttemptState(e.To)
	switch {
	case string(r.state) != e.From:
		return fmt.Errorf("I7: the attempt leaves %s, but is %s", e.From, r.state)
	case e.Act == "lease_over" && (r.state != queue.AttemptExecuting || to != queue.AttemptUnknown):
		return fmt.Errorf("I4: a lease ends %s", to)
	case e.Act == "lease_over" && e.Reason == "lease_over" && e.Effective < r.lease:
		return fmt.Errorf("I4: the lease ends too early")
	case e.Act == "report" && r.exit != "":
		return fmt.Errorf("reported twice")
	case to == queue.AttemptExecuting || r.state != queue.AttemptExecuting && to != r.state:
		return fmt.Errorf("I4: a report makes it %s after %s", to, r.state)
	}
	r.state = to // Counters.Unknown counts desk items only, and no load here makes one
	if e.Act == "report" {
		r.exit = e.Exit
	}
	return nil
}

func covers(f *frozen, session string) bool { return f.session == "" || f.session == session }

// holds reports whether a freeze holds for a session; open finds the one of
// exactly this scope.
func (l *ledger) holds(session string) bool {
	for i := range l.freezes {
		if f := &l.freezes[i]; !f.lifted && covers(f, session) {
			return true
		}
	}
	return false
}

func (l *ledger) open(scope string) int {
	for i := range l.freezes {
		if !l.freezes[i].lifted && l.freezes[i].session == scope {
			return i
		}
	}
	return -1
}

func (l *ledger) frozenAfter(session string, since int64) bool {
	for i := range l.freezes {
		if f := &l.freezes[i]; f.since >= since && covers(f, session) {
			return true
		}
	}
	return false
}

func (l *ledger) count(s queue.State, d int64) {
	switch s {
	case queue.StatePending:
		l.counts.Pending += d
	case queue.StateAllowed:
		l.counts.Allowed += d
	case queue.StateDenied:
		l.counts.Denied += d
	case queue.StateExpired:
		l.counts.Expired += d
	case queue.StateSpent:
		l.counts.Spent += d
	}
}

func (l *ledger) sameCounters(tx queue.ReadTx) error {
	c, err := tx.Counters()
	if err != nil {
		return err
	}
	c.Mandated, c.Questions, c.Notices = 0, 0, 0
	if c != l.counts {
		return fmt.Errorf("I7: the counters are %+v, the events make %+v", c, l.counts)
	}
	return nil
}
