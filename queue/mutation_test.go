package queue_test

import (
	"errors"
	"testing"

	"nod/digest"
	"nod/digest/card"
	"nod/queue"
)

// TestEveryByteOfAskAndCardIsCheckedAtDecide changes every byte of the
// canonical ask and of its card, one at a time, and decides by what a person
// would then have been shown: each decision is refused (DESIGN §3).
func TestEveryByteOfAskAndCardIsCheckedAtDecide(t *testing.T) {
	alone(t)
	w := newWorld(t)
	sub := call("make deploy")
	sub.Call.Operands = []queue.Operand{{Name: "make", Digest: digest.Of([]byte("make"))}}
	sub.Call.Effect = &queue.Effect{Class: "compensatable"}
	sub.AgentWords = "please"
	s := w.submit(sub)
	v := w.see(s.Ask)
	before := w.event()
	tried := map[string]int{}
	decide := func(kind string, action, shown digest.Digest) {
		t.Helper()
		tried[kind]++
		_, err := w.operator.Do(t.Context(), queue.Decide{Ask: s.Ask, Verdict: queue.VerdictAllow, ActionDigest: action, ShownDigest: shown})
		if r, ok := errors.AsType[*queue.Refusal](err); !ok || r.Code != queue.CodeWrongDigest {
			t.Fatalf("a decision by a changed %s: %v", kind, err)
		}
	}
	for _, flip := range []byte{0x01, 0x10, 0x80} {
		for i := range len(v.Card) {
			changed := []byte(v.Card)
			changed[i] ^= flip
			decide("card", v.Row.ActionDigest, card.ShownDigest(changed))
		}
		for i := range v.Ask {
			changed := append([]byte(nil), v.Ask...)
			changed[i] ^= flip
			decide("ask", v.Row.ActionDigest, digest.Of(changed))
			ask, err := digest.ParseAsk(changed, digest.Limits{})
			if err != nil {
				continue // no card can be made of it
			}
			text, err := card.Render(ask)
			if err != nil {
				continue
			}
			decide("ask that reads", ask.ActionDigest, card.ShownDigest(text))
		}
	}
	if got := w.event(); got != before {
		t.Errorf("refused decisions left %d events", got-before)
	}
	t.Logf("refused by a changed byte: %v", tried)
	if tried["card"] != 3*len(v.Card) || tried["ask"] != 3*len(v.Ask) || tried["ask that reads"] == 0 {
		t.Errorf("not every position was tried: %v", tried)
	}
	w.ok(w.operator, w.decision(s.Ask, queue.VerdictAllow), 1)
}
