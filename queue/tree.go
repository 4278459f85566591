package queue

import (
	"slices"
	"strconv"
	"strings"

	"nod/boundary"
)

// trees are the sessions that one act works on because of the trees that they
// hold. What it changes reaches the store by put.
type trees struct {
	tx      ReadTx
	known   map[string]*Session
	changed []*Session
}

func treesOf(tx ReadTx, s *Session) *trees {
	return &trees{tx: tx, known: map[string]*Session{s.ID: s}}
}

func (t *trees) session(id string) (*Session, error) {
	if s, ok := t.known[id]; ok {
		return s, nil
	}
	s, err := t.tx.Session(id)
	if err == nil {
		t.known[id] = s
	}
	return s, err
}

// root gives the session that holds the tree of s: s itself where it shares none.
// Those on the way name it from now on, so that no way grows.
func (t *trees) root(s *Session) (*Session, error) {
	at, way := s, []*Session(nil)
	for at.Tree != "" && !slices.Contains(way, at) {
		next, err := t.session(at.Tree)
		if err != nil {
			return nil, err
		}
		if next == nil {
			break
		}
		way, at = append(way, at), next
	}
	if at.Tree != "" { // held by nobody that is there: whatever it was
		at.Tree, at.Unreadable = "", "the session that holds it is not there"
		at.grow(boundary.Strictest(), max(at.LastAct, 1))
		t.touch(at)
	}
	for _, on := range way {
		if on != at && on.Tree != at.ID {
			on.Tree = at.ID
			t.touch(on)
		}
	}
	return at, nil
}

// share lets the tree of one root be that of another from now on, with the bits
// of both.
func (t *trees) share(from, into *Session) {
	if from == into {
		return
	}
	earlier := func(at *int64, other int64) {
		if other > 0 && (*at == 0 || other < *at) {
			*at = other
		}
	}
	if from.ArmedAt > 0 && (into.ArmedAt == 0 || from.ArmedAt < into.ArmedAt) {
		into.Target = from.Target
	}
	earlier(&into.ArmedAt, from.ArmedAt)
	earlier(&into.ObservedAt, from.ObservedAt)
	earlier(&into.GovernedAt, from.GovernedAt)
	if into.Unreadable == "" {
		into.Unreadable = from.Unreadable
	}
	from.Tree = into.ID
	t.touch(from)
	t.touch(into)
}

func (t *trees) touch(s *Session) {
	if !slices.Contains(t.changed, s) {
		t.changed = append(t.changed, s)
	}
}

func (t *trees) put(tx Tx) error {
	for _, s := range t.changed {
		if err := tx.PutSession(s); err != nil {
			return err
		}
	}
	return nil
}

// tree is the three bits that a root holds.
func (s *Session) tree() boundary.Tree {
	return boundary.Tree{Armed: s.ArmedAt > 0, Observed: s.ObservedAt > 0, Governed: s.GovernedAt > 0}
}

// grow adds bits; the ones it has keep their times.
func (s *Session) grow(t boundary.Tree, now int64) {
	for _, b := range []struct {
		has bool
		at  *int64
	}{{t.Armed, &s.ArmedAt}, {t.Observed, &s.ObservedAt}, {t.Governed, &s.GovernedAt}} {
		if b.has && *b.at == 0 {
			*b.at = now
		}
	}
}

// run names a session's leg of work: one that starts anew is another one.
func (s *Session) run() string { return s.ID + "." + strconv.FormatInt(s.StartedAt, 10) }

// once reports whether s was not told of a word before in this run, and notes it.
func (s *Session) once(word string) bool {
	if slices.Contains(strings.Fields(s.Told), word) {
		return false
	}
	s.Told = strings.TrimSpace(s.Told + " " + word)
	return true
}

// join finds the tree of a session that arrives (DESIGN §6): a child's is its
// parent's, a root's every live armed tree of its principal. A child that begins
// after its parent is over joins those too: to name a parent loosens nothing.
func (q *Queue) join(tx ReadTx, m moment, a *arrival) (*trees, error) {
	s := a.session
	t := treesOf(tx, s)
	if s.Parent != "" {
		if err := q.descend(t, m, s, a.child); err != nil {
			return nil, err
		}
		parent, err := t.session(s.Parent)
		if err != nil || parent == nil || parent.EndedAt == 0 && m.now-parent.LastAct <= q.settings.SessionMS {
			return t, err
		}
	}
	if !a.born {
		return t, nil
	}
	// A last act is written up to a minute late.
	live, err := tx.TreesOf(s.Principal, m.now-q.settings.SessionMS-touchMS)
	if err != nil {
		return nil, err
	}
	own, err := t.root(s)
	if err != nil {
		return nil, err
	}
	joined := false
	for i := range live {
		other, err := t.session(live[i].ID)
		if err != nil {
			return nil, err
		}
		found, err := t.root(other)
		switch {
		case err != nil:
			return nil, err
		case found.ArmedAt == 0:
		case joined:
			t.share(found, own)
		default:
			t.share(own, found)
			own, joined = found, true
		}
	}
	return t, nil
}

// descend lets a child share its parent's tree. A parent that nobody knows reads
// as the strictest. Who named one when no boundary was configured is looked at
// again once one is, as long as its tree is not armed.
func (q *Queue) descend(t *trees, m moment, s *Session, named bool) error {
	own, err := t.root(s)
	if err != nil {
		return err
	}
	for range maxFamily {
		of := own
		if named {
			of, named = s, false
		} else if own.Parent == "" || own.ArmedAt > 0 || !q.settings.bounded() {
			return nil
		}
		parent, err := t.session(of.Parent)
		if err != nil {
			return err
		}
		if parent == nil {
			if q.settings.bounded() {
				own.grow(boundary.Birth{Child: true}.Tree(), m.now)
				own.Unreadable = unknownParent
				t.touch(own)
			}
			return nil
		}
		into, err := t.root(parent)
		if err != nil || into == own {
			return err
		}
		t.share(own, into)
		own = into
	}
	return nil
}

const unknownParent = "its parent session is unknown"

// bounded reports whether the operator said anything of a boundary. Where not,
// no tree of this store is armed, and an unknown parent says nothing.
func (s *Settings) bounded() bool { return len(s.Targets) > 0 || s.Posture != boundary.Undeclared }
