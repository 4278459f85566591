package queue

import (
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"
)

var updateDoc = flag.Bool("update-acts", false, "write the member tables of docs/spec/acts.md anew")

const actsDoc = "../docs/spec/acts.md"

// membersOf lists a struct's JSON members in order, with their Go kinds as the
// document words them.
func membersOf(t reflect.Type) string {
	var out []string
	for f := range t.Fields() {
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || name == "" {
			continue
		}
		if strings.Contains(opts, "omit") {
			name += "?"
		}
		out = append(out, name)
	}
	if len(out) == 0 {
		return "no member"
	}
	return "`" + strings.Join(out, "` `") + "`"
}

func tables() string {
	var b strings.Builder
	section := func(title string) { b.WriteString("\n### " + title + "\n\n| name | members |\n|---|---|\n") }
	row := func(name string, v any) {
		b.WriteString("| `" + name + "` | " + membersOf(reflect.TypeOf(v)) + " |\n")
	}
	section("Acts")
	for _, v := range acts {
		row(v.actName(), v)
	}
	section("Results")
	for _, v := range results {
		row(v.resultName(), v)
	}
	section("Queries")
	for _, v := range queries {
		row(v.queryName(), v)
	}
	section("Answers")
	for _, v := range answers {
		row(v.answerName(), v)
	}
	section("Inside them")
	for _, v := range []any{Call{}, Effect{}, Operand{}, Question{}, Decision{}, Row{}, Key{}, Filter{}, AttemptView{}, StoredEvent{}, Counters{}, FreezeView{}, NoticeView{}, SessionView{}, GrantView{}, Precedent{}, StatCell{}, Outcomes{}, ToolStat{}, BatchItem{}, BatchResult{}, EditedCall{}, EffectView{}, DeskAttempt{}, FactView{}, RepeatView{}, DeskReading{}, Provider{}, ObserverView{}, AnswerView{}} {
		row(reflect.TypeOf(v).Name(), v)
	}
	return b.String()
}

func TestTheDocumentOfActsIsTrue(t *testing.T) {
	text, err := os.ReadFile(actsDoc)
	if err != nil {
		t.Fatal(err)
	}
	const mark = "\n<!-- tables, written by a test -->\n"
	head, got, ok := strings.Cut(string(text), mark)
	if !ok {
		t.Fatal("docs/spec/acts.md has no place for the tables")
	}
	if *updateDoc {
		if err := os.WriteFile(actsDoc, []byte(head+mark+tables()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != tables() {
		t.Error("docs/spec/acts.md is not the code's: go test ./queue -run DocumentOfActs -update-acts")
	}
}

// refusals are this package's codes, by reading its own source: a code that
// the document does not name is a code nobody can look up.
func TestTheDocumentNamesEveryRefusal(t *testing.T) {
	doc, err := os.ReadFile(actsDoc)
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile("refusal.go")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(src)) {
		if name, rest, ok := strings.Cut(strings.TrimSpace(line), "= \""); ok && strings.HasPrefix(name, "Code") {
			code, _, _ := strings.Cut(rest, `"`)
			n++
			if !strings.Contains(string(doc), "| `"+code+"` |") {
				t.Errorf("docs/spec/acts.md does not explain %s", code)
			}
		}
	}
	if n < 20 {
		t.Errorf("found only %d codes", n)
	}
}
