package model

import (
	"bytes"
	"crypto/sha256"
	"slices"

	"nod/queue"
)

// form names a position up to what cannot matter any more: ids and tokens by the
// place they have, times by the steps from now to what they end, and the two
// slots, which are equal, in the order that gives the smaller text.
//
// What a position keeps and no act reads is left out: who decided, when the past
// was, how often it was asked before. A test compares the figures of searches that
// meet positions in another order: were one of these to matter, they would differ.
func (p *position) form() [16]byte {
	var room [2][256]byte
	one, two := p.seen(room[0][:0], 0), p.seen(room[1][:0], 1)
	if bytes.Compare(two, one) < 0 {
		one = two
	}
	sum := sha256.Sum256(one)
	return [16]byte(sum[:16])
}

// word is the place of a word in a closed set.
func word[T ~string](set []T, w T) byte { return byte(slices.Index(set, w) + 1) }

var (
	states = []queue.State{"", queue.StatePending, queue.StateAllowed, queue.StateDenied, queue.StateAnswered, queue.StateExpired,
		queue.StateWithdrawn, queue.StateRevoked, queue.StateLapsed, queue.StateSpent}
	outcomes = []queue.AttemptState{queue.AttemptExecuting, queue.AttemptCommitted, queue.AttemptNotExecuted, queue.AttemptUnknown}
)

// left is how many steps there are to t; 0 when it has come.
func (p *position) left(t int64) byte { return byte(max(0, (t-p.wall+stepMS-1)/stepMS)) }

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// seen writes p with slot first before the other one.
func (p *position) seen(b []byte, first int) []byte {
	for i := range slots {
		b = p.seenCall(b, first^i)
	}
	for i := range p.store.Attempts {
		b = p.seenRun(b, i, first)
	}
	return append(b, p.seenFreeze("")...)
}

func (p *position) seenCall(b []byte, k int) []byte {
	row := p.row(p.calls[k].ask)
	if row == nil {
		return append(b, 0)
	}
	b = append(b, word(states, row.State))
	switch row.State {
	case queue.StatePending:
		b = append(b, p.left(row.AnswerBy))
	case queue.StateAllowed:
		covered := false
		for _, f := range p.store.Freezes {
			covered = covered || f.Since >= row.DecidedAt && (f.Session == "" || f.Session == row.Session)
		}
		b = append(b, p.left(row.UseBy()), p.left(row.NotBefore), byte(len(row.DecidedBy)), flag(covered))
	}
	b = append(b, p.seenFreeze(row.Session)...)
	for _, g := range p.store.Grants {
		if g.Session == row.Session && g.Left > 0 && g.Until > p.wall {
			b = append(b, 'g', byte(g.Left), p.left(g.Until))
		}
	}
	return append(b, '.')
}

// seenFreeze says whether a scope is frozen, and whether a decision made now
// would be covered by a freeze that came before it.
func (p *position) seenFreeze(scope string) []byte {
	var holds, fresh bool
	for _, f := range p.store.Freezes {
		if f.Session == scope {
			holds = holds || f.LiftedAt == 0
			fresh = fresh || f.Since == p.wall
		}
	}
	return []byte{flag(holds), flag(fresh)}
}

func (p *position) seenRun(b []byte, i, first int) []byte {
	a, r := p.store.Attempts[i], &p.runs[i]
	b = append(b, 'r', byte(r.slot^first), flag(p.calls[r.slot].ask == a.AskID), word(outcomes, a.State), flag(a.Exit != ""))
	if a.State == queue.AttemptExecuting {
		b = append(b, p.left(a.Lease))
	}
	return b
}

func (p *position) row(id string) *queue.Row {
	for _, row := range p.store.Asks {
		if row.ID == id {
			return row
		}
	}
	return nil
}
