package rules

import (
	"errors"

	"github.com/go-json-experiment/json"

	"nod/digest"
	"nod/policy/clamp"
	"nod/queue"
)

var _ queue.DenyRules = (*Set)(nil)

var (
	errUnknownRule = errors.New("the configuration has no rule of this name")
	errRuleForm    = errors.New("it has members besides name, tools, operation, when, why, and verdict, which is deny")
)

// whole is a rule that stands whole in denyRules.
type whole struct {
	Name      string   `json:"name"`
	Tools     []string `json:"tools"`
	Operation string   `json:"operation"`
	When      string   `json:"when"`
	Why       string   `json:"why"`
	Verdict   string   `json:"verdict"`
}

// Reads implements queue.DenyRules.
func (s *Set) Reads(r clamp.Rule) error {
	_, err := s.clamped(r)
	return err
}

// Denies implements queue.DenyRules: a rule denies the calls that it is for,
// whatever its verdict is in the configuration.
func (s *Set) Denies(r clamp.Rule, a *digest.Action) (denies bool, why string, err error) {
	c, err := s.clamped(r)
	if err != nil || !c.applies(a) {
		return false, "", err
	}
	e := evaluation{action: a}
	denies, err = e.run(c.when)
	return denies && err == nil, c.Why, err
}

// clamped finds a rule by its name, or compiles one that stands whole.
func (s *Set) clamped(r clamp.Rule) (*compiled, error) {
	if !r.Document.IsObject() {
		for i := range s.rules {
			if s.rules[i].Name == r.Name {
				return &s.rules[i], nil
			}
		}
		return nil, errUnknownRule
	}
	var w whole
	if json.Unmarshal(r.Document, &w, json.RejectUnknownMembers(true)) != nil || w.Verdict != "" && w.Verdict != queue.RuleDeny {
		return nil, errRuleForm
	}
	set, err := Compile([]Rule{{Name: w.Name, Tools: w.Tools, Operation: w.Operation, When: w.When, Why: w.Why, Verdict: queue.RuleDeny}})
	if err != nil {
		var e *Error
		if errors.As(err, &e) {
			return nil, errors.New(e.Sentence)
		}
		return nil, err
	}
	return &set.rules[0], nil
}
