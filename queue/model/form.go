package model

import (
	"bytes"
	"crypto/sha256"
	"slices"

	"nod/ambiguity"
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
	for _, e := range p.store.Effects {
		b = append(b, 'e', flag(p.said(e.ID)), flag(e.Double), flag(e.ReconciledAt == p.wall), flag(e.CreatedAt == p.wall))
	}
	return append(b, p.seenFreeze("")...)
}

func (p *position) seenCall(b []byte, k int) []byte {
	row := p.row(p.calls[k].ask)
	if row == nil {
		return append(b, 0)
	}
	b = append(b, word(states, row.State), p.older(row))
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

// older says whether the decision on an ask, and the ask itself, are too old for
// the newest effect.
func (p *position) older(row *queue.Row) byte {
	if len(p.store.Effects) == 0 {
		return 0
	}
	e := p.store.Effects[len(p.store.Effects)-1]
	return flag(row.State == queue.StateAllowed && row.DecidedAt <= e.ReconciledAt) |
		flag(!row.State.Final() && e.Ordinal > 1 && row.CreatedAt <= e.CreatedAt)<<1
}

func (p *position) seenRun(b []byte, i, first int) []byte {
	a, r := p.store.Attempts[i], &p.runs[i]
	b = append(b, 'r', byte(r.slot^first), byte(p.effect(a.Effect)), flag(p.calls[r.slot].ask == a.AskID), word(outcomes, a.State),
		flag(a.Exit != ""), flag(a.Exit == queue.ExitBlocked), p.left(settledAt(a)))
	if a.State == queue.AttemptExecuting {
		b = append(b, p.left(a.Lease))
	}
	return p.seenFacts(b, a)
}

// said reports whether anything was said of an effect since it began or was
// opened, so that its page was another one before.
func (p *position) said(effect string) bool {
	n := 0
	for _, f := range p.store.Facts {
		if f.Effect == effect {
			n++
		}
	}
	return n > 1
}

// seenFacts is what is left of all that was said of an attempt: how it ended, the
// last answer, what was seen since, and whether a divergence was read.
func (p *position) seenFacts(b []byte, a *queue.Attempt) []byte {
	const unsure, proof, claim = 1, 2, 3
	var end, answer byte
	var matched, diverged, durable, absent, read bool
	for _, f := range p.store.Facts {
		if f.Effect != a.Effect || f.Attempt != a.ID && f.Attempt != "" {
			continue
		}
		switch f.Kind {
		case ambiguity.LeaseOver, ambiguity.SessionEnd:
			end = max(end, unsure)
		case ambiguity.Report:
			switch {
			case end != 0 || f.Late:
			case f.Proof:
				end = proof
			case f.Says == queue.AttemptCommitted && f.Durable && !a.Watched:
				end = claim
			default:
				end = unsure
			}
		case ambiguity.Reconciliation, ambiguity.Correction:
			answer = word(outcomes, f.Says)
			matched, diverged, durable, absent, read = false, false, false, false, false
		case ambiguity.Observation:
			switch {
			case f.Says == queue.AttemptCommitted && f.Divergent:
				diverged, durable, read = true, durable || f.Durable, false
			case f.Says == queue.AttemptCommitted:
				matched, durable = true, durable || f.Durable
			case f.Says == queue.AttemptNotExecuted && !f.Early:
				absent = true
			}
		case ambiguity.Acknowledged:
			read = true
		}
	}
	return append(b, end, answer, flag(matched)|flag(diverged)<<1|flag(durable)<<2|flag(absent)<<3|flag(read && diverged)<<4)
}

func (p *position) row(id string) *queue.Row {
	for _, row := range p.store.Asks {
		if row.ID == id {
			return row
		}
	}
	return nil
}
