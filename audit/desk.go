package audit

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"nod/queue"
)

// listed is how many notices and sessions the port shows at the most.
const listed = 500

// moments is how often a moment without a write is looked for.
const moments = 100

// errBusy says that no two readings of the store were alike.
var errBusy = errors.New("the store was written to during every reading: verify again when less goes on")

func sorted[T cmp.Ordered](list []T) []T {
	slices.Sort(list)
	return list
}

// desk checks grants, freezes, notices and sessions, at a moment in which no
// event came.
func (w *walk) desk() error {
	for range moments {
		before, err := w.catchUp()
		if err != nil {
			return err
		}
		grants, err := queue.Get[queue.Grants](w.ctx, w.port, queue.QGrants{})
		if err != nil {
			return fmt.Errorf("read the grants: %w", err)
		}
		notices, err := queue.Get[queue.Notices](w.ctx, w.port, queue.QNotices{Open: true, Limit: listed})
		if err != nil {
			return fmt.Errorf("read the notices: %w", err)
		}
		sessions, err := queue.Get[queue.Sessions](w.ctx, w.port, queue.QSessions{Limit: listed})
		if err != nil {
			return fmt.Errorf("read the sessions: %w", err)
		}
		open, err := w.checkOpen(before.Counters.Unknown)
		if err != nil {
			return err
		}
		owed, err := w.checkOwing()
		if err != nil {
			return err
		}
		after, err := queue.Get[queue.Status](w.ctx, w.port, queue.QStatus{})
		if err != nil {
			return fmt.Errorf("read the store's status: %w", err)
		}
		if after.Event != before.Event {
			continue
		}
		for _, f := range []*Fault{
			open, owed,
			w.chain.life.checkGrants(grants.Grants, after.Now), w.chain.life.checkFreezes(after.Freezes),
			w.chain.life.checkNotices(notices.Notices), w.chain.life.counts(&after.Counters), w.lineage.check(sessions.Sessions),
			w.chain.life.checkTrees(sessions.Sessions), w.chain.life.checkDeclared(sessions.Sessions),
		} {
			if f != nil {
				return f
			}
		}
		return nil
	}
	return errBusy
}

// checkGrants compares the grants shown with those that events gave and begins
// used; those over by now need not be shown.
func (l *life) checkGrants(shown []queue.GrantView, now int64) *Fault {
	seen := map[string]bool{}
	for i := range shown {
		s := &shown[i]
		g := l.grants[s.ID]
		switch {
		case g == nil:
			return fault(CodeRow, 0, "no event gave the grant %s", s.ID)
		case *g != grant{action: s.ActionDigest, session: s.Session, left: s.Left, until: s.Until, by: s.By}:
			return fault(CodeRow, 0, "the grant %s is not for the call, count, time or person that its events say", s.ID)
		}
		seen[s.ID] = true
	}
	var missing []string
	for id, g := range l.grants {
		if g.left > 0 && g.until > now && !seen[id] {
			missing = append(missing, id)
		}
	}
	if len(missing) > 0 {
		return fault(CodeRowMissing, 0, "the grant %s was given, is not used up, and has no row", sorted(missing)[0])
	}
	return nil
}

func (l *life) checkFreezes(shown []queue.FreezeView) *Fault {
	seen := map[string]bool{}
	for i := range shown {
		s := &shown[i]
		scope := s.Session
		if scope == "" {
			scope = freezeAll
		}
		f := l.freezes[scope]
		if !f.holds || seen[scope] || f.since != s.Since || f.by != s.By {
			return fault(CodeRow, 0, "the freeze of %q is not the one that its events set", scope)
		}
		seen[scope] = true
	}
	var missing []string
	for scope, f := range l.freezes {
		if f.holds && !seen[scope] {
			missing = append(missing, scope)
		}
	}
	if len(missing) > 0 {
		return fault(CodeRowMissing, 0, "the freeze of %q was set, not lifted, and has no row", sorted(missing)[0])
	}
	return nil
}

// checkNotices compares the open notices. Which of two alike was acknowledged
// no event says, so these are counted, and each has a time of one of them.
func (l *life) checkNotices(shown []queue.NoticeView) *Fault {
	left, count := map[notice][]int64{}, map[notice]int{}
	for i := range shown {
		s := &shown[i]
		n := notice{code: s.Code, ask: s.Ask, session: s.Session}
		if _, ok := left[n]; !ok {
			left[n] = slices.Clone(l.notices[n])
		}
		at := slices.Index(left[n], s.At)
		if count[n]++; at < 0 || count[n] > l.open(n) {
			return fault(CodeRow, 0, "the notice %d (%s) is not one that its events opened and left open", s.ID, s.Code)
		}
		left[n] = slices.Delete(left[n], at, at+1)
	}
	if len(shown) >= listed {
		return nil // older ones are not shown
	}
	for n := range l.notices {
		if count[n] < l.open(n) {
			return fault(CodeRowMissing, 0, "a notice %s of ask %q was opened, not acknowledged, and is not shown", n.code, n.ask)
		}
	}
	return nil
}

// check compares the sessions' parents with those that asks' documents state.
func (l *lineage) check(shown []queue.SessionView) *Fault {
	seen := map[string]bool{}
	for i := range shown {
		s := &shown[i]
		seen[s.ID] = true
		if p := l.parent[s.ID]; p != "" && s.Parent != p {
			return fault(CodeRow, 0, "the session %s does not have the parent that its asks state", s.ID)
		}
	}
	if len(shown) >= listed {
		return nil // older ones are not shown
	}
	var missing []string
	for id := range l.filed {
		if !seen[id] {
			missing = append(missing, id)
		}
	}
	if len(missing) > 0 {
		return fault(CodeRowMissing, 0, "the session %s filed an ask and has no row", sorted(missing)[0])
	}
	return nil
}
