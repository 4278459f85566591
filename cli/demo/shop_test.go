package demo_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"nod/cli/demo"
	"nod/queue"
)

// A newcomer sees what 4800 is beside the 4800, and types the payment's id.
func TestTheRefundIsReadAndConfirmed(t *testing.T) {
	q, shop := newShop(t, "10s")
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- demo.NewAgent(q.Requester, shop, nil).Run(ctx) }()
	var v queue.AskView
	for v.Card == "" {
		page, err := queue.Get[queue.Inbox](t.Context(), q.Operator, queue.QInbox{Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range page.Rows {
			if row.Tool == "billing.refund" {
				if v, err = queue.Get[queue.AskView](t.Context(), q.Operator, queue.QAsk{ID: row.ID}); err != nil {
					t.Fatal(err)
				}
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"arguments/amount     │ 4800\n", "reading/amount       │ \"48.00 EUR\"\n", "reading/customer     │ \"Example Ltd\"\n", "│ irreversible\n"} {
		if !strings.Contains(v.Card, want) {
			t.Errorf("the card lacks %q:\n%s", want, v.Card)
		}
	}
	if v.Confirm != "pay_8842" || v.ConfirmAt != "/payment_id" {
		t.Errorf("asks for %q at %q", v.Confirm, v.ConfirmAt)
	}
}
