package tui_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"nod/digest"
	"nod/digest/card"
	"nod/queue"
)

// still is a port on which nothing happens: what the golden screens show does
// not change with the engine.
type still struct {
	now     *int64
	pending []queue.AskView
	past    []queue.AskView
	notices []queue.NoticeView
	desks   []queue.Desk // newest first
}

func (s *still) Do(context.Context, queue.Act) (queue.Result, error) {
	return nil, &queue.Refusal{Code: "still", Sentence: "nothing happens here"}
}

func (s *still) Watch(context.Context) (<-chan int64, error) { return nil, nil }

func (s *still) counters() queue.Counters {
	return queue.Counters{Pending: int64(len(s.pending)), Notices: int64(len(s.notices)), Unknown: s.openEffects()}
}

func (s *still) Read(_ context.Context, q queue.Query) (queue.Answer, error) {
	switch q := q.(type) {
	case queue.QInbox:
		out := queue.Inbox{Counters: s.counters(), Now: *s.now}
		for _, v := range s.pending {
			out.Rows = append(out.Rows, v.Row)
		}
		return out, nil
	case queue.QHistory:
		out := queue.History{Now: *s.now}
		for _, v := range s.past {
			out.Rows = append(out.Rows, v.Row)
		}
		return out, nil
	case queue.QNotices:
		return queue.Notices{Notices: s.notices}, nil
	case queue.QStatus:
		return queue.Status{Counters: s.counters(), Now: *s.now}, nil
	case queue.QAsk:
		for _, v := range append(s.pending[:len(s.pending):len(s.pending)], s.past...) {
			if v.Row.ID == q.ID {
				v.Now = *s.now
				return v, nil
			}
		}
	}
	if a, ok := s.views(q); ok {
		return a, nil
	}
	return nil, &queue.Refusal{Code: "still", Sentence: "nothing is known of it"}
}

// view makes an ask whole, with its card.
func (s *still) view(t *testing.T, n int, ask digest.Ask, row queue.Row) queue.AskView {
	t.Helper()
	ask.ID = fmt.Sprintf("019ad5e2-0000-7000-8000-%012d", n)
	ask.Session, ask.UseWithin = "s-71c4000000000000", 600
	ask.AnswerBy = time.UnixMilli(row.AnswerBy).UTC().Format(time.RFC3339)
	who := digest.Principal{Agent: row.Agent, User: "dev", Host: "claude-code"}
	if ask.Action != nil {
		ask.Action.Principal = who
		ask.Action.Environment = digest.Environment{Name: "local", Cwd: "/srv/shop"}
	} else {
		ask.Principal = &who
	}
	var err error
	if ask.Action != nil {
		if ask.Action.Arguments, err = digest.Canonical(ask.Action.Arguments, digest.Limits{}); err != nil {
			t.Fatal(err)
		}
	}
	if ask.ActionDigest, err = ask.SubjectDigest(); err != nil {
		t.Fatal(err)
	}
	doc, err := ask.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	text, err := card.Render(&ask)
	if err != nil {
		t.Fatal(err)
	}
	row.Seq, row.ID, row.Kind, row.Session = int64(n), ask.ID, ask.Kind, ask.Session
	row.ActionDigest, row.ShownDigest, row.UseWithinMS = ask.ActionDigest, card.ShownDigest(text), 600_000
	if ask.Action != nil {
		row.Tool = ask.Action.Tool
	}
	v := queue.AskView{Row: row, Ask: []byte(doc), Card: string(text)}
	switch {
	case ask.Kind == "commit":
		v.Confirm = ask.Action.Effect.CommitBoundary
	case row.Mandated || row.Irreversible:
		v.Confirm = ask.Action.Tool
	}
	return v
}

// call is an action ask with its reason.
func call(tool, args, reason, why string) digest.Ask {
	return digest.Ask{Kind: "call", Action: &digest.Action{Tool: tool, Arguments: digest.JSON(args)}, Reasons: []string{reason}, Why: []string{why}}
}

// busy is a port on which something of everything waits or was answered.
func busy(t *testing.T) (*world, *still) {
	t.Helper()
	const minute = 60_000
	w := &world{t: t, now: began}
	s := &still{now: &w.now}
	row := func(agent, gist string, age, left, waits int64) queue.Row {
		return queue.Row{State: queue.StatePending, Agent: agent, Gist: gist, CreatedAt: began - age, AnswerBy: began + left,
			WaiterHash: "x", Edits: true, WaiterUntil: began + waits, Urgency: 3}
	}
	const noRule = "No rule answers this call, so a person is asked."
	add := func(ask digest.Ask, r queue.Row) {
		s.pending = append(s.pending, s.view(t, len(s.pending)+1, ask, r))
	}
	mandated := row("support-bot", "C-20417", minute, 1439*minute, minute)
	mandated.Mandated, mandated.Urgency = true, 1
	add(call("crm.update_contact", `{"contact_id":"C-20417","fields":{"email":"accounts@example.org","limit":250000}}`, "cross_boundary",
		`This tree ran on target "lab-7" at 14:02:11Z, has read outside since 14:19:40Z and is governed; this call has the leg outside_write, so a person must answer it.`), mandated)
	commit := row("release-bot", "2026.11", 12*minute, 48*minute, minute)
	commit.Irreversible, commit.Urgency = true, 2
	c := call("release.publish", `{"version":"2026.11"}`, "commit", "This commits a boundary that cannot be taken back.")
	c.Kind, c.Action.Operation, c.Action.Effect = "commit", "publish", &digest.Effect{Class: "irreversible", CommitBoundary: "release-2026.11"}
	add(c, commit)
	add(call("Bash", `{"command":"go test ./..."}`, "default", noRule), row("shop-fixer", "go test ./...", 8_000, 9*minute, minute))
	add(call("Bash", `{"command":"set -eu\ncd /srv/shop\ngit fetch origin \u0026\u0026 git switch -c hotfix/cart-total origin/main\nrm -rf node_modules ./build`+"\u200B"+` .cache\nnpm ci --ignore-scripts 2\u003e\u00261 | tee ci.log","timeout":120000}`, "default", noRule),
		row("shop-fixer", "set -eu\ncd /srv/shop\ngit fetch origin && git switch -c hotfix/cart-total origin/main\nrm -rf", 2*minute, 1438*minute, minute))
	add(call("Write", `{"file_path":"/srv/shop/cart/total.go","content":"package cart\n"}`, "default", noRule), row("shop-fixer", "cart/total.go", 5*minute, 1435*minute, -minute))
	add(digest.Ask{Kind: "question", Question: &digest.Question{Text: "Which region may it use?", Schema: digest.JSON(`{"enum":["eu-1","us-1"]}`)},
		Reasons: []string{"question"}, Why: []string{"The agent asks a question; only a person can answer it."}},
		row("release-bot", "Which region may it use?", 31_000, 59*minute, minute))

	s.notices = []queue.NoticeView{{ID: 1, Code: "host.mismatch", Ask: "019ad5e2-0000-7000-8000-000000000011", At: began - 22*minute,
		Sentence: "What the host says it ran is not what was approved."}}

	after := func(agent, tool, args, gist string, ago int64, state queue.State, more func(*queue.AskView)) {
		v := s.view(t, 20+len(s.past), call(tool, args, "default", noRule), row(agent, gist, ago+minute, 1400*minute, -1))
		v.Row.State, v.Row.MovedAt, v.Row.DecidedAt = state, began-ago, began-ago-2000
		if state != queue.StateExpired {
			v.Row.Verdict, v.Row.DecidedBy, v.Row.Decider = queue.VerdictAllow, queue.ByPerson, "mia"
		}
		more(&v)
		if v.Row.Verdict != "" {
			v.Decision = &queue.Decision{Verdict: v.Row.Verdict, By: v.Row.DecidedBy, Who: v.Row.Decider, Way: "console", At: v.Row.DecidedAt,
				Words: v.Row.Words, DwellMS: 18_000, LinesSeen: 19, LinesAll: 19}
		}
		s.past = append(s.past, v)
	}
	spent := func(o queue.AttemptState, exit queue.ExitStatus) func(v *queue.AskView) {
		return func(v *queue.AskView) {
			v.Row.Outcome, v.Row.Exit = o, exit
			if o == queue.AttemptUnknown && exit != "" { // it is of no effect: the call ended
				v.Row.Outcome = ""
			}
			v.Attempts = []queue.AttemptView{{Number: 1, State: o, Exit: exit, Executor: "nod hook", BeganAt: v.Row.MovedAt, EndedAt: v.Row.MovedAt + 3000}}
		}
	}
	after("support-bot", "billing.refund", `{"payment_id":"pay_8839"}`, "pay_8839", 6*minute, queue.StateSpent, spent(queue.AttemptCommitted, queue.ExitSuccess))
	after("shop-fixer", "Bash", `{"command":"npm ci"}`, "npm ci", 8*minute, queue.StateSpent, spent(queue.AttemptUnknown, queue.ExitSuccess))
	after("shop-fixer", "WebFetch", `{"url":"https://paste.example/x/y/z/long/path"}`, "https://paste.example/x/y/z/long/path", 11*minute, queue.StateDenied,
		func(v *queue.AskView) { v.Row.Verdict, v.Row.Words = queue.VerdictDeny, "Use the mirror instead." })
	after("shop-fixer", "Bash", `{"command":"rm -r build"}`, "rm -r build", 40*minute, queue.StateLapsed, func(*queue.AskView) {})
	after("shop-fixer", "Read", `{"file_path":"cart/total.go"}`, "cart/total.go", 50*minute, queue.StateSpent, func(v *queue.AskView) {
		spent(queue.AttemptUnknown, queue.ExitSuccess)(v)
		v.Row.DecidedBy, v.Row.Decider = queue.ByRule, "reads"
	})
	after("shop-fixer", "Bash", `{"command":"make deploy"}`, "make deploy", 61*minute, queue.StateExpired, func(*queue.AskView) {})
	after("support-bot", "billing.refund", `{"payment_id":"pay_8842"}`, "pay_8842", 70*minute, queue.StateSpent, spent(queue.AttemptUnknown, ""))
	after("shop-fixer", "Edit", `{"file_path":".github/workflows/ci.yml"}`, ".github/workflows/ci.yml", 71*minute, queue.StateSpent, func(v *queue.AskView) {
		spent(queue.AttemptUnknown, queue.ExitSuccess)(v)
		v.Row.Mismatch, v.Attempts[0].Mismatch = true, true
	})
	return w, s
}
