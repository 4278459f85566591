package queue

import (
	"context"
	"errors"
	"strconv"
	"sync/atomic"
	"time"

	"nod/digest"
	"nod/policy/clamp"
)

// Actors that are not a person, rule or grant.
const (
	actorClock = "clock"
	actorQueue = "queue"
)

// Queue carries out acts on a store, by the settings and with the edge it was
// given. It is safe for concurrent use.
type Queue struct {
	store    Store
	settings Settings
	edge     Edge
	watch    watch
	level    clamp.Declaration // what of the operator's clamps travels to every session
	offset   atomic.Int64      // last seen clock offset: a guess for drafts, checked in the act
}

// New makes a queue. Zero durations of the settings become the defaults.
func New(store Store, settings Settings, edge Edge) *Queue {
	d := DefaultSettings()
	for _, f := range []struct{ v, d *int64 }{
		{&settings.AnswerWithinMS, &d.AnswerWithinMS}, {&settings.UseWithinMS, &d.UseWithinMS},
		{&settings.LeaseMS, &d.LeaseMS}, {&settings.HostLeaseMS, &d.HostLeaseMS},
		{&settings.WaiterMS, &d.WaiterMS}, {&settings.SessionMS, &d.SessionMS},
		{&settings.MaxPending, &d.MaxPending},
	} {
		if *f.v <= 0 {
			*f.v = *f.d
		}
	}
	return &Queue{store: store, settings: settings, edge: edge, level: settings.Clamps.Project()}
}

// Port gives the queue to one connection.
func (q *Queue) Port(c Conn) Port { return &port{q: q, conn: c} }

type port struct {
	q    *Queue
	conn Conn
}

// How often a watch looks for other processes' commits: a waiter is a call that
// stands still, an operator's list is drawn anew a few times a second.
const (
	watchWaiter   = 10 * time.Millisecond
	watchOperator = 50 * time.Millisecond
)

func (p *port) Watch(ctx context.Context) (<-chan int64, error) {
	if p.conn.Role&RoleRequester == 0 {
		return p.q.store.Watch(ctx, watchOperator)
	}
	return p.q.store.Watch(ctx, watchWaiter)
}

// role is what an act asks of the connection.
func role(act Act) Role {
	switch act.(type) {
	case Submit, Wait, Adopt, Begin, Report, Renew, EndSession, Unasked, RegisterSession, Screen, Receipt, EndLeg,
		ActivateScope, ScopeActivated, DisposeScope, RecoverScope, NextCleanup, EndCleanup,
		SubmitTransaction, StepTransaction, RecoverTransaction, RestoredTransaction:
		return RoleRequester
	case Observe:
		return RoleObserver | RoleOperator // either
	case Withdraw:
		return RoleRequester | RoleOperator // either
	default:
		return RoleOperator
	}
}

func (p *port) Do(ctx context.Context, act Act) (Result, error) {
	c := &p.conn
	if act == nil || role(act)&c.Role == 0 {
		return nil, refuse(CodeNotAllowed, "this connection's role may not do that").
			hint("agents submit and begin; operators decide")
	}
	job, err := p.q.prepare(ctx, c, act)
	if err != nil {
		return nil, asRefusal(err)
	}
	var result Result
	for range maxRulings {
		err = p.q.store.Do(ctx, func(tx Tx) error {
			m, err := p.q.tick(tx)
			if err != nil {
				return err
			}
			if err := p.q.settle(tx, m); err != nil {
				return err
			}
			result, err = job(tx, m)
			return err
		})
		rules, unruled := errors.AsType[*denying](err)
		if !unruled {
			break
		}
		rules.judge(p.q.settings.DenyRules, rules.wanted)
		err = errChanged // should it go on like this
	}
	if errors.Is(err, errChanged) {
		return nil, refuse(CodeTooLate, "this ask changed while the act came in").hint("read it again")
	}
	if err != nil {
		return nil, err
	}
	return result, nil
}

// maxRulings is how often an act is begun anew because clamps name rules that
// were not evaluated on its call.
const maxRulings = 4

// job judges and applies one act inside its transaction.
type job func(tx Tx, m moment) (Result, error)

// prepare does what needs no store: reading, digesting and ruling.
func (q *Queue) prepare(ctx context.Context, c *Conn, act Act) (job, error) {
	switch a := act.(type) {
	case Submit:
		return q.prepareSubmit(c, a)
	case Begin:
		return q.prepareBegin(c, a)
	case Report:
		return q.prepareReport(c, a)
	case Observe:
		return q.prepareObserve(c, a)
	case Reconcile:
		return q.prepareReconcile(c, a)
	case AckEffect:
		return q.prepareAck(c, a)
	case OpenEffect:
		return q.prepareOpen(c, a)
	case Decide:
		return q.prepareDecide(ctx, c, a)
	case DecideBatch:
		return q.prepareBatch(ctx, c, a)
	case Edit:
		return q.prepareEdit(ctx, c, a)
	case Withdraw:
		return func(tx Tx, m moment) (Result, error) { return q.withdraw(tx, m, c, a) }, nil
	case Revoke:
		return func(tx Tx, m moment) (Result, error) { return q.revoke(tx, m, c, a) }, nil
	case Wait:
		return func(tx Tx, m moment) (Result, error) { return q.wait(tx, m, a) }, nil
	case Adopt:
		return func(tx Tx, m moment) (Result, error) { return q.adopt(tx, m, c, a) }, nil
	case Renew:
		return func(tx Tx, m moment) (Result, error) { return q.renew(tx, m, a) }, nil
	case RegisterSession:
		return q.prepareRegister(c, a)
	case Screen:
		return q.prepareScreen(c, a)
	case Snooze:
		return func(tx Tx, m moment) (Result, error) { return q.snooze(tx, m, a) }, nil
	case Claim:
		return func(tx Tx, m moment) (Result, error) { return q.claim(tx, m, c, a) }, nil
	case GrantDigest:
		return func(tx Tx, m moment) (Result, error) { return q.grant(tx, m, c, a) }, nil
	case Freeze:
		return func(tx Tx, m moment) (Result, error) { return q.freeze(tx, m, c, a) }, nil
	case Unfreeze:
		return func(tx Tx, m moment) (Result, error) { return q.unfreeze(tx, m, c, a) }, nil
	case EndSession:
		return func(tx Tx, m moment) (Result, error) { return q.endSession(tx, m, c, a) }, nil
	case Receipt:
		return func(tx Tx, m moment) (Result, error) { return q.receipt(tx, m, c, a) }, nil
	case EndLeg:
		return func(tx Tx, m moment) (Result, error) { return q.endLeg(tx, m, c, a) }, nil
	case AckDelivery:
		return func(tx Tx, m moment) (Result, error) { return q.ackDelivery(tx, m, c, a) }, nil
	case Resend:
		return func(tx Tx, m moment) (Result, error) { return q.resend(tx, m, c, a) }, nil
	case DropWords:
		return func(tx Tx, m moment) (Result, error) { return q.drop(tx, m, c, a) }, nil
	case Unasked:
		return func(tx Tx, m moment) (Result, error) { return q.unasked(tx, m, c, a) }, nil
	case AckNotice:
		return func(tx Tx, m moment) (Result, error) { return q.ackNotice(tx, m, c, a) }, nil
	case ConfirmClock:
		return func(tx Tx, m moment) (Result, error) { return q.confirmClock(tx, m, c) }, nil
	default:
		return q.preparePolicy(c, act)
	}
}

// operator is the name recorded for a person.
func (c *Conn) operator() string {
	if c.Principal.User != "" {
		return c.Principal.User
	}
	return c.Principal.Agent
}

// asRefusal turns a document's fault into the queue's no, code and place kept.
func asRefusal(err error) error {
	if d, ok := errors.AsType[*digest.Error](err); ok {
		sentence := d.Sentence
		if d.Pointer != "" {
			sentence += " (at " + strconv.QuoteToASCII(d.Pointer) + ")"
		}
		return &Refusal{Code: d.Code, Sentence: sentence, Hint: d.Hint}
	}
	return err
}
