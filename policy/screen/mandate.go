package screen

import (
	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
)

// Mandate makes a decision one that only a person answers. A deny stays as it is.
// An ask keeps what it says and gets both marks, over a false one. An allow or no
// opinion becomes an ask for safety with both marks, and keeps its other members.
func (d Decision) Mandate() Decision {
	if d.Action == Deny {
		return d
	}
	members := map[string]jsontext.Value{}
	for name, v := range d.Document.Members() {
		members[name] = jsontext.Value(v)
	}
	if d.Action != Ask {
		d.Action, d.Reason = Ask, ReasonSafety
		members[memberAction] = jsontext.Value(`"ask"`)
		members[memberReason] = jsontext.Value(`"` + ReasonSafety + `"`)
	}
	d.RealApproval, d.Mandated = true, true
	members[memberRealApproval] = jsontext.Value("true")
	members[memberMandated] = jsontext.Value("true")
	doc, err := digest.Write(members)
	if err != nil { // the document is not one that Screen gave
		return refused("", "the decision is no JSON object")
	}
	d.Document = doc
	return d
}
