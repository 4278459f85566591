package audit

import "nod/queue"

// CheckAsk holds an ask as the store shows it against its own events, oldest
// first: who decided, when and how, what was said, and the state. The chain
// itself is Verify's; a store in which only a row was changed fails here.
func CheckAsk(v *queue.AskView, events []queue.StoredEvent) *Fault {
	var first, decided, last *event
	for i := range events {
		e, ok := read(events[i].Body)
		if !ok {
			return fault(CodeForm, events[i].Seq, "not an event of this version")
		}
		switch e.Act {
		case "submit":
			first = e
			if e.By != "" { // a rule or grant answered at once
				decided = e
			}
		case "decide":
			decided = e
		}
		if e.To != "" && e.Act != "report" && e.Act != "lease_over" {
			last = e
		}
	}
	r := &v.Row
	bad := func(what string) *Fault {
		return fault(CodeRow, last.Seq, "the ask %s does not have the %s that its events say", r.ID, what)
	}
	switch {
	case first == nil || last == nil:
		return fault(CodeRow, 0, "the ask %s has no event that files it", r.ID)
	case first.AskDigest != r.AskDigest || first.ActionDigest != r.ActionDigest || first.ShownDigest != r.ShownDigest:
		return bad("digests")
	case first.Session != r.Session || first.Tool != r.Tool || first.Cwd != r.Cwd || first.AnswerBy != r.AnswerBy || first.UseWithinMS != r.UseWithinMS:
		return bad("session, tool, directory or deadlines")
	case string(r.State) != last.To && !computed(queue.State(last.To), r.State):
		return bad("state")
	case (decided == nil) != (r.Verdict == ""):
		return bad("answer")
	case decided != nil:
		return checkDecision(r, decided, bad)
	}
	return nil
}

func checkDecision(r *queue.Row, e *event, bad func(string) *Fault) *Fault {
	verdicts := map[string]queue.Verdict{
		string(queue.StateAllowed): queue.VerdictAllow, string(queue.StateDenied): queue.VerdictDeny,
		string(queue.StateAnswered): queue.VerdictAnswer,
	}
	who := e.Actor
	if e.Act == "submit" {
		who = e.Rule
		if e.By == queue.ByGrant {
			who = e.Grant
		}
	}
	switch {
	case r.Verdict != verdicts[e.To] || r.DecidedBy != e.By:
		return bad("answer")
	case r.Decider != who || r.DecidedAt != e.Effective || r.NotBefore != e.NotBefore:
		return bad("decider or time")
	case r.DwellMS != e.DwellMS || r.LinesSeen != e.LinesSeen || r.LinesAll != e.LinesAll:
		return bad("reading")
	case queue.SaidDigest(r.ID, r.Words, []byte(r.Answer)) != e.Said:
		return bad("words or answer")
	}
	return nil
}

// computed reports whether shown is what a reader is told of an ask that
// settle has not come by yet.
func computed(stored, shown queue.State) bool {
	switch stored {
	case queue.StatePending:
		return shown == queue.StateExpired
	case queue.StateAllowed:
		return shown == queue.StateLapsed || shown == queue.StateRevoked
	}
	return false
}
