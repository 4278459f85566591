package sqlite

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"nod/digest"
	"nod/queue"
)

// fresh opens a new store in a directory of its own.
func fresh(t testing.TB, opt Options) *Store {
	t.Helper()
	opt.Create = true
	return opened(t, filepath.Join(t.TempDir(), "nod", "nod.db"), opt)
}

func opened(t testing.TB, path string, opt Options) *Store {
	t.Helper()
	s, err := Open(context.Background(), path, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// body is an ask's canonical bytes of about n bytes.
func body(i, n int) []byte {
	return []byte(`{"id":"` + strconv.Itoa(i) + `","text":"` + strings.Repeat("x", n) + `"}`)
}

// pendingRow is a row as a submit makes it.
func pendingRow(i int, content []byte) *queue.Row {
	d := digest.Of(content)
	return &queue.Row{
		ID: fmt.Sprintf("0192f0a0-0000-7000-8000-%012d", i), Kind: digest.KindCall, State: queue.StatePending,
		Urgency: int64(i % 4), ActionDigest: d, ShownDigest: d, AskDigest: d,
		Session: fmt.Sprintf("s-%016d", i%64), CallKey: string(digest.Of(fmt.Append(nil, "call", i))),
		Agent: fmt.Sprintf("agent-%d", i%8), User: "ann", Host: "box", Tool: "Bash", Gist: "make test", Cwd: "/src",
		Reasons: []string{queue.ReasonDefault}, CreatedAt: 1000, AnswerBy: 1 << 40, UseWithinMS: 600_000, MovedAt: 1000,
		WaiterHash: strings.Repeat("a", 64), WaiterUntil: 31_000,
	}
}

// appendEvent appends an event about ask.
func appendEvent(tx queue.Tx, act, ask string) error {
	head, err := tx.Head()
	if err != nil {
		return err
	}
	e := fmt.Appendf(nil, `{"act":%q,"action_digest":"x","ask":%q,"prev":%q,"seq":%d}`,
		act, ask, hex.EncodeToString(head.Hash[:]), head.Seq+1)
	sum := sha256.Sum256(e)
	return tx.AppendEvent(queue.StoredEvent{Seq: head.Seq + 1, Hash: hex.EncodeToString(sum[:]), Body: e})
}

// submit does what a submit does to the store.
func submit(tx queue.Tx, i int, content []byte) error {
	const now = 2000
	row := pendingRow(i, content)
	if _, err := tx.DueAsks(now, 256); err != nil {
		return err
	}
	if _, err := tx.DueAttempts(now, 256); err != nil {
		return err
	}
	old, err := tx.AskByCallKey(row.Session, row.CallKey)
	if err != nil || old != nil {
		return errors.Join(err, fmt.Errorf("call key %d is there", i))
	}
	if _, err := tx.AsksLike(row.Session, row.ActionDigest, 16); err != nil {
		return err
	}
	if _, err := tx.Freezes(); err != nil {
		return err
	}
	if _, err := tx.GrantFor(row.Session, row.ActionDigest, now); err != nil {
		return err
	}
	if _, err := tx.PendingOf(row.Agent); err != nil {
		return err
	}
	s, err := tx.Session(row.Session)
	if err != nil {
		return err
	}
	if s == nil { // the queue touches one at most once a minute
		s = &queue.Session{ID: row.Session, HostID: "h" + row.Session, Principal: `{"agent":"a"}`, Agent: row.Agent,
			StartedAt: now, LastAct: now}
		if err := tx.PutSession(s); err != nil {
			return err
		}
	}
	if err := tx.InsertAsk(row, content); err != nil {
		return err
	}
	if err := tx.SetClock(queue.Clock{LastEffective: now + int64(i)}); err != nil {
		return err
	}
	return appendEvent(tx, "submit", row.ID)
}

// allowed makes row what a person's allow leaves.
func allowed(row *queue.Row) {
	row.State, row.Verdict, row.DecidedBy = queue.StateAllowed, queue.VerdictAllow, queue.ByPerson
	row.Decider, row.DecidedWay, row.DecidedAt, row.MovedAt = "ann", "console", 2000, 2000
	row.DwellMS, row.LinesSeen, row.LinesAll = 5000, 40, 40
}

// decide does what an allow of the i-th ask does to the store.
func decide(tx queue.Tx, i int) error {
	row, err := tx.Ask(pendingRow(i, nil).ID)
	if err != nil || row == nil {
		return fmt.Errorf("ask %d: %w", i, err)
	}
	allowed(row)
	if ok, err := tx.MoveAsk(row, queue.StatePending, 2000); err != nil || !ok {
		return fmt.Errorf("decide %d: %v, %w", i, ok, err)
	}
	return appendEvent(tx, "decide", row.ID)
}

func TestSubmitIsThereAfterReopening(t *testing.T) {
	s := fresh(t, Options{})
	ctx := context.Background()
	for i := range 10 {
		if err := s.Do(ctx, func(tx queue.Tx) error { return submit(tx, i, body(i, 2000)) }); err != nil {
			t.Fatal(err)
		}
	}
	id := s.ID()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = opened(t, s.Path(), Options{})
	if s.ID() != id || len(id) != 36 {
		t.Fatalf("id %q, was %q", s.ID(), id)
	}
	err := s.View(ctx, func(tx queue.ReadTx) error {
		rows, more, err := tx.PendingPage(queue.QInbox{Limit: 4})
		if err != nil {
			return err
		}
		if len(rows) != 4 || !more || rows[0].Urgency != 0 || rows[0].Seq != 1 || rows[3].Urgency != 1 {
			t.Errorf("page: %d rows, more %v, first %+v", len(rows), more, rows[0])
		}
		c, err := tx.Counters()
		if err != nil || c.Pending != 10 || c.Asks != 10 {
			t.Errorf("counters %+v, %v", c, err)
		}
		h, err := tx.Head()
		if err != nil || h.Seq != 10 {
			t.Errorf("head %+v, %v", h, err)
		}
		content, err := tx.AskBody(4)
		if err != nil || string(content) != string(body(3, 2000)) {
			t.Errorf("content: %d bytes, %v", len(content), err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func mustFile(tb testing.TB, path string) fs.FileInfo {
	tb.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		tb.Fatal(err)
	}
	return info
}
