package queue

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"nod/boundary"
	"nod/digest"
	"nod/notice"
)

// crossing is how one call crosses a device's boundary, by the operator's words.
type crossing struct {
	legs        boundary.Legs
	target      bool // it executes in an environment listed under targets
	environment string
}

// crossing gives the legs of a call whose descriptor has been written into it.
func (q *Queue) crossing(a *digest.Action) crossing {
	c := crossing{environment: a.Environment.Name, target: slices.Contains(q.settings.Targets, a.Environment.Name)}
	row := boundary.Row{Source: boundary.SourceBuiltin}
	if d := q.settings.Descriptors.Tool(a.Tool); d != nil {
		row.Declaration, row.Flow = d.Crossing()
		_, row.Access = d.Effect()
	}
	how, err := row.Crossing()
	c.legs = how.Legs
	switch {
	case err != nil: // every leg
	case how.PerCall:
		c.legs = q.perCall(a)
	case row.Declaration == nil && row.Flow == "" && a.Effect != nil && a.Effect.Access != "" && a.Effect.Access != row.Access:
		// What a caller says of its access adds a leg; it takes none away.
		row.Access = a.Effect.Access
		said, _ := row.Crossing() //nolint:errcheck // no declaration, no error
		c.legs.OutsideRead = c.legs.OutsideRead || said.Legs.OutsideRead
		c.legs.OutsideWrite = c.legs.OutsideWrite || said.Legs.OutsideWrite
	}
	return c
}

func (q *Queue) perCall(a *digest.Action) boundary.Legs {
	if q.settings.PerCall == nil {
		return boundary.EveryLeg()
	}
	value, err := q.settings.PerCall.Legs(a)
	if err != nil {
		return boundary.EveryLeg()
	}
	legs, _ := boundary.PerCall(value) //nolint:errcheck // on an error they are every leg
	return legs
}

// mandate is what the tree that root holds makes of a submit: the account of why
// only a person may answer it, or the zero Account. A deny stays one.
func (q *Queue) mandate(root *Session, s *submission) boundary.Account {
	if s.action == nil {
		return boundary.Account{}
	}
	return q.mandateOf(root, s)
}

// mandateOf is mandate, also of a call that is only known to cross.
func (q *Queue) mandateOf(root *Session, s *submission) boundary.Account {
	was, c := root.tree(), &s.crossing
	t := boundary.Judged(was, q.settings.Posture, c.target)
	owes := boundary.Obligation(t, c.legs, c.target)
	if _, mandated := boundary.Order(boundary.Ruling(s.ruling.Verdict), owes.Mandate); !mandated {
		return boundary.Account{}
	}
	a := boundary.Account{Tree: t, Legs: c.legs, EnvIsTarget: c.target, Environment: c.environment, ByThisCall: !was.Armed,
		Target: root.Target, ArmedAt: stamp(root.ArmedAt), ReadAt: stamp(root.ObservedAt), Unreadable: root.Unreadable}
	if a.ByThisCall {
		a.Target = c.environment
	}
	return a
}

// stamp writes a time for a sentence; "" for none.
func stamp(ms int64) string {
	if ms == 0 {
		return ""
	}
	return time.UnixMilli(ms).UTC().Truncate(time.Second).Format(time.RFC3339)
}

// checkBoundary judges what runs on the tree as it is now: a rule's or grant's
// allow, or a script's, is no person's.
func checkBoundary(q *Queue, tx Tx, m moment, r *running) (*Refusal, error) {
	s, err := tx.Session(r.row.Session)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return refuse(CodeUnknownID, "the session of this ask is not there").hint("run nod audit verify"), nil
	}
	r.session, r.trees = s, treesOf(tx, s)
	if err := q.descend(r.trees, m, s, false); err != nil {
		return nil, err
	}
	r.trees.seen(s, m)
	root, err := r.trees.root(s)
	if err != nil {
		return nil, err
	}
	t := boundary.Judged(root.tree(), q.settings.Posture, r.crossing.target)
	person := r.row.DecidedBy == ByPerson && r.row.DecidedWay != WayScript
	if boundary.AtBegin(boundary.Obligation(t, r.crossing.legs, r.crossing.target), person) == boundary.Unconfirmed {
		return refuse(CodeUnconfirmed, "what crossed the boundary since it was allowed wants a person's answer, and none gave it").
			hint("submit the call again, so that a person is asked"), nil
	}
	return nil, nil
}

// finds does what an act of s writes because of its tree when the act leaves an
// ask that is there as it is. Of a pending one the tree is written down, unless
// it is as this run wrote it last.
func (q *Queue) finds(tx Tx, m moment, t *trees, s *Session, row *Row) (*Refusal, error) {
	root, err := t.root(s)
	if err != nil || root.ArmedAt == 0 {
		return nil, err
	}
	var phase boundary.Phase
	if row.State == StatePending {
		newest, err := tx.Records(s.ID, 1)
		if err != nil {
			return nil, err
		}
		body, _ := boundary.WriteRecord(boundary.Next(root.tree(), q.settings.Posture, boundary.Act{}))
		if len(newest) == 0 || newest[0].Run != s.run() || !bytes.Equal(newest[0].Body, body) {
			phase = boundary.Suspend
		}
	}
	return q.passes(tx, m, t, s, phase, boundary.Act{}, "")
}

// repeats is finds for a repeat of a submit, of whose session nothing else is read.
func (q *Queue) repeats(tx Tx, m moment, row *Row) (*Refusal, error) {
	s, err := tx.Session(row.Session)
	if err != nil || s == nil {
		return nil, err
	}
	t := treesOf(tx, s)
	if s.EndedAt == 0 {
		t.seen(s, m)
	}
	if no, err := q.finds(tx, m, t, s, row); err != nil || no != nil {
		return no, err
	}
	return nil, t.put(tx)
}

// wants reports whether the tree of row's session, as it is now, wants a person
// for its call. It computes with what an agent wrote, so it has no place in an
// act's transaction.
func (q *Queue) wants(tx ReadTx, row *Row) (bool, error) {
	s, err := tx.Session(row.Session)
	if err != nil || s == nil {
		return err == nil, err
	}
	root, err := treesOf(tx, s).root(s)
	if err != nil || root.ArmedAt == 0 && len(q.settings.Targets) == 0 {
		return false, err
	}
	ask, _, err := readAsk(tx, row)
	if err != nil || ask.Action == nil {
		return false, err
	}
	c := q.crossing(ask.Action)
	return boundary.Obligation(boundary.Judged(root.tree(), q.settings.Posture, c.target), c.legs, c.target).Mandate, nil
}

// passes does what an act of s writes because of its tree: the record of the
// phase, the bits, what an operator is told, and the event. It comes before all
// other writes of the act, because it may refuse; the sessions that it changes
// are put by the caller. phase "" writes no record.
func (q *Queue) passes(tx Tx, m moment, t *trees, s *Session, phase boundary.Phase, act boundary.Act, environment string) (*Refusal, error) {
	root, err := t.root(s)
	if err != nil {
		return nil, err
	}
	was := root.tree()
	next := boundary.Next(was, q.settings.Posture, act)
	if !next.Armed || phase == "" && next == was {
		return nil, nil
	}
	e := Event{Act: "tree", Actor: s.Agent, Session: s.ID, Phase: string(phase), Bits: strings.Join(next.Bits(), " ")}
	var unwritten error
	if body, armed := boundary.WriteRecord(next); armed && phase != "" {
		unwritten = tx.InsertRecord(&Record{Session: s.ID, Run: s.run(), Phase: phase, Body: body, At: m.now})
	}
	if unwritten != nil {
		if boundary.Unwritten(phase, next) == boundary.Unrecorded {
			return refuse(CodeUnrecorded, "what it crosses could not be written down, so it does not go on").
				hint("see whether the disk is full, then try again"), nil
		}
		e.Reason = CodeUnrecorded
	}
	if act.Begins && act.Target && !was.Armed {
		root.Target = environment
	}
	root.grow(next, m.now)
	if next != was {
		t.touch(root)
	}
	if unwritten != nil {
		n, err := notice.UnwrittenRecord(s.ID, s.run(), notice.Phase(phase), next.Governed, unwritten.Error())
		if err == nil {
			err = q.tell(tx, m, t, s, "unwritten."+string(phase), &n)
		}
		if err != nil {
			return nil, err
		}
	}
	if q.settings.Posture == boundary.Undeclared {
		n, err := notice.UndeclaredPosture(s.ID, s.run(), next.Observed)
		if err == nil {
			err = q.tell(tx, m, t, s, "posture", &n)
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, q.append(tx, m, e)
}

// tell opens a notice that a run is told of once.
func (q *Queue) tell(tx Tx, m moment, t *trees, s *Session, word string, n *notice.Notice) error {
	if !s.once(word) {
		return nil
	}
	t.touch(s)
	detail, err := n.Detail.Canonical(n.Code)
	if err != nil {
		return err
	}
	said := n.Say()
	return q.notify(tx, m, &Notice{Code: n.Code, Session: s.ID, Sentence: said.Happened + " " + said.Means, Detail: string(detail)})
}
