package demo_test

import (
	"context"
	"strings"
	"testing"

	"nod/cli/demo"
	"nod/client/clienttest"
	"nod/queue"
)

func newShop(t *testing.T, settle string) (*clienttest.Queue, *demo.Shop) {
	t.Helper()
	shop, err := demo.Open(settle)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(shop.Close)
	return clienttest.New(t, clienttest.Options{Agent: "demo-agent", Settings: queue.Settings{Descriptors: shop.Tools, LeaseMS: 100}}), shop
}

// TestTheAgentRunsWhatAPersonMadeOfItsCall holds: an edited call is begun as it
// was changed and allowed, and the transcript says so of this call alone.
func TestTheAgentRunsWhatAPersonMadeOfItsCall(t *testing.T) {
	q, shop := newShop(t, "10s")
	agent := demo.NewAgent(q.Requester, shop, nil)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- agent.Run(ctx) }()
	var edited string
	for _, row := range q.Pending(t, 5) {
		switch row.Tool {
		case "Bash":
			if edited == "" {
				edited = q.Edit(t, row, `{"command":"go test ./..."}`, "only the tests").Ask
				continue
			}
			fallthrough
		default:
			q.Decide(t, row, queue.Decide{Verdict: queue.VerdictDeny})
		}
	}
	q.Decide(t, q.Ask(t, edited).Row, queue.Decide{Verdict: queue.VerdictAllow})
	clienttest.Until(t, "the edited call's begin", func() bool { return q.Ask(t, edited).Row.State == queue.StateSpent })
	clienttest.Until(t, "the transcript", func() bool { return strings.Contains(strings.Join(agent.Transcript(), "\n"), "as you changed it") })
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	text := strings.Join(agent.Transcript(), "\n")
	for _, want := range []string{
		`changed   shell command: a person changed its arguments, with the words only the tests`,
		"begun     shell command, once, as read (digest " + q.Ask(t, edited).Row.ActionDigest.Short() + ")",
	} {
		if strings.Count(text, want) != 1 {
			t.Errorf("the transcript does not say %q once:\n%s", want, text)
		}
	}
	if strings.Count(text, "begun ") != 1 || strings.Contains(text, "The branch is there") {
		t.Errorf("another call ran, or the original's end is told:\n%s", text)
	}
}
