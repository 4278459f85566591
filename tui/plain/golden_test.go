package plain

import (
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"nod/queue"
)

// TestTranscript is the talk of SCREENS §15, with what this queue can hold.
func TestTranscript(t *testing.T) {
	w := newWorld(t)
	w.submit(call("billing.refund", `{"payment":"pay_8842"}`))
	w.now += 3 * 60_000
	s := call("crm.update_contact", `{"contact_id":"C-20417","fields":{"email":"accounts@example.org","limit":250000},"note":"line one\nline two\n\ttabbed"}`)
	s.Raise = []string{"cross_boundary"}
	s.AgentWords = "The customer asked for it."
	mandated := w.submit(s)
	w.submit(queue.Submit{Kind: "question", Session: "s1", Question: &queue.Question{Text: "Which region may it use?", Schema: []byte(`{"enum":["eu","us"]}`)}})
	if _, err := w.agent.Do(t.Context(), queue.Unasked{Session: "s1", Tool: "Bash"}); err != nil {
		t.Fatal(err)
	}
	w.now += 60_000
	code := w.code(mandated)
	out := w.talkTo(nil, append(lines("1", "approve", "", "more", "approve", "C-20417", "approve", "crm.update_contact", "zzzz", "approve", "crm.update_contact"),
		typed{text: code}, typed{text: "list"}, typed{text: "help"}, typed{text: "quit"})...)
	golden.RequireEqual(t, []byte(out))
}
