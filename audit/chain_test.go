package audit

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"nod/queue"
)

// codeOf verifies h and gives the fault's code and event, or "".
func codeOf(t *testing.T, h *history, marks ...Checkpoint) (string, int64) {
	t.Helper()
	_, err := Verify(t.Context(), h, marks)
	if err == nil {
		return "", 0
	}
	var f *Fault
	if !errors.As(err, &f) {
		t.Fatalf("%v is no fault", err)
	}
	if f.Sentence == "" || f.Hint == "" {
		t.Errorf("%s has no sentence or no hint", f.Code)
	}
	return f.Code, f.Seq
}

func TestHonestHistoryVerifies(t *testing.T) {
	h := honest(t)
	r, err := Verify(t.Context(), h, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := Report{Store: "store-1", Events: 20, Head: h.head, First: beginning + 1000, Last: beginning + 20_000}
	if r != want {
		t.Errorf("report %+v, want %+v", r, want)
	}
	if code, _ := codeOf(t, &history{store: "store-2", head: genesis}); code != "" {
		t.Errorf("a store without events: %s", code)
	}
}

// A byte changed anywhere, in an event or in its hash, is found at that event.
func TestAnyChangedByteIsFound(t *testing.T) {
	good := honest(t)
	for i := range good.events {
		for at := range good.events[i].Body {
			h := good.clone()
			h.events[i].Body[at] ^= 1
			if code, seq := codeOf(t, h); code != CodeHash || seq != int64(i+1) {
				t.Fatalf("byte %d of event %d: %q at %d", at, i+1, code, seq)
			}
		}
		for at := range good.events[i].Hash {
			h := good.clone()
			b := []byte(h.events[i].Hash)
			b[at] ^= 1
			h.events[i].Hash = string(b)
			if code, seq := codeOf(t, h); code != CodeHash || seq != int64(i+1) {
				t.Fatalf("digit %d of hash %d: %q at %d", at, i+1, code, seq)
			}
		}
	}
}

// The same with the hash of the changed event put right: the next event, or
// the head, shows it.
func TestChangedByteWithItsHashIsFound(t *testing.T) {
	good := honest(t)
	for i := range good.events {
		for at := range good.events[i].Body {
			h := good.clone()
			h.events[i].Body[at] ^= 1
			h.events[i] = stored(int64(i+1), h.events[i].Body)
			if code, seq := codeOf(t, h); code == "" || seq < int64(i+1) || seq > int64(i+2) {
				t.Fatalf("byte %d of event %d: %q at %d", at, i+1, code, seq)
			}
		}
	}
}

func TestMovedEventsAreFound(t *testing.T) {
	good := honest(t)
	for name, c := range map[string]struct {
		tamper func(h *history)
		code   string
		seq    int64
	}{
		"swapped":  {func(h *history) { h.events[4], h.events[5] = h.events[5], h.events[4] }, CodeGap, 5},
		"dropped":  {func(h *history) { h.events = slices.Delete(h.events, 4, 5) }, CodeGap, 5},
		"repeated": {func(h *history) { h.events = slices.Insert(h.events, 4, h.events[4]) }, CodeGap, 6},
		"swapped and numbered anew": {func(h *history) {
			h.events[4], h.events[5] = h.events[5], h.events[4]
			h.events[4].Seq, h.events[5].Seq = 5, 6
		}, CodeGap, 5},
		"last dropped":  {func(h *history) { h.events = h.events[:19] }, CodeHead, 19},
		"head replaced": {func(h *history) { h.head = h.events[0].Hash }, CodeHead, 20},
		"other store":   {func(h *history) { h.store = "store-2" }, CodeStore, 1},
	} {
		t.Run(name, func(t *testing.T) {
			h := good.clone()
			c.tamper(h)
			if code, seq := codeOf(t, h); code != c.code || seq != c.seq {
				t.Errorf("%q at %d, want %q at %d", code, seq, c.code, c.seq)
			}
		})
	}
}

func TestFormAndTime(t *testing.T) {
	for name, c := range map[string]struct {
		e    ev
		code string
	}{
		"unknown member": {submit("z", "pending", ev{"arguments": "{}"}), CodeForm},
		"wrong type":     {submit("z", "pending", ev{"tool": 7}), CodeForm},
		"other document": {submit("z", "pending", ev{"type": "nod.event/v2"}), CodeForm},
		"no act":         {ev{}, CodeForm},
		"time goes back": {submit("z", "pending", ev{"effective_ms": beginning + 1}), CodeTime},
		"other number":   {submit("z", "pending", ev{"seq": 77}), CodeGap},
		"other prev":     {submit("z", "pending", ev{"prev": genesis}), CodeLink},
		"same time":      {submit("z", "pending", ev{"effective_ms": beginning + 20_000}), ""},
		"wall goes back": {submit("z", "pending", ev{"wall_ms": 5}), ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := honest(t)
			h.add(t, c.e)
			h.kept.Asks, h.kept.Pending = 7, 2
			want := int64(21)
			if c.code == "" {
				want = 0
			}
			if code, seq := codeOf(t, h); code != c.code || seq != want {
				t.Errorf("%q at %d, want %q at %d", code, seq, c.code, want)
			}
		})
	}
	t.Run("not canonical", func(t *testing.T) {
		h := honest(t)
		last := &h.events[19]
		*last = stored(20, append([]byte("{ "), last.Body[1:]...))
		h.head = last.Hash
		if code, seq := codeOf(t, h); code != CodeForm || seq != 20 {
			t.Errorf("%q at %d", code, seq)
		}
	})
}

func TestCountersAreCompared(t *testing.T) {
	for i := range reflect.TypeFor[queue.Counters]().NumField() {
		name := reflect.TypeFor[queue.Counters]().Field(i).Name
		h := honest(t)
		v := reflect.ValueOf(&h.kept).Elem().Field(i)
		v.SetInt(v.Int() + 1)
		code, _ := codeOf(t, h)
		switch name {
		case "Mandated", "Questions", "Unknown": // no event tells these
			if code != "" {
				t.Errorf("%s: %s", name, code)
			}
		default:
			if code != CodeCounts {
				t.Errorf("%s: %q, want %s", name, code, CodeCounts)
			}
		}
	}
}

func TestTreeIsRFC6962(t *testing.T) {
	var grown tree
	var hashes []tlog.Hash
	reader := tlog.HashReaderFunc(func(at []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(at))
		for i, n := range at {
			out[i] = hashes[n]
		}
		return out, nil
	})
	for n := range int64(70) {
		want, err := tlog.TreeHash(n, reader)
		if err != nil {
			t.Fatal(err)
		}
		if got := grown.root(); got != want || !grown.whole() || grown.size != n {
			t.Fatalf("root of %d records is %v, want %v", n, got, want)
		}
		record := []byte(strconv.FormatInt(n, 10))
		more, err := tlog.StoredHashes(n, record, reader)
		if err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, more...)
		grown.add(record)
	}
}

// The members that are read are those that the queue writes.
func TestMembersAreTheQueues(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../queue/event.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var written []string
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 {
			return true
		}
		method, ok := call.Fun.(*ast.SelectorExpr)
		name, literal := call.Args[0].(*ast.BasicLit)
		if ok && literal && slices.Contains([]string{"text", "num", "flag"}, method.Sel.Name) {
			member, err := strconv.Unquote(name.Value)
			if err != nil {
				t.Fatal(err)
			}
			written = append(written, member)
		}
		return true
	})
	var known []string
	for i := range reflect.TypeFor[event]().NumField() {
		known = append(known, reflect.TypeFor[event]().Field(i).Tag.Get("json"))
	}
	slices.Sort(written)
	slices.Sort(known)
	if !slices.Equal(written, known) || len(known) < 40 {
		t.Errorf("the queue writes %v, an audit reads %v", written, known)
	}
}

func BenchmarkVerify(b *testing.B) {
	h := &history{store: "store-1", head: genesis}
	for n := range 500 {
		id := strconv.Itoa(n)
		h.add(b, submit(id, "pending", ev{"answer_by": beginning * 2}))
		h.add(b, move("decide", id, "pending", "denied", ev{"by": "person"}))
	}
	h.kept = queue.Counters{Asks: 500, Denied: 500}
	for b.Loop() {
		if _, err := Verify(b.Context(), h, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*1000), "µs/event")
}
