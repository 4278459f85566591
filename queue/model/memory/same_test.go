package memory_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"nod/boundary"
	"nod/descriptor"
	"nod/digest"
	"nod/notice"
	"nod/queue"
	"nod/queue/model/memory"
	"nod/store/sqlite"
)

// seeds is how many random histories are compared.
func seeds(t *testing.T) uint64 {
	t.Helper()
	if v := os.Getenv("NOD_MODEL_SEEDS"); v != "" {
		n, err := strconv.ParseUint(v, 10, 32)
		if err != nil || n < 1 {
			t.Fatalf("NOD_MODEL_SEEDS=%q is not a number of seeds", v)
		}
		return n
	}
	if os.Getenv("NOD_FAULT_FULL") != "" {
		return 200
	}
	if testing.Short() {
		return 2
	}
	return 6
}

// TestSameAsSQLite: the same acts, one after the other, get the same results and
// refusals from a queue on either store, and leave the same rows and events.
func TestSameAsSQLite(t *testing.T) {
	acts, refused := 0, map[string]int{}
	for seed := range seeds(t) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			p := newPair(t, seed)
			for range 300 {
				if code := p.step(t); code != "" {
					refused[code]++
				}
				acts++
				if p.n(9) == 0 {
					p.compare(t)
				}
			}
			p.compare(t)
		})
	}
	t.Logf("the same on both stores: %d acts, %d codes of refusals: %v", acts, len(refused), refused)
}

// side is a queue on one of the two stores.
type side struct {
	store queue.Store
	ports map[string]queue.Port
	ids   int
}

// pair is two queues that get the same acts at the same times.
type pair struct {
	*rand.Rand
	sides      [2]*side
	wall, boot int64
	asks       []queue.Submitted
	runs       []queue.Begun
	pages      []queue.Desk // of effects, read at some time
}

func (p *pair) n(n int) int { return p.IntN(n) }

// one picks from a list.
func one[T any](p *pair, list ...T) T { return list[p.n(len(list))] }

type rules struct{}

func (rules) Judge(a *digest.Action) queue.Ruling {
	word, _, _ := strings.Cut(a.Tool, ".")
	switch word {
	case queue.RuleAllow, queue.RuleAsk, queue.RuleDeny:
		return queue.Ruling{Verdict: word, Rule: "by name", Why: "Its name says so.", UseWithinMS: 3000}
	}
	return queue.Ruling{}
}

func newPair(t *testing.T, seed uint64) *pair {
	p := &pair{Rand: rand.New(rand.NewPCG(seed, 1)), wall: 1_800_000_000_000, boot: 1000} //nolint:gosec // a seed repeats it
	described, err := descriptor.Compile([]descriptor.Tool{{Name: "allow.it", Effect: descriptor.Effect{Family: "made", Parts: []string{"/command"}, Settle: "2s"},
		Observer: []descriptor.Observer{{Name: "ledger", Kind: descriptor.KindFile, Path: "/x", Content: "/command"}}}})
	if err != nil {
		t.Fatal(err)
	}
	disk, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "nod", "nod.db"), sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := disk.Close(); err != nil {
			t.Error(err)
		}
	})
	var id string
	err = disk.View(t.Context(), func(tx queue.ReadTx) error {
		head, err := tx.Head()
		id = head.StoreID
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	s := queue.Settings{AnswerWithinMS: 20_000, UseWithinMS: 10_000, LeaseMS: 5000, HostLeaseMS: 15_000, WaiterMS: 4000,
		SessionMS: 90_000, MaxPending: 12, Rules: rules{}, Descriptors: described, HoldIrreversibleMS: 1000,
		Targets: []string{"lab-7"}, Posture: []boundary.Posture{boundary.SingleUser, boundary.MultiTenant, boundary.Undeclared}[seed%3]}
	for i, store := range [...]queue.Store{disk, memory.New(id)} {
		sd := &side{store: store, ports: map[string]queue.Port{}}
		q := queue.New(store, s, queue.Edge{
			WallMS: func() int64 { return p.wall }, BootMS: func() int64 { return p.boot },
			NewID: func() string {
				sd.ids++
				return fmt.Sprintf("019ad5e2-0000-7000-8000-%012x", sd.ids)
			},
			Token: func() string { sd.ids++; return fmt.Sprintf("token-%d", sd.ids) },
		})
		for _, name := range []string{"fixer", "mover"} {
			sd.ports[name] = q.Port(queue.Conn{Principal: digest.Principal{Agent: name, User: "dev", Host: "host"},
				Environment: "local", Role: queue.RoleRequester, Way: "hook"})
		}
		sd.ports["lab"] = q.Port(queue.Conn{Principal: digest.Principal{Agent: "fixer", User: "dev", Host: "host"},
			Environment: "lab-7", Role: queue.RoleRequester, Way: "hook"})
		for _, name := range []string{"mia", "ben"} {
			sd.ports[name] = q.Port(queue.Conn{Principal: digest.Principal{Agent: "operator", User: name},
				Role: queue.RoleOperator, Way: "console"})
		}
		p.sides[i] = sd
	}
	return p
}

// step does one random act on both sides, and gives the code when it was refused.
func (p *pair) step(t *testing.T) (code string) {
	t.Helper()
	p.pass()
	if p.n(5) == 0 {
		p.look(t)
	}
	who, act := p.act()
	var told [2]string
	for i, s := range p.sides {
		r, err := s.ports[who].Do(t.Context(), act)
		switch no := err.(type) {
		case nil:
			b, err := queue.EncodeResult(r)
			if err != nil {
				t.Fatal(err)
			}
			told[i] = string(b)
		case *queue.Refusal:
			code = no.Code
			told[i] = fmt.Sprintf("%+v", *no)
		default:
			t.Fatalf("%+v: %v", act, err)
		}
		if i == 1 {
			p.learn(r)
		}
	}
	if told[0] != told[1] {
		t.Fatalf("%s: %+v\nsqlite: %s\nmemory: %s", who, act, told[0], told[1])
	}
	return code
}

// pass lets time go on, stand still, go back, or jump.
func (p *pair) pass() {
	switch p.n(200) {
	case 0, 1, 2:
		p.wall -= 2000
	case 3:
		p.wall += 4_000_000
	case 4, 5:
		p.wall += 100_000
		p.boot += 100_000
	default:
		ms := int64(one(p, 0, 0, 0, 1, 999, 1000, 3000))
		p.wall += ms
		p.boot += ms
	}
}

func (p *pair) learn(r queue.Result) {
	switch r := r.(type) {
	case queue.Submitted:
		p.asks = append(p.asks, r)
		if r.Begun != nil {
			p.runs = append(p.runs, *r.Begun)
		}
	case queue.Edited:
		s := p.ask()
		p.asks = append(p.asks, queue.Submitted{Ask: r.Ask, ActionDigest: r.Action, ShownDigest: r.Shown, Token: s.Token, Action: s.Action})
	case queue.Begun:
		p.runs = append(p.runs, r)
	}
}

// ask is one that was told, mostly a late one.
func (p *pair) ask() queue.Submitted {
	if len(p.asks) == 0 || p.n(30) == 0 {
		return queue.Submitted{Ask: "019ad5e2-none", Token: "none", ActionDigest: digest.Of(nil), ShownDigest: digest.Of(nil), Action: []byte(`{}`)}
	}
	s := p.asks[max(p.n(len(p.asks)), p.n(len(p.asks)))]
	if p.n(2) == 0 {
		s = p.asks[len(p.asks)-1]
	}
	if p.n(12) == 0 {
		s.Token = "none"
	}
	return s
}

func (p *pair) run() queue.Begun {
	if len(p.runs) == 0 {
		return queue.Begun{Attempt: "none"}
	}
	if p.n(2) == 0 {
		return p.runs[len(p.runs)-1]
	}
	return p.runs[max(p.n(len(p.runs)), p.n(len(p.runs)))]
}

// act makes a random act and says whose it is.
func (p *pair) act() (who string, act queue.Act) {
	agent, operator := one(p, "fixer", "mover", "mover", "lab"), one(p, "mia", "ben")
	s, run := p.ask(), p.run()
	session := one(p, "", "", p.session())
	if len(p.pages) > 0 && p.n(7) == 0 {
		return operator, p.answer()
	}
	if p.n(6) == 0 {
		return p.owed(agent, operator)
	}
	switch p.n(48) {
	default:
		return agent, p.submit()
	case 0, 1, 2, 3, 4, 5:
		d := queue.Decide{Ask: s.Ask, Verdict: one(p, queue.VerdictAllow, queue.VerdictAllow, queue.VerdictAllow, queue.VerdictAllow, queue.VerdictDeny, queue.VerdictAnswer),
			ActionDigest: s.ActionDigest, ShownDigest: s.ShownDigest, Words: one(p, "", "mind the gap"), HoldMS: one[int64](p, 0, 0, 2000),
			Answer: []byte(`{"size":3}`), DwellMS: 5, LinesSeen: 6, LinesAll: 7}
		d.Confirm = one(p, "Bash", "pay", "edge")
		return operator, d
	case 6, 7, 8, 9, 10:
		action := s.Action
		if p.n(9) == 0 {
			action = []byte(strings.Replace(string(action), "make", "rake", 1))
		}
		return agent, queue.Begin{Ask: s.Ask, Token: s.Token, Action: action, Executor: agent, HostRuns: p.n(3) == 0}
	case 11, 12, 13:
		r := queue.Report{Attempt: run.Attempt, Token: run.Token, Exit: one(p, "", queue.ExitSuccess, queue.ExitFailure, queue.ExitTimeout, queue.ExitBlocked),
			Outcome: one(p, "", queue.AttemptCommitted, queue.AttemptNotExecuted, queue.AttemptUnknown), Ref: one(p, "re_1", "re_2"), Durable: p.n(3) == 0}
		if p.n(3) == 0 && len(s.Action) > 2 {
			r.Observed = s.Action
		}
		return agent, r
	case 14:
		return agent, queue.Renew{Attempt: run.Attempt, Token: run.Token}
	case 15:
		return operator, queue.Revoke{Ask: s.Ask, Reason: "no"}
	case 16:
		return one(p, agent, operator), queue.Withdraw{Ask: s.Ask, Token: s.Token, Why: one(p, "", "returned")}
	case 17, 18:
		return agent, queue.Wait{Ask: s.Ask, Token: s.Token, Release: p.n(2) == 0}
	case 19:
		return agent, queue.Adopt{Ask: s.Ask, Session: one(p, "s1", "s2"), ActionDigest: s.ActionDigest}
	case 40, 41:
		via := ""
		if p.n(3) == 0 {
			via = p.ask().Ask
		}
		return agent, queue.Receipt{Ask: s.Ask, Token: s.Token, Via: via, Got: one(p, queue.StageHandedOver, queue.StageAcknowledged),
			Refused: one(p, "", "", "steering.queue_full")}
	case 42:
		return agent, queue.EndLeg{Session: one(p, "s1", "s2"), Run: one(p, "", "r"), Cause: one(p, notice.LegEnd, notice.Crashed),
			Accounts: []queue.Account{{Family: notice.Steer, Owed: int64(p.n(2))},
				{Family: notice.Steer, Kind: notice.ApprovalFeedback, Ask: one(p, "", s.Ask), Owed: 1, Carried: int64(p.n(2))}}}
	case 43:
		return operator, queue.AckDelivery{Ask: s.Ask}
	case 44, 45:
		return operator, queue.Resend{Ask: s.Ask}
	case 46:
		return operator, queue.DropWords{Ask: s.Ask, Reason: "not_needed"}
	case 20, 34:
		return operator, queue.GrantDigest{Ask: s.Ask, ShownDigest: s.ShownDigest, Times: 2, ForMS: 60_000}
	case 21:
		return operator, queue.Freeze{Session: session, Reason: "look"}
	case 22, 23:
		return operator, queue.Unfreeze{Session: session}
	case 24:
		return agent, queue.EndSession{Session: one(p, "s1", "s2", "s3")}
	case 25:
		return agent, queue.Unasked{Session: one(p, "s1", "s2"), Tool: "Bash"}
	case 26:
		return operator, queue.AckNotice{Notice: int64(p.n(5) + 1)}
	case 27, 28:
		return operator, queue.ConfirmClock{}
	case 29:
		return operator, queue.Snooze{Ask: s.Ask, ForMS: one[int64](p, 0, 5000)}
	case 30:
		return operator, queue.Claim{Ask: s.Ask, ForMS: one[int64](p, 0, 60_000), Over: p.n(2) == 0}
	case 31, 32:
		return operator, queue.Edit{Ask: s.Ask, ActionDigest: s.ActionDigest, ShownDigest: s.ShownDigest,
			Arguments: fmt.Appendf(nil, `{"command":"make %d"}`, p.n(3)), Words: one(p, "", "rather so")}
	case 36:
		return agent, queue.RegisterSession{Session: one(p, "s1", "s2", "s3"), Parent: one(p, "", "s1"), Source: one(p, "", "resume"),
			Clamps: []byte(one(p, `{}`, `{"autoAllow":false}`, `{"grants":"disabled"}`, `{"denyRules":["r"]}`, `{"edits":"enabled","memory":{"enabled":false}}`)),
			Branch: one(p, nil, []string{`{"type":"message"}`}, []string{`{"type":"custom","customType":"engine:cross_boundary","data":{"targetExecutionArmed":true}}`})}
	case 37:
		return agent, queue.Screen{Session: one(p, "s1", "s2"), Decision: []byte(one(p, `{"action":"allow"}`, `{"action":"ask"}`, `{"action":"deny"}`, `{}`, `{"action":"maybe"}`)),
			Call: &queue.Call{Tool: one(p, "allow.it", "deny.it"), Arguments: []byte(`{"command":"make 1"}`)}}
	case 33:
		b := queue.DecideBatch{Verdict: one(p, queue.VerdictAllow, queue.VerdictDeny)}
		var shown []digest.Digest
		for range 2 {
			s := p.ask()
			b.Items = append(b.Items, queue.BatchItem{Ask: s.Ask, ActionDigest: s.ActionDigest, ShownDigest: s.ShownDigest})
			shown = append(shown, s.ShownDigest)
		}
		b.Digest = queue.BatchDigest(shown)
		return operator, b
	}
}

// answer is an act on an effect whose page was read.
func (p *pair) answer() queue.Act {
	d := &p.pages[max(p.n(len(p.pages)), p.n(len(p.pages)))]
	attempt := "none"
	if len(d.Attempts) > 0 {
		attempt = d.Attempts[p.n(len(d.Attempts))].ID
	}
	outcome := one(p, queue.AttemptCommitted, queue.AttemptNotExecuted, queue.AttemptUnknown)
	switch p.n(6) {
	default:
		return queue.Reconcile{Attempt: attempt, Outcome: outcome, Correct: p.n(2) == 0, Page: d.Digest, Reason: "I looked.", Evidence: "case 7",
			Confirm: d.Confirm}
	case 0, 1:
		o := queue.Observe{Attempt: attempt, Observer: "ledger", Outcome: outcome, Durable: p.n(2) == 0, Seen: "GET"}
		if outcome == queue.AttemptCommitted && p.n(2) == 0 {
			o.Divergent, o.Allowed, o.Content = true, "4800", one(p, "4801", "")
		}
		return o
	case 2:
		return queue.AckEffect{Effect: d.Effect.ID, Page: d.Digest, Reason: "read"}
	case 3:
		return queue.OpenEffect{Effect: d.Effect.ID, Page: d.Digest, Reason: "a second one is owed"}
	}
}

// look reads the pages of effects as an operator does before an answer.
func (p *pair) look(t *testing.T) {
	t.Helper()
	var last queue.Effects
	for _, s := range p.sides { // both, because the clock does what is due before a list is read
		var err error
		if last, err = queue.Get[queue.Effects](t.Context(), s.ports["mia"], queue.QEffects{Limit: 4}); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range last.Effects {
		d, err := queue.Get[queue.Desk](t.Context(), p.sides[1].ports["ben"], queue.QEffect{ID: e.ID})
		if err != nil {
			t.Fatal(err)
		}
		if p.pages = append(p.pages, d); len(p.pages) > 12 {
			p.pages = p.pages[1:]
		}
	}
}

// session is the id of one that is there, mostly.
func (p *pair) session() string {
	id := "none"
	_ = p.sides[1].store.View(context.Background(), func(tx queue.ReadTx) error {
		list, err := tx.Sessions(9)
		if len(list) > 0 {
			id = list[p.n(len(list))].ID
		}
		return err
	})
	return id
}

func (p *pair) submit() queue.Submit {
	s := queue.Submit{Kind: one(p, "call", "call", "call", "call", "commit", "question"), Session: one(p, "s1", "s1", "s2", "s3"),
		Parent: one(p, "", "", "s1", "s2"), CallID: one(p, "", "c1", "c2", "c3"), HostRuns: p.n(4) == 0, Begin: p.n(3) == 0,
		Executor: "x", NoAdopt: p.n(3) == 0, Edits: p.n(2) == 0, Receipts: one(p, "", queue.StageHandedOver, queue.StageAcknowledged), AnswerInMS: one[int64](p, 0, 0, 5000)}
	if s.Kind == "question" {
		s.Question = &queue.Question{Text: "How large?", Schema: []byte(`{"type":"object"}`)}
		return s
	}
	if p.n(8) == 0 {
		s.Raise = []string{one(p, "cross_boundary", "irreversible", "requires_real_approval")}
	}
	s.Call = &queue.Call{Tool: one(p, "Bash", "Bash", "Bash", "Bash", "allow.it", "deny.it", "ask.it"), Cwd: "/src",
		Arguments: fmt.Appendf(nil, `{"command":"make %d"}`, p.n(2))}
	if p.n(4) > 0 || s.Kind == "commit" {
		s.Call.Effect = &queue.Effect{ID: []byte(one(p, `"pay"`, `"fee"`)), Class: "compensatable", CommitBoundary: one(p, "edge", "edge", "")}
	}
	if s.Kind == "call" && p.n(4) == 0 {
		p.declares(&s)
	}
	return s
}

// compare reads everything there is to read on both sides.
func (p *pair) compare(t *testing.T) {
	t.Helper()
	for _, q := range p.queries() {
		var told [2]string
		for i, s := range p.sides {
			a, err := s.ports["mia"].Read(t.Context(), q)
			if err != nil {
				told[i] = err.Error()
				continue
			}
			b, err := queue.EncodeAnswer(a)
			if err != nil {
				t.Fatal(err)
			}
			told[i] = string(b)
		}
		if told[0] != told[1] {
			t.Fatalf("%+v\nsqlite: %s\nmemory: %s", q, told[0], told[1])
		}
	}
	var read [2][]any
	for i, s := range p.sides {
		if err := s.store.View(t.Context(), func(tx queue.ReadTx) error { read[i] = p.raw(tx, p.wall); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	for i := range read[0] {
		if !reflect.DeepEqual(read[0][i], read[1][i]) {
			t.Fatalf("read %d\nsqlite: %+v\nmemory: %+v", i, read[0][i], read[1][i])
		}
	}
}

func (p *pair) queries() []queue.Query {
	list := []queue.Query{queue.QStatus{}, queue.QGrants{}, queue.QDeliveries{Limit: 4}, queue.QDeliveries{Open: true, Limit: 9}, queue.QDeliveries{Notice: 2, Limit: 9}, queue.QDeliveries{Before: 9, Limit: 3}, queue.QSessions{Limit: 2}, queue.QSessions{Limit: 99},
		queue.QNotices{Limit: 3}, queue.QNotices{Open: true, Limit: 9}, queue.QEvents{Limit: 500}, queue.QEvents{After: 20, Limit: 7},
		queue.QEffects{Limit: 2}, queue.QEffects{Open: true, Limit: 9}, queue.QEffects{Before: 3, Limit: 1},
		queue.QInbox{Limit: 3}, queue.QInbox{Limit: 2, Before: &queue.Key{Urgency: 3, Seq: 30}},
		queue.QInbox{Limit: 2, After: queue.Key{Urgency: 2, Seq: 3}}, queue.QHistory{Limit: 50}, queue.QHistory{Limit: 4, BeforeSeq: 20},
		queue.QHistory{Limit: 3, State: queue.StateDenied}, queue.QStats{SpanMS: 3_600_000, Cells: 4}, queue.QStats{SpanMS: 9_000_000, Cells: 9}}
	for _, f := range []queue.Filter{{Find: "mk 1"}, {Find: "s-"}, {Kind: "call"}, {Tool: "Bash"}, {Agent: "mover"}, {Mandated: true},
		{Irreversible: true}, {Alone: true}, {Since: p.wall - 20_000}, {Session: p.session()}} {
		list = append(list, queue.QInbox{Limit: 2, Filter: f}, queue.QInbox{Limit: 1, Before: &queue.Key{Urgency: 9}, Filter: f},
			queue.QHistory{Limit: 3, Filter: f})
	}
	list = append(list, queue.QPolicies{}, queue.QPolicies{Ever: true, Limit: 3}, queue.QCleanups{Limit: 2}, queue.QCleanups{Open: true, Limit: 9},
		queue.QCleanups{Before: 3, Limit: 9}, queue.QTransactions{Limit: 2}, queue.QTransactions{Open: true, Limit: 9}, queue.QTransactions{Before: 2, Limit: 9})
	list = append(list, queue.QInbox{Limit: 5, Filter: queue.Filter{Snoozed: true}}, queue.QHistory{Limit: 5, Filter: queue.Filter{By: queue.ByPerson}},
		queue.QHistory{Limit: 5, Filter: queue.Filter{Verdict: queue.VerdictAllow, State: queue.StateSpent}})
	for i := range p.pages {
		list = append(list, queue.QEffect{ID: p.pages[i].Effect.ID})
	}
	for range 3 {
		s := p.ask()
		list = append(list, queue.QAsk{ID: s.Ask}, queue.QAsk{ID: s.Ask[:4]}, queue.QStanding{Ask: s.Ask, Token: s.Token},
			queue.QPrecedent{Ask: s.Ask, Limit: 3}, queue.QEvents{Ask: s.Ask, Limit: 3})
	}
	return list
}

// raw is what the acts alone read, and no query shows whole.
func (p *pair) raw(tx queue.ReadTx, now int64) (list []any) {
	see := func(v ...any) { list = append(list, v) }
	two := func(v any, err error) { see(v, err) }
	two(tx.DueAsks(now+8000, 99))
	two(tx.DueAsks(now+8000, 2))
	two(tx.DueAttempts(now+8000, 99))
	two(tx.DueDeliveries(now+8000, 99))
	two(tx.DueDeliveries(now+100_000, 3))
	two(tx.Freezes())
	two(tx.Clock())
	two(tx.Waiting(99))
	two(tx.PendingOf("fixer"))
	sessions, err := tx.Sessions(99)
	two(sessions, err)
	for i := range sessions {
		s := &sessions[i]
		two(tx.OpenOfSession(s.ID, 2))
		two(tx.OwedOf(s.ID, 2))
		two(tx.ExecutingOf(s.ID))
		two(tx.ChildrenOf(s.ID))
		two(tx.FreezeAfter(s.ID, now-3000))
		two(tx.Records(s.ID, 3))
		two(tx.TreesOf(s.Principal, now-30_000))
	}
	for i := range p.asks {
		row, err := tx.Ask(p.asks[i].Ask)
		two(row, err)
		if row == nil {
			continue
		}
		two(tx.AskByCallKey(row.Session, row.CallKey))
		two(tx.AsksLike(row.Session, row.ActionDigest, 3))
		two(tx.GrantFor(row.Session, row.ActionDigest, now))
		two(tx.AttemptsOf(row.ID))
		two(tx.AskBody(row.Seq))
		two(tx.Mark(row.Seq))
	}
	p.owing(tx, two)
	return list
}
