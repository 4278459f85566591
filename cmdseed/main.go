package main

import (
	"context"
	"fmt"
	"os"
	"time"
	"crypto/rand"

	"github.com/google/uuid"
	"nod/config"
	"nod/digest"
	"nod/queue"
	"nod/store/sqlite"
)

func must[T any](v T, err error) T { if err != nil { fmt.Println(err); os.Exit(1) }; return v }

func main() {
	ctx := context.Background()
	st := must(sqlite.Open(ctx, "/tmp/deskhome/.local/share/nod/nod.db", sqlite.Options{Create: true}))
	defer st.Close()
	c, f := config.Load("/tmp/deskhome/.config/nod/config.toml", 0)
	_ = f
	_ = c
	set := c.Descriptors()
	s := queue.DefaultSettings()
	s.Descriptors = set
	q := queue.New(st, s, queue.Edge{WallMS: func() int64 { return time.Now().UnixMilli() }, BootMS: func() int64 { return time.Now().UnixMilli() }, NewID: func() string { return uuid.Must(uuid.NewV7()).String() }, Token: rand.Text})
	agent := func(n string) queue.Port { return q.Port(queue.Conn{Principal: digest.Principal{Agent: n, User: "ops", Host: "claude-code"}, Environment: "prod-eu", Role: queue.RoleRequester, Way: "hook"}) }
	op := q.Port(queue.Conn{Principal: digest.Principal{Agent: "operator", User: "root"}, Role: queue.RoleOperator, Way: "console"})
	pay := os.Args[1]
	sub := queue.Submit{Kind: "call", Session: "s1", Call: &queue.Call{Tool: "billing.refund", Arguments: fmt.Appendf(nil, `{"payment_id":%q,"amount":4800}`, pay)}}
	ask := must(queue.As[queue.Submitted](ctx, agent("support-bot"), sub))
	other := must(queue.As[queue.Submitted](ctx, agent("mailer"), sub))
	_ = other
	v := must(queue.Get[queue.AskView](ctx, op, queue.QAsk{ID: ask.Ask}))
	must(op.Do(ctx, queue.Decide{Ask: ask.Ask, Verdict: queue.VerdictAllow, ActionDigest: v.Row.ActionDigest, ShownDigest: v.Row.ShownDigest, Confirm: v.Confirm}))
	b := must(queue.As[queue.Begun](ctx, agent("support-bot"), queue.Begin{Ask: ask.Ask, Token: ask.Token, Action: ask.Action, Executor: "nod hook", HostRuns: true}))
	must(agent("support-bot").Do(ctx, queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitTimeout, CameBack: "request timed out after 30000 ms"}))
	_, err := agent("support-bot").Do(ctx, sub)
	fmt.Println(err)
}
