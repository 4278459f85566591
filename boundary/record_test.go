package boundary

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// written is the form of every tree, to the byte.
var written = map[string]string{
	"armed":                   `{"targetExecutionArmed":true}`,
	"armed+observed":          `{"targetExecutionArmed":true,"offTargetReadObserved":true}`,
	"armed+governed":          `{"targetExecutionArmed":true,"governed":true}`,
	"armed+observed+governed": `{"targetExecutionArmed":true,"offTargetReadObserved":true,"governed":true}`,
}

func TestWriteRecord(t *testing.T) {
	for _, w := range trees {
		tree := treeOf(t, w)
		got, ok := WriteRecord(tree)
		if ok != tree.Armed || string(got) != written[w] {
			t.Errorf("%s is written %s, %v", w, got, ok)
		}
		if !ok {
			if _, ok := WriteEntry("r-1", tree); ok {
				t.Errorf("%s, not armed, has an entry", w)
			}
			continue
		}
		if back, err := ReadRecord(got); err != nil || back != tree {
			t.Errorf("%s reads back as %v, %v", got, back, err)
		}
		entry, _ := WriteEntry("r-1", tree)
		if b := ReadBranch([][]byte{entry}); b != (Branch{Standing: Recorded, Tree: tree, Record: "r-1"}) {
			t.Errorf("%s reads as %+v", entry, b)
		}
	}
}

// badRecords is what a stored record may not be, and why.
var badRecords = []struct{ record, want string }{
	{``, "not strict JSON"},
	{`{`, "not strict JSON"},
	{`{"targetExecutionArmed":true}}`, "not strict JSON"},
	{`{"targetExecutionArmed":true,"targetExecutionArmed":true}`, "not strict JSON"},
	{`{"targetExecutionArmed":true,"x":9007199254740993}`, "not strict JSON"},
	{"{\"\xff\":true}", "not strict JSON"},
	{`{"\ud800":true}`, "not strict JSON"},
	{strings.Repeat("[", 200) + strings.Repeat("]", 200), "not strict JSON"},
	{`null`, "not an object"},
	{`true`, "not an object"},
	{`"targetExecutionArmed"`, "not an object"},
	{`1`, "not an object"},
	{`[]`, "not an object"},
	{`[{"targetExecutionArmed":true}]`, "not an object"},
	{`{"targetExecutionArmed":true,"later":true}`, "a member that is no bit"},
	{`{"targetExecutionArmed":true,"":true}`, "a member that is no bit"},
	{`{"targetExecutionArmed":true,"Governed":true}`, "a member that is no bit"},
	{`{"targetExecutionArmed":false,"later":true}`, "a member that is no bit"},
	{`{"type":"engine:cross_boundary","targetExecutionArmed":true}`, "a member that is no bit"},
	{`{"targetExecutionArmed":false}`, "neither true nor absent"},
	{`{"targetExecutionArmed":null}`, "neither true nor absent"},
	{`{"targetExecutionArmed":"true"}`, "neither true nor absent"},
	{`{"targetExecutionArmed":1}`, "neither true nor absent"},
	{`{"targetExecutionArmed":[true]}`, "neither true nor absent"},
	{`{"targetExecutionArmed":true,"offTargetReadObserved":false}`, "neither true nor absent"},
	{`{"targetExecutionArmed":true,"offTargetReadObserved":{}}`, "neither true nor absent"},
	{`{"targetExecutionArmed":true,"governed":false}`, "neither true nor absent"},
	{`{"targetExecutionArmed":true,"governed":0}`, "neither true nor absent"},
	{`{"governed":null}`, "neither true nor absent"},
	{`{}`, "not armed"},
	{`{"governed":true}`, "not armed"},
	{`{"offTargetReadObserved":true,"governed":true}`, "not armed"},
}

func TestMalformedRecords(t *testing.T) {
	for _, c := range badRecords {
		tree, err := ReadRecord([]byte(c.record))
		if err == nil || !strings.HasPrefix(code(err), "record_malformed") || !strings.Contains(sentence(err), c.want) || tree != Strictest() {
			t.Errorf("%s: %v, %v; want %s", c.record, tree.Bits(), err, c.want)
		}
	}
	for _, good := range []string{` { "governed" : true, "targetExecutionArmed":true } `, `{"\u0067overned":true,"targetExecutionArmed":true}`} {
		if tree, err := ReadRecord([]byte(good)); err != nil || tree != (Tree{Armed: true, Governed: true}) {
			t.Errorf("%s: %v, %v", good, tree.Bits(), err)
		}
	}
}

func record(id, data string) string {
	return fmt.Sprintf(`{"type":"custom","customType":"engine:cross_boundary","id":%s,"data":%s}`, id, data)
}

func branchOf(entries ...string) Branch {
	raw := make([][]byte, len(entries))
	for i, e := range entries {
		raw[i] = []byte(e)
	}
	return ReadBranch(raw)
}

func TestReadBranch(t *testing.T) {
	const message, custom, compaction = `{"type":"message","id":"m"}`, `{"type":"custom_message","customType":"engine:cross_boundary","data":3}`, `{"type":"compaction"}`
	armed, governed := record(`"r1"`, written["armed"]), record(`"r2"`, written["armed+governed"])
	observed := record(`"r3"`, written["armed+observed"])
	for _, c := range []struct {
		what    string
		entries []string
		want    Branch
	}{
		{"nothing", nil, Branch{Standing: Absent}},
		{"content only: a message", []string{message}, Branch{Standing: Absent, Content: true}},
		{"a custom message is content, whatever it says", []string{custom}, Branch{Standing: Absent, Content: true}},
		{"a compaction", []string{compaction}, Branch{Standing: Absent, Content: true}},
		{"entries that are neither", []string{`{"type":"label"}`, `{"type":"custom","customType":"other","data":{}}`, `{"type":"custom"}`,
			`{"type":"custom","customType":3}`, `{"type":["message"]}`, `{"customType":"engine:cross_boundary","data":{}}`, `{}`}, Branch{Standing: Absent}},
		{"no objects are skipped", []string{`null`, `3`, `"message"`, `[{"type":"message"}]`, `true`, armed}, Branch{Standing: Recorded, Tree: Tree{Armed: true}, Record: "r1"}},
		{"a record", []string{message, armed}, Branch{Standing: Recorded, Tree: Tree{Armed: true}, Record: "r1"}},
		{"content after it", []string{armed, compaction}, Branch{Standing: Recorded, Tree: Tree{Armed: true}, Record: "r1", Content: true}},
		{"other entries after it", []string{message, armed, `{"type":"label"}`, `null`}, Branch{Standing: Recorded, Tree: Tree{Armed: true}, Record: "r1"}},
		{"the join of all, the newest's id", []string{governed, message, observed}, Branch{Standing: Recorded, Tree: Strictest(), Record: "r3"}},
		{"a later record takes no bit away", []string{governed, armed}, Branch{Standing: Recorded, Tree: Tree{Armed: true, Governed: true}, Record: "r1"}},
		{"an id that is no string", []string{armed, record(`7`, written["armed"])}, Branch{Standing: Recorded, Tree: Tree{Armed: true}}},
		{"a number that no double holds, in content", []string{armed, `{"type":"message","n":9007199254740993}`}, Branch{Standing: Recorded, Tree: Tree{Armed: true}, Record: "r1", Content: true}},

		{"one bad record among good ones", []string{armed, record(`"bad"`, `{}`), governed},
			Branch{Standing: Malformed, Tree: Strictest(), Why: "the record is of a tree that is not armed", Entry: "bad"}},
		{"a bad record whose id is no string", []string{record(`{}`, `[]`)}, Branch{Standing: Malformed, Tree: Strictest(), Why: "the record is not an object"}},
		{"a record without data", []string{`{"type":"custom","customType":"engine:cross_boundary","id":"r9"}`},
			Branch{Standing: Malformed, Tree: Strictest(), Why: "the record is not strict JSON", Entry: "r9"}},
		{"the first of two bad ones is named", []string{record(`"b1"`, `[]`), record(`"b2"`, `{}`)},
			Branch{Standing: Malformed, Tree: Strictest(), Why: "the record is not an object", Entry: "b1"}},
	} {
		if got := branchOf(c.entries...); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.what, got, c.want)
		}
	}
	for _, bad := range badRecords[8:] { // those that an entry can hold
		if got := branchOf(message, record(`"x"`, bad.record)); got.Standing != Malformed || got.Tree != Strictest() || got.Entry != "x" || !strings.Contains(got.Why, bad.want) {
			t.Errorf("%s: %+v", bad.record, got)
		}
	}
	for _, throws := range []string{``, ` `, `{`, `{"type":"message"`, `{"type":"message"}}`, `{"type":"message","type":"x"}`, `{"a":{"b":1,"b":2}}`,
		`{"\udfff":1}`, "\"\xff\"", `nul`, `[1`, `3 {}`, `{"type":"message",}`} {
		got := branchOf(armed, throws, message)
		if got != (Branch{Standing: Malformed, Tree: Strictest(), Why: "an entry of the branch is not strict JSON"}) {
			t.Errorf("%q: %+v", throws, got)
		}
	}
}

// TestResumed: on a governed tree what no record covers counts as a read outside.
func TestResumed(t *testing.T) {
	for _, c := range []struct {
		live   string
		branch Branch
		want   string
	}{
		{"-", Branch{Standing: Absent, Content: true}, "-"},
		{"armed", Branch{Standing: Absent, Content: true}, "armed"},
		{"armed+governed", Branch{Standing: Absent}, "armed+governed"},
		{"armed+governed", Branch{Standing: Absent, Content: true}, "armed+observed+governed"},
		{"-", Branch{Standing: Recorded, Tree: Tree{Armed: true}, Content: true}, "armed"},
		{"-", Branch{Standing: Recorded, Tree: Tree{Armed: true, Governed: true}}, "armed+governed"},
		{"-", Branch{Standing: Recorded, Tree: Tree{Armed: true, Governed: true}, Content: true}, "armed+observed+governed"},
		{"observed", Branch{Standing: Recorded, Tree: Tree{Armed: true}}, "armed+observed"},
		{"governed", Branch{Standing: Recorded, Tree: Tree{Armed: true}, Content: true}, "armed+observed+governed"},
		{"-", branchOf(`{`), "armed+observed+governed"},
	} {
		if got := Resumed(treeOf(t, c.live), c.branch); got != treeOf(t, c.want) {
			t.Errorf("%s and %+v: %v", c.live, c.branch, got.Bits())
		}
	}
}

func FuzzReadRecord(f *testing.F) {
	for _, c := range badRecords {
		f.Add([]byte(c.record))
	}
	for _, good := range written {
		f.Add([]byte(good))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		tree, err := ReadRecord(raw)
		if err != nil {
			if tree != Strictest() {
				t.Fatalf("what cannot be read is %v", tree.Bits())
			}
			return
		}
		again, ok := WriteRecord(tree)
		if back, err := ReadRecord(again); !ok || err != nil || back != tree {
			t.Fatalf("%s is written %s and reads as %v, %v", raw, again, back, err)
		}
		if live, err := ReadTree(raw); err != nil || live != tree {
			t.Fatalf("a record is no live tree: %v, %v", live, err)
		}
	})
}

// FuzzReadBranch: one entry a line. Reading ends, and adding entries never takes
// a bit away.
func FuzzReadBranch(f *testing.F) {
	f.Add([]byte(record(`"r"`, written["armed"]) + "\n" + `{"type":"message"}`))
	f.Add([]byte(record(`7`, `{}`)))
	f.Add([]byte("null\n[]\n{"))
	f.Add([]byte(`{"type":"custom","customType":"engine:cross_boundary","data":{"governed":true}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		entries := bytes.Split(raw, []byte("\n"))
		var before Tree
		for i := range entries {
			b := ReadBranch(entries[:i+1])
			if !b.Tree.Covers(before) {
				t.Fatalf("entry %d takes a bit away: %v, %v", i, before.Bits(), b.Tree.Bits())
			}
			if (b.Standing == Malformed) != (b.Why != "") || b.Standing == Absent && b.Tree != (Tree{}) || b.Standing == Malformed && b.Tree != Strictest() {
				t.Fatalf("%+v", b)
			}
			before = b.Tree
		}
	})
}

func FuzzWriteEntry(f *testing.F) {
	f.Add("r-1", true, false)
	f.Add("\"\\\x00\u2028\xff", false, true)
	f.Fuzz(func(t *testing.T, id string, observed, governed bool) {
		tree := Tree{Armed: true, Observed: observed, Governed: governed}
		entry, ok := WriteEntry(id, tree)
		b := ReadBranch([][]byte{entry})
		if !ok || b.Standing != Recorded || b.Tree != tree || b.Content || b.Record != strings.ToValidUTF8(id, "\ufffd") && strings.ToValidUTF8(id, "") == id {
			t.Fatalf("%s reads as %+v", entry, b)
		}
	})
}
