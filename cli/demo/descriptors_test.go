package demo_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"nod/cli/demo"
	"nod/digest"
	"nod/queue"
	"nod/store/sqlite"
)

// A newcomer sees what 4800 is beside the 4800, and types the payment's id.
func TestTheRefundIsReadAndConfirmed(t *testing.T) {
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "nod", "nod.db"), sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = st.Close() }()
	settings := queue.DefaultSettings()
	if settings.Descriptors, err = demo.Descriptors(); err != nil {
		t.Fatal(err)
	}
	n := 0
	q := queue.New(st, settings, queue.Edge{
		WallMS: func() int64 { return time.Now().UnixMilli() }, BootMS: func() int64 { return time.Now().UnixMilli() },
		NewID: func() string { return uuid.Must(uuid.NewV7()).String() }, Token: func() string { n++; return fmt.Sprint("token-", n) },
	})
	agent := q.Port(queue.Conn{Principal: digest.Principal{Agent: "demo-agent"}, Environment: "demo", Role: queue.RoleRequester})
	operator := q.Port(queue.Conn{Principal: digest.Principal{Agent: "operator"}, Role: queue.RoleOperator, Way: "console"})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- demo.NewAgent(agent, nil).Run(ctx) }()
	var v queue.AskView
	for v.Card == "" {
		page, err := queue.Get[queue.Inbox](t.Context(), operator, queue.QInbox{Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range page.Rows {
			if row.Tool == "billing.refund" {
				if v, err = queue.Get[queue.AskView](t.Context(), operator, queue.QAsk{ID: row.ID}); err != nil {
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
