package plain

import (
	"strings"
	"testing"

	"nod/queue"
)

// An answer that nobody collected is read out, and its words are sent again or
// dropped by the number of the list.
func TestWordsInLines(t *testing.T) {
	w := newWorld(t)
	s := call("Bash", `{"command":"make clean"}`)
	s.Receipts = queue.StageHandedOver
	sub := w.submit(s)
	v, err := queue.Get[queue.AskView](t.Context(), w.mia, queue.QAsk{ID: sub})
	if err != nil {
		t.Fatal(err)
	}
	d := queue.Decide{Ask: sub, Verdict: queue.VerdictDeny, ActionDigest: v.Row.ActionDigest, ShownDigest: v.Row.ShownDigest, Words: "not here"}
	if _, err := w.mia.Do(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	w.now += 31_000
	out := w.talkTo(nil, lines("list", "deliveries", "list", "resend 9", "resend 1", "yes", "list", "drop 1", "yes", "list", "quit")...)
	for _, want := range []string{
		"1 waits: 1 not delivered.", "Answer, 31 seconds: denied with words, and nobody collected it: Bash  make",
		"words owed, nobody collected it", "No words: say", "Owed again: they go with the session's next answer.",
		"words to be sent again, with the session's next answer:", "Dropped: nothing of it is owed.", "Nothing waits.",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
}
