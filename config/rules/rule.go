package rules

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"nod/queue"
)

// Rule is one rule as the operator wrote it. It applies to a call whose tool
// one of Tools matches, whose operation is Operation (when stated) and for
// which When is true (when stated).
type Rule struct {
	Name           string   // unique: letters, digits, ".", "_" and "-", at most 64
	Tools          []string // globs, at least one; see Glob
	Operation      string   // exact; "" for any
	When           string   // predicate; "" for always
	Verdict        string   // deny, ask, allow
	Why            string   // one sentence for the card and the agent; may be empty
	AnswerWithinMS int64    // 0: not stated. Only ever shortens
	UseWithinMS    int64
	Line           int // where the rule stands in its file, for messages; 0 for unknown
}

// Bounds of what a rule may hold.
const (
	MaxName  = 64
	MaxWhy   = 240  // bytes
	MaxWhen  = 4096 // bytes of one predicate
	maxNodes = 600  // of one predicate's syntax tree
)

// Members of a rule that an Error names.
const (
	InName      = "name"
	InTools     = "tools"
	InOperation = "operation"
	InWhen      = "when"
	InVerdict   = "verdict"
	InWhy       = "why"
	InAnswer    = "answer_within"
	InUse       = "use_within"
)

// Error says which rule does not compile and why.
type Error struct {
	Rule     string // name, or "" where the name itself is at fault
	Line     int    // of the rule; 0 for unknown
	Member   string // one of the In words
	Sentence string
	Hint     string
}

func (e *Error) Error() string {
	where := "a rule"
	if e.Rule != "" {
		where = fmt.Sprintf("rule %q", e.Rule)
	}
	if e.Line > 0 {
		where += fmt.Sprintf(" (line %d)", e.Line)
	}
	return where + ", " + e.Member + ": " + e.Sentence
}

// check holds what needs no compiler.
func (r *Rule) check() *Error {
	bad := func(member, sentence, hint string) *Error {
		return &Error{Rule: r.Name, Line: r.Line, Member: member, Sentence: sentence, Hint: hint}
	}
	if !validName(r.Name) {
		e := bad(InName, "the name is not a rule's name", "use 1 to 64 letters, digits, dots, underscores and dashes")
		e.Rule = ""
		return e
	}
	if len(r.Tools) == 0 {
		return bad(InTools, "the rule names no tool", `list the tools it is for; ["*"] is every tool`)
	}
	for _, t := range r.Tools {
		if strings.TrimSpace(t) == "" || !utf8.ValidString(t) {
			return bad(InTools, "a tool pattern is blank", `write a tool's name; "*" stands for any text and "?" for one character`)
		}
	}
	switch r.Verdict {
	case queue.RuleDeny, queue.RuleAsk, queue.RuleAllow:
	default:
		return bad(InVerdict, "the verdict is none of deny, ask and allow", "use one of the three words")
	}
	if len(r.Why) > MaxWhy || !sentence(r.Why) {
		return bad(InWhy, "why is not one printable line", fmt.Sprintf("write one sentence of at most %d bytes", MaxWhy))
	}
	if len(r.When) > MaxWhen {
		return bad(InWhen, "the predicate is too long", fmt.Sprintf("keep it under %d bytes, or write several rules", MaxWhen))
	}
	if r.When != "" && strings.TrimSpace(r.When) == "" {
		return bad(InWhen, "the predicate is blank", "leave when out for a rule that always applies")
	}
	if r.AnswerWithinMS < 0 {
		return bad(InAnswer, "the time to answer is negative", "state a positive duration")
	}
	if r.UseWithinMS < 0 {
		return bad(InUse, "the time to use is negative", "state a positive duration")
	}
	return nil
}

func validName(s string) bool {
	if s == "" || len(s) > MaxName {
		return false
	}
	for _, c := range []byte(s) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return true
}

// sentence reports whether s may stand in a card's why and in an agent's
// message as it is.
func sentence(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return s == strings.TrimSpace(s)
}
