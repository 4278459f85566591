package audit

import (
	"nod/policy/screen"
	"nod/queue"
	"slices"
)

// register plays what a host declared of a session: it is named by a digest.
func (l *life) register(e *event) string {
	if e.Session == "" || !e.Said.Valid() || e.Count < 0 {
		return "it names no session, or nothing that it was registered with"
	}
	l.declared[e.Session] = e.Said
	return ""
}

// checkDeclared holds that each session that was registered is shown with what
// its last event names, and no other with anything: clamps that are changed
// behind the queue would loosen what a session runs under.
func (l *life) checkDeclared(shown []queue.SessionView) *Fault {
	for i := range shown {
		s := &shown[i]
		said, registered := l.declared[s.ID]
		if !registered {
			if s.Source != "" || len(s.Declared) > 0 {
				return fault(CodeRow, 0, "the session %s is shown with clamps or a source, and no event registered it", s.ID)
			}
			continue
		}
		if d, err := queue.RegisteredDigest(s.ID, s.Source, s.Declared); err != nil || d != said {
			return fault(CodeRow, 0, "the session %s is shown with other clamps or another source than it was registered with", s.ID)
		}
	}
	return nil
}

// screened plays a decision from elsewhere that was refused: there is no ask.
func screened(e *event) string {
	switch {
	case e.Session == "" || e.Ask != "" || e.To != string(queue.StateDenied):
		return "it names no session, or an ask"
	case (e.Reason == queue.CodeDeniedByRule) != (e.Rule != ""),
		!slices.Contains([]string{screen.CodeOutOfContract, queue.CodeDeniedByRule, queue.CodeCompliance}, e.Reason):
		return "its reason is none of a screening"
	}
	return ""
}
