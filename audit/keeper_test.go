//go:build unix

package audit

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"nod/queue"
)

func keeper(t *testing.T, dir string) *Keeper {
	t.Helper()
	k, err := OpenKeeper(dir, os.Getuid(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// stateDir is a directory for a keeper.
func stateDir(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "state")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func faultCode(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	var f *Fault
	if !errors.As(err, &f) {
		t.Fatalf("%v is no fault", err)
	}
	return f.Code
}

// signed gives an honest history with checkpoints after 8 and after all 20 of
// its events.
func signed(t *testing.T) (*history, *Keeper) {
	t.Helper()
	h, k := honest(t), keeper(t, stateDir(t))
	early := h.clone()
	early.events, early.head = h.events[:8], h.events[7].Hash
	for _, at := range []*history{early, h} {
		c, err := k.Checkpoint(t.Context(), at)
		if err != nil {
			t.Fatal(err)
		}
		if c.Size != int64(len(at.events)) || c.Head != at.head || c.Store != "store-1" {
			t.Fatalf("checkpoint %+v", c)
		}
	}
	return h, k
}

func marksOf(t *testing.T, k *Keeper) []Checkpoint {
	t.Helper()
	marks, err := k.Checkpoints("store-1")
	if err != nil {
		t.Fatal(err)
	}
	return marks
}

func TestHonestHistoryMeetsItsCheckpoints(t *testing.T) {
	h, k := signed(t)
	h.add(t, submit("z", "pending"))
	h.kept.Asks, h.kept.Pending = 7, 2
	marks := marksOf(t, k)
	if len(marks) != 2 || marks[0].Size != 8 || marks[1].Size != 20 {
		t.Fatalf("checkpoints %+v", marks)
	}
	r, err := Verify(t.Context(), h, marks)
	if err != nil || r.Checkpoints != 2 || r.Signed != 20 || r.Events != 21 {
		t.Errorf("%+v, %v", r, err)
	}
	// The second checkpoint went on from the first: it has the root of all.
	var whole tree
	for _, e := range h.events[:20] {
		whole.add(e.Body)
	}
	if marks[1].Root != whole.root() {
		t.Error("the root is not that of the events")
	}
}

// What the chain itself cannot show: an end cut off with the head put right,
// and a chain written anew from some event on. Without checkpoints both pass.
func TestCheckpointsShowTruncationAndRewriting(t *testing.T) {
	rewritten := func(from int) func(*history) {
		return func(h *history) {
			old := h.events
			h.events = slices.Clone(old[:from])
			for _, e := range old[from:] {
				body := strings.Replace(string(e.Body), `"wall_ms":18`, `"wall_ms":17`, 1)
				prev := genesis
				if n := len(h.events); n > 0 {
					prev = h.events[n-1].Hash
				}
				at := strings.Index(body, `"prev":"`) + len(`"prev":"`)
				body = body[:at] + prev + body[at+64:]
				h.events = append(h.events, stored(e.Seq, []byte(body)))
			}
			h.head = h.events[len(h.events)-1].Hash
		}
	}
	cut := func(to int, kept queue.Counters) func(*history) {
		return func(h *history) {
			h.events, h.kept = h.events[:to], kept
			h.head = genesis
			if to > 0 {
				h.head = h.events[to-1].Hash
			}
		}
	}
	upTo6 := queue.Counters{Asks: 2, Denied: 1, Spent: 1}
	for name, c := range map[string]struct {
		tamper func(*history)
		code   string
	}{
		"last event cut off":      {cut(19, queue.Counters{Asks: 5, Pending: 1, Denied: 1, Spent: 2, Notices: 1}), CodeTruncated},
		"cut before the first":    {cut(6, upTo6), CodeTruncated},
		"all cut off":             {cut(0, queue.Counters{}), CodeTruncated},
		"all written anew":        {rewritten(0), CodeRewritten},
		"written anew from 12":    {rewritten(12), CodeRewritten},
		"the last event replaced": {rewritten(19), CodeRewritten},
	} {
		t.Run(name, func(t *testing.T) {
			h, k := signed(t)
			c.tamper(h)
			if code, seq := codeOf(t, h); code != "" {
				t.Fatalf("without checkpoints: %s at %d; this test would show nothing", code, seq)
			}
			if code, _ := codeOf(t, h, marksOf(t, k)...); code != c.code {
				t.Errorf("%q, want %q", code, c.code)
			}
			before := marksOf(t, k)
			if _, err := k.Checkpoint(t.Context(), h); faultCode(t, err) != c.code {
				t.Errorf("a checkpoint on top: %v, want %q", err, c.code)
			}
			// With more events on top, too.
			h.add(t, submit("y", "pending", ev{"effective_ms": beginning + 600_000}))
			for len(h.events) <= 20 {
				h.add(t, ev{"act": "notice", "effective_ms": beginning + 600_000})
			}
			if _, err := k.Checkpoint(t.Context(), h); faultCode(t, err) == "" {
				t.Error("a checkpoint was signed on top of another history")
			}
			if len(marksOf(t, k)) != len(before) {
				t.Error("a checkpoint was written")
			}
		})
	}
}

// Root and head are both held: either alone could be a defect's.
func TestRootAndHeadAreBothCompared(t *testing.T) {
	h, k := signed(t)
	good := marksOf(t, k)[1]
	root, head := good, good
	root.Root[0] ^= 1
	head.Head = genesis
	for _, bad := range []Checkpoint{root, head} {
		if code, _ := codeOf(t, h, bad); code != CodeRewritten {
			t.Errorf("%q, want %q", code, CodeRewritten)
		}
	}
}

func TestOtherStoresCheckpoint(t *testing.T) {
	_, k := signed(t)
	other := &history{store: "store-2", head: genesis}
	if code, _ := codeOf(t, other, marksOf(t, k)...); code != CodeRewritten {
		t.Errorf("%q, want %q", code, CodeRewritten)
	}
	marks, err := k.Checkpoints("store-2")
	if err != nil || len(marks) != 0 {
		t.Errorf("another store has %v, %v", marks, err)
	}
	if err := os.Rename(k.marks("store-1"), k.marks("store-2")); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Checkpoints("store-2"); faultCode(t, err) != CodeCheckpoint {
		t.Errorf("another store's file: %v", err)
	}
}

// A changed byte in a checkpoint is found, wherever it is.
func TestChangedCheckpointIsFound(t *testing.T) {
	_, k := signed(t)
	name := k.marks("store-1")
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	want := marksOf(t, k)
	for at := range good {
		bad := slices.Clone(good)
		bad[at] ^= 1
		if err := os.WriteFile(name, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		marks, err := k.Checkpoints("store-1")
		if err == nil && len(marks) == len(want) {
			t.Fatalf("byte %d changed: nothing seen", at)
		}
	}
}

func TestCheckpointOfAnotherKey(t *testing.T) {
	h, k := signed(t)
	other := keeper(t, stateDir(t))
	if _, err := other.Checkpoint(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	foreign, err := os.ReadFile(other.marks("store-1"))
	if err != nil {
		t.Fatal(err)
	}
	record := []byte(strings.TrimSuffix(string(foreign), terminate))
	if c, err := VerifyCheckpoint(record, other.VerifierKey()); err != nil || c.Size != 20 {
		t.Errorf("with its own key: %+v, %v", c, err)
	}
	if _, err := VerifyCheckpoint(record, k.VerifierKey()); faultCode(t, err) != CodeCheckpoint {
		t.Errorf("with our key: %v", err)
	}
	if err := os.WriteFile(k.marks("store-1"), foreign, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Checkpoints("store-1"); faultCode(t, err) != CodeCheckpoint {
		t.Errorf("in our file: %v", err)
	}
}

func TestNothingNewSignsNothing(t *testing.T) {
	h, k := signed(t)
	before := marksOf(t, k)
	c, err := k.Checkpoint(t.Context(), h)
	if err != nil || c.Root != before[1].Root || len(marksOf(t, k)) != 2 {
		t.Errorf("%+v, %v", c, err)
	}
	empty := keeper(t, stateDir(t))
	if c, err := empty.Checkpoint(t.Context(), &history{store: "store-1", head: genesis}); err != nil || c.Size != 0 {
		t.Errorf("a store without events: %+v, %v", c, err)
	}
	if marks := marksOf(t, empty); len(marks) != 0 {
		t.Errorf("a store without events has %d checkpoints", len(marks))
	}
}

// A crash in the middle of writing loses the record, at every byte, and what
// comes next is whole.
func TestTornRecord(t *testing.T) {
	h, k := signed(t)
	name := k.marks("store-1")
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	first := strings.Index(string(good), terminate) + len(terminate)
	for at := first; at < len(good); at += 3 {
		if err := os.WriteFile(name, good[:at], 0o600); err != nil {
			t.Fatal(err)
		}
		if marks := marksOf(t, k); len(marks) != 1 {
			t.Fatalf("cut at %d: %d checkpoints", at, len(marks))
		}
		if _, err := k.Checkpoint(t.Context(), h); err != nil {
			t.Fatal(err)
		}
		if marks := marksOf(t, k); len(marks) != 2 {
			t.Fatalf("cut at %d, then signed: %d checkpoints", at, len(marks))
		}
	}
}

func TestKeyIsMadeOnce(t *testing.T) {
	dir := stateDir(t)
	keys := make([]string, 8)
	var group sync.WaitGroup
	for i := range keys {
		group.Go(func() {
			if k, err := OpenKeeper(dir, os.Getuid(), rand.Reader); err == nil {
				keys[i] = k.VerifierKey()
			}
		})
	}
	group.Wait()
	if len(slices.Compact(keys)) != 1 || keys[0] == "" {
		t.Errorf("keys %q", keys)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Errorf("%d files are left (%v)", len(files), err)
	}
}

func TestFilesArePrivate(t *testing.T) {
	h, k := signed(t)
	for _, name := range []string{filepath.Join(k.dir, keyFile), k.marks("store-1")} {
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Fatalf("%s has mode %v (%v)", name, info.Mode(), err)
		}
	}
	try := func() error {
		k, err := OpenKeeper(k.dir, os.Getuid(), rand.Reader)
		if err != nil {
			return err
		}
		_, err = k.Checkpoint(t.Context(), h)
		return err
	}
	if err := try(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{keyFile, filepath.Base(k.marks("store-1"))} {
		name = filepath.Join(k.dir, name)
		if err := os.Chmod(name, 0o640); err != nil {
			t.Fatal(err)
		}
		if err := try(); faultCode(t, err) != CodeLoose {
			t.Errorf("%s open to the group: %v", name, err)
		}
		elsewhere := filepath.Join(t.TempDir(), "elsewhere")
		if err := errors.Join(os.Chmod(name, 0o600), os.Rename(name, elsewhere), os.Symlink(elsewhere, name)); err != nil {
			t.Fatal(err)
		}
		if err := try(); err == nil {
			t.Errorf("%s as a link is followed", name)
		}
		if err := errors.Join(os.Remove(name), os.Rename(elsewhere, name)); err != nil {
			t.Fatal(err)
		}
	}
	k.uid++
	if _, err := k.Checkpoints("store-1"); faultCode(t, err) != CodeLoose {
		t.Errorf("another's file: %v", err)
	}
}
