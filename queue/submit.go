package queue

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"nod/boundary"
	"nod/digest"
)

// likeLimit is how many earlier asks with one digest a submit looks at.
const likeLimit = 8

func (q *Queue) prepareSubmit(c *Conn, a Submit) (job, error) {
	s, err := q.read(c, a)
	if err != nil {
		return nil, err
	}
	guess := facts{offset: q.offset.Load(), crosses: q.mandate(&Session{}, s)}
	d, err := s.draft(q, guess, q.edge.WallMS()+guess.offset)
	if err != nil {
		return nil, err
	}
	return func(tx Tx, m moment) (Result, error) { return q.submit(tx, m, c, s, d) }, nil
}

func (q *Queue) submit(tx Tx, m moment, c *Conn, s *submission, d *draft) (Result, error) {
	f := facts{offset: m.now - m.wall}
	if s.key != "" {
		row, err := q.byCallKey(tx, s)
		if err != nil {
			return nil, err
		}
		if row != nil {
			if err := q.settleAsk(tx, m, row); err != nil {
				return nil, err
			}
			known, err := stands(tx, row, s.actionDigest)
			if err != nil {
				return nil, err
			}
			switch {
			case !known || row.Kind != s.act.Kind:
				return nil, refuse(CodeKeyReused, "this call id was used for another call in this session").
					hint("give every call an id of its own")
			case again(row.State) && row.ActionDigest != s.actionDigest && !s.act.Edits:
				return nil, cannotEdit()
			case again(row.State) && (!q.within(tx, s, row, m.now) || !s.states(tx, row)):
				return nil, refuse(CodeKeyReused, "this call id was used for a call that was asked for less strictly").
					hint("give every call an id of its own")
			case again(row.State):
				if no, err := q.repeats(tx, m, row); err != nil || no != nil {
					return nil, orRefusal(no, err)
				}
				return q.same(tx, m, row, "")
			}
			f.replaces = row.ID
		}
	}
	a, err := q.arrive(tx, m, s) // first: a silent session's end takes its components and commits with it
	if err != nil {
		return nil, err
	}
	governs, err := q.underPolicy(tx, m, c, s)
	if err != nil {
		return nil, err
	}
	f.policy = governs.why(&s.stated)
	if f.effect, err = q.meet(tx, m, c, s); err != nil {
		return nil, err
	}
	a.declares(&s.act)
	t, err := q.join(tx, m, a)
	if err != nil {
		return nil, err
	}
	root, err := t.root(a.session)
	if err != nil {
		return nil, err
	}
	if f.held, err = q.held(tx, a.session, &s.denying); err != nil {
		return nil, err
	}
	if !s.denies(&f) { // a deny stays one
		f.crosses = q.mandate(root, s)
	}
	if a.dirty {
		t.touch(a.session)
	}
	likes, err := tx.AsksLike(s.session, s.actionDigest, likeLimit)
	if err != nil {
		return nil, err
	}
	for i := range likes {
		row := &likes[i]
		f.edited = f.edited || row.EditedTo != ""
		f.repeated = f.repeated || row.State == StateDenied && row.DecidedBy == ByPerson && row.EditedTo == ""
		if row, err = inPlace(tx, row); err != nil {
			return nil, err
		}
		if row.ActionDigest != s.actionDigest && !s.act.Edits {
			continue
		}
		if !row.State.Final() {
			if err := q.settleAsk(tx, m, row); err != nil {
				return nil, err
			}
		}
		if !s.act.NoAdopt && !s.denies(&f) && !stale(row, f.effect) && adoptable(row, s.act.Kind, m.now) && q.within(tx, s, row, m.now) &&
			(row.Mandated || f.crosses == boundary.Account{}) && s.described.is(tx, row) && s.states(tx, row) {
			if no, err := q.finds(tx, m, t, a.session, row); err != nil || no != nil {
				return nil, orRefusal(no, err)
			}
			if err := t.put(tx); err != nil {
				return nil, err
			}
			return q.take(tx, m, c, row, s.key)
		}
	}
	pending, err := tx.PendingOf(s.principal.Agent)
	if err != nil {
		return nil, err
	}
	if pending >= q.settings.MaxPending {
		return nil, refuse(CodeQuota, "this agent has as many asks waiting as one agent may have").
			hint("wait for answers, or raise limits.max_pending")
	}
	if f.parents, err = parents(tx, a.session); err != nil {
		return nil, err
	}
	freezes, err := tx.Freezes()
	if err != nil {
		return nil, err
	}
	f.frozen = covers(freezes, s.session) != nil
	grant, err := grantFor(tx, m, s.session, s.actionDigest, f.effect.answered)
	if err != nil {
		return nil, err
	}
	f.granted = grant != nil
	if !f.equal(d.facts) {
		if d, err = s.draft(q, f, m.now); err != nil {
			return nil, asRefusal(err)
		}
	}
	if grant != nil && d.row.DecidedBy == ByGrant {
		d.row.Grant, d.row.Decider = grant.ID, grant.ID
	}
	if no, err := q.crosses(tx, m, t, a, s, d); err != nil || no != nil {
		return nil, orRefusal(no, err)
	}
	return q.file(tx, m, c, s, d, governs)
}

// crosses writes what a submit changes of its session and of the tree.
func (q *Queue) crosses(tx Tx, m moment, t *trees, a *arrival, s *submission, d *draft) (*Refusal, error) {
	root, err := t.root(a.session)
	if err != nil {
		return nil, err
	}
	joined := a.born && root.tree().Armed
	var phase boundary.Phase
	act := boundary.Act{Target: s.crossing.target, Legs: s.crossing.legs}
	switch {
	case d.row.State == StatePending:
		phase = boundary.Suspend
	case d.row.State == StateAllowed && s.act.Begin:
		phase, act.Begins = boundary.Exit, true
	}
	if no, err := q.passes(tx, m, t, a.session, phase, act, s.crossing.environment); err != nil || no != nil {
		return no, err
	}
	if joined { // after what may refuse, so that a refused submit leaves nothing
		if _, err := q.passes(tx, m, t, a.session, boundary.Prepare, boundary.Act{}, ""); err != nil {
			return nil, err
		}
	}
	return nil, t.put(tx)
}

// byCallKey is the ask that the call's key names, or the one that an edit put in
// its place, unless another call took that over since.
func (q *Queue) byCallKey(tx ReadTx, s *submission) (*Row, error) {
	row, err := tx.AskByCallKey(s.session, s.key)
	if err != nil || row == nil {
		return nil, err
	}
	if row, err = inPlace(tx, row); err != nil || row.CallKey != s.key {
		return nil, err
	}
	return row, nil
}

// again reports whether a repeat of a call finds the ask that is there.
func again(s State) bool {
	switch s {
	case StatePending, StateAllowed, StateDenied, StateAnswered, StateSpent:
		return true
	default:
		return false
	}
}

// file writes a new ask and begins it where the submit wants that.
func (q *Queue) file(tx Tx, m moment, c *Conn, s *submission, d *draft, g *governing) (Result, error) {
	row := &d.row
	row.WaiterHash, row.WaiterUntil = s.tokenHash, m.now+q.settings.WaiterMS
	if err := q.insert(tx, m, c, c.Principal.Agent, s, d); err != nil {
		return nil, err
	}
	if row.Replaces != "" {
		if err := q.replaces(tx, row.Replaces); err != nil {
			return nil, err
		}
	}
	result := s.result(row)
	var err error
	if result.Resent, err = q.carries(tx, row, row.State); err != nil {
		return nil, err
	}
	if s.act.Begin && row.State == StateAllowed {
		r := &running{row: row, action: s.action, stated: &s.stated, governs: g}
		begun, err := q.spend(tx, m, c, r, s.act.Executor, s.act.HostRuns)
		if err != nil {
			return nil, err
		}
		result.Begun, result.State = begun, row.State
	}
	return result, nil
}

// insert writes a new ask with its event.
func (q *Queue) insert(tx Tx, m moment, c *Conn, actor string, s *submission, d *draft) error {
	d.stamp(m.now)
	row := &d.row
	if err := tx.InsertAsk(row, d.body); err != nil {
		return err
	}
	e := Event{
		Act: "submit", Actor: actor, Way: c.Way, Ask: row.ID, AskDigest: row.AskDigest,
		ActionDigest: row.ActionDigest, ShownDigest: row.ShownDigest, Session: row.Session, To: string(row.State),
		Tool: row.Tool, Cwd: row.Cwd, Rule: row.Rule, Grant: row.Grant, By: row.DecidedBy, Replaces: row.Replaces, DerivedFrom: row.DerivedFrom,
		EffectKey: q.keyHash(row.EffectKey),
		AnswerBy:  row.AnswerBy, UseWithinMS: row.UseWithinMS, Words: row.Words != "", Said: SaidDigest(row.ID, row.Words, nil),
	}
	if s.action != nil && s.action.Effect != nil {
		e.Class = s.action.Effect.Class
	}
	if !s.stated.none() {
		s.stated.Ask, s.stated.At = row.ID, m.now
		if err := tx.PutStated(&s.stated); err != nil {
			return err
		}
	}
	return q.append(tx, m, e)
}

func (s *submission) result(row *Row) Submitted {
	return Submitted{Ask: row.ID, State: row.State, ActionDigest: row.ActionDigest, ShownDigest: row.ShownDigest,
		Action: []byte(s.actionBytes), Token: s.token, AnswerBy: row.AnswerBy, Decision: row.decision()}
}

// same answers a repeat with the ask that is there; an open one gets a new
// token, and the old one dies.
func (q *Queue) same(tx Tx, m moment, row *Row, key string) (Result, error) {
	r := Submitted{Ask: row.ID, State: row.State, ActionDigest: row.ActionDigest, ShownDigest: row.ShownDigest,
		AnswerBy: row.AnswerBy, Repeat: true, Decision: row.decision()}
	var err error
	if r.EditedTo, err = q.editedCall(tx, row); err != nil {
		return nil, row.lost(err)
	}
	if r.Resent, err = q.carries(tx, row, row.State); err != nil {
		return nil, err
	}
	if row.State.Final() {
		return q.collects(tx, m, row, r)
	}
	if r.EditedTo != nil {
		r.Action = r.EditedTo.Action
	} else if r.Action, err = q.actionOf(tx, row); err != nil {
		return nil, row.lost(err)
	}
	r.Token = q.edge.Token()
	return r, tx.SetWaiter(row.ID, tokenHash(r.Token), m.now+q.settings.WaiterMS, key)
}

// restMS is the rest of its time that a pending ask must have to be adopted.
const restMS = 1000

// adoptable reports whether a later identical call may take row over. What a
// rule or grant allowed is judged anew instead.
func adoptable(row *Row, kind string, now int64) bool {
	open := row.State == StatePending && row.AnswerBy-now > restMS || row.State == StateAllowed && row.DecidedBy == ByPerson
	return open && row.Kind == kind && !row.Waits(now)
}

// within reports whether row was asked for at least as strictly as this submit
// asks: callers only raise, also by a repeat.
func (q *Queue) within(tx ReadTx, s *submission, row *Row, now int64) bool {
	for _, r := range s.act.Raise {
		if !slices.Contains(row.Reasons, r) {
			return false
		}
	}
	if s.act.HostRuns && !row.State.Final() { // its card must say that a host runs it
		ask, _, err := readAsk(tx, row)
		if err != nil || !slices.Contains(ask.Why, whyHostRuns) {
			return false
		}
	}
	return (s.act.AnswerInMS <= 0 || row.AnswerBy <= now+s.act.AnswerInMS+999) &&
		(s.act.UseInMS <= 0 || row.UseWithinMS <= s.act.UseInMS+999)
}

// take adopts an ask that nobody waits for.
func (q *Queue) take(tx Tx, m moment, c *Conn, row *Row, key string) (Result, error) {
	r, err := q.same(tx, m, row, key)
	if err != nil {
		return nil, err
	}
	s := r.(Submitted)
	s.Repeat, s.Adopted = false, true
	return s, q.append(tx, m, Event{Act: "adopt", Actor: c.Principal.Agent, Way: c.Way, Ask: row.ID, Session: row.Session,
		ActionDigest: row.ActionDigest, ShownDigest: row.ShownDigest, Tool: row.Tool, Cwd: row.Cwd})
}

func (q *Queue) adopt(tx Tx, m moment, c *Conn, a Adopt) (Result, error) {
	row, err := q.load(tx, m, a.Ask)
	if err != nil {
		return nil, err
	}
	switch {
	case row.Session != sessionID(&c.Principal, a.Session):
		return nil, notYours()
	case row.ActionDigest != a.ActionDigest:
		return nil, refuse(CodeWrongDigest, "the call is not the one this ask was made for")
	case row.State.Final():
		return nil, final(row)
	case !adoptable(row, row.Kind, m.now) && !row.Waits(m.now):
		return nil, refuse(CodeNotYours, "a rule or a grant allowed it: submit the call again")
	case row.Waits(m.now):
		return nil, refuse(CodeNotYours, "somebody waits for this ask")
	}
	if no, err := q.repeats(tx, m, row); err != nil || no != nil {
		return nil, orRefusal(no, err)
	}
	return q.take(tx, m, c, row, "")
}

// wait renews the waiter's lease, or gives it up; of an edited ask, that of the
// one in its place.
func (q *Queue) wait(tx Tx, m moment, a Wait) (Result, error) {
	row, err := q.loadInPlace(tx, m, a.Ask)
	if err != nil {
		return nil, err
	}
	if row.WaiterHash != tokenHash(a.Token) {
		return nil, notYours()
	}
	st := row.standing(m.now)
	if st.EditedTo, err = q.editedCall(tx, row); err != nil {
		return nil, err
	}
	if st.Resent, err = q.carries(tx, row, st.State); err != nil {
		return nil, err
	}
	if !row.State.Final() && a.Release {
		return st, tx.SetWaiter(row.ID, row.WaiterHash, m.now, "")
	}
	if !row.State.Final() && row.WaiterUntil-m.now < q.settings.WaiterMS*3/4 {
		if err := tx.SetWaiter(row.ID, row.WaiterHash, m.now+q.settings.WaiterMS, ""); err != nil {
			return nil, err
		}
		return st, q.alive(tx, m, row.Session)
	}
	return st, nil
}

func (r *Row) standing(now int64) Standing {
	s := Standing{Ask: r.ID, State: r.StateAt(now), AnswerBy: r.AnswerBy, Now: now}
	s.Decision = r.decision()
	return s
}

// decision is the answer a row holds; nil before one.
func (r *Row) decision() *Decision {
	if r.Verdict == "" {
		return nil
	}
	d := &Decision{Verdict: r.Verdict, By: r.DecidedBy, Who: r.Decider, Way: r.DecidedWay, At: r.DecidedAt,
		NotBefore: r.NotBefore, Words: r.Words, DwellMS: r.DwellMS, LinesSeen: r.LinesSeen, LinesAll: r.LinesAll}
	if r.Verdict == VerdictAllow {
		d.UseBy = r.UseBy()
	}
	if r.Answer != "" {
		d.Answer = []byte(r.Answer)
	}
	return d
}

// actionOf reads an ask's action back from the contents; nil for a question.
func (q *Queue) actionOf(tx ReadTx, row *Row) ([]byte, error) {
	ask, _, err := readAsk(tx, row)
	if err != nil || ask.Action == nil {
		return nil, err
	}
	return ask.Action.Canonical()
}

// readAsk reads an ask's document, checked against its digest.
func readAsk(tx ReadTx, row *Row) (*digest.Ask, []byte, error) {
	body, err := filedBody(tx, row)
	if err != nil {
		return nil, nil, err
	}
	ask, err := digest.ParseAsk(body, digest.NoLimits())
	return ask, body, err
}

// filedBody gives an ask's document as it was filed, checked against its digest.
func filedBody(tx ReadTx, row *Row) ([]byte, error) {
	body, err := tx.AskBody(row.Seq)
	if err != nil {
		return nil, err
	}
	if body == nil {
		return nil, refuse(CodeContentMissing, "the contents of this ask were pruned").hint("its digests and events are kept")
	}
	if digest.Of(body) != row.AskDigest {
		return nil, refuse(CodeContentChanged, "the contents of this ask are not those that were filed").hint("run nod audit verify")
	}
	return body, nil
}

func tokenHash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

func notYours() *Refusal {
	return refuse(CodeNotYours, "this ask is another waiter's").hint("the waiter that got the newest token may use it")
}

// covers gives the freeze that holds for a session, everything's first.
func covers(freezes []FreezeRow, session string) *FreezeRow {
	for i := range freezes {
		if freezes[i].Session == "" || freezes[i].Session == session {
			return &freezes[i]
		}
	}
	return nil
}
