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
	members := map[string]string{memberRealApproval: "true", memberMandated: "true"}
	if d.Action != Ask {
		d.Reason = ReasonSafety
		members[memberReason] = `"` + ReasonSafety + `"`
	}
	d.RealApproval, d.Mandated = true, true
	return d.asked(members)
}

// Asked makes an allow, or no opinion, an ask, and keeps everything else that it
// says: its members are those that every decision may have. An ask and a deny stay
// as they are.
func (d Decision) Asked() Decision {
	if d.Action == Ask || d.Action == Deny {
		return d
	}
	return d.asked(nil)
}

// asked is d as an ask, with members of these values.
func (d Decision) asked(with map[string]string) Decision {
	members := map[string]jsontext.Value{}
	for name, v := range d.Document.Members() {
		members[name] = jsontext.Value(v)
	}
	d.Action = Ask
	members[memberAction] = jsontext.Value(`"ask"`)
	for name, v := range with {
		members[name] = jsontext.Value(v)
	}
	doc, err := digest.Write(members)
	if err != nil { // the document is not one that Screen gave
		return refused("", "the decision is no JSON object")
	}
	d.Document = doc
	return d
}
