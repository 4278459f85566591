package screen

import (
	"slices"

	"nod/digest"
)

// CodeOutOfContract is the code of a decision that was refused, and so denied.
const CodeOutOfContract = "decision_out_of_contract"

// Contract is what a deployment adds to the closed words.
type Contract struct {
	// NoRuling are the words of classifierNoRuling; nil is any text.
	NoRuling []string
}

// Decision is a decision that was screened. The zero Decision has no opinion.
type Decision struct {
	Action Action
	Reason string // "" where it states none

	// RealApproval and Mandated are the marks of an ask: a rule or grant does not
	// answer it; it crosses a boundary and only a person does.
	RealApproval bool
	Mandated     bool

	// Document is the whole decision, canonical; nil of one that was refused.
	Document digest.JSON

	// Refused says why the decision is a deny of Nod's own: it was out of
	// contract. Its pointer names the member; nil otherwise.
	Refused *digest.Error
}

// Screen reads a decision: closed words first, then the members by arm, then a
// carried auto-deny window. Within the words the order is action, decisionReason,
// classifierNoRuling, the members that may only be true, requiresRealApproval;
// within the arms that of the canonical document. The first fault refuses.
func (c Contract) Screen(raw []byte) Decision {
	doc, err := digest.Canonical(raw, digest.Limits{})
	if err != nil || !doc.IsObject() {
		return refused("", "the decision is no JSON object")
	}
	if member, sentence := c.words(doc); member != "" {
		return refused(member, sentence)
	}
	d := Decision{Document: doc}
	action, _ := doc.Member(memberAction)
	word, _ := action.Text()
	d.Action = Action(word)
	for name := range doc.Members() {
		if !mayHave(d.Action, name) {
			return refused(name, "a decision of this action has no such member")
		}
	}
	fallback, _ := doc.Member(memberFallback)
	if _, carried := fallback.Member(autoDeny); carried {
		d := refused(memberFallback, "the decision carries a window after which it denies itself")
		d.Refused.Pointer += "/" + autoDeny
		return d
	}
	reason, _ := doc.Member(memberReason)
	d.Reason, _ = reason.Text()
	d.RealApproval = is(doc, memberRealApproval, "true")
	d.Mandated = is(doc, memberMandated, "true")
	return d
}

// words gives the first member whose value is outside its words, "" for none.
func (c Contract) words(doc digest.JSON) (member, sentence string) {
	for _, m := range []struct {
		name  string
		words []string
	}{
		{memberAction, actions()}, {memberReason, Reasons()}, {memberNoRuling, c.NoRuling},
	} {
		v, there := doc.Member(m.name)
		if !there {
			continue
		}
		s, text := v.Text()
		if !text || m.words != nil && !slices.Contains(m.words, s) {
			return m.name, "the member's value is not one of its words"
		}
	}
	for _, name := range trueOnly() {
		if _, there := doc.Member(name); there && !is(doc, name, "true") {
			return name, "the member may only be true"
		}
	}
	if _, there := doc.Member(memberRealApproval); there && !is(doc, memberRealApproval, "true") && !is(doc, memberRealApproval, "false") {
		return memberRealApproval, "the member is true or false"
	}
	return "", ""
}

func is(doc digest.JSON, member, value string) bool {
	v, _ := doc.Member(member)
	return string(v) == value
}

func refused(member, sentence string) Decision {
	pointer := ""
	if member != "" {
		pointer = "/" + digest.EscapePointer(member)
	}
	return Decision{Action: Deny, Refused: &digest.Error{Code: CodeOutOfContract, Pointer: pointer, Sentence: sentence,
		Hint: "send a decision of the contract in docs/spec/policy.md; this one counts as a deny"}}
}
