package queue_test

import (
	"fmt"
	"strings"
	"testing"

	"nod/boundary"
	"nod/queue"
)

const day = 24 * 3_600_000

func (l *lab) ends(port queue.Port, session string) {
	l.t.Helper()
	must[queue.Ended](l.t)(queue.As[queue.Ended](l.t.Context(), port, queue.EndSession{Session: session}))
}

// A tree lives as long as one of its sessions acts: by a begin, a renewal, a
// report or a waiter too, not by submits alone.
func TestTreeLivesByEveryAct(t *testing.T) {
	alone(t)
	for name, act := range map[string]func(l *lab) (then func()){
		"submit": func(l *lab) func() { // within a minute of the one before, so its time is not written
			l.arm("s", false)
			l.pass(59_000)
			return func() { l.do(l.agent, crossCall("s", "none.deny", 1)) }
		},
		"begin": func(l *lab) func() {
			s := l.do(l.on, crossCall("s", "none.ask", 1))
			l.pass(day - 120_000)
			l.decide(s.Ask, queue.VerdictAllow)
			return func() { must[queue.Begun](t)(queue.As[queue.Begun](t.Context(), l.on, begin(s))) }
		},
		"renew": func(l *lab) func() {
			b := l.do(l.on, crossCall("s", "none.allow", 1)).Begun
			return func() {
				for range 24 * 60 / 4 {
					l.pass(4 * 60_000)
					must[queue.Renewed](t)(queue.As[queue.Renewed](t.Context(), l.on, queue.Renew{Attempt: b.Attempt, Token: b.Token}))
				}
			}
		},
		"report": func(l *lab) func() {
			b := l.do(l.on, crossCall("s", "none.allow", 1)).Begun
			l.pass(day - 60_000)
			return func() {
				must[queue.Reported](t)(queue.As[queue.Reported](t.Context(), l.on,
					queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitSuccess}))
			}
		},
		"wait": func(l *lab) func() {
			l.arm("s", false)
			s := l.do(l.agent, crossCall("s", "none.ask", 1))
			l.pass(day - 60_000)
			return func() {
				must[queue.Standing](t)(queue.As[queue.Standing](t.Context(), l.agent, queue.Wait{Ask: s.Ask, Token: s.Token}))
			}
		},
		"repeat": func(l *lab) func() {
			l.arm("s", false)
			c := crossCall("s", "none.deny", 1)
			c.CallID = "again"
			l.do(l.agent, c)
			l.pass(day - 60_000)
			return func() { l.do(l.agent, c) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, boundary.MultiTenant)
			act(l)()
			l.pass(day - 1)
			l.do(l.agent, crossCall("new", "none.allow", 1))
			if l.bits("new") != armedGov {
				t.Errorf("a root that came within a day of it has %q", l.bits("new"))
			}
			l.pass(day + 120_000)
			l.do(l.agent, crossCall("newer", "none.allow", 2))
			if l.bits("newer") != "" {
				t.Errorf("a root that came after a silent day has %q", l.bits("newer"))
			}
		})
	}
}

// A session that was silent for a day is another run of the same tree.
func TestSilentSessionKeepsItsTree(t *testing.T) {
	alone(t)
	l := newLab(t, boundary.MultiTenant)
	l.arm("s", true)
	kid := crossCall("kid", "none.allow", 1)
	kid.Parent = "s"
	l.do(l.agent, kid)
	l.pass(2 * day)
	if s := l.do(l.agent, crossCall("s", "write.allow", 2)); s.State != queue.StatePending || l.bits("s") != everyBit {
		t.Errorf("%s, %q", s.State, l.bits("s"))
	}
	if l.sessions()["kid"].EndedAt == 0 {
		t.Error("the child of a silent session goes on")
	}
	l.ends(l.agent, "s")
	if s := l.do(l.agent, crossCall("kid", "write.allow", 2)); s.State != queue.StatePending || l.bits("kid") != everyBit {
		t.Errorf("a child that starts anew: %s, %q", s.State, l.bits("kid"))
	}
}

// Many trees become one, again and again: nobody is lost on the way.
func TestManyTreesBecomeOne(t *testing.T) {
	alone(t)
	const trees, rounds = 70, 3
	l := newLab(t, boundary.MultiTenant)
	for round := range rounds {
		for i := range trees { // all there before one of them is armed: a tree each
			s := fmt.Sprintf("t-%d-%d", round, i)
			for range 2 {
				l.do(l.agent, crossCall(s, "none.allow", i))
			}
			l.ends(l.agent, s)
		}
	}
	// Started anew they keep what they hold; so each is put back unarmed and alone.
	for round := range rounds {
		for i := range trees {
			l.alone(fmt.Sprintf("t-%d-%d", round, i), 1+int64(i))
		}
		l.do(l.agent, crossCall(fmt.Sprintf("r-%d", round), "none.allow", 1))
	}
	root := ""
	for host, s := range l.wholePage() {
		if s.Unreadable != "" || s.Armed == 0 {
			t.Fatalf("%s is read as %q, armed %d", host, s.Unreadable, s.Armed)
		}
		if s.Tree == "" {
			s.Tree = s.ID
		}
		if root == "" {
			root = s.Tree
		}
		if s.Tree != root {
			t.Fatalf("%s shares %s, another one %s", host, s.Tree, root)
		}
	}
}

// alone makes a session live, with an armed tree of its own.
func (l *lab) alone(host string, armed int64) {
	l.t.Helper()
	id := l.wholePage()[host].ID
	err := l.store.Do(l.t.Context(), func(tx queue.Tx) error {
		s, err := tx.Session(id)
		if err != nil {
			return err
		}
		s.EndedAt, s.Tree, s.ArmedAt, s.GovernedAt, s.LastAct = 0, "", armed, armed, l.wall
		return tx.PutSession(s)
	})
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *lab) wholePage() map[string]queue.SessionView {
	l.t.Helper()
	out := map[string]queue.SessionView{}
	for _, s := range must[queue.Sessions](l.t)(queue.Get[queue.Sessions](l.t.Context(), l.operator, queue.QSessions{Limit: 500})).Sessions {
		out[s.Host] = s
	}
	return out
}

// A tree whose holder is gone, or that leads round in a ring, is the strictest.
func TestTornTree(t *testing.T) {
	alone(t)
	for name, change := range map[string]string{
		"the holder is gone": "UPDATE sessions SET tree = 's-0000000000000000' WHERE host_id = 'a'",
		"it holds itself":    "UPDATE sessions SET tree = id WHERE host_id = 'a'",
		"a ring":             "UPDATE sessions SET tree = (SELECT o.id FROM sessions o WHERE o.host_id <> sessions.host_id)",
		"the ring's other":   "UPDATE sessions SET tree = (SELECT o.id FROM sessions o WHERE o.host_id = 'b') WHERE host_id IN ('a', 'b')",
	} {
		l := newLab(t, boundary.MultiTenant)
		l.do(l.agent, crossCall("a", "none.allow", 1))
		l.do(l.agent, crossCall("b", "none.allow", 1))
		l.sql(change)
		if s := l.do(l.agent, crossCall("a", "write.allow", 2)); s.State != queue.StatePending || l.sessions()["a"].Unreadable == "" || l.bits("a") != everyBit {
			t.Errorf("%s: %s, %+v", name, s.State, l.sessions()["a"])
		}
		l.pass(60_000)
		if s := l.do(l.agent, crossCall("a", "write.allow", 3)); s.State != queue.StatePending || l.bits("a") != everyBit {
			t.Errorf("%s, once more: %s, %q", name, s.State, l.bits("a"))
		}
	}
}

// Whoever says that it descends from itself over others is refused; who names
// itself is a root, and joins what a root joins.
func TestNobodyDescendsFromItself(t *testing.T) {
	alone(t)
	l := newLab(t, boundary.MultiTenant)
	l.do(l.agent, crossCall("c0", "none.allow", 1))
	for n := 1; n < 5; n++ {
		c := crossCall(fmt.Sprintf("c%d", n), "none.allow", 1)
		c.Parent = fmt.Sprintf("c%d", n-1)
		l.do(l.agent, c)
	}
	ring := crossCall("c0", "none.allow", 2)
	ring.Parent = "c4"
	_ = l.refused(l.agent, ring, queue.CodeBadInput, 0)
	if l.bits("c0") != "" {
		t.Errorf("%q", l.bits("c0"))
	}
	// Two that name each other as unknown parents, the later one first.
	a := crossCall("a", "none.allow", 1)
	a.Parent = "b"
	l.do(l.agent, a)
	b := crossCall("b", "none.allow", 1)
	b.Parent = "a"
	_ = l.refused(l.agent, b, queue.CodeBadInput, 0)
	l.arm("c2", false)
	self := crossCall("self", "none.allow", 1)
	self.Parent = "self"
	l.do(l.agent, self)
	if s := l.sessions()["self"]; s.Parent != "" || l.bits("self") != everyBit {
		t.Errorf("%+v", s)
	}
}

// Who named an unknown parent when no boundary was configured is the strictest
// once one is, and who named a known one shares its tree, whatever comes first:
// the submit, or the begin of what was allowed before.
func TestBoundaryConfiguredLater(t *testing.T) {
	alone(t)
	for _, known := range []bool{false, true} {
		for _, beginsFirst := range []bool{false, true} {
			l := &lab{world: newWorld(t, func(s *queue.Settings) { s.Rules, s.Descriptors = crossingRules{}, crossingTools(t) })}
			kid := crossCall("kid", "write.allow", 1)
			kid.Parent, kid.Begin = "root", false
			before := l.do(l.agent, kid)
			grandkid := crossCall("grandkid", "none.allow", 1)
			grandkid.Parent = "kid"
			l.do(l.agent, grandkid)
			if before.State != queue.StateAllowed || l.bits("kid") != "" {
				t.Fatalf("%s, %q", before.State, l.bits("kid"))
			}
			if known {
				l.do(l.agent, crossCall("root", "none.allow", 1))
			}
			l.reopen(boundary.MultiTenant)
			if known {
				l.arm("root", false)
			}
			if beginsFirst {
				_ = l.refused(l.agent, begin(before), queue.CodeUnconfirmed, 1)
			}
			if s := l.do(l.agent, crossCall("grandkid", "write.allow", 2)); s.State != queue.StatePending {
				t.Errorf("known %v, begins first %v: %s", known, beginsFirst, s.State)
			}
			why := l.sessions()["kid"].Unreadable
			if want := everyBit; known && l.bits("kid") != armedGov || !known && (l.bits("kid") != want || !strings.Contains(why, "unknown")) {
				t.Errorf("known %v, begins first %v: %q, %q", known, beginsFirst, l.bits("kid"), why)
			}
		}
	}
}

// To name a parent that is over, or to be a child that starts anew after its
// parent's end, loosens nothing: the tree is the one that a root would join.
func TestAParentThatIsOverLoosensNothing(t *testing.T) {
	alone(t)
	for name, over := range map[string]func(l *lab){
		"ended":  func(l *lab) { l.ends(l.agent, "old") },
		"silent": func(l *lab) { l.pass(queue.DefaultSettings().SessionMS + 120_000) },
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, boundary.MultiTenant)
			child := func(session string, n int) queue.Submitted {
				c := crossCall(session, "write.allow", n)
				c.Parent = "old"
				return l.do(l.agent, c)
			}
			l.do(l.agent, crossCall("old", "none.allow", 0))
			if s := child("early", 1); s.Begun == nil {
				t.Fatalf("nothing was armed yet: %+v", s)
			}
			over(l)
			l.arm("work", true)
			for i, session := range []string{"late", "early"} {
				if s := child(session, 2+i); s.State != queue.StatePending || !l.see(s.Ask).Row.Mandated {
					t.Errorf("%s: %s, bits %q", session, s.State, l.bits(session))
				}
			}
		})
	}
	// A parent that lives has its own tree, and so has its child.
	l := newLab(t, boundary.MultiTenant)
	l.do(l.agent, crossCall("old", "none.allow", 0))
	l.arm("work", true)
	c := crossCall("kid", "write.allow", 1)
	c.Parent = "old"
	if s := l.do(l.agent, c); s.Begun == nil {
		t.Errorf("%+v", s)
	}
}
