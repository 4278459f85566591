package queue_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"nod/boundary"
	"nod/descriptor"
	"nod/digest"
	"nod/queue"
)

// crossingRow is a line of testdata/crossing.txt.
type crossingRow struct {
	line             string
	armed, read, gov bool
	legs             []string
	target           bool
	person           bool
	leaves           boundary.Tree
	tool             string
}

func crossingRows(t *testing.T) (rows []crossingRow, set *descriptor.Set) {
	t.Helper()
	text, err := os.ReadFile("testdata/crossing.txt")
	if err != nil {
		t.Fatal(err)
	}
	var tools []descriptor.Tool
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if f[0] == "#" {
			continue
		}
		if len(f) != 9 {
			t.Fatalf("%q is no row", line)
		}
		r := crossingRow{line: strings.TrimSpace(line), armed: f[0] == "yes", read: f[1] == "yes", gov: f[2] == "yes", target: f[4] == "yes",
			person: f[5] == "person", leaves: boundary.Tree{Armed: f[6] == "yes", Observed: f[7] == "yes", Governed: f[8] == "yes"},
			tool: strings.ReplaceAll(f[3], ",", "+") + ".allow", legs: []string{}}
		if f[3] != "-" {
			r.legs = strings.Split(f[3], ",")
		}
		if !seen[r.tool] {
			tools = append(tools, descriptor.Tool{Name: r.tool, Legs: descriptor.Legs{List: r.legs}})
		}
		seen[r.tool], seen[strings.Join(f[:5], " ")] = true, true
		rows = append(rows, r)
	}
	if len(rows) != 8*8*2 || len(seen) != len(rows)+8 || len(tools) != 8 {
		t.Fatalf("%d rows of %d tools", len(rows), len(tools))
	}
	if set, err = descriptor.Compile(tools); err != nil {
		t.Fatal(err)
	}
	return rows, set
}

// TestEveryCrossing brings a session to each tree and lets a call with each set of
// legs through the whole queue, in a target and not: judged when it is submitted,
// and judged when it begins after a rule had allowed it on no tree at all. What
// comes of it is written out in testdata/crossing.txt.
func TestEveryCrossing(t *testing.T) {
	alone(t)
	rows, set := crossingRows(t)
	l := &lab{world: newWorld(t, func(s *queue.Settings) {
		s.Targets, s.Posture, s.Rules, s.Descriptors = []string{"lab-7"}, boundary.SingleUser, crossingRules{}, set
	})}
	for i := range rows {
		r := &rows[i]
		for _, late := range []bool{false, true} {
			host := fmt.Sprintf("%d-%v", i, late)
			c := agentConn(host) // no tree is another's
			at := l.q.Port(c)
			if r.target {
				c.Environment = "lab-7"
			}
			port := l.q.Port(c)
			first := crossCall(host, r.tool, 1)
			first.Begin = false
			l.do(at, crossCall(host, "-.allow", 0))
			var s queue.Submitted
			if late { // a rule allows it before there is a tree
				if s = l.do(port, first); s.State != queue.StateAllowed {
					t.Fatalf("%s: %s before there is a tree", r.line, s.State)
				}
			}
			l.bring(host, r)
			if !late {
				s = l.do(port, first)
				if row := l.see(s.Ask).Row; row.Mandated != r.person || (s.State == queue.StatePending) != r.person {
					t.Errorf("%s: %s, mandated %v", r.line, s.State, row.Mandated)
					continue
				}
			}
			switch {
			case late && r.person:
				_ = l.refused(port, begin(s), queue.CodeUnconfirmed, 1)
				if row := l.see(s.Ask).Row; row.State != queue.StateRevoked || l.tree(host) != (boundary.Tree{Armed: r.armed, Observed: r.read, Governed: r.gov}) {
					t.Errorf("%s: %s, and the tree is %v", r.line, row.State, l.tree(host).Bits())
				}
				continue
			case r.person:
				_ = l.refused(port, begin(s), queue.CodeNotAllowedYet, 0)
				l.decide(s.Ask, queue.VerdictAllow)
			}
			must[queue.Begun](t)(queue.As[queue.Begun](t.Context(), port, begin(s)))
			if l.tree(host) != r.leaves {
				t.Errorf("%s: it left %v", r.line, l.tree(host).Bits())
			}
			last := ""
			if list := l.records(host); len(list) > 0 {
				last = list[len(list)-1]
			}
			want := ""
			if r.leaves.Armed {
				want = "exit " + strings.Join(r.leaves.Bits(), " ")
			}
			if last != want {
				t.Errorf("%s: the newest record is %q", r.line, last)
			}
		}
	}
}

// bring writes the row's bits into a session, past the queue.
func (l *lab) bring(host string, r *crossingRow) {
	l.t.Helper()
	err := l.store.Do(l.t.Context(), func(tx queue.Tx) error {
		s, err := tx.Session(l.sessionOf(host))
		if err != nil {
			return err
		}
		for _, b := range []struct {
			has bool
			at  *int64
		}{{r.armed, &s.ArmedAt}, {r.read, &s.ObservedAt}, {r.gov, &s.GovernedAt}} {
			if b.has {
				*b.at = l.wall
			}
		}
		return tx.PutSession(s)
	})
	if err != nil {
		l.t.Fatal(err)
	}
}

// sessionOf is Nod's id of a host's session; the newest ones only.
func (l *lab) sessionOf(host string) string {
	l.t.Helper()
	for _, s := range must[queue.Sessions](l.t)(queue.Get[queue.Sessions](l.t.Context(), l.operator, queue.QSessions{Limit: 500})).Sessions {
		if s.Host == host {
			return s.ID
		}
	}
	l.t.Fatalf("no session %s", host)
	return ""
}

// tree is the bits that a session's tree holds in the store.
func (l *lab) tree(host string) (tree boundary.Tree) {
	l.t.Helper()
	id := l.sessionOf(host)
	err := l.store.View(l.t.Context(), func(tx queue.ReadTx) error {
		s, err := tx.Session(id)
		tree = boundary.Tree{Armed: s.ArmedAt > 0, Observed: s.ObservedAt > 0, Governed: s.GovernedAt > 0}
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return tree
}

// A person's yes that a script did not give is asked for again where the tree
// wants one by then: by a script, and by a code for several. One person's answer to
// one card goes on, though the card was filed before (DESIGN §6).
func TestWaitingWhileTheTreeGrows(t *testing.T) {
	alone(t)
	l := newLab(t, boundary.MultiTenant)
	var waits []queue.Submitted
	for n := range 3 {
		waits = append(waits, l.do(l.agent, crossCall("s", "write.ask", n)))
	}
	free := []queue.Submitted{l.do(l.agent, crossCall("s", "none.ask", 8)), l.do(l.agent, crossCall("s", "none.ask", 9))}
	script := l.q.Port(queue.Conn{Principal: digest.Principal{User: "mia"}, Role: queue.RoleOperator, Way: queue.WayScript})
	must[queue.Decided](t)(queue.As[queue.Decided](t.Context(), script, l.decision(waits[0].Ask, queue.VerdictAllow)))
	l.arm("s", false)
	_ = l.refused(l.agent, begin(waits[0]), queue.CodeUnconfirmed, 1)
	_ = l.refused(script, l.decision(waits[1].Ask, queue.VerdictAllow), queue.CodeNeedsPerson, 0)
	_ = l.refused(l.operator, l.batch(queue.VerdictAllow, waits[1].Ask, waits[2].Ask), queue.CodeNeedsPerson, 0)
	got := must[queue.BatchDecided](t)(queue.As[queue.BatchDecided](t.Context(), l.operator, l.batch(queue.VerdictAllow, free[0].Ask, free[1].Ask)))
	if got.Results[0].Decided == nil || got.Results[1].Decided == nil {
		t.Errorf("%+v", got)
	}
	if l.see(waits[1].Ask).Row.Mandated {
		t.Error("an ask that was filed has changed")
	}
	l.decide(waits[1].Ask, queue.VerdictAllow)
	must[queue.Begun](t)(queue.As[queue.Begun](t.Context(), l.agent, begin(waits[1])))
	must[queue.Decided](t)(queue.As[queue.Decided](t.Context(), script, l.decision(waits[2].Ask, queue.VerdictDeny)))
	// A mandated one is in no batch either.
	mandated := []queue.Submitted{l.do(l.agent, crossCall("s", "write.ask", 11)), l.do(l.agent, crossCall("s", "write.ask", 12))}
	_ = l.refused(l.operator, l.batch(queue.VerdictAllow, mandated[0].Ask, mandated[1].Ask), queue.CodeNeedsPerson, 0)
}

// What was asked for one place does not begin in another: an executor on a target
// would leave its tree unarmed.
func TestABeginIsWhereItWasAsked(t *testing.T) {
	l := newLab(t, boundary.MultiTenant)
	for _, way := range []struct{ asked, other queue.Port }{{l.agent, l.on}, {l.on, l.agent}} {
		c := crossCall("s1", "env.ask", 1)
		c.Begin = false
		s := l.do(way.asked, c)
		l.decide(s.Ask, queue.VerdictAllow)
		l.refused(way.other, begin(s), queue.CodeWrongDigest, 0)
		if _, err := way.asked.Do(t.Context(), begin(s)); err != nil {
			t.Error(err)
		}
	}
}
