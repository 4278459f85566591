package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nod/digest"
	"nod/queue"
)

func action(t testing.TB, tool, args string) *digest.Action {
	t.Helper()
	doc, err := digest.Canonical([]byte(args), digest.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return &digest.Action{
		Tool: tool, Operation: "run", Arguments: doc,
		Principal:   digest.Principal{Agent: "claude-code", User: "mia", Host: "laptop"},
		Environment: digest.Environment{Name: "local", Cwd: "/home/mia/shop", Machine: "m1", Vars: []digest.Var{{Name: "LANG", Value: "C"}}},
		Effect:      &digest.Effect{Key: digest.JSON(`["local","refund","p1",7]`), Class: "compensatable", Access: "write"},
		Operands:    []digest.Operand{{Name: "/bin/sh", Digest: digest.Of(nil)}},
	}
}

func rule(name, verdict, when string) Rule {
	return Rule{Name: name, Tools: []string{"*"}, Verdict: verdict, When: when}
}

func mustCompile(t testing.TB, list ...Rule) *Set {
	t.Helper()
	s, err := Compile(list)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const (
	yes    = `true`
	no     = `false`
	broken = `args.absent.deeper == 1`
)

// The whole table of two rules: deny beats ask beats allow, an error never
// allows, an erring deny asks.
func TestPrecedence(t *testing.T) {
	for _, c := range []struct {
		name  string
		rules []Rule
		want  queue.Ruling
	}{
		{"none", nil, queue.Ruling{}},
		{"no match", []Rule{rule("a", "allow", no), rule("d", "deny", no)}, queue.Ruling{}},
		{"allow", []Rule{rule("a", "allow", yes)}, queue.Ruling{Verdict: "allow", Rule: "a"}},
		{"ask over allow", []Rule{rule("a", "allow", yes), rule("k", "ask", yes)}, queue.Ruling{Verdict: "ask", Rule: "k"}},
		{"deny over both", []Rule{rule("a", "allow", yes), rule("k", "ask", yes), rule("d", "deny", yes)}, queue.Ruling{Verdict: "deny", Rule: "d"}},
		{"first of one verdict", []Rule{rule("a1", "allow", yes), rule("a2", "allow", yes)}, queue.Ruling{Verdict: "allow", Rule: "a1"}},
		{"erring deny asks", []Rule{rule("d", "deny", broken), rule("a", "allow", yes)},
			queue.Ruling{Verdict: "ask", Rule: "d", Erred: true, Why: "the rule d could not be evaluated on this call"}},
		{"another deny still denies", []Rule{rule("d1", "deny", broken), rule("d2", "deny", yes)}, queue.Ruling{Verdict: "deny", Rule: "d2"}},
		{"erring ask asks", []Rule{rule("a", "allow", yes), rule("k", "ask", broken)},
			queue.Ruling{Verdict: "ask", Rule: "k", Erred: true, Why: "the rule k could not be evaluated on this call"}},
		{"erring allow is no allow", []Rule{rule("a", "allow", broken)},
			queue.Ruling{Rule: "a", Erred: true, Why: "the rule a could not be evaluated on this call"}},
		{"erring allow stops no other", []Rule{rule("a1", "allow", broken), rule("a2", "allow", yes)}, queue.Ruling{Verdict: "allow", Rule: "a2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := mustCompile(t, c.rules...).Judge(action(t, "Bash", `{"command":"ls"}`))
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestRuleApplies(t *testing.T) {
	a := action(t, "Bash", `{}`)
	s := mustCompile(t,
		Rule{Name: "other-tool", Tools: []string{"bash", "Read"}, Verdict: "deny"},
		Rule{Name: "other-operation", Tools: []string{"*"}, Operation: "stop", Verdict: "deny"},
		Rule{Name: "this", Tools: []string{"Read", "B?s*"}, Operation: "run", Verdict: "ask", Why: "shell"})
	if got := s.Judge(a); got.Rule != "this" || got.Why != "shell" {
		t.Errorf("ruled by %q, want this", got.Rule)
	}
}

func TestTimesAreTheShortestThatMatch(t *testing.T) {
	timed := func(name, when string, answer, use int64) Rule {
		r := rule(name, "ask", when)
		r.AnswerWithinMS, r.UseWithinMS = answer, use
		return r
	}
	s := mustCompile(t, timed("a", yes, 9000, 0), timed("b", yes, 4000, 7000), timed("c", no, 1000, 1000), timed("e", broken, 500, 500))
	got := s.Judge(action(t, "Bash", `{}`))
	if got.AnswerWithinMS != 4000 || got.UseWithinMS != 7000 {
		t.Errorf("times %d, %d; want 4000, 7000", got.AnswerWithinMS, got.UseWithinMS)
	}
}

func TestPredicateSeesTheAction(t *testing.T) {
	a := action(t, "Bash", `{"command":"git push","n":3,"list":["a","b"],"obj":{"z":1,"y":2},"none":null}`)
	for _, when := range []string{
		`tool == "Bash"`, `operation == "run"`, `cwd startsWith "/home/"`, `environment == "local"`, `machine == "m1"`,
		`agent == "claude-code"`, `user == "mia"`, `host == "laptop"`, `vars.LANG == "C"`, `vars["NO"] == ""`,
		`effect.class == "compensatable"`, `effect.access == "write"`, `effect.key[1] == "refund"`, `effect.key[3] == 7`,
		`any(operands, .name == "/bin/sh")`, `operands[0].digest startsWith "sha256:"`,
		`args.command matches "^git\\s+push"`, `args.n == 3`, `args.n > 2.5`, `type(args.n) == "float"`, `"a" in args.list`,
		`args.none == nil`, `(args.absent ?? "") == ""`, `args?.absent?.deep == nil`, `len(args.list) == 2`,
		`keys(args.obj) == ["y","z"]`, `values(args.obj) == [2.0,1.0]`, `any(split(args.command, " "), # == "push")`,
		`all(args.list, # in ["a","b"])`, `args.list | filter(# == "a") | len() == 1`, `"obj" in args`,
	} {
		got := mustCompile(t, rule("r", "deny", when)).Judge(a)
		if got.Verdict != queue.RuleDeny {
			t.Errorf("%s: %+v, want a match", when, got)
		}
	}
}

func TestPredicateRefusedAtLoad(t *testing.T) {
	for when, want := range map[string]string{
		`now().Year() > 2000`:                "now cannot be used",
		`date("2026-01-01") != nil`:          "date cannot be used",
		`timezone("UTC") != nil`:             "timezone cannot be used",
		`duration("1h") > 0`:                 "duration cannot be used",
		`reduce(args.a, #acc + #) == 1`:      "reduce cannot be used",
		`repeat(tool, 9) == ""`:              "repeat cannot be used",
		`replace(tool, "a", tool) == ""`:     "replace cannot be used",
		`join(args.a, tool) == ""`:           "join cannot be used",
		`toPairs(args)[0][0] == "a"`:         "toPairs cannot be used",
		`fromJSON(args.a).b == 1`:            "fromJSON cannot be used",
		`uniq(args.a) == []`:                 "uniq cannot be used",
		`let x = tool; x + x == ""`:          "let cannot be used",
		`args.a matches args.b`:              "literal pattern",
		`args.a matches "("`:                 "pattern",
		`trim(args.a, args.b) == ""`:         "literal characters",
		`$env.tool == "x"`:                   "$env is not a member",
		`$fuel == nil`:                       "$fuel is not a member",
		`any(args.a, $spend($fuel, false))`:  "is not a member",
		`Tool == "x"`:                        "unknown name Tool",
		`effect.colour == ""`:                "colour",
		`tool`:                               "bool",
		`tool > 3`:                           "mismatched types",
		`tool ==`:                            "unexpected token",
		strings.Repeat("true || ", 400) + no: "node",
	} {
		_, err := Compile([]Rule{{Name: "bad", Tools: []string{"*"}, Verdict: "deny", When: when, Line: 7}})
		e, ok := err.(*Error) //nolint:errorlint // Compile's own type
		if !ok {
			t.Errorf("%s: compiled", when)
			continue
		}
		if e.Rule != "bad" || e.Line != 7 || e.Member != InWhen || e.Hint == "" {
			t.Errorf("%s: %+v names not rule, line and member", when, e)
		}
		if !strings.Contains(e.Sentence, want) {
			t.Errorf("%s: %q, want %q in it", when, e.Sentence, want)
		}
	}
}

func TestRuleRefusedAtLoad(t *testing.T) {
	good := Rule{Name: "r", Tools: []string{"*"}, Verdict: "ask", Why: "a reason", Line: 3}
	if _, err := Compile([]Rule{good}); err != nil {
		t.Fatal(err)
	}
	for member, breaks := range map[string]func(*Rule){
		InName:    func(r *Rule) { r.Name = "a b" },
		InTools:   func(r *Rule) { r.Tools = nil },
		InVerdict: func(r *Rule) { r.Verdict = "Deny" },
		InWhy:     func(r *Rule) { r.Why = "two\nlines" },
		InWhen:    func(r *Rule) { r.When = " " },
		InAnswer:  func(r *Rule) { r.AnswerWithinMS = -1 },
		InUse:     func(r *Rule) { r.UseWithinMS = -1 },
	} {
		bad := good
		breaks(&bad)
		_, err := Compile([]Rule{bad})
		if e, ok := err.(*Error); !ok || e.Member != member || e.Line != 3 { //nolint:errorlint // Compile's own type
			t.Errorf("%s: %v", member, err)
		}
	}
	twin := good
	twin.Line = 9
	_, err := Compile([]Rule{good, twin})
	if err == nil || err.Error() != `rule "r" (line 9), name: another rule has this name (line 3)` {
		t.Errorf("twins: %v", err)
	}
}

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"Bash", "Bash", true}, {"Bash", "bash", false}, {"Bash", "Bash2", false}, {"Bash", "xBash", false},
		{"*", "", true}, {"*", "a/b\nc", true}, {"", "", true}, {"", "a", false}, {"?", "", false},
		{"mcp__*__read", "mcp__fs__read", true}, {"mcp__*__read", "mcp__fs__readx", false}, {"mcp__*__read", "mcp__a__read__read", true},
		{"B?sh", "Bash", true}, {"B?sh", "Bаsh", true}, {"B?sh", "Bsh", false}, {"??", "é", false},
		{`a\*`, `a\b`, true}, {`a\*`, "a*", false}, {"[ab]", "a", false}, {"[ab]", "[ab]", true},
		{"a*b*c", "aXbYbZc", true}, {"a*b*c", "aXbYbZ", false}, {"**", "x", true}, {"*a", "ba", true}, {"*a", "ab", false},
	} {
		if got := Glob(c.pattern, c.name); got != c.want {
			t.Errorf("Glob(%q, %q) = %v", c.pattern, c.name, got)
		}
	}
}
