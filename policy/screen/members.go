package screen

import "slices"

// Action is what a decision says. A closed set; None is no opinion.
type Action string

// Actions.
const (
	None  Action = ""
	Allow Action = "allow"
	Ask   Action = "ask"
	Deny  Action = "deny"
)

// ReasonSafety is the reason of an ask that a mandate made.
const ReasonSafety = "safety"

// Names of the members that this package reads the values of.
const (
	memberAction       = "action"
	memberReason       = "decisionReason"
	memberNoRuling     = "classifierNoRuling"
	memberRealApproval = "requiresRealApproval"
	memberMandated     = "crossBoundaryMandated"
	memberFallback     = "denialLimitFallback"
	autoDeny           = "autoDenyAfterMs"
)

// Actions, reasons and members are closed: a word outside them is out of contract.
func actions() []string { return []string{"allow", "ask", "deny"} }

// Reasons are the words of decisionReason.
func Reasons() []string {
	return []string{"rule", "mode", "hook", ReasonSafety, "classifier", "persisted_rule", "sandbox", "org_rule", "org_unavailable",
		"read_only", "skill", "deployment_rule", "request_rule"}
}

// Everywhere are the members that a decision of any action, or of none, may have.
func Everywhere() []string {
	return []string{memberAction, "updatedInput", "message", memberReason, "attestation"}
}

// OnAsk are the members that only an ask may have.
func OnAsk() []string {
	return []string{memberRealApproval, memberFallback, memberNoRuling, "allowRuleShadowed", "probeReason", "probeCause",
		"probeMandated", memberMandated, "mandated", "mandate", "probeReadRootCandidate", "matchedAskRule", "ruleEvidence",
		"segmentCoverage", "origin", "askClass", "classes", "guards", "ruleUnreadable", "authoredBy", "foldedAskClasses"}
}

// trueOnly are the members that say something only by being true.
func trueOnly() []string { return []string{memberMandated, "probeMandated", "mandated"} }

// mayHave reports whether a decision of an action may have a member.
func mayHave(a Action, member string) bool {
	return slices.Contains(Everywhere(), member) || a == Ask && slices.Contains(OnAsk(), member)
}
