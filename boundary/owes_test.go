package boundary

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"nod/digest"
)

func lines(t *testing.T, path string) (out []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, "\n"); line != "" && line[0] != '#' {
			out = append(out, line)
		}
	}
	return out
}

func legsOf(t *testing.T, word string) Legs {
	t.Helper()
	if word == "-" {
		return Legs{}
	}
	l, err := ParseLegs(strings.Split(word, ","))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// treeOf reads "armed+governed"; "-" is no bit.
func treeOf(t *testing.T, word string) (tree Tree) {
	t.Helper()
	for w := range strings.SplitSeq(word, "+") {
		switch w {
		case "armed":
			tree.Armed = true
		case "observed":
			tree.Observed = true
		case "governed":
			tree.Governed = true
		case "-":
		default:
			t.Fatalf("what is %q?", w)
		}
	}
	return tree
}

func (o Owes) String() string {
	switch o {
	case Owes{Mandate: true}:
		return "mandate"
	case Owes{Record: true}:
		return "record"
	case Owes{Mandate: true, Record: true}:
		return "mandate+record"
	}
	return "none"
}

// TestObligation holds all 8 trees, all 8 leg sets and both targets against the
// table that is written out.
func TestObligation(t *testing.T) {
	seen := map[string]bool{}
	for _, line := range lines(t, "testdata/obligation.txt") {
		f := strings.Fields(line)
		if len(f) != 6 {
			t.Fatalf("%q is no row", line)
		}
		tree := Tree{f[0] == "yes", f[1] == "yes", f[2] == "yes"}
		if got := Obligation(tree, legsOf(t, f[3]), f[4] == "yes").String(); got != f[5] {
			t.Errorf("%s: owes %s", line, got)
		}
		seen[strings.Join(f[:5], " ")] = true
	}
	if len(seen) != 8*8*2 {
		t.Errorf("the table has %d rows", len(seen))
	}
}

// TestCorpus plays every case: the obligation, the order of decisions, begin,
// and a record that cannot be written. Where the corpus says that a failed write
// refuses the call, DESIGN §6 has it so on a governed tree only, and wins.
func TestCorpus(t *testing.T) {
	cases := lines(t, "testdata/cross-boundary.jsonl")
	if len(cases) != 72 {
		t.Fatalf("%d cases", len(cases))
	}
	for _, line := range cases {
		var c struct {
			ID, Class, Input string
			Expected         Owes
			Rule             string
		}
		var in struct {
			Legs     json.RawMessage
			Target   json.RawMessage `json:"env_is_target"`
			Armed    bool
			Observed bool `json:"off_target_read_observed"`
			Governed bool
		}
		if err := errors.Join(json.Unmarshal([]byte(line), &c), json.Unmarshal([]byte(c.Input), &in)); err != nil {
			t.Fatal(err)
		}
		tree := Tree{in.Armed, in.Observed, in.Governed}
		written := map[string]bool{}
		for _, b := range tree.Bits() {
			written[b] = true
		}
		raw, err := json.Marshal(written)
		if err != nil {
			t.Fatal(err)
		}
		owes, err := ReadObligation(raw, in.Legs, in.Target)
		if err != nil || owes != c.Expected {
			t.Errorf("%s: owes %v, %v; want %v", c.ID, owes, err, c.Expected)
		}
		if required := c.Class == "mandate/required"; required != owes.Mandate {
			t.Errorf("%s: %s, and owes %v", c.ID, c.Class, owes)
		}
		for _, r := range []Ruling{Allow, Ask, NoOpinion} {
			if out, mandated := Order(r, owes.Mandate); mandated != owes.Mandate || mandated && out != Ask || !mandated && out != r {
				t.Errorf("%s: %q becomes %q, mandated %v", c.ID, r, out, mandated)
			}
		}
		if got := AtBegin(owes, false) == Unconfirmed; got != owes.Mandate {
			t.Errorf("%s: unconfirmed %v", c.ID, got)
		}
		if strings.Contains(c.Rule, "a failed write refuses the call") != owes.Record {
			t.Errorf("%s: the rule speaks of a record", c.ID)
		}
		if got := Unwritten(Exit, tree) == Unrecorded; owes.Record && got != tree.Governed {
			t.Errorf("%s: unrecorded %v", c.ID, got)
		}
	}
}

func code(err error) string {
	var e *digest.Error
	if err == nil {
		return ""
	}
	if !errors.As(err, &e) || e.Sentence == "" || e.Hint == "" {
		return "no code, sentence and hint: " + err.Error()
	}
	return strings.TrimSpace(e.Code + " " + e.Pointer)
}

// TestErrorsInOrder breaks one, two, three and all four inputs: the first of
// SEED's order is told.
func TestErrorsInOrder(t *testing.T) {
	const tree, legs = `{"targetExecutionArmed":true,"offTargetReadObserved":true,"governed":true}`, `["outside_read","outside_write"]`
	for _, c := range []struct{ tree, legs, target, want string }{
		{tree, legs, "false", ""},
		{tree, `[]`, "true", ""},
		{`{}`, legs, "true", ""},
		{`{"governed":true,"later":false,"x":null}`, legs, "true", ""}, // unknown members of a live tree are ignored

		{tree, "", "false", "legs_not_list /legs"},
		{tree, `null`, "false", "legs_not_list /legs"},
		{tree, `"env"`, "false", "legs_not_list /legs"},
		{tree, `{"0":"env"}`, "false", "legs_not_list /legs"},
		{tree, `["env"`, "false", "legs_not_list /legs"},
		{tree, `["env"]]`, "false", "legs_not_list /legs"},
		{tree, legs, "", "target_not_boolean /envIsTarget"}, // without an env leg too
		{tree, `[]`, "null", "target_not_boolean /envIsTarget"},
		{tree, `["env"]`, `"true"`, "target_not_boolean /envIsTarget"},
		{tree, `["env"]`, `1`, "target_not_boolean /envIsTarget"},
		{tree, `["env"]`, `[true]`, "target_not_boolean /envIsTarget"},
		{"", legs, "true", "tree_malformed /tree"},
		{"null", legs, "true", "tree_malformed /tree"},
		{"[]", legs, "true", "tree_malformed /tree"},
		{`"armed"`, legs, "true", "tree_malformed /tree"},
		{`{"governed":true,"governed":true}`, legs, "true", "tree_malformed /tree"},
		{`{"targetExecutionArmed":false}`, legs, "true", "tree_malformed /tree/targetExecutionArmed"},
		{`{"offTargetReadObserved":null}`, legs, "true", "tree_malformed /tree/offTargetReadObserved"},
		{`{"governed":1}`, legs, "true", "tree_malformed /tree/governed"},
		{`{"governed":"true","offTargetReadObserved":{}}`, legs, "true", "tree_malformed /tree/offTargetReadObserved"},
		{tree, `["env","inside"]`, "true", "unknown_leg /legs/1"},
		{tree, `[""]`, "true", "unknown_leg /legs/0"},
		{tree, `["ENV"]`, "true", "unknown_leg /legs/0"},
		{tree, `[["env"]]`, "true", "unknown_leg /legs/0"},
		{tree, `[null]`, "true", "unknown_leg /legs/0"},

		{`[]`, `3`, `3`, "legs_not_list /legs"},
		{tree, `3`, `3`, "legs_not_list /legs"},
		{`[]`, `3`, `true`, "legs_not_list /legs"},
		{`[]`, `["inside"]`, `3`, "target_not_boolean /envIsTarget"},
		{tree, `["inside"]`, `3`, "target_not_boolean /envIsTarget"},
		{`[]`, legs, `3`, "target_not_boolean /envIsTarget"},
		{`[]`, `["inside"]`, `true`, "tree_malformed /tree"},
	} {
		owes, err := ReadObligation([]byte(c.tree), []byte(c.legs), []byte(c.target))
		if got := code(err); got != c.want {
			t.Errorf("%s %s %s: %q, want %q", c.tree, c.legs, c.target, got, c.want)
		}
		if err != nil && owes != (Owes{true, true}) {
			t.Errorf("%s %s %s: what cannot be read owes %v", c.tree, c.legs, c.target, owes)
		}
	}
}

var trees = []string{"-", "armed", "observed", "governed", "armed+observed", "armed+governed", "observed+governed", "armed+observed+governed"}

// TestJoin: by OR, so that a tree only grows; a tree covers what it has.
func TestJoin(t *testing.T) {
	for _, left := range trees {
		for _, right := range trees {
			a, b := treeOf(t, left), treeOf(t, right)
			want := "-"
			for _, bit := range []string{"armed", "observed", "governed"} {
				if strings.Contains(left, bit) || strings.Contains(right, bit) {
					want += "+" + bit
				}
			}
			j := a.Join(b)
			if j != treeOf(t, want) || j != b.Join(a) || !j.Covers(a) || !j.Covers(b) {
				t.Errorf("%s and %s join to %v", left, right, j.Bits())
			}
			within := true
			for bit := range strings.SplitSeq(right, "+") {
				within = within && (bit == "-" || strings.Contains(left, bit))
			}
			if a.Covers(b) != within {
				t.Errorf("%s covers %s: %v", left, right, a.Covers(b))
			}
			if !Strictest().Covers(j) {
				t.Errorf("the strictest does not cover %v", j)
			}
		}
	}
	if got := strings.Join(Strictest().Bits(), " "); got != "targetExecutionArmed offTargetReadObserved governed" {
		t.Error(got)
	}
}
