package queue

import (
	"slices"

	"nod/boundary"
	"nod/digest"
)

// The sentences of a card's why. They are fixed; data in them is quoted by the
// card like everything else.
const (
	whyDefault      = "No rule answers this call, so a person is asked."
	whyQuestion     = "The agent asks a question; only a person can answer it."
	whyCommit       = "This commits a transaction; what follows cannot be taken back."
	whyMandated     = "This call crosses a device's boundary, so a person must answer it whatever any rule says."
	whyIrreversible = "The effect is declared irreversible, so a person must answer it."
	whyRealApproval = "The caller requires a person's approval."
	whyRuleErred    = "A rule could not be evaluated on this call, so a person is asked."
	whyFrozen       = "A freeze holds, so no rule or grant may allow this."
	whyRepeated     = "A person denied the same call in this session before."
	whyNoKey        = "No effect key is stated, so repeats of its effect are not recognised."
	whyNoValue      = "The value that the descriptor wants typed is not there or cannot be typed, so the tool's name is asked."
	whyEdited       = "A person changed the arguments, so a person is asked for the call as it is now."
	whyOperands     = "What it reads by reference was digested for the arguments before the change."
	whyEditedBefore = "A person changed the arguments of the same call in this session before."
	whyTired        = "It was tried so often that no rule or grant may allow it, so a person is asked."
	whyCompliance   = "The operator's compliance denies a capability of this tool."
	whyClampErred   = "A rule that the clamps of its session name could not be evaluated on this call, so a person is asked."
	whyNoGrants     = "A person granted this exact call, and the clamps of its session let no grant allow, so a person is asked."
	whyHostRuns     = "The host runs it: what it reads by reference is not frozen after the check."
)

// mandated reports whether only a person's decision may allow it (I6).
func (s *submission) mandated(f *facts) bool {
	return f.crosses != (boundary.Account{}) || slices.Contains(s.act.Raise, ReasonCrossBoundary)
}

// irreversible reports whether the effect is declared or raised so.
func (s *submission) irreversible() bool {
	return slices.Contains(s.act.Raise, ReasonIrreversible) ||
		s.action != nil && s.action.Effect != nil && s.action.Effect.Class == digest.ClassIrreversible
}

// confirms reports whether an allow also types a value because of what it is.
func (s *submission) confirms() bool { return s.irreversible() || s.act.Kind == digest.KindCommit }

// personOnly reports whether no rule or grant may allow it.
func (s *submission) personOnly(f *facts) bool {
	return s.mandated(f) || s.confirms() || slices.Contains(s.act.Raise, ReasonRealApproval) || s.question != nil ||
		s.derived != nil // the editor was shown the original's card, nobody this one
}

// urgency places the ask in the inbox: small is urgent. 0 is kept for what
// blocks an agent by an unknown outcome.
func (s *submission) urgency(f *facts) int64 {
	switch {
	case s.mandated(f):
		return 1
	case s.confirms():
		return 2
	default:
		return 3
	}
}

// judge is DESIGN's precedence: deny > mandate > grant > ask > allow. It is
// pure: what it needs of the store are the facts.
func (s *submission) judge(f facts) (state State, by DecidedBy, decider string, reasons, why []string) {
	r := &s.ruling
	add := func(reason, sentence string) {
		reasons = append(reasons, reason)
		why = append(why, sentence)
	}
	switch {
	case s.question != nil:
		add(ReasonQuestion, whyQuestion)
	case s.act.Kind == digest.KindCommit:
		add(ReasonCommit, whyCommit)
	}
	if s.derived != nil {
		add(ReasonEdited, whyEdited)
	}
	if f.effect.ordinal > 1 {
		add(ReasonDistinct, f.effect.distinct())
	}
	if sentence := f.crosses.Why(); sentence != "" {
		add(ReasonCrossBoundary, sentence)
	} else if s.mandated(&f) {
		add(ReasonCrossBoundary, whyMandated)
	}
	if s.irreversible() {
		add(ReasonIrreversible, whyIrreversible)
	}
	if slices.Contains(s.act.Raise, ReasonRealApproval) {
		add(ReasonRealApproval, whyRealApproval)
	}
	if r.Erred {
		add(ReasonRuleError, whyRuleErred)
	}
	state, by = StatePending, ""
	if f.held.erred != "" {
		add(ReasonRuleError, whyClampErred)
	}
	switch {
	case r.Verdict == RuleDeny:
		state, by, decider = StateDenied, ByRule, r.Rule
		add(ReasonRule, ruleSentence(r, "denies this call."))
	case s.capability != "":
		state, by, decider = StateDenied, ByRule, CodeCompliance
		add(ReasonCompliance, whyCompliance)
	case f.held.rule != "":
		state, by, decider = StateDenied, ByRule, f.held.rule
		add(ReasonRule, ruleSentence(&Ruling{Rule: f.held.rule, Why: f.held.why}, "denies this call, because the clamps of its session name it."))
	case r.Verdict == RuleAsk:
		add(ReasonRule, ruleSentence(r, "asks a person for this call."))
	}
	open := !s.personOnly(&f) && f.effect.ordinal <= 1 && !f.effect.tired() && !r.Erred && f.held.erred == "" && state == StatePending
	rule, grant := r.Verdict == RuleAllow && !f.held.noAuto, f.granted && !f.held.noGrants
	allows := grant || rule
	switch {
	case open && allows && f.frozen:
		add(ReasonFrozen, whyFrozen)
	case open && grant:
		state, by = StateAllowed, ByGrant
		if len(reasons) == 0 {
			add(ReasonGrant, "A person granted this exact call for this session.")
		}
	case open && rule:
		state, by, decider = StateAllowed, ByRule, r.Rule
		add(ReasonRule, ruleSentence(r, "allows this call."))
	case open && r.Verdict == RuleAllow:
		add(ReasonClamped, ruleSentence(r, "allows this call, and the clamps of its session let no rule allow, so a person is asked."))
	case open && f.granted:
		add(ReasonClamped, whyNoGrants)
	}
	switch {
	case len(reasons) == 0 && allows && f.effect.tired():
		add(ReasonDefault, whyTired)
	case len(reasons) == 0:
		add(ReasonDefault, whyDefault)
	}
	if f.repeated {
		why = append(why, whyRepeated)
	}
	if f.edited {
		why = append(why, whyEditedBefore)
	}
	why = append(why, f.effect.why()...)
	if f.policy != "" {
		why = append(why, f.policy)
	}
	if s.stated.Boundary != "" {
		why = append(why, s.stated.opens())
	}
	if s.derived != nil && len(s.action.Operands) > 0 {
		why = append(why, whyOperands)
	}
	if s.action != nil && (s.action.Effect == nil || len(s.action.Effect.Key) == 0) {
		why = append(why, whyNoKey)
	}
	if s.described.noValue && (s.mandated(&f) || s.irreversible()) && s.act.Kind != digest.KindCommit {
		why = append(why, whyNoValue)
	}
	if s.act.HostRuns {
		why = append(why, whyHostRuns)
	}
	slices.Sort(reasons)
	return state, by, decider, slices.Compact(reasons), why
}

func ruleSentence(r *Ruling, does string) string {
	if r.Why != "" {
		return "Rule " + quoted(r.Rule) + " " + does + " It says: " + r.Why
	}
	return "Rule " + quoted(r.Rule) + " " + does
}

func quoted(s string) string { return `"` + s + `"` }

// denies reports whether something denies it whatever anybody else says.
func (s *submission) denies(f *facts) bool {
	return s.ruling.Verdict == RuleDeny || s.capability != "" || f.held.rule != ""
}

// denial is what the agent is told of a deny: the words of what denied it.
func (s *submission) denial(f *facts) string {
	switch {
	case s.ruling.Verdict == RuleDeny:
		return s.ruling.Why
	case s.capability != "":
		return complianceSays(s.capability)
	default:
		return f.held.why
	}
}
