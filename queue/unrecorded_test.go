package queue_test

import (
	"database/sql"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"nod/boundary"
	"nod/queue"
)

// How a record's write fails: alone, or with the whole transaction.
const (
	abort    = "ABORT"
	rollback = "ROLLBACK"
)

// sql does something to the file of the store, as another process would.
func (l *lab) sql(statement string) {
	l.t.Helper()
	db := must[*sql.DB](l.t)(sql.Open("sqlite", l.store.Path()))
	_, err := db.Exec(statement)
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		l.t.Fatal(err)
	}
}

// unwritable lets SQLite refuse the records of these phases.
func (l *lab) unwritable(how string, phases ...boundary.Phase) {
	l.t.Helper()
	l.writable()
	for _, p := range phases {
		l.sql("CREATE TRIGGER no_" + string(p) + " BEFORE INSERT ON records WHEN NEW.phase = '" + string(p) +
			"' BEGIN SELECT RAISE(" + how + ", 'no room'); END")
	}
}

func (l *lab) writable() {
	l.t.Helper()
	for _, p := range []boundary.Phase{boundary.Prepare, boundary.Exit, boundary.Suspend, boundary.Settle} {
		l.sql("DROP TRIGGER IF EXISTS no_" + string(p))
	}
}

// TestUnrecorded: on a governed tree what cannot be written down is refused, and
// leaves nothing; on an ungoverned one it goes on, and a notice says so once.
func TestUnrecorded(t *testing.T) {
	alone(t)
	l := newLab(t, boundary.MultiTenant)
	l.arm("s", false)
	later := l.do(l.agent, crossCall("s", "write.ask", 1))
	l.decide(later.Ask, queue.VerdictAllow)
	l.unwritable(abort, boundary.Exit, boundary.Suspend)
	_ = l.refused(l.agent, crossCall("s", "read.allow", 2), queue.CodeUnrecorded, 0)  // begins at once
	_ = l.refused(l.agent, crossCall("s", "write.allow", 3), queue.CodeUnrecorded, 0) // would wait
	_ = l.refused(l.agent, begin(later), queue.CodeUnrecorded, 0)
	_ = l.refused(l.q.Port(inLab("first")), crossCall("f", "none.allow", 1), queue.CodeUnrecorded, 0) // governed by itself
	if l.bits("s") != armedGov || l.state(later.Ask) != queue.StateAllowed {
		t.Errorf("a refused begin left %q, %s", l.bits("s"), l.state(later.Ask))
	}
	if _, there := l.sessions()["f"]; there {
		t.Error("a refused submit left its session")
	}
	if s := l.do(l.agent, crossCall("s", "write.deny", 4)); s.State != queue.StateDenied {
		t.Error("a deny wants no record")
	}
	l.writable()
	must[queue.Begun](t)(queue.As[queue.Begun](t.Context(), l.agent, begin(later)))

	u := newLab(t, boundary.SingleUser)
	u.arm("s", false)
	u.unwritable(abort, boundary.Exit, boundary.Suspend, boundary.Settle)
	for n := range 3 {
		if s := u.do(u.agent, crossCall("s", "read.allow", n)); s.Begun == nil {
			t.Fatalf("%+v", s)
		}
	}
	u.do(u.agent, crossCall("s", "write.ask", 1))
	must[queue.Ended](t)(queue.As[queue.Ended](t.Context(), u.agent, queue.EndSession{Session: "s"}))
	var phases []string
	for _, n := range u.notices(unwritten) {
		var d struct {
			Phase    string `json:"phase"`
			Cause    string `json:"cause"`
			Governed bool   `json:"governed"`
		}
		if err := json.Unmarshal(n.Detail, &d); err != nil || !strings.Contains(d.Cause, "no room") || d.Governed {
			t.Errorf("%v %s", err, n.Detail)
		}
		phases = append(phases, d.Phase)
	}
	slices.Sort(phases)
	if !slices.Equal(phases, []string{"exit", "settle", "suspend"}) || u.bits("s") != armedRead {
		t.Errorf("told at %v, bits %q", phases, u.bits("s"))
	}
}

// A session that is registered, and a leg that ends, refuse nothing.
func TestUnwrittenRefusesNothing(t *testing.T) {
	alone(t)
	l := newLab(t, boundary.MultiTenant)
	l.arm("s", false)
	l.unwritable(abort, boundary.Prepare, boundary.Settle)
	l.do(l.agent, crossCall("joins", "none.allow", 1))
	must[queue.Ended](t)(queue.As[queue.Ended](t.Context(), l.agent, queue.EndSession{Session: "joins"}))
	if got := l.notices(unwritten); len(got) != 2 || !strings.Contains(string(got[0].Detail), `"governed":true`) {
		t.Errorf("%+v", got)
	}
}

// Where SQLite gives the whole transaction up with the record, nothing begins, on
// an ungoverned tree neither.
func TestTornRecordBeginsNothing(t *testing.T) {
	alone(t)
	for _, posture := range []boundary.Posture{boundary.SingleUser, boundary.MultiTenant} {
		l := newLab(t, posture)
		l.arm("s", false)
		later := l.do(l.agent, crossCall("s", "none.ask", 1))
		l.decide(later.Ask, queue.VerdictAllow)
		before := l.event()
		l.unwritable(rollback, boundary.Exit)
		for _, act := range []queue.Act{begin(later), crossCall("s", "read.allow", 2)} {
			if r, err := l.agent.Do(t.Context(), act); err == nil {
				t.Errorf("%q: went on: %+v", posture, r)
			}
		}
		if l.event() != before || l.state(later.Ask) != queue.StateAllowed || strings.Contains(l.bits("s"), boundary.BitObserved) {
			t.Errorf("%q: %d events, %s, %q", posture, l.event()-before, l.state(later.Ask), l.bits("s"))
		}
		l.writable()
		must[queue.Begun](t)(queue.As[queue.Begun](t.Context(), l.agent, begin(later)))
	}
}

// A waiting ask that is found again, adopted or edited is suspended anew, unless
// the newest record of its run has the tree as it is.
func TestFoundAgain(t *testing.T) {
	alone(t)
	named := func(n int) queue.Submit {
		c := crossCall("s", "none.ask", n)
		c.CallID, c.Edits = "c"+string(rune('0'+n)), true
		return c
	}
	for name, find := range map[string]func(l *lab, c queue.Submit, first queue.Submitted) queue.Act{
		"repeated": func(_ *lab, c queue.Submit, _ queue.Submitted) queue.Act { return c },
		"adopted by its like": func(l *lab, c queue.Submit, first queue.Submitted) queue.Act {
			l.release(first)
			c.CallID = ""
			return c
		},
		"adopted by its id": func(l *lab, c queue.Submit, first queue.Submitted) queue.Act {
			l.release(first)
			return queue.Adopt{Session: "s", Ask: first.Ask, ActionDigest: first.ActionDigest}
		},
	} {
		l := newLab(t, boundary.SingleUser)
		l.do(l.agent, crossCall("root", "none.allow", 1))
		c := named(1)
		c.Parent = "root"
		first := l.do(l.agent, c)
		found := func(when string, want ...string) {
			t.Helper()
			got := must[queue.Submitted](t)(queue.As[queue.Submitted](t.Context(), l.agent, find(l, c, first)))
			if got.Ask != first.Ask || !slices.Equal(l.records("s"), want) {
				t.Errorf("%s, %s: it %v, records %q, want %q", name, when, got.Ask == first.Ask, l.records("s"), want)
			}
			first.Token = got.Token
		}
		found("no tree")
		l.arm("root", false)
		found("armed", "suspend "+armedBit)
		found("as before", "suspend "+armedBit)
		l.do(l.agent, crossCall("root", "read.allow", 2))
		found("read", "suspend "+armedBit, "suspend "+armedRead)
		l.do(l.agent, crossCall("s", "none.allow", 3))
		found("written since", "suspend "+armedBit, "suspend "+armedRead, "exit "+armedRead)
		l.pass(1000)
		l.reopen(boundary.MultiTenant)
		found("governed", "suspend "+armedBit, "suspend "+armedRead, "exit "+armedRead, "suspend "+everyBit)
		// Governed now, and not as it was written: what cannot be, is refused.
		l.sql("DELETE FROM records")
		act := find(l, c, first)
		l.unwritable(abort, boundary.Suspend)
		_ = l.refused(l.agent, act, queue.CodeUnrecorded, 0)
		if l.state(first.Ask) != queue.StatePending {
			t.Errorf("%s: %s", name, l.state(first.Ask))
		}
	}
	// An edit files an ask that waits.
	l := newLab(t, boundary.MultiTenant)
	first := l.do(l.agent, named(1))
	l.arm("s", false)
	l.unwritable(abort, boundary.Suspend)
	_ = l.refused(l.operator, l.change(first.Ask, `{"n":7}`), queue.CodeUnrecorded, 0)
	l.writable()
	l.edit(first.Ask, `{"n":7}`)
	if want := []string{"exit " + armedGov, "suspend " + armedGov}; l.state(first.Ask) != queue.StateDenied || !slices.Equal(l.records("s"), want) {
		t.Errorf("%s, %q", l.state(first.Ask), l.records("s"))
	}
}

// release lets nobody wait for an ask.
func (l *lab) release(s queue.Submitted) {
	l.t.Helper()
	must[queue.Standing](l.t)(queue.As[queue.Standing](l.t.Context(), l.agent, queue.Wait{Ask: s.Ask, Token: s.Token, Release: true}))
}

// What was changed in the file reads as the strictest, and says why.
func TestMalformedRecords(t *testing.T) {
	alone(t)
	l := newLab(t, boundary.SingleUser)
	l.arm("s", false)
	for body, why := range map[string]string{
		`[]`: "the record is not an object", `null`: "the record is not an object", `"x"`: "the record is not an object", `7`: "the record is not an object",
		`true`: "the record is not an object", ``: "the record is not strict JSON",
		`{"targetExecutionArmed":true`: "the record is not strict JSON", `{"targetExecutionArmed":true}{}`: "the record is not strict JSON",
		`{"targetExecutionArmed":true,"targetExecutionArmed":true}`: "the record is not strict JSON",
		`{"targetExecutionArmed":true,"later":true}`:                "the record has a member that is no bit",
		`{"targetExecutionArmed":true,"Governed":true}`:             "the record has a member that is no bit",
		`{"targetExecutionArmed":false}`:                            "a bit of the record is neither true nor absent",
		`{"targetExecutionArmed":true,"governed":null}`:             "a bit of the record is neither true nor absent",
		`{"targetExecutionArmed":1}`:                                "a bit of the record is neither true nor absent",
		`{"targetExecutionArmed":"true"}`:                           "a bit of the record is neither true nor absent",
		`{"targetExecutionArmed":true,"offTargetReadObserved":[]}`:  "a bit of the record is neither true nor absent",
		`{}`:                             "the record is of a tree that is not armed",
		`{"governed":true}`:              "the record is of a tree that is not armed",
		`{"offTargetReadObserved":true}`: "the record is of a tree that is not armed",
	} {
		l.sql("UPDATE records SET body = '" + body + "'")
		got := must[queue.Records](t)(queue.Get[queue.Records](t.Context(), l.operator, queue.QRecords{Session: l.sessions()["s"].ID, Limit: 9}))
		if r := got.Records[0]; r.Unreadable != why || strings.Join(r.Bits, " ") != everyBit {
			t.Errorf("%s: %q, bits %q; want %q", body, r.Unreadable, r.Bits, why)
		}
	}
}
