package audit

import (
	"slices"
	"time"

	"nod/digest"
	"nod/queue"
)

// checkDocument holds what lists and checks read of a row against the ask's own
// document, which its digest proves; it answers "" or what differs. A document
// that was pruned says nothing.
func checkDocument(v *queue.AskView) string {
	if len(v.Ask) == 0 {
		return ""
	}
	r := &v.Row
	a, err := digest.ParseAsk(v.Ask, digest.NoLimits())
	if err != nil || digest.Of(v.Ask) != r.AskDigest {
		return "document"
	}
	var tool, cwd, class string
	who := a.Principal
	if c := a.Action; c != nil {
		who, tool, cwd = &c.Principal, c.Tool, c.Environment.Cwd
		if c.Effect != nil {
			class = c.Effect.Class
		}
	}
	answerBy, err := time.Parse(time.RFC3339, a.AnswerBy)
	irreversible := slices.Contains(a.Reasons, queue.ReasonIrreversible) || a.Kind == digest.KindCommit || class == digest.ClassIrreversible
	switch {
	case a.ID != r.ID || a.ActionDigest != r.ActionDigest || a.Session != r.Session || a.Replaces != r.Replaces:
		return "id, action, session or replaced ask"
	case a.Kind != r.Kind || tool != r.Tool || cwd != r.Cwd:
		return "kind, tool or directory"
	case who.Agent != r.Agent || who.User != r.User || who.Host != r.Host:
		return "agent, user or host"
	case !slices.Equal(a.Reasons, r.Reasons):
		return "reasons"
	case a.DerivedFrom == nil && r.DerivedFrom != "" || a.DerivedFrom != nil && a.DerivedFrom.Ask != r.DerivedFrom,
		slices.Contains(a.Reasons, queue.ReasonEdited) != (r.DerivedFrom != ""):
		return "edit"
	case slices.Contains(a.Reasons, queue.ReasonCrossBoundary) != r.Mandated:
		return "mandate"
	case irreversible != r.Irreversible:
		return "irreversible effect"
	case err != nil || answerBy.UnixMilli() != r.AnswerBy || a.UseWithin*1000 != r.UseWithinMS:
		return "deadlines"
	}
	return ""
}

// lineage is what the documents of a store's asks say of its sessions' parents.
type lineage struct {
	filed  map[string]bool   // sessions that filed an ask
	parent map[string]string // where one is stated
}

// add reads one ask's document, already checked; a parent, once set, stays.
func (l *lineage) add(v *queue.AskView) {
	l.filed[v.Row.Session] = true
	if len(v.Ask) == 0 {
		return
	}
	a, err := digest.ParseAsk(v.Ask, digest.NoLimits())
	if err != nil {
		return // checkDocument said so
	}
	child := a.Session
	for _, p := range a.Parents {
		l.parent[child] = p
		child = p
	}
}
