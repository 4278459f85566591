package rules

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/expr-lang/expr/vm"

	"nod/digest"
)

// A caller's large arguments cost an error, never minutes: each of these would
// take at least ten billion steps.
func TestHostileSizeErrs(t *testing.T) {
	list := `"` + strings.Repeat(`x","`, 120_000) + `x"`
	a := action(t, "Bash", `{"list":[`+list+`],"text":"`+strings.Repeat("y", 480_000)+`"}`)
	for _, when := range []string{
		`any(args.list, args.text contains #)`,
		`any(args.list, "z" in args.list)`,
		`all(args.list, all(args.list, # == "x"))`,
		`len(map(args.list, args.text + #)) == 0`,
		`count(args.list, any(split(args.text, ""), # == "z")) > 0`,
		`any(args.list, any(args.list, any(args.list, # == "z")))`,
	} {
		p, err := compile(when)
		if err != nil {
			t.Fatal(err)
		}
		c, err := newCall(a)
		if err != nil {
			t.Fatal(err)
		}
		var machine vm.VM
		began := time.Now()
		if _, err := p.holds(&machine, c); !errors.Is(err, errBudget) {
			t.Errorf("%s: %v, want %v", when, err, errBudget)
		}
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("%s took %v", when, took)
		}
	}
}

// What an honest large call needs stays inside the budget.
func TestHonestSizePasses(t *testing.T) {
	words := strings.Repeat("word ", 20_000)
	edits := strings.Repeat(`{"old":"a","new":"b"},`, 200)
	a := action(t, "Bash", `{"command":"`+words+`sudo","edits":[`+strings.TrimSuffix(edits, ",")+`],"path":"p"}`)
	for _, when := range []string{
		`any(split(args.command, " "), # == "sudo")`,
		`args.command matches "sudo$"`,
		`all(args.edits, .old == "a")`,
		`all(args.edits, .old != args.path)`,
		`any(args.edits, any(["a","c"], # == "a"))`,
	} {
		if r := mustCompile(t, rule("r", "deny", when)).Judge(a); r.Verdict != "deny" {
			t.Errorf("%s: %+v, want a match", when, r)
		}
	}
}

// One rule's cost does not change what another rule says.
func TestBudgetIsForEachRule(t *testing.T) {
	a := action(t, "Bash", `{"list":[`+strings.TrimSuffix(strings.Repeat("1,", 100_000), ",")+`]}`)
	const most = `any(1..500000, false)` // most of a budget
	if r := mustCompile(t, rule("a", "deny", most), rule("b", "deny", most), rule("c", "allow", `all(args.list, # == 1)`)).Judge(a); r.Rule != "c" {
		t.Errorf("%+v, want c", r)
	}
}

func TestSameCallSameRuling(t *testing.T) {
	var members []string
	for i := range 40 {
		members = append(members, fmt.Sprintf(`"m%02d":%d`, i, i))
	}
	a := action(t, "Bash", `{"o":{`+strings.Join(members, ",")+`}}`)
	s := mustCompile(t, rule("k", "deny", `keys(args.o)[0] == "m00" && values(args.o)[39] == 39`))
	for range 50 {
		if r := s.Judge(a); r.Verdict != "deny" {
			t.Fatalf("%+v: the order of a map shows", r)
		}
	}
}

func few() []Rule {
	return []Rule{
		{Name: "no-force-push", Tools: []string{"Bash"}, Verdict: "deny", When: `args.command matches "git\\s+push.*--force"`},
		{Name: "no-sudo", Tools: []string{"Bash"}, Verdict: "deny", When: `any(split(args.command ?? "", " "), # == "sudo")`},
		{Name: "home-only", Tools: []string{"Write", "Edit"}, Verdict: "ask", When: `!(args.file_path startsWith cwd)`},
		{Name: "reads", Tools: []string{"Read", "Glob", "Grep"}, Verdict: "allow"},
		{Name: "status", Tools: []string{"Bash"}, Verdict: "allow", When: `args.command in ["git status", "git diff", "ls"]`},
	}
}

func BenchmarkCompileFew(b *testing.B) {
	for b.Loop() {
		if _, err := Compile(few()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkJudge(b *testing.B) {
	s := mustCompile(b, few()...)
	a := action(b, "Bash", `{"command":"`+strings.Repeat("echo word; ", 370)+`"}`) // 4 KiB
	b.ReportAllocs()
	for b.Loop() {
		if r := s.Judge(a); r.Verdict != "" {
			b.Fatal(r)
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, r := range few() {
		f.Add(r.When)
	}
	f.Add(`any(map(args.list, # + "x"), let y = #; y == 1)`)
	f.Add(`reduce(args, #acc)`)
	args, err := digest.Canonical([]byte(`{"command":"ls -l","list":[1,"a",null,{"x":[2]}],"n":1.5}`), digest.Limits{})
	if err != nil {
		f.Fatal(err)
	}
	a := &digest.Action{Tool: "Bash", Arguments: args}
	f.Fuzz(func(t *testing.T, when string) {
		s, err := Compile([]Rule{{Name: "r", Tools: []string{"*"}, Verdict: "allow", When: when}})
		if err != nil {
			return
		}
		if one, two := s.Judge(a), s.Judge(a); one != two {
			t.Errorf("%q gave %+v and then %+v", when, one, two)
		}
	})
}
