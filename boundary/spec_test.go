package boundary

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"nod/digest"
)

// fences gives the lines of every example of one kind on the page.
func fences(t *testing.T, kind string, least int) (out [][]string) {
	t.Helper()
	doc, err := os.ReadFile("../docs/spec/boundary.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?s)```"+kind+"\n(.*?)\n```").FindAllStringSubmatch(string(doc), -1) {
		out = append(out, strings.Split(m[1], "\n"))
	}
	if len(out) < least {
		t.Fatalf("the page has %d examples of %s", len(out), kind)
	}
	return out
}

func pageTree(t *testing.T, words string) Tree {
	t.Helper()
	if words == "none" {
		return Tree{}
	}
	return treeOf(t, strings.Join(strings.Fields(words), "+"))
}

func pageWords(tree Tree) string {
	words := strings.NewReplacer(BitArmed, "armed", BitObserved, "observed").Replace(strings.Join(tree.Bits(), " "))
	if words == "" {
		return "none"
	}
	return words
}

func cut(t *testing.T, line, at string) (left, right string) {
	t.Helper()
	left, right, ok := strings.Cut(line, at)
	if !ok {
		t.Fatalf("%q has no %q", line, at)
	}
	return left, right
}

func TestSpecActs(t *testing.T) {
	for _, line := range fences(t, "acts", 1)[0] {
		when, want := cut(t, line, " => ")
		posture, rest := cut(t, when, ": ")
		had, act := cut(t, rest, ", ")
		p := Posture(strings.TrimPrefix(posture, "undeclared"))
		var a Act
		if f := strings.Fields(act); f[0] == "begin" {
			a = Act{Begins: true, Target: f[1] == "target", Legs: legsOf(t, strings.Join(f[2:], ","))}
		}
		if got := pageWords(Next(pageTree(t, had), p, a)); got != want {
			t.Errorf("%s: %s", line, got)
		}
	}
}

func TestSpecOwes(t *testing.T) {
	for _, block := range fences(t, "owes", 5) {
		v := map[string]string{}
		for _, line := range block {
			key, value := cut(t, line, ": ")
			v[key] = value
		}
		owes, err := ReadObligation([]byte(v["tree"]), []byte(v["legs"]), []byte(v["envIsTarget"]))
		var e *digest.Error
		if errors.As(err, &e) {
			if got := e.Code + " at " + e.Pointer; got != v["refused"] {
				t.Errorf("%v: %s", block, got)
			}
			continue
		}
		if got := strings.ReplaceAll(owes.String(), "+", " "); got != v["owes"] {
			t.Errorf("%v: %s", block, got)
		}
	}
}

func TestSpecRoster(t *testing.T) {
	for _, line := range fences(t, "roster", 1)[0] {
		m := regexp.MustCompile(`^(\w+), (.*), (\w+) => (.*)$`).FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("%q is no row", line)
		}
		row := Row{Source: m[1], Access: m[3], Declaration: []byte(m[2])}
		if m[2] == "undeclared" {
			row.Declaration = nil
		}
		got := strings.NewReplacer(",", " ", "-", "none", "per_call", "per call").Replace(show(row.Crossing()))
		if got != m[4] {
			t.Errorf("%s: %s", line, got)
		}
	}
}

func TestSpecOrder(t *testing.T) {
	for _, line := range fences(t, "order", 1)[0] {
		in, want := cut(t, line, " => ")
		word, mandate := cut(t, in, ", ")
		if word == "no opinion" {
			word = ""
		}
		out, mandated := Order(Ruling(word), mandate == "mandate")
		got := string(out)
		if mandated {
			got += ", mandated"
		}
		if got != want {
			t.Errorf("%s: %s", line, got)
		}
	}
}

func TestSpecRecords(t *testing.T) {
	for _, line := range fences(t, "record", 1)[0] {
		bits, want := cut(t, line, " => ")
		got, ok := WriteRecord(pageTree(t, bits))
		if !ok {
			got = []byte("not written")
		}
		if string(got) != want {
			t.Errorf("%s: %s", line, got)
		}
	}
	for _, line := range fences(t, "unreadable", 1)[0] {
		raw, want := cut(t, line, " => ")
		if tree, err := ReadRecord([]byte(raw)); err == nil || sentence(err) != want || tree != Strictest() {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestSpecBranches(t *testing.T) {
	for _, block := range fences(t, "branch", 3) {
		n := len(block) - 2
		b := branchOf(block[:n]...)
		got := string(b.Standing)
		switch b.Standing {
		case Recorded:
			got += " " + pageWords(b.Tree) + ", newest " + b.Record
			if b.Content {
				got += ", content follows"
			}
		case Absent:
			if b.Content {
				got += ", content"
			}
		case Malformed:
			got += ", entry " + b.Entry + ": " + b.Why
		}
		if got != block[n] {
			t.Errorf("%v: %s", block, got)
		}
		if got := "resumed " + pageWords(Resumed(Tree{}, b)); got != block[n+1] {
			t.Errorf("%v: %s", block, got)
		}
	}
}

func TestSpecWhy(t *testing.T) {
	for _, block := range fences(t, "why", 4) {
		bits, rest := cut(t, strings.TrimPrefix(block[0], "tree: "), ", ")
		a := Account{Tree: pageTree(t, bits)}
		for part := range strings.SplitSeq(rest, ", ") {
			f := strings.Fields(part)
			switch f[0] {
			case "target":
				a.Target, a.ArmedAt = f[1], f[3]
			case "read":
				a.ReadAt = f[2]
			case "unreadable":
				a.Unreadable = strings.TrimPrefix(part, "unreadable ")
			}
		}
		legs, where, _ := strings.Cut(strings.TrimPrefix(block[1], "call: "), " in ")
		a.Legs = legsOf(t, strings.Join(strings.Fields(legs), ","))
		a.Environment = strings.TrimPrefix(where, "target ")
		a.EnvIsTarget = a.Environment != where
		if got := a.Why(); got != block[2] {
			t.Errorf("got %s\nwant %s", got, block[2])
		}
	}
}

// TestSpecWords: the page's closed sets are the code's.
func TestSpecWords(t *testing.T) {
	doc, err := os.ReadFile("../docs/spec/boundary.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{
		"| bits | `" + BitArmed + "` `" + BitObserved + "` `" + BitGoverned + "` |",
		"| legs | `" + LegEnv + "` `" + LegOutsideRead + "` `" + LegOutsideWrite + "` |",
		"| postures | `" + string(SingleUser) + "` `" + string(MultiTenant) + "` |",
		"| phases | `" + string(Prepare) + "` `" + string(Exit) + "` `" + string(Suspend) + "` `" + string(Settle) + "` |",
		"| exit refusals | `" + string(Unconfirmed) + "` `" + string(Unrecorded) + "` |",
		"| record type | `" + RecordType + "` |",
	} {
		if !strings.Contains(string(doc), row) {
			t.Errorf("the page has no row %s", row)
		}
	}
	for _, code := range []string{CodeLegsNotList, CodeTargetNotBoolean, CodeTreeMalformed, CodeUnknownLeg, CodeBadDeclaration} {
		if !strings.Contains(string(doc), "`"+code+"`") {
			t.Errorf("the page does not name %s", code)
		}
	}
}
