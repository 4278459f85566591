package queue

import (
	"errors"
	"slices"

	"nod/digest"
	"nod/policy/clamp"
)

// DenyRules reads and evaluates the rules that clamps deny by: names of rules of
// the operator's configuration, and whole rules. It is pure.
type DenyRules interface {
	// Reads gives why a rule can be none; nil where it can.
	Reads(r clamp.Rule) error
	// Denies reports whether a rule is for the call, and what it says. An error is
	// a rule that could not be evaluated, or that nobody knows.
	Denies(r clamp.Rule, a *digest.Action) (denies bool, why string, err error)
}

// strictest is what a session runs under whose forebears are too many to read.
const strictest = `{"autoAllow":false,"edits":"disabled","grants":"disabled"}`

// clamps is what a session runs under: the operator's level, then those of its
// forebears from the outermost in, then its own. They are composed when they are
// asked for, so that a parent which tightens later tightens its children too.
func (q *Queue) clamps(tx ReadTx, s *Session) (clamp.Declaration, error) {
	given, err := q.given(tx, s.Parent)
	if err != nil || s.Clamps == "" {
		return given, err
	}
	own, err := s.declared()
	return clamp.Compose(given, own), err
}

// levels are the sessions from a parent outwards that declare something, nearest
// first; cut says that there are more forebears than are read.
func levels(tx ReadTx, parent string) (declaring []*Session, cut bool, err error) {
	seen := []string{}
	next := parent
	for next != "" && len(seen) < maxFamily && !slices.Contains(seen, next) {
		seen = append(seen, next)
		p, err := tx.Session(next)
		if err != nil || p == nil {
			return declaring, false, err
		}
		if p.Clamps != "" {
			declaring = append(declaring, p)
		}
		next = p.Parent
	}
	return declaring, next != "", nil
}

// denyRules is every rule of every level, each once. Composed they go by name, so
// that one which a parent or the configuration names later would leave out what a
// child has under that name; what a level denies stays denied.
func (q *Queue) denyRules(tx ReadTx, s *Session) ([]clamp.Rule, error) {
	declaring, _, err := levels(tx, s.Parent)
	if err != nil {
		return nil, err
	}
	rules := q.level.DenyRules()
	for _, l := range slices.Backward(slices.Concat([]*Session{s}, declaring)) {
		own, err := l.declared()
		if err != nil {
			return nil, err
		}
		for _, r := range own.DenyRules() {
			if !slices.ContainsFunc(rules, func(o clamp.Rule) bool { return string(o.Document) == string(r.Document) }) {
				rules = append(rules, r)
			}
		}
	}
	return rules, nil
}

// given is what travels to a session from the operator and from a parent.
func (q *Queue) given(tx ReadTx, parent string) (clamp.Declaration, error) {
	declaring, cut, err := levels(tx, parent)
	if err != nil {
		return clamp.Declaration{}, err
	}
	d := q.level
	if cut {
		most, err := clamp.Read([]byte(strictest))
		if err != nil {
			return d, err
		}
		d = clamp.Compose(d, most).Project()
	}
	for _, p := range slices.Backward(declaring) {
		own, err := p.declared()
		if err != nil {
			return d, err
		}
		d = clamp.Compose(d, own).Project()
	}
	return d, nil
}

// declared is a session's own level.
func (s *Session) declared() (clamp.Declaration, error) {
	if s.Clamps == "" {
		return clamp.Declaration{}, nil
	}
	d, err := clamp.Read([]byte(s.Clamps))
	if err != nil {
		return d, refuse(CodeContentChanged, "the clamps of the session %s are not those that were kept", s.ID).hint("run nod audit verify")
	}
	return d, nil
}

// held is what the clamps of a session make of one call.
type held struct {
	noAuto, noGrants, noEdits bool
	rule                      string // that denies it; "" for none
	why                       string // what that rule says
	erred                     string // a rule that could not be evaluated; "" for none
}

// denying holds what rules of clamps say of one action. They are evaluated
// outside the store's transaction, like all rules: a transaction that meets one
// which was not evaluated ends with this as its error, and is done again.
type denying struct {
	action *digest.Action // nil of a question: no rule is for it
	said   map[string]denial
	wanted []clamp.Rule
}

type denial struct {
	denies bool
	why    string
	err    error
}

func (d *denying) Error() string { return "rules of clamps were not evaluated yet" }

// judge evaluates rules on the action, each once.
func (d *denying) judge(by DenyRules, rules []clamp.Rule) {
	for _, r := range rules {
		if _, done := d.said[string(r.Document)]; done {
			continue
		}
		said := denial{err: errNoRules}
		if by != nil {
			said.denies, said.why, said.err = by.Denies(r, d.action)
		}
		if d.said == nil {
			d.said = map[string]denial{}
		}
		d.said[string(r.Document)] = said
	}
}

var errNoRules = errors.New("this queue reads no rules of clamps")

// denying is the rules of the operator's own level, evaluated.
func (q *Queue) denying(a *digest.Action) denying {
	d := denying{action: a}
	if a != nil {
		d.judge(q.settings.DenyRules, q.level.DenyRules())
	}
	return d
}

// held gives what the clamps of s make of the call of rules. Its error may be
// rules itself.
func (q *Queue) held(tx ReadTx, s *Session, rules *denying) (held, error) {
	d, err := q.clamps(tx, s)
	if err != nil {
		return held{}, err
	}
	e := d.Enforced()
	h := held{noAuto: e.NoAutoAllow, noGrants: e.NoGrants, noEdits: e.NoEdits}
	if rules.action == nil {
		return h, nil
	}
	all, err := q.denyRules(tx, s)
	if err != nil {
		return held{}, err
	}
	for _, r := range all {
		said, known := rules.said[string(r.Document)]
		switch {
		case !known:
			rules.wanted = all
			return h, rules
		case said.err != nil && h.erred == "":
			h.erred = r.Name
		case said.denies && h.rule == "":
			h.rule, h.why = r.Name, said.why
		}
	}
	return h, nil
}

// checkClamps holds what runs against the clamps as they are now.
func checkClamps(q *Queue, tx Tx, _ moment, r *running) (*Refusal, error) {
	s, err := tx.Session(r.row.Session)
	if err != nil || s == nil {
		return nil, err // checkBoundary refuses
	}
	h, err := q.held(tx, s, &r.denying)
	if err != nil {
		return nil, err
	}
	again := func(sentence string) (*Refusal, error) {
		return refuse(CodeUnconfirmed, "%s", sentence).hint("submit the call again, so that a person is asked"), nil
	}
	switch by := r.row.DecidedBy; {
	case h.rule != "":
		return refuse(CodeDeniedByRule, "rule %s, which the clamps of its session name, denies this call now", quoted(h.rule)), nil
	case h.noAuto && by == ByRule:
		return again("the clamps of its session let no rule allow it now, and no person did")
	case h.noGrants && by == ByGrant:
		return again("the clamps of its session let no grant allow it now, and no person did")
	case h.erred != "" && by != ByPerson:
		return again("a rule of the clamps of its session could not be evaluated, and no person allowed it")
	}
	return nil, nil
}

// clamped refuses what the clamps of a session let nobody do.
func (q *Queue) clamped(tx ReadTx, session, what string, holds func(clamp.Enforced) bool) error {
	s, err := tx.Session(session)
	if err != nil || s == nil {
		return err
	}
	d, err := q.clamps(tx, s)
	if err == nil && holds(d.Enforced()) {
		err = refuse(CodeClamped, "the clamps of its session allow no %s", what).hint("allow it or deny it as it is; nod session show prints the clamps")
	}
	return err
}

// holding names the cells that hold for a session, and the rules.
func (q *Queue) holding(tx ReadTx, s *Session) (cells, rules []string, err error) {
	d, err := q.clamps(tx, s)
	if err != nil {
		return nil, nil, err
	}
	for _, r := range d.DenyRules() {
		rules = append(rules, r.Name)
	}
	return d.Held(), rules, nil
}

func noGrants(e clamp.Enforced) bool { return e.NoGrants }
func noEdits(e clamp.Enforced) bool  { return e.NoEdits }
