package rules

import (
	"strconv"

	"github.com/expr-lang/expr/vm"

	"nod/digest"
	"nod/queue"
)

// Set is a compiled list of rules. It is safe for concurrent use.
type Set struct{ rules []compiled }

type compiled struct {
	Rule
	when *predicate // nil: always
}

var _ queue.Rules = (*Set)(nil)

// Compile checks and compiles rules, in their order. An error is an *Error.
func Compile(list []Rule) (*Set, error) {
	s := &Set{rules: make([]compiled, 0, len(list))}
	first := make(map[string]int, len(list))
	for i := range list {
		r := list[i]
		if e := r.check(); e != nil {
			return nil, e
		}
		if line, twice := first[r.Name]; twice {
			sentence := "another rule has this name"
			if line > 0 {
				sentence += " (line " + strconv.Itoa(line) + ")"
			}
			return nil, &Error{Rule: r.Name, Line: r.Line, Member: InName, Sentence: sentence, Hint: "give each rule a name of its own"}
		}
		first[r.Name] = r.Line
		c := compiled{Rule: r}
		if r.When != "" {
			p, err := compile(r.When)
			if err != nil {
				return nil, &Error{
					Rule: r.Name, Line: r.Line, Member: InWhen, Sentence: err.Error(),
					Hint: "docs/configuration.md lists what a predicate may use",
				}
			}
			c.when = p
		}
		s.rules = append(s.rules, c)
	}
	return s, nil
}

// Len is the number of rules.
func (s *Set) Len() int { return len(s.rules) }

// Judge gives the ruling on a, which has passed digest's checks. A denying rule
// that matches beats everything; then a rule that asks or a denying or asking
// rule that errs asks; then a rule that allows allows. An allowing rule that
// errs counts as not matching. Times are the shortest of all rules that match.
func (s *Set) Judge(a *digest.Action) queue.Ruling {
	return s.judge(a, nil)
}

// judge calls seen, when not nil, with how each rule whose tool and operation
// fit came out; then no rule is skipped because another has settled it.
func (s *Set) judge(a *digest.Action, seen func(i int, matched bool, err error)) queue.Ruling {
	e := evaluation{action: a}
	var t tally
	for _, deny := range []bool{true, false} {
		for i := range s.rules {
			r := &s.rules[i]
			if (r.Verdict == queue.RuleDeny) != deny || !r.applies(a) {
				continue
			}
			matched, err := e.run(r.when)
			if seen != nil {
				seen(i, matched, err)
			}
			t.add(r, matched, err)
			if t.deny != nil && seen == nil {
				return t.ruling()
			}
		}
	}
	return t.ruling()
}

func (r *compiled) applies(a *digest.Action) bool {
	if r.Operation != "" && r.Operation != a.Operation {
		return false
	}
	for _, g := range r.Tools {
		if Glob(g, a.Tool) {
			return true
		}
	}
	return false
}

// evaluation reads the action once, and only when a predicate needs it.
type evaluation struct {
	action  *digest.Action
	call    *call
	err     error
	machine vm.VM
}

func (e *evaluation) run(p *predicate) (bool, error) {
	if p == nil {
		return true, nil
	}
	if e.call == nil && e.err == nil {
		e.call, e.err = newCall(e.action)
	}
	if e.err != nil {
		return false, e.err
	}
	return p.holds(&e.machine, e.call)
}

// tally keeps the first rule of each outcome.
type tally struct {
	deny, ask, allow *compiled
	erred            *compiled // the first denying or asking rule that erred
	allowErred       *compiled
	answer, use      int64
}

func (t *tally) add(r *compiled, matched bool, err error) {
	var slot **compiled
	switch {
	case err != nil && r.Verdict == queue.RuleAllow:
		slot = &t.allowErred
	case err != nil:
		slot = &t.erred
	case !matched:
		return
	case r.Verdict == queue.RuleDeny:
		slot = &t.deny
	case r.Verdict == queue.RuleAsk:
		slot = &t.ask
	default:
		slot = &t.allow
	}
	if *slot == nil {
		*slot = r
	}
	if err == nil {
		shorten(&t.answer, r.AnswerWithinMS)
		shorten(&t.use, r.UseWithinMS)
	}
}

func shorten(to *int64, ms int64) {
	if ms > 0 && (*to == 0 || ms < *to) {
		*to = ms
	}
}

func (t *tally) ruling() queue.Ruling {
	out := queue.Ruling{AnswerWithinMS: t.answer, UseWithinMS: t.use}
	by := func(verdict string, r *compiled) {
		out.Verdict, out.Rule, out.Why = verdict, r.Name, r.Why
	}
	erred := func(verdict string, r *compiled) {
		out.Verdict, out.Rule, out.Erred = verdict, r.Name, true
		out.Why = "the rule " + r.Name + " could not be evaluated on this call"
	}
	switch {
	case t.deny != nil:
		by(queue.RuleDeny, t.deny)
	case t.erred != nil:
		erred(queue.RuleAsk, t.erred)
	case t.ask != nil:
		by(queue.RuleAsk, t.ask)
	case t.allow != nil:
		by(queue.RuleAllow, t.allow)
	case t.allowErred != nil:
		erred("", t.allowErred)
	}
	return out
}
