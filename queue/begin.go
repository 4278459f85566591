package queue

import (
	"slices"
	"strings"
	"unicode/utf8"

	"nod/boundary"
	"nod/digest"
)

// running is what a begin is judged on: the ask as allowed and the action as
// it will run.
type running struct {
	row    *Row
	action *digest.Action // as it will run
	digest digest.Digest
	ruling Ruling
	token  string
	conn   *Conn

	crossing crossing
	denying  denying
	session  *Session // from checkBoundary on
	trees    *trees

	stated  *Stated    // from checkPolicy on
	governs *governing // nil: no policy asks anything
}

func (q *Queue) prepareBegin(c *Conn, a Begin) (job, error) {
	if strings.TrimSpace(a.Executor) == "" || len(a.Executor) > maxName || !utf8.ValidString(a.Executor) {
		return nil, refuse(CodeBadInput, "a begin names no executor").hint("say which program runs it")
	}
	action, err := digest.ParseAction(a.Action, beginLimits(q.settings.Limits))
	if err != nil {
		return nil, err
	}
	r := &running{action: action, token: a.Token, conn: c}
	if r.digest, err = action.Digest(); err != nil {
		return nil, err
	}
	r.crossing = q.crossing(action)
	r.denying = q.denying(action)
	if q.settings.Rules != nil {
		r.ruling = q.settings.Rules.Judge(action)
	}
	return func(tx Tx, m moment) (Result, error) { return q.begin(tx, m, c, a, r) }, nil
}

func (q *Queue) begin(tx Tx, m moment, c *Conn, a Begin, r *running) (Result, error) {
	row, err := q.load(tx, m, a.Ask)
	if err != nil {
		return nil, err
	}
	r.row = row
	for _, check := range beginChecks {
		no, err := check(q, tx, m, r)
		if err != nil {
			return nil, row.lost(err)
		}
		if no == nil {
			continue
		}
		if revokes(no.Code) {
			row.RevokeReason = no.Code
			if err := q.move(tx, m, row, StateRevoked, Event{Act: "revoke", Actor: actorQueue, Reason: no.Code}); err != nil {
				return nil, err
			}
		}
		return nil, no
	}
	no, err := q.passes(tx, m, r.trees, r.session, boundary.Exit,
		boundary.Act{Begins: true, Target: r.crossing.target, Legs: r.crossing.legs}, r.crossing.environment)
	if err != nil || no != nil {
		return nil, orRefusal(no, err)
	}
	if err := r.trees.put(tx); err != nil {
		return nil, err
	}
	begun, err := q.spend(tx, m, c, r, a.Executor, a.HostRuns)
	if err != nil {
		return nil, err
	}
	begun.Words = row.Words
	return *begun, nil
}

// revokes reports whether a refused begin takes the allow with it (DESIGN §4).
func revokes(code string) bool {
	return code == CodeUnconfirmed || code == CodeGrantUsed || code == CodeDescriptorChanged || code == CodeStaleDecision
}

// beginCheck is one test of a begin; the first that refuses wins.
type beginCheck func(q *Queue, tx Tx, m moment, r *running) (*Refusal, error)

// beginChecks are DESIGN §4's, in its order.
var beginChecks = [...]beginCheck{
	checkToken, checkDigest, checkState, checkHold, checkTime, checkDescriptor, checkFrozen, checkRules, checkCompliance, checkClamps,
	checkConfirmed, checkGrant, checkBoundary, checkPolicy, checkEffect,
}

func checkToken(_ *Queue, _ Tx, _ moment, r *running) (*Refusal, error) {
	if r.row.WaiterHash == "" || r.row.WaiterHash != tokenHash(r.token) {
		return notYours(), nil
	}
	return nil, nil
}

// checkDigest leaves the ask usable for the right action. Where it runs is the
// connection's, whatever the action states: an executor in a target arms the tree.
func checkDigest(_ *Queue, tx Tx, _ moment, r *running) (*Refusal, error) {
	switch {
	case r.digest != r.row.ActionDigest:
	case r.action.Environment.Name != r.conn.Environment:
		return refuse(CodeWrongDigest, "it was asked for another environment than the one this connection executes in").
			hint("begin it where it was asked, or ask for it here"), nil
	default:
		return nil, nil
	}
	no := refuse(CodeWrongDigest, "what would run is not what was approved").hint("run the approved action, or ask for this one")
	ask, _, err := readAsk(tx, r.row)
	if err != nil || ask.Action == nil {
		return no, nil //nolint:nilerr // the digests differ whatever the contents say
	}
	changed := *r.action
	changed.Operands = ask.Action.Operands
	if d, err := changed.Digest(); err == nil && d == r.row.ActionDigest {
		no.Code = CodeOperandsChanged
		no.Sentence = "what the action reads changed since it was approved: " + strings.Join(changedOperands(ask.Action, r.action), ", ")
		no.Hint = "ask again, so that a person sees the new digests"
	}
	return no, nil
}

// changedOperands names the operands that differ, quoted for one line.
func changedOperands(approved, now *digest.Action) []string {
	var names []string
	for _, o := range now.Operands {
		if !slices.Contains(approved.Operands, o) {
			names = append(names, quoted(o.Name))
		}
	}
	if len(names) == 0 {
		names = append(names, "an operand is missing")
	}
	return names
}

func checkState(_ *Queue, _ Tx, _ moment, r *running) (*Refusal, error) {
	switch {
	case r.row.State == StateAllowed && r.row.Kind != digest.KindQuestion:
		return nil, nil
	case r.row.State == StatePending:
		return refuse(CodeNotAllowedYet, "nobody has allowed it yet").hint("wait for the answer"), nil
	default:
		return final(r.row), nil
	}
}

func checkHold(_ *Queue, _ Tx, m moment, r *running) (*Refusal, error) {
	if m.now < r.row.NotBefore {
		no := refuse(CodeHeld, "its approval holds it for a while yet")
		no.At = r.row.NotBefore
		return no, nil
	}
	return nil, nil
}

func checkTime(_ *Queue, _ Tx, m moment, r *running) (*Refusal, error) {
	if m.now >= r.row.UseBy() { // settle is held
		return refuse(CodeTooLate, "the time to use its approval is over"), nil
	}
	return nil, nil
}

func checkFrozen(_ *Queue, tx Tx, _ moment, r *running) (*Refusal, error) {
	freezes, err := tx.Freezes()
	if err != nil {
		return nil, err
	}
	if f := covers(freezes, r.row.Session); f != nil {
		no := refuse(CodeFrozen, "an operator froze it: nothing begins until the freeze is lifted")
		no.Who, no.At = f.By, f.Since
		return no, nil
	}
	return nil, nil
}

func checkRules(_ *Queue, _ Tx, _ moment, r *running) (*Refusal, error) {
	if r.ruling.Verdict == RuleDeny {
		return refuse(CodeDeniedByRule, "rule %s denies this call now", quoted(r.ruling.Rule)), nil
	}
	return nil, nil
}

// checkConfirmed holds I6: a mandated ask runs on a person's decision only.
func checkConfirmed(_ *Queue, _ Tx, _ moment, r *running) (*Refusal, error) {
	if (r.row.Mandated || r.row.Irreversible) && r.row.DecidedBy != ByPerson {
		return refuse(CodeUnconfirmed, "only a person may allow this, and none did"), nil
	}
	return nil, nil
}

func checkGrant(_ *Queue, tx Tx, m moment, r *running) (*Refusal, error) {
	if r.row.DecidedBy != ByGrant {
		return nil, nil
	}
	e, err := tx.EffectByKey(keyOf(r.action))
	if err != nil {
		return nil, err
	}
	answered := int64(0)
	if e != nil {
		answered = e.ReconciledAt
	}
	g, err := grantFor(tx, m, r.row.Session, r.row.ActionDigest, answered)
	if err != nil {
		return nil, err
	}
	if g == nil {
		return refuse(CodeGrantUsed, "the grant that allowed it is used up or over"), nil
	}
	r.row.Grant = g.ID // another grant of the same call is as good
	return nil, nil
}

// spend writes what a begin changes: the grant's count, what a policy wants kept
// before anything runs, the attempt with its lease, and the ask, spent. All
// checks are done.
func (q *Queue) spend(tx Tx, m moment, c *Conn, r *running, executor string, hostRuns bool) (*Begun, error) {
	row, action := r.row, r.action
	if row.DecidedBy == ByGrant {
		if err := tx.UseGrant(row.Grant); err != nil {
			return nil, err
		}
	}
	token := q.edge.Token()
	a := &Attempt{ID: q.edge.NewID(), AskID: row.ID, Number: 1, State: AttemptExecuting, TokenHash: tokenHash(token),
		Executor: executor, HostRuns: hostRuns, Session: row.Session, BeganAt: m.now, LeaseMS: q.settings.LeaseMS,
		Desk: isDesk(action)}
	if hostRuns {
		a.LeaseMS = q.settings.HostLeaseMS
	}
	a.Lease = m.now + a.LeaseMS
	if a.Desk {
		if err := q.reserve(tx, m, row, action, a); err != nil {
			return nil, err
		}
	}
	if err := tx.InsertAttempt(a); err != nil {
		return nil, err
	}
	if err := q.begins(tx, m, c, r.stated, r.governs, a); err != nil {
		return nil, err
	}
	e := Event{Act: "begin", Actor: c.Principal.Agent, Way: c.Way, By: row.DecidedBy,
		Rule: row.Rule, Grant: row.Grant, Attempt: a.ID, Number: a.Number, Lease: a.Lease,
		Effect: a.Effect, EffectKey: q.keyHash(keyOf(action))}
	if a.Effect != "" {
		e.Said = begunFact(a, m.now).digest(a.Effect, a.ID)
	}
	r.governs.started(&e, r.stated, action)
	var err error
	if e.Delivery, err = q.collected(tx, row); err == nil {
		err = q.move(tx, m, row, StateSpent, e)
	}
	if err != nil {
		return nil, err
	}
	return &Begun{Ask: row.ID, Attempt: a.ID, Number: a.Number, Token: token, Lease: a.Lease, Words: row.Words}, nil
}

// isDesk reports whether the attempt's unknown outcome would be an item of its
// own (DESIGN §5).
func isDesk(a *digest.Action) bool {
	e := a.Effect
	return e != nil && (len(e.Key) > 0 || e.Class == digest.ClassCompensatable || e.Class == digest.ClassIrreversible)
}
