package lens_test

import (
	"strings"
	"testing"

	"nod/digest"
	"nod/queue"
	"nod/tui/lens"
)

type refund struct {
	Amount    int    `json:"amount"`
	Currency  string `json:"currency"`
	Recipient string `json:"recipient"`
}

// reads gives the amount the operator's reading.
func reads(text string) func(*digest.Ask) {
	return func(a *digest.Ask) {
		a.Descriptor = &digest.Descriptor{
			Digest:   digest.Of([]byte("d")),
			Readings: []digest.Reading{{Pointer: "/amount", Text: text}},
		}
	}
}

func answeredAs(a *digest.Ask, v queue.Verdict, o queue.AttemptState) lens.Case {
	state := queue.StateSpent
	if v == queue.VerdictDeny {
		state = queue.StateDenied
	}
	return lens.Case{Ask: a, Row: queue.Row{Verdict: v, State: state, Outcome: o}}
}

func lastSix(t *testing.T) []lens.Case {
	var out []lens.Case
	for i, c := range []struct {
		amount int
		reads  string
	}{{1200, "12.00 EUR"}, {4800, "48.00 EUR"}, {2000, "20.00 EUR"}, {3000, "30.00 EUR"}, {1500, "15.00 EUR"}, {1300, "13.00 EUR"}} {
		v, o := queue.VerdictAllow, queue.AttemptCommitted
		if i == 1 {
			v, o = queue.VerdictDeny, ""
		}
		if i == 2 {
			o = queue.AttemptUnknown
		}
		out = append(out, answeredAs(ask(t, "billing.refund", refund{c.amount, "EUR", "cus_" + c.reads[:2]}, reads(c.reads)), v, o))
	}
	return out
}

// TestPrecedentIsTheScreen: the fragment of SCREENS §4.
func TestPrecedentIsTheScreen(t *testing.T) {
	i := in(t, ask(t, "billing.refund", refund{48000, "EUR", "cus_99"}, reads("480.00 EUR")))
	i.Before = lastSix(t)
	same(t, screen(lens.New(lens.Precedent, i), look(true), 80, 6), `
 precedent · not part of what you approve · your last 6 of billing.refund
 differs    /amount reads 480.00 EUR; 12.00 to 48.00 before: 10 times the most
 differs    /recipient is new to you and to this agent
 same       /currency, environment, cwd, agent, session
 answered   allowed 5, denied 1; of those allowed: committed 4, unknown 1`)
}

func TestPrecedentSentences(t *testing.T) {
	type m = map[string]any
	base := m{"n": 100, "s": "x", "flag": false}
	for _, c := range []struct {
		name   string
		before []m
		now    m
		want   string
	}{
		{"a number between", []m{{"n": 1}, {"n": 9}}, m{"n": 5}, "within     /n 5; 1 to 9 before"},
		{"a number below", []m{{"n": 4}}, m{"n": 1}, "differs    /n 1; 4 before: below the least"},
		{"a number a little above", []m{{"n": 100}}, m{"n": 101}, "differs    /n 101; 100 before: above the most"},
		{"a factor is floored", []m{{"n": 0.1}}, m{"n": 0.3}, "differs    /n 0.3; 0.1 before: 3 times the most"},
		{"a factor with a decimal", []m{{"n": 4}}, m{"n": 10.5}, "differs    /n 10.5; 4 before: 2.6 times the most"},
		{"from nothing", []m{{"n": 0}}, m{"n": 7}, "differs    /n 7; 0 before: above the most"},
		{"a number seen before", []m{{"n": 1}, {"n": 9}}, m{"n": 9}, "seen       /n in 1 of 2"},
		{"a member that is new", []m{base}, m{"n": 100, "s": "x", "flag": false, "note": 1}, "differs    /note is there for the first time"},
		{"a member that is gone", []m{base}, m{"n": 100, "s": "x"}, "differs    /flag is absent; it was there before"},
		{"a flag", []m{base}, m{"n": 100, "s": "x", "flag": true}, "differs    /flag true; false before"},
		{"another type", []m{base}, m{"n": "100", "s": "x", "flag": false}, "differs    /n is of another type than before"},
		{"a long text", []m{{"s": strings.Repeat("a", 300)}}, m{"s": strings.Repeat("b", 400)}, "differs    /s is another text: 400 bytes as JSON; 300 before"},
		{"an empty list is a value", []m{{"l": []int{}}}, m{"l": []int{1}}, "differs    /l/0 is there for the first time"},
		{"a list that is empty now", []m{{"l": []int{1}}}, m{"l": []int{}}, "differs    /l is empty; it was not before"},
		{"a name that looks like a sentence", []m{{}}, m{"n is the same": 1}, `differs    /n\u{20}is\u{20}the\u{20}same is there for the first time`},
		{"a backslash before a blank", []m{{}}, m{`a\ b`: 1}, `differs    /a\\\u{20}b is there for the first time`},
	} {
		for _, split := range []bool{false, true} {
			i := in(t, ask(t, "t", c.now))
			for _, b := range c.before {
				i.Before = append(i.Before, answeredAs(ask(t, "t", b), queue.VerdictAllow, queue.AttemptCommitted))
			}
			if got := whole(lens.New(lens.Precedent, i), look(split), 200); !strings.Contains(got, "\n "+c.want+"\n") || strings.Contains(got, "differs     ") {
				t.Errorf("%s:\n%s\nwant: %s", c.name, got, c.want)
			}
		}
	}
}

func TestPrecedentOfWhatSurroundsACall(t *testing.T) {
	args := map[string]int{"n": 1}
	i := in(t, ask(t, "t", args, func(a *digest.Ask) {
		a.Action.Environment.Name, a.Session = "prod-eu", "s-2"
		a.Action.Principal.Agent = "other"
	}))
	i.Before = []lens.Case{answeredAs(ask(t, "t", args, func(a *digest.Ask) { a.Action.Principal.User = "ops" }), queue.VerdictDeny, "")}
	got := whole(lens.New(lens.Precedent, i), look(true), 100)
	for _, want := range []string{
		`differs    environment is new: "prod-eu"`, `differs    agent is new: "other"`,
		`differs    user is not stated; it was before`, `differs    session is another one`, `answered   allowed 0, denied 1`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestATextThatOnlyAnotherAgentSent(t *testing.T) {
	i := in(t, ask(t, "t", map[string]string{"to": "a"}, func(a *digest.Ask) { a.Action.Principal.Agent = "new" }))
	for _, to := range []string{"a", "b"} {
		i.Before = append(i.Before, answeredAs(ask(t, "t", map[string]string{"to": to}), queue.VerdictAllow, queue.AttemptCommitted))
	}
	if got := whole(lens.New(lens.Precedent, i), look(true), 100); !strings.Contains(got, "differs    /to is new to this agent\n") {
		t.Error(got)
	}
}

func TestNoPrecedent(t *testing.T) {
	same(t, screen(lens.New(lens.Precedent, in(t, ask(t, "billing.refund", refund{}))), look(false), 80, 9), `
 precedent · not part of what you approve
 you have not answered billing.refund before`)
}

// TestAnEditIsNoRefusal: of a call that was edited another one stands in its
// place, and it is counted as such.
func TestAnEditIsNoRefusal(t *testing.T) {
	i := in(t, ask(t, "billing.refund", refund{48000, "EUR", "cus_99"}, reads("480.00 EUR")))
	i.Before = lastSix(t)
	i.Before[1].Row.EditedTo = "01a2"
	if got := screen(lens.New(lens.Precedent, i), look(true), 80, 6); !strings.Contains(got, "answered   allowed 5, denied 0, edited 1; of those allowed") {
		t.Errorf("the lens says\n%s", got)
	}
}

// TestAnotherCurrencyIsNoPrecedent: minor units of two currencies are neither
// equal nor less or more, so an amount is held only against its own.
func TestAnotherCurrencyIsNoPrecedent(t *testing.T) {
	yen := func(n int, text string) lens.Case {
		return answeredAs(ask(t, "pay", refund{n, "JPY", "c"}, reads(text)), queue.VerdictAllow, queue.AttemptCommitted)
	}
	euro := func(n int, text string) lens.Case {
		return answeredAs(ask(t, "pay", refund{n, "EUR", "c"}, reads(text)), queue.VerdictAllow, queue.AttemptCommitted)
	}
	for want, before := range map[string][]lens.Case{
		"differs    /amount reads 100.00 EUR; 5.00 before: 20 times the most": {yen(10000, "10000 JPY"), euro(500, "5.00 EUR"), yen(20000, "20000 JPY")},
		"differs    /amount reads 100.00 EUR; none before is in EUR":          {yen(10000, "10000 JPY"), yen(10000, "10000 JPY")},
		"seen       /amount in 1 of 2, /currency in 1 of 2":                   {euro(10000, "100.00 EUR"), yen(10000, "10000 JPY")},
		"within     /amount 10000; 500 to 20000 before":                       {euro(500, ""), euro(20000, "")},
	} {
		i := in(t, ask(t, "pay", refund{10000, "EUR", "c"}, reads("100.00 EUR")))
		i.Before = before
		if got := whole(lens.New(lens.Precedent, i), look(true), 120); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
