//go:build unix

package faults

import (
	"fmt"
	"sync/atomic"
	"testing"

	"nod/queue"
)

// TestAnEditRacesADecision: over two processes the original gets one decision,
// the edit's or the other's; the loser is told who won and when, and an ask is
// in its place exactly when the edit won.
func TestAnEditRacesADecision(t *testing.T) {
	n := rounds(t, "NOD_FAULT_EDIT", 2_000, 200)
	a := newArena(t, 2)
	edited := atomic.Int64{}
	each(t, n, 4, func(i int) error {
		sub := call("s", fmt.Sprintf("edit-%d", i))
		sub.Edits = true
		s, err := queue.As[queue.Submitted](t.Context(), a.agent, sub)
		if err != nil {
			return err
		}
		other := racer{"ann", decide(s, []queue.Verdict{queue.VerdictAllow, queue.VerdictDeny}[i%2])}
		if i%3 == 0 {
			other.act = queue.Edit{Ask: s.Ask, ActionDigest: s.ActionDigest, ShownDigest: s.ShownDigest, Arguments: []byte(`{"command":"ann"}`)}
		}
		rs := a.race(other, racer{"ben", queue.Edit{Ask: s.Ask, ActionDigest: s.ActionDigest, ShownDigest: s.ShownDigest,
			Arguments: fmt.Appendf(nil, `{"command":"ben %d"}`, i)}})
		w, l := 0, 1
		if rs[0].err != nil {
			w, l = 1, 0
		}
		if rs[w].err != nil || rs[l].refusal == nil {
			return fmt.Errorf("not one winner and one refused: %v, %v", rs[0].err, rs[1].err)
		}
		st, err := queue.As[queue.Standing](t.Context(), a.agent, queue.Wait{Ask: s.Ask, Token: s.Token})
		if err != nil {
			return err
		}
		e, byEdit := rs[w].result.(queue.Edited)
		var at int64
		if byEdit {
			edited.Add(1)
			at = e.At
			if st.EditedTo == nil || st.Ask != e.Ask || st.State != queue.StatePending {
				return fmt.Errorf("the edit won, and the waiter is told %+v", st)
			}
		} else {
			at = rs[w].result.(queue.Decided).Decision.At
			if st.EditedTo != nil || st.Ask != s.Ask || !st.State.Final() && st.State != queue.StateAllowed {
				return fmt.Errorf("the decision won, and the waiter is told %+v", st)
			}
		}
		return told(rs[l].refusal, queue.CodeDecided, []string{"ann", "ben"}[w], at)
	})
	l := whole(t, a.store)
	if l.Edits != int(edited.Load()) || l.Edits == 0 || l.Edits == n {
		t.Errorf("%d edits in the chain, %d won of %d", l.Edits, edited.Load(), n)
	}
	t.Logf("an edit races a decision over two processes: %d rounds, one winner each, %d edits won", n, l.Edits)
}
