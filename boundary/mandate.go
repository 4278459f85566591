package boundary

// Ruling is what a rule, a mode, a hook or another system said of a call; "" is
// no opinion.
type Ruling string

// Rulings.
const (
	NoOpinion Ruling = ""
	Allow     Ruling = "allow"
	Ask       Ruling = "ask"
	Deny      Ruling = "deny"
)

// Reasons of a mandated ask: of a call that Nod judges, and of a decision that
// came from elsewhere.
const (
	ReasonCrossBoundary = "cross_boundary"
	ReasonSafety        = "safety"
)

// Order is deny > mandate > ask > allow: a mandate leaves a deny alone and makes
// everything else an ask that only a person answers. A word outside the set is
// denied.
func Order(r Ruling, mandate bool) (out Ruling, mandated bool) {
	switch {
	case r == Deny, r != Allow && r != Ask && r != NoOpinion:
		return Deny, false
	case mandate:
		return Ask, true
	}
	return r, false
}

// Decision is the part of a decision from elsewhere that a mandate rewrites.
type Decision struct {
	Action                Ruling
	DecisionReason        string
	RequiresRealApproval  bool
	CrossBoundaryMandated bool
}

// Under is the decision under a mandate, or as it is without one (SEED-TABLES
// §4): an ask keeps its reason, what becomes an ask gets the reason safety.
func (d Decision) Under(mandate bool) Decision {
	action, mandated := Order(d.Action, mandate)
	if mandated {
		if d.Action != Ask {
			d.DecisionReason = ReasonSafety
		}
		d.RequiresRealApproval, d.CrossBoundaryMandated = true, true
	}
	d.Action = action
	return d
}

// AtBegin judges the obligation of what runs: it is owed a person's decision, and
// a rule's or grant's allow is none.
func AtBegin(o Owes, byPerson bool) Refusal {
	if o.Mandate && !byPerson {
		return Unconfirmed
	}
	return ""
}

// Unwritten says what a record that could not be written does. A begin, and a
// submit that would leave its ask pending, are refused on a governed tree;
// everything else goes on, and a notice says so.
func Unwritten(p Phase, t Tree) Refusal {
	if t.Governed && p != Prepare && p != Settle {
		return Unrecorded
	}
	return ""
}
