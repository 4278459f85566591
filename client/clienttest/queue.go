// Package clienttest gives tests of callers a real queue on a real store: what
// a gateway does is seen in what is on disk afterwards.
package clienttest

import (
	"cmp"
	"context"
	"crypto/rand"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"

	"nod/digest"
	"nod/queue"
	"nod/store/sqlite"
)

// Options say how a queue is opened.
type Options struct {
	Settings queue.Settings
	Agent    string // the requester's; "agent" when empty
	Way      string // the requester's; "test" when empty
	Create   bool
}

// Open opens the queue at path for one requester, as a command of the product
// does.
func Open(ctx context.Context, path string, o Options) (queue.Port, func() error, error) {
	store, err := sqlite.Open(ctx, path, sqlite.Options{Create: o.Create})
	if err != nil {
		return nil, nil, err
	}
	return newQueue(store, o).Port(requester(o)), store.Close, nil
}

// requester is the connection of a gateway, which asks and looks.
func requester(o Options) queue.Conn {
	return conn(cmp.Or(o.Agent, "agent"), queue.RoleRequester|queue.RoleObserver, cmp.Or(o.Way, "test"))
}

func newQueue(store queue.Store, o Options) *queue.Queue {
	start := time.Now()
	return queue.New(store, o.Settings, queue.Edge{
		WallMS: func() int64 { return time.Now().UnixMilli() },
		BootMS: func() int64 { return time.Since(start).Milliseconds() },
		NewID:  func() string { return uuid.Must(uuid.NewV7()).String() },
		Token:  rand.Text,
	})
}

func conn(agent string, role queue.Role, way string) queue.Conn {
	return queue.Conn{
		Principal:   digest.Principal{Agent: agent, User: "tester", Host: agent},
		Environment: "test", Role: role, Way: way,
	}
}

// Queue is an open queue with an operator at it.
type Queue struct {
	Path      string
	Requester queue.Port
	Operator  queue.Port
}

// New makes a queue in a directory of its own that ends with the test.
func New(t testing.TB, o Options) *Queue {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data", "nod.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{Create: true})
	if err != nil {
		t.Fatalf("open the store: %v", err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Errorf("close the store: %v", err)
		}
	})
	q := newQueue(store, o)
	return &Queue{
		Path:      path,
		Requester: q.Port(requester(o)),
		Operator:  q.Port(conn("operator", queue.RoleOperator, "console")),
	}
}

// Within is how long a test waits for what must come.
const Within = 20 * time.Second

// Until waits for something that another process or goroutine brings about.
func Until(t testing.TB, what string, there func() bool) {
	t.Helper()
	for end := time.Now().Add(Within); !there(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s did not come about", what)
		}
	}
}

// Pending waits until n asks are pending and gives them, oldest first.
func (q *Queue) Pending(t testing.TB, n int) []queue.Row {
	t.Helper()
	var rows []queue.Row
	Until(t, "a pending ask", func() bool {
		in, err := queue.Get[queue.Inbox](t.Context(), q.Operator, queue.QInbox{Limit: 100})
		if err != nil {
			t.Fatalf("read the inbox: %v", err)
		}
		rows = in.Rows
		return len(rows) >= n
	})
	return rows
}

// Decide answers an ask as the operator.
func (q *Queue) Decide(t testing.TB, row queue.Row, d queue.Decide) {
	t.Helper()
	d.Ask, d.ActionDigest, d.ShownDigest = row.ID, row.ActionDigest, row.ShownDigest
	if _, err := q.Operator.Do(t.Context(), d); err != nil {
		t.Fatalf("decide: %v", err)
	}
}

// Allow and Deny answer the one pending ask.
func (q *Queue) Allow(t testing.TB, words string) queue.Row {
	t.Helper()
	row := q.Pending(t, 1)[0]
	q.Decide(t, row, queue.Decide{Verdict: queue.VerdictAllow, Words: words})
	return row
}

// Deny is Allow's opposite.
func (q *Queue) Deny(t testing.TB, words string) queue.Row {
	t.Helper()
	row := q.Pending(t, 1)[0]
	q.Decide(t, row, queue.Decide{Verdict: queue.VerdictDeny, Words: words})
	return row
}

// Edit changes the arguments of an ask as the operator.
func (q *Queue) Edit(t testing.TB, row queue.Row, arguments, words string) queue.Edited {
	t.Helper()
	r, err := queue.As[queue.Edited](t.Context(), q.Operator, queue.Edit{
		Ask: row.ID, ActionDigest: row.ActionDigest, ShownDigest: row.ShownDigest, Arguments: []byte(arguments), Words: words,
	})
	if err != nil {
		t.Fatalf("edit: %v", err)
	}
	return r
}

// Ask reads one ask whole.
func (q *Queue) Ask(t testing.TB, id string) queue.AskView {
	t.Helper()
	v, err := queue.Get[queue.AskView](t.Context(), q.Operator, queue.QAsk{ID: id})
	if err != nil {
		t.Fatalf("read ask %s: %v", id, err)
	}
	return v
}

// Notices reads the open notices.
func (q *Queue) Notices(t testing.TB) []queue.NoticeView {
	t.Helper()
	n, err := queue.Get[queue.Notices](t.Context(), q.Operator, queue.QNotices{Open: true, Limit: 100})
	if err != nil {
		t.Fatalf("read the notices: %v", err)
	}
	return n.Notices
}

// Effects reads the effects, newest first; with open only those on the desk.
func (q *Queue) Effects(t testing.TB, open bool) []queue.EffectView {
	t.Helper()
	e, err := queue.Get[queue.Effects](t.Context(), q.Operator, queue.QEffects{Open: open, Limit: 100})
	if err != nil {
		t.Fatalf("read the effects: %v", err)
	}
	return e.Effects
}

// Desk reads one effect whole.
func (q *Queue) Desk(t testing.TB, id string) queue.Desk {
	t.Helper()
	d, err := queue.Get[queue.Desk](t.Context(), q.Operator, queue.QEffect{ID: id})
	if err != nil {
		t.Fatalf("read effect %s: %v", id, err)
	}
	return d
}

// Reconcile answers the newest attempt of an effect as the operator, on the
// page as it is now.
func (q *Queue) Reconcile(t testing.TB, id string, r queue.Reconcile) queue.Judged {
	t.Helper()
	d := q.Desk(t, id)
	r.Attempt, r.Page = d.Attempts[len(d.Attempts)-1].ID, d.Digest
	if r.Outcome == queue.AttemptNotExecuted {
		r.Confirm = d.Confirm
	}
	j, err := queue.As[queue.Judged](t.Context(), q.Operator, r)
	if err != nil {
		t.Fatalf("reconcile: %v", err)
	}
	return j
}
