package notice

import "strings"

// maxCount bounds a count of words.
const maxCount = 1_000_000

const tooMany = "more words were carried than owed, or there are too many"

// Leg is one leg of work that is over.
type Leg struct {
	Task    string // may be unknown
	Session string
	Run     string
	Parent  string // the session's parent; "" for none
	Cause   Cause
}

// Account is what was owed to the agent on a leg: the words of one family, or
// those that went with one ask's answer. Accounts of one row are added up.
type Account struct {
	Family   Family
	Kind     Kind // ApprovalFeedback for the words of an answer, allow or deny
	Owed     int64
	Carried  int64 // handed over, of those owed
	Carry    Carry // approval feedback: what the carrier refused
	Returned bool  // approval feedback: the ask went back to pending and asks again
}

// IsOwed reports whether a text is words at all: blanks alone owe nothing.
func IsOwed(words string) bool { return strings.TrimSpace(words) != "" }

// Undrained gives exactly the notices that the end of a leg yields: one for
// steer, one for follow-up, one for approval feedback, where at least one of the
// words was not carried, each followed by its copy to the parent. Feedback on an
// ask that was returned is not announced; that holds for approval feedback
// alone. The error is a *digest.Error, and then there is none.
func Undrained(l Leg, accounts []Account) ([]Notice, error) {
	if l.Cause != LegEnd && l.Cause != Crashed {
		return nil, badAccount("the cause is neither leg_end nor crashed")
	}
	var steer, followUp, feedback row
	for i := range accounts {
		a := &accounts[i]
		if err := a.check(); err != nil {
			return nil, err
		}
		switch {
		case a.Kind == ApprovalFeedback && a.Returned: // the person is asked again
		case a.Kind == ApprovalFeedback:
			feedback.add(a)
		case a.Family == FollowUp:
			followUp.add(a)
		default:
			steer.add(a)
		}
	}
	var out []Notice
	for _, r := range []struct {
		row
		code string
		kind Kind
	}{{steer, SteerUndrained, ""}, {followUp, FollowUpUndrained, ""}, {feedback, SteerUndrained, ApprovalFeedback}} {
		count := r.owed - r.carried
		if count < 1 {
			continue
		}
		if count > maxCount {
			return nil, badAccount(tooMany)
		}
		n := Notice{Code: r.code, Audience: Operator, Owed: r.owed, Carried: r.carried, Parent: l.Parent,
			Key: key(r.code, l.Session, l.Run, string(r.kind)),
			Detail: Detail{Count: count, Cause: string(l.Cause), Kind: r.kind, Carry: r.carry,
				Task: l.Task, Session: l.Session, Run: l.Run}}
		if r.carry != "" {
			n.Detail.Cause = string(LegEnd) // SEED-TABLES §5: also where the process then died
		}
		out = append(out, n)
		if l.Parent != "" {
			out = append(out, n.copy())
		}
	}
	for i := range out {
		if err := out[i].Detail.check(out[i].Code); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// copy is the parent's: it names the child, and no run.
func (n Notice) copy() Notice {
	n.Key = key(n.Code, n.Detail.Session, n.Detail.Run, string(n.Detail.Kind), n.Parent)
	n.Detail.ChildSession, n.Detail.Session, n.Detail.Run = n.Detail.Session, n.Parent, ""
	n.Parent = ""
	return n
}

// row is the sum of the accounts of one notice.
type row struct {
	owed, carried int64
	carry         Carry
}

func (r *row) add(a *Account) {
	r.owed += a.Owed
	r.carried += a.Carried
	// Words that no carrier takes matter more than a queue that empties.
	if a.Owed > a.Carried && r.carry != InvalidContent && a.Carry != "" {
		r.carry = a.Carry
	}
}

func (a *Account) check() error {
	switch {
	case a.Family != Steer && a.Family != FollowUp:
		return badAccount("the family is neither steer nor follow-up")
	case a.Kind != "" && a.Kind != ApprovalFeedback:
		return badAccount("the kind is not approval_feedback")
	case a.Kind != "" && a.Family != Steer:
		return badAccount("approval feedback is a row of steer")
	case a.Carry != "" && a.Kind != ApprovalFeedback:
		return badAccount("only approval feedback is carried")
	case a.Carry != "" && a.Carry != InvalidContent && a.Carry != QueueFull:
		return badAccount("the carry refusal is none of steering.invalid_content, steering.queue_full")
	case a.Carried < 0 || a.Owed < a.Carried || a.Owed > maxCount:
		return badAccount(tooMany)
	}
	return nil
}
