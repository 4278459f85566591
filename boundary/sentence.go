package boundary

import "strings"

// Account is what is known of a mandate, for the one sentence that a person
// reads. Times are text; what is empty is not said.
type Account struct {
	Tree        Tree   // the tree that was judged
	Legs        Legs   // the call's
	EnvIsTarget bool   //
	Environment string // the call's environment
	ByThisCall  bool   // its own begin arms the tree
	Target      string // the target that armed the tree
	ArmedAt     string
	ReadAt      string // since when the observed bit is held
	Unreadable  string // why the tree is read as the strictest: "its record is of a tree that is not armed"
}

// Why is the sentence on the card of a mandated ask; "" where nothing is owed.
func (a Account) Why() string {
	if !Obligation(a.Tree, a.Legs, a.EnvIsTarget).Mandate {
		return ""
	}
	return a.held() + "; this call has the " + a.legs() + ", so a person must answer it."
}

// held says which bits the tree has, and since when.
func (a Account) held() string {
	if a.Unreadable != "" {
		return strictest + ", because " + a.Unreadable
	}
	parts := []string{a.ran()}
	if a.Tree.Observed {
		parts = append(parts, "has read outside"+when(" since ", a.ReadAt))
	}
	return "This tree " + and(append(parts, "is governed"))
}

func (a Account) ran() string {
	where := "a target"
	if a.Target != "" {
		where = `target "` + a.Target + `"`
	}
	if a.ByThisCall {
		return "runs on " + where + " with this call"
	}
	return "ran on " + where + when(" at ", a.ArmedAt)
}

// legs names the legs that owe the mandate, in order.
func (a Account) legs() string {
	var out []string
	run, _, _ := crossing(a.Legs, a.EnvIsTarget)
	switch {
	case !a.Legs.Env, run && !a.Tree.Observed:
	case run:
		out = append(out, LegEnv+" (target"+when(" ", quoted(a.Environment))+")")
	case a.Environment == "":
		out = append(out, LegEnv+" (no target)")
	default:
		out = append(out, LegEnv+" ("+quoted(a.Environment)+", no target)")
	}
	if a.Legs.OutsideWrite {
		out = append(out, LegOutsideWrite)
	}
	if len(out) == 1 {
		return "leg " + out[0]
	}
	return "legs " + and(out)
}

// Heard is what the reasons of a card say of a tree, without the times, for a line
// that is heard: `this tree ran on target "lab-7" and has read outside`; "" where
// none of them is a Why.
func Heard(why []string) string {
	for _, w := range why {
		held, _, ok := strings.Cut(w, "; this call has the leg")
		if !ok || !strings.HasPrefix(held, "This tree ") {
			continue
		}
		if strings.HasPrefix(held, strictest) {
			return "t" + strictest[1:]
		}
		read := ""
		ran := strings.TrimSuffix(held, " and is governed")
		if i := strings.LastIndex(ran, ", has read outside"); i >= 0 {
			ran, read = ran[:i], " and has read outside"
		}
		if i := strings.LastIndex(ran, " at "); i >= 0 && !strings.Contains(ran[i:], `"`) {
			ran = ran[:i]
		}
		return "t" + ran[1:] + read
	}
	return ""
}

const strictest = "This tree is read as the strictest"

// So says what a tree makes of the calls to come.
func So(t Tree) string {
	switch {
	case !t.Armed:
		return "nothing crosses yet"
	case t.Governed && t.Observed:
		return "a run on the target, and a write outside, are answered by a person"
	case t.Governed:
		return "a write outside is answered by a person, a read outside is recorded"
	case t.Observed:
		return "nothing is mandated, because the tree is not governed"
	}
	return "a read outside is recorded; nothing is mandated, because the tree is not governed"
}

// SetArmed is the clause that says what set the first bit; target may be empty.
func SetArmed(target string) string {
	if target == "" {
		return "an execution ran on a target"
	}
	return "an execution ran on target " + quoted(target)
}

// SetObserved and SetGoverned are the clauses of the two other bits.
const (
	SetObserved = "a call that owed a record began"
	SetGoverned = "armed under the posture " + string(MultiTenant)
)

func when(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}

func quoted(s string) string {
	if s == "" {
		return ""
	}
	return `"` + s + `"`
}

// and joins "a", "a and b", "a, b and c".
func and(parts []string) string {
	last := len(parts) - 1
	if last <= 0 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}
