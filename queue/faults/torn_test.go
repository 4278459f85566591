//go:build unix

package faults

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"nod/queue"
	"nod/queue/ledger"
	"nod/store/sqlite"
)

// TestTornLog cuts the log that a killed process left at every 512 bytes, and
// changes single bytes in it: the store opens to a beginning of its history or
// refuses, never to a mixture.
func TestTornLog(t *testing.T) {
	from := newStorePath(t)
	if s := openStore(t, from, sqlite.Options{Create: true}); s.Close() != nil {
		t.Fatal("the new store does not close")
	}
	p := startPeer(t, from)
	for k := range 12 {
		r := p.do(agent, call("torn", fmt.Sprint("torn-", k)))
		if r.err != nil {
			t.Fatal(r.err)
		}
		s := r.result.(queue.Submitted)
		if r := p.do("ann", decide(s, queue.VerdictAllow)); r.err != nil {
			t.Fatal(r.err)
		}
		if k%2 == 0 {
			if r := p.do(agent, begin(s, "torn")); r.err != nil {
				t.Fatal(r.err)
			}
		}
	}
	p.kill()
	log, err := os.ReadFile(from + "-wal")
	if err != nil || len(log) < 50_000 {
		t.Fatalf("the log is not there to be cut: %d bytes, %v", len(log), err)
	}
	hashes := map[int64]string{} // by event number, from the whole log
	if refusal := reopened(t, from, log, func(l *ledger.Ledger) { hashes[l.Seq] = l.Head }, hashes); refusal != nil {
		t.Fatal(refusal)
	}
	steps := len(log) / 512
	n := rounds(t, "NOD_FAULT_TORN", 2*steps, 80)
	lengths, refused := map[int64]int{}, 0
	for i := range n {
		torn := append([]byte(nil), log...)
		if i%2 == 0 {
			torn = torn[:512*(i*steps/n)]
		} else {
			torn[rand.N(len(torn))] ^= 1 << rand.N(8) //nolint:gosec // a fault
		}
		if reopened(t, from, torn, func(l *ledger.Ledger) { lengths[l.Seq]++ }, hashes) != nil {
			refused++
		}
	}
	t.Logf("log cut at 512-byte steps or one bit of it changed: %d times, opened to %d different beginnings of the history, refused %d times, never a mixture",
		n, len(lengths), refused)
	if len(lengths) < 5 {
		t.Errorf("the cuts made no difference: %v", lengths)
	}
}

// reopened opens a copy of the store with another log and judges what is in
// it. known are the hashes of the whole history; it is filled when empty.
func reopened(t *testing.T, from string, log []byte, see func(*ledger.Ledger), known map[int64]string) error {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "nod")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(filepath.Dir(from), "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		body, err := os.ReadFile(f)
		switch filepath.Base(f) {
		case "nod.db-shm":
			continue
		case "nod.db-wal":
			body = log
		}
		if err = errors.Join(err, os.WriteFile(filepath.Join(dir, filepath.Base(f)), body, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	store, err := sqlite.Open(t.Context(), filepath.Join(dir, "nod.db"), sqlite.Options{})
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e
	}
	if err != nil {
		t.Fatalf("refused without a code: %v", err)
	}
	defer func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
		_ = os.RemoveAll(dir)
	}()
	l := whole(t, store)
	if len(known) == 0 {
		err := store.View(t.Context(), func(tx queue.ReadTx) error {
			events, _, err := tx.Events(queue.QEvents{Limit: 500})
			for i := range events {
				known[events[i].Seq] = events[i].Hash
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if l.Seq > 0 && known[l.Seq] != l.Head {
		t.Fatalf("it opened to event %d with another history", l.Seq)
	}
	see(l)
	return nil
}
