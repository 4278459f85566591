package queue

import (
	"nod/ambiguity"
	"nod/digest"
)

// SaidDigest names what a decision says besides its verdict: the digest of the
// canonical {"answer"?, "ask", "type":"nod.said/v1", "words"?}. It is "" when
// nothing was said. The chain keeps it, so that words cannot be changed later.
func SaidDigest(ask, words string, answer []byte) digest.Digest {
	if words == "" && len(answer) == 0 {
		return ""
	}
	w := eventWriter{b: []byte{'{'}}
	if len(answer) > 0 {
		w.name("answer")
		w.b = append(w.b, answer...)
	}
	w.text("ask", ask)
	w.text("type", "nod.said/v1")
	w.text("words", words)
	return digest.Of(append(w.b, '}'))
}

// Digest names all that the fact says of the effect, but its time: the digest
// of the canonical {"type":"nod.fact/v1","effect","kind","source",…} with the
// members of FactView that are stated. The event that brought the fact keeps it.
func (v *FactView) Digest(effect string) digest.Digest {
	w := eventWriter{b: append(make([]byte, 0, 512), '{')}
	w.text("allowed", string(v.Allowed))
	w.text("attempt", v.Attempt)
	w.text("by", v.By)
	w.text("content", string(v.Content))
	w.flag("divergent", v.Divergent)
	w.flag("durable", v.Durable)
	w.flag("early", v.Early)
	w.text("effect", effect)
	w.text("effect_outcome", string(v.Says))
	w.text("exit_status", string(v.Exit))
	w.text("kind", string(v.Kind))
	w.flag("late", v.Late)
	w.text("observed", string(v.Observed))
	w.text("page", string(v.Page))
	w.flag("proof", v.Proof)
	w.text("reason", v.Reason)
	w.text("ref", v.Ref)
	w.text("seen", v.Seen)
	w.text("source", string(v.Source))
	w.text("type", "nod.fact/v1")
	w.text("why", v.Why)
	return digest.Of(append(w.b, '}'))
}

// digest is that of the fact as it is shown, made on an attempt or, with an
// empty one, on the whole effect.
func (f Fact) digest(effect, attempt string) digest.Digest {
	f.Effect, f.Attempt = effect, attempt
	v := f.view()
	return v.Digest(effect)
}

// begunFact is the first of an attempt.
func begunFact(a *Attempt, now int64) Fact {
	return Fact{Effect: a.Effect, Attempt: a.ID, At: now, Kind: ambiguity.Begun, Source: ambiguity.ByGate, By: a.Executor, Durable: true}
}
