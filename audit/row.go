package audit

import (
	"slices"

	"nod/queue"
)

// CheckAsk holds an ask as the store shows it against its own events, oldest
// first, and against its own document: who decided, when and how, what was
// said, the state, its attempts, and what lists show of it. The chain itself is
// Verify's; a store in which only a row was changed fails here.
func CheckAsk(v *queue.AskView, events []queue.StoredEvent) *Fault {
	var first, decided, begun, last *event
	var tries []try
	r := &v.Row
	for i := range events {
		e, ok := read(events[i].Body)
		switch {
		case !ok:
			return fault(CodeForm, events[i].Seq, "not an event of this version")
		case e.Ask != r.ID || e.Seq != events[i].Seq || i > 0 && e.Seq <= events[i-1].Seq:
			return fault(CodeRow, events[i].Seq, "it is listed for the ask %s, whose it is not", r.ID)
		}
		switch e.Act {
		case "submit":
			first = e
			if e.By != "" { // a rule or grant answered at once
				decided = e
			}
		case "decide", "edit":
			decided = e
		case "begin":
			begun = e
		}
		if tries, ok = follow(tries, e); !ok {
			return fault(CodeRow, e.Seq, "the ask %s has no attempt that its event names", r.ID)
		}
		if e.To != "" && !ofAttempt(e.Act) {
			last = e
		}
	}
	if first == nil || last == nil {
		return fault(CodeRow, 0, "the ask %s has no event that files it", r.ID)
	}
	bad := func(what string) *Fault {
		return fault(CodeRow, last.Seq, "the ask %s does not have the %s that its events or its document say", r.ID, what)
	}
	grant := first.Grant
	if begun != nil {
		grant = begun.Grant
	}
	switch {
	case first.AskDigest != r.AskDigest || first.ActionDigest != r.ActionDigest || first.ShownDigest != r.ShownDigest:
		return bad("digests")
	case first.Session != r.Session || first.Tool != r.Tool || first.Cwd != r.Cwd || first.AnswerBy != r.AnswerBy || first.UseWithinMS != r.UseWithinMS:
		return bad("session, tool, directory or deadlines")
	case first.Rule != r.Rule || grant != r.Grant || first.Replaces != r.Replaces:
		return bad("rule, grant or replaced ask")
	case first.DerivedFrom != r.DerivedFrom || decided == nil && r.EditedTo != "" || decided != nil && decided.EditedTo != r.EditedTo:
		return bad("edit")
	case first.Effective != r.CreatedAt || last.Effective != r.MovedAt:
		return bad("times")
	case string(r.State) != last.To && !computed(queue.State(last.To), r.State):
		return bad("state")
	case r.RevokeReason != revoked(last, r.State):
		return bad("reason of its end")
	case (decided == nil) != (r.Verdict == ""):
		return bad("answer")
	}
	if decided != nil {
		if f := checkDecision(r, decided, bad); f != nil {
			return f
		}
	} else if !undecided(r) {
		return bad("answer")
	}
	if what := checkTries(v, tries); what != "" {
		return bad(what)
	}
	if what := checkDocument(v); what != "" {
		return bad(what)
	}
	return nil
}

func checkDecision(r *queue.Row, e *event, bad func(string) *Fault) *Fault {
	verdicts := map[string]queue.Verdict{
		string(queue.StateAllowed): queue.VerdictAllow, string(queue.StateDenied): queue.VerdictDeny,
		string(queue.StateAnswered): queue.VerdictAnswer,
	}
	who, way := e.Actor, e.Way
	if e.Act == "submit" {
		who, way = e.Rule, e.Act
		if e.By == queue.ByGrant {
			who = e.Grant
		}
	}
	switch {
	case r.Verdict != verdicts[e.To] || r.DecidedBy != e.By:
		return bad("answer")
	case r.Decider != who || r.DecidedWay != way || r.DecidedAt != e.Effective || r.NotBefore != e.NotBefore:
		return bad("decider, way or time")
	case r.DwellMS != e.DwellMS || r.LinesSeen != e.LinesSeen || r.LinesAll != e.LinesAll:
		return bad("reading")
	case queue.SaidDigest(r.ID, r.Words, []byte(r.Answer)) != e.Said:
		return bad("words or answer")
	}
	return nil
}

// undecided reports whether nothing of a decision stands in the row.
func undecided(r *queue.Row) bool {
	return r.DecidedBy == "" && r.Decider == "" && r.DecidedWay == "" && r.DecidedAt == 0 && r.NotBefore == 0 &&
		r.Words == "" && r.Answer == "" && r.DwellMS == 0 && r.LinesSeen == 0 && r.LinesAll == 0
}

// revoked is why a row's allow is gone, "" where it is not: the event's reason,
// or the freeze that a reader sees before settle has come by.
func revoked(last *event, shown queue.State) string {
	switch {
	case last.Act == "revoke":
		return last.Reason
	case shown == queue.StateRevoked:
		return queue.CodeFrozen
	}
	return ""
}

// computed reports whether shown is what a reader is told of an ask that
// settle has not come by yet.
func computed(stored, shown queue.State) bool {
	next := map[queue.State][]queue.State{
		queue.StatePending: {queue.StateExpired},
		queue.StateAllowed: {queue.StateLapsed, queue.StateRevoked},
	}
	return slices.Contains(next[stored], shown)
}
