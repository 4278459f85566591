package queue

import (
	"context"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"nod/ambiguity"
	"nod/boundary"
	"nod/digest"
	"nod/notice"
)

func (q *Queue) prepareEdit(ctx context.Context, c *Conn, a Edit) (job, error) {
	if c.Way == WayScript {
		return nil, refuse(CodeNeedsPerson, "only a person at a terminal changes what an agent asked for").hint("open nod")
	}
	if err := CheckWords(a.Words); err != nil {
		return nil, err
	}
	if !a.ActionDigest.Valid() || !a.ShownDigest.Valid() {
		return nil, refuse(CodeWrongDigest, "an edit names the action digest and the shown digest whole").
			hint("nod show prints both")
	}
	args, err := digest.Canonical(a.Arguments, q.settings.Limits)
	if err != nil {
		return nil, err
	}
	s, err := q.edited(ctx, c, a, args)
	if err != nil {
		return nil, err
	}
	return func(tx Tx, m moment) (Result, error) { return q.edit(tx, m, c, a, s) }, nil
}

// edited makes the submission that takes the place of the ask, before the
// transaction: rules are not evaluated while others wait for the store. The
// shown digest, which the transaction compares, names all that it is made from.
// It is nil where the transaction says what is wrong.
func (q *Queue) edited(ctx context.Context, c *Conn, a Edit, args digest.JSON) (*submission, error) {
	var row *Row
	var ask *digest.Ask
	err := q.store.View(ctx, func(tx ReadTx) (err error) {
		if row, err = tx.Ask(a.Ask); err != nil || row == nil || !row.editable(&a) {
			return err
		}
		ask, _, err = readAsk(tx, row)
		return err
	})
	if err != nil || ask == nil {
		return nil, err
	}
	was := ask.Action
	if was.Arguments[0] == '{' && args[0] != '{' { // no tool that takes members runs anything else
		return nil, refuse(CodeBadInput, "the arguments of this call are a JSON object, and the new ones are not").
			hint("write the whole arguments, with their members")
	}
	s := &submission{
		id: q.edge.NewID(), session: ask.Session, key: row.CallKey, principal: was.Principal,
		derived: &digest.Derived{Ask: row.ID, By: c.operator()},
		act: Submit{
			Kind: row.Kind, Call: callOf(was, args), AgentWords: ask.AgentWords, HostRuns: slices.Contains(ask.Why, whyHostRuns),
			UseInMS: row.UseWithinMS, Edits: true,
		},
	}
	for _, r := range raisable { // never looser than the original
		if slices.Contains(row.Reasons, r) {
			s.act.Raise = append(s.act.Raise, r)
		}
	}
	conn := Conn{Principal: was.Principal, Environment: was.Environment.Name, Machine: was.Environment.Machine}
	if err := s.readCall(q, &conn, s.act); err != nil {
		return nil, err
	}
	if _, stated := ambiguity.CallerID([]byte(keyOf(was))); stated && keyOf(s.action) == keyOf(was) && unnamed([]byte(keyOf(was)), was.Arguments, args) {
		return nil, refuse(CodeEffectEdited, "the effect key repeats a value that the edit changes, so it would name another effect than the call has").
			hint("deny it with words, so that the agent asks for the other effect")
	}
	return s, nil
}

// editable reports whether a can be carried out on the row as far as its own
// columns say.
func (r *Row) editable(a *Edit) bool {
	return r.State == StatePending && r.Kind == digest.KindCall && r.Edits &&
		r.ActionDigest == a.ActionDigest && r.ShownDigest == a.ShownDigest
}

// callOf is what a caller would state to ask for the action with other
// arguments. A number that was lifted stays so where its place still holds one.
func callOf(was *digest.Action, args digest.JSON) *Call {
	call := &Call{Tool: was.Tool, Operation: was.Operation, Arguments: jsontext.Value(args), Cwd: was.Environment.Cwd}
	if len(was.Environment.Vars) > 0 {
		call.Vars = map[string]string{}
		for _, v := range was.Environment.Vars {
			call.Vars[v.Name] = v.Value
		}
	}
	if e := was.Effect; e != nil {
		call.Effect = &Effect{Class: e.Class, Access: e.Access, CommitBoundary: e.CommitBoundary}
		if id, stated := ambiguity.CallerID(e.Key); stated {
			call.Effect.ID = jsontext.Value(id)
		}
	}
	for _, o := range was.Operands {
		call.Operands = append(call.Operands, Operand{Name: o.Name, Digest: o.Digest})
	}
	for _, pointer := range was.Lifted {
		if v, ok := digest.Lookup(args, pointer); ok && digest.IsLifted(v) {
			call.Lifted = append(call.Lifted, pointer)
		}
	}
	return call
}

// edit denies the original and files the new ask in its place.
func (q *Queue) edit(tx Tx, m moment, c *Conn, a Edit, s *submission) (Result, error) {
	row, err := q.load(tx, m, a.Ask)
	if err != nil {
		return nil, err
	}
	if no := answerable(row, m, a.ActionDigest, a.ShownDigest); no != nil {
		return nil, no
	}
	switch {
	case row.Kind != digest.KindCall:
		return nil, refuse(CodeBadInput, "only a call has arguments that can be changed").hint("answer or deny it")
	case !row.Edits:
		return nil, cannotEdit()
	case s == nil:
		return nil, errChanged // it was filed after it was read
	case s.actionDigest == row.ActionDigest:
		return nil, refuse(CodeUnchanged, "the arguments are those of the ask").hint("change them, or allow the ask as it is")
	}
	if err := q.clamped(tx, row.Session, "edit", noEdits); err != nil {
		return nil, err
	}
	d, err := q.editDraft(tx, m, c, row, s)
	if err != nil {
		return nil, asRefusal(err)
	}
	if no, err := q.suspends(tx, m, s, d); err != nil || no != nil {
		return nil, orRefusal(no, err)
	}
	row.Verdict, row.DecidedBy, row.Decider, row.DecidedWay = VerdictDeny, ByPerson, c.operator(), c.Way
	if !notice.IsOwed(a.Words) {
		a.Words = ""
	}
	row.DecidedAt, row.Words, row.EditedTo = m.now, a.Words, s.id
	way := ""
	if a.Words != "" { // what is in its place is decided and collected; the words are owed
		way = string(StageDecided)
	}
	err = q.move(tx, m, row, StateDenied, Event{Act: "edit", Actor: c.operator(), By: ByPerson, Way: c.Way, Reason: ReasonEdited,
		EditedTo: s.id, Words: a.Words != "", Said: SaidDigest(row.ID, a.Words, nil), Delivery: way})
	if err == nil {
		err = q.delivers(tx, m, row)
	}
	if err != nil {
		return nil, err
	}
	if err := q.insert(tx, m, c, c.operator(), s, d); err != nil {
		return nil, err
	}
	return Edited{Original: row.ID, Ask: d.row.ID, State: d.row.State, Action: d.row.ActionDigest, Shown: d.row.ShownDigest, At: m.now}, nil
}

// editDraft is the new ask, with the waiter and the deadline of the original:
// whoever waits does so no longer than that.
func (q *Queue) editDraft(tx Tx, m moment, c *Conn, row *Row, s *submission) (*draft, error) {
	s.act.AnswerInMS = row.AnswerBy - m.now
	f := facts{offset: m.now - m.wall}
	session, err := tx.Session(row.Session)
	if err == nil && session != nil {
		f.parents, err = parents(tx, session)
	}
	if err == nil && session != nil {
		var root *Session
		if root, err = treesOf(tx, session).root(session); err == nil {
			f.held, err = q.held(tx, session, &s.denying)
		}
		if err == nil && !s.denies(&f) {
			f.crosses = q.mandate(root, s)
		}
	}
	if err == nil {
		f.policy, err = q.editPolicy(tx, m, c, row, s)
	}
	if err == nil {
		f.effect, err = q.meet(tx, m, c, s)
	}
	if err != nil {
		return nil, err
	}
	d, err := s.draft(q, f, m.now)
	if err != nil {
		return nil, err
	}
	d.row.WaiterHash, d.row.WaiterUntil = row.WaiterHash, row.WaiterUntil
	return d, nil
}

// suspends writes the tree down where an edit leaves its new ask pending.
func (q *Queue) suspends(tx Tx, m moment, s *submission, d *draft) (*Refusal, error) {
	session, err := tx.Session(s.session)
	if err != nil || session == nil {
		return nil, err
	}
	var phase boundary.Phase
	if d.row.State == StatePending {
		phase = boundary.Suspend
	}
	t := treesOf(tx, session)
	if no, err := q.passes(tx, m, t, session, phase, boundary.Act{}, ""); err != nil || no != nil {
		return no, err
	}
	return nil, t.put(tx)
}

func cannotEdit() *Refusal {
	return refuse(CodeNoEdits, "whoever asked cannot run arguments that a person changed").
		hint("deny it with words, so that the agent asks anew")
}
