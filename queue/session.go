package queue

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"nod/ambiguity"
	"nod/boundary"
	"nod/digest"
	"nod/notice"
)

// touchMS is how stale a session's last act may be before it is written anew:
// a day's limit does not need each act.
const touchMS = 60_000

// maxFamily bounds the walk over parents.
const maxFamily = 64

// sessionID is Nod's id of a host session: it depends on the principal, so
// that no other principal can name it.
func sessionID(p *digest.Principal, host string) string {
	sum := sha256.Sum256(principalKey(p, host))
	return "s-" + hex.EncodeToString(sum[:8])
}

// callKey names (principal, host session, call id); "" when there is no id.
func callKey(p *digest.Principal, host, call string) string {
	if call == "" {
		return ""
	}
	sum := sha256.Sum256(principalKey(p, host, call))
	return hex.EncodeToString(sum[:16])
}

func principalKey(p *digest.Principal, more ...string) []byte {
	b := append(make([]byte, 0, 256), '[')
	add := func(s string) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b, _ = jsontext.AppendQuote(b, s) //nolint:errcheck // reports only replaced bytes
	}
	add(p.Agent)
	add(p.User)
	add(p.Host)
	for _, s := range more {
		add(s)
	}
	return append(b, ']')
}

// arrival is a session as a submit leaves it.
type arrival struct {
	session *Session
	dirty   bool // it must be written
	born    bool // it is new, or starts anew
	child   bool // it has just named its parent
}

// arrive gives the session as this submit leaves it. One that was silent for too
// long is ended first, which is the clock's doing, and starts anew.
func (q *Queue) arrive(tx Tx, m moment, sub *submission) (*arrival, error) {
	s, err := tx.Session(sub.session)
	if err != nil {
		return nil, err
	}
	if s != nil && s.EndedAt == 0 && m.now-s.LastAct > q.settings.SessionMS && !m.held {
		if _, err := q.end(tx, m, s, actorClock, endSilent); err != nil {
			return nil, err
		}
	}
	a := &arrival{dirty: true}
	switch {
	case s == nil:
		a.born = true
		s = &Session{ID: sub.session, HostID: sub.act.Session, Principal: string(principalKey(&sub.principal)),
			Agent: sub.principal.Agent, StartedAt: m.now}
	case s.EndedAt != 0:
		a.born = true
		s.EndedAt, s.StartedAt, s.Told = 0, m.now, ""
	case m.now-s.LastAct < touchMS && (sub.parent == "" || s.Parent != ""):
		return &arrival{session: s}, nil
	}
	if s.Parent == "" && sub.parent != "" {
		forebears, err := parents(tx, &Session{ID: s.ID, Parent: sub.parent})
		if err != nil {
			return nil, err
		}
		if slices.Contains(forebears, s.ID) {
			return nil, refuse(CodeBadInput, "a session cannot descend from itself").hint("name the session that started this one")
		}
		s.Parent, a.child = sub.parent, true
	}
	s.LastAct, a.session = m.now, s
	return a, nil
}

// seen notes that s acts now, where that is not known yet.
func (t *trees) seen(s *Session, m moment) {
	if m.now-s.LastAct >= touchMS {
		s.LastAct = m.now
		t.touch(s)
	}
}

// alive notes an act of a session that changes nothing else of it: who waits, or
// runs something, is not silent.
func (q *Queue) alive(tx Tx, m moment, id string) error {
	s, err := tx.Session(id)
	if err != nil || s == nil || s.EndedAt != 0 {
		return err
	}
	t := treesOf(tx, s)
	t.seen(s, m)
	return t.put(tx)
}

// declares notes what a submit says of its gateway, where that is not known yet.
func (a *arrival) declares(act *Submit) {
	s := a.session
	if s.Receipts != act.Receipts || s.WordsMax != act.WordsMax {
		s.Receipts, s.WordsMax, a.dirty = act.Receipts, act.WordsMax, true
	}
}

// parents lists a session's forebears, nearest first.
func parents(tx ReadTx, s *Session) ([]string, error) {
	var out []string
	for next := s.Parent; next != "" && len(out) < maxFamily && !slices.Contains(out, next); {
		out = append(out, next)
		p, err := tx.Session(next)
		if err != nil || p == nil {
			return out, err
		}
		next = p.Parent
	}
	return out, nil
}

func (q *Queue) endSession(tx Tx, m moment, c *Conn, a EndSession) (Result, error) {
	switch a.Why {
	case "", "host", "host_gone", "command_end":
	default:
		return nil, refuse(CodeBadInput, "the reason is not a code of a session's end").
			hint("host, host_gone or command_end")
	}
	id := sessionID(&c.Principal, a.Session)
	s, err := tx.Session(id)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return q.endOrphans(tx, m, c, id, a.Why)
	}
	if s.EndedAt != 0 {
		return Ended{Session: id}, nil
	}
	n, err := q.end(tx, m, s, c.Principal.Agent, a.Why)
	return Ended{Session: id, Withdrawn: n}, err
}

// endOrphans ends the children of a session that never asked anything itself.
func (q *Queue) endOrphans(tx Tx, m moment, c *Conn, id, why string) (Result, error) {
	children, err := tx.ChildrenOf(id)
	if err != nil {
		return nil, err
	}
	if len(children) == 0 {
		return nil, refuse(CodeUnknownID, "this connection has no such session")
	}
	r := Ended{Session: id}
	for i := range children {
		n, err := q.end(tx, m, &children[i], c.Principal.Agent, why)
		if err != nil {
			return nil, err
		}
		r.Withdrawn += n
	}
	return r, nil
}

// end ends a session and its children: their open asks are withdrawn, and the
// attempts that a host was running are nobody's knowledge any more.
func (q *Queue) end(tx Tx, m moment, s *Session, actor, why string) (withdrawn int64, err error) {
	family := []Session{*s}
	known := map[string]bool{s.ID: true}
	for i := 0; i < len(family); i++ { // known ends it
		children, err := tx.ChildrenOf(family[i].ID)
		if err != nil {
			return 0, err
		}
		for j := range children {
			if id := children[j].ID; !known[id] {
				known[id] = true
				family = append(family, children[j])
			}
		}
	}
	for i := range family {
		n, err := q.endOne(tx, m, &family[i], actor, why)
		if err != nil {
			return withdrawn, err
		}
		withdrawn += n
	}
	*s = family[0]
	return withdrawn, nil
}

func (q *Queue) endOne(tx Tx, m moment, s *Session, actor, why string) (n int64, err error) {
	if s.EndedAt != 0 {
		return 0, nil
	}
	for {
		open, err := tx.OpenOfSession(s.ID, settleBatch)
		if err != nil {
			return n, err
		}
		for i := range open {
			row := &open[i]
			if err := q.settleAsk(tx, m, row); err != nil {
				return n, err
			}
			if row.State.Final() {
				continue
			}
			if err := q.move(tx, m, row, StateWithdrawn, Event{Act: "withdraw", Actor: actor, Reason: "session_end"}); err != nil {
				return n, err
			}
			n++
		}
		if len(open) < settleBatch {
			break
		}
	}
	running, err := tx.ExecutingOf(s.ID)
	if err != nil {
		return n, err
	}
	for i := range running {
		if err := q.loseAttempt(tx, m, &running[i], ambiguity.SessionEnd); err != nil {
			return n, err
		}
	}
	if err := q.recoverScopes(tx, m, s.ID, actor); err != nil {
		return n, err
	}
	// What another one's end wrote of the tree that this one holds.
	now, err := tx.Session(s.ID)
	if err != nil {
		return n, err
	}
	if now != nil {
		*s = *now
	}
	t := treesOf(tx, s)
	if _, err := q.passes(tx, m, t, s, boundary.Settle, boundary.Act{}, ""); err != nil {
		return n, err
	}
	if _, err := q.undrained(tx, m, nil, s, notice.Leg{Session: s.ID, Run: s.run(), Parent: s.Parent, Cause: endCause(why)}, nil); err != nil {
		return n, err
	}
	s.EndedAt = m.now
	t.touch(s)
	if err := t.put(tx); err != nil {
		return n, err
	}
	return n, q.append(tx, m, Event{Act: "session_end", Actor: actor, Session: s.ID, Reason: why, Count: n})
}
