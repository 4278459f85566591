package queue

import (
	"nod/digest"
	"nod/policy"
)

// denied is the capability of a call's tool that the operator's compliance
// denies; "" for none. Which tools have one, descriptors say.
func (q *Queue) denied(a *digest.Action) policy.Capability {
	d := q.settings.Descriptors.Tool(a.Tool)
	if d == nil || d.Capability() == "" {
		return ""
	}
	if c := policy.Capability(d.Capability()); q.settings.Denied.Denies(c) {
		return c
	}
	return ""
}

func complianceSays(c policy.Capability) string {
	return "The operator's compliance denies the capability " + string(c) + ", which this tool has."
}

func checkCompliance(q *Queue, _ Tx, _ moment, r *running) (*Refusal, error) {
	if c := q.denied(r.action); c != "" {
		return refuse(CodeCompliance, "the operator's compliance denies the capability %s, which this tool has", string(c)).
			hint("go on without this tool"), nil
	}
	return nil, nil
}
