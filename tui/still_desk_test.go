package tui_test

import (
	"testing"

	"nod/ambiguity"
	"nod/digest"
	"nod/digest/card"
	"nod/queue"
)

func (s *still) openEffects() (n int64) {
	for i := range s.desks {
		if s.desks[i].Effect.Open {
			n++
		}
	}
	return n
}

// effects answers for the lists.
func (s *still) effects(q queue.QEffects) queue.Effects {
	out := queue.Effects{Now: *s.now}
	for i := range s.desks {
		e := s.desks[i].Effect
		if (q.Before == 0 || e.Num < q.Before) && (e.Open || !q.Open) {
			out.Effects = append(out.Effects, e)
		}
	}
	return out
}

// desks is a port on which outcomes are unknown, differ from what was allowed and
// were settled: the desk of SCREENS §7.
func desks(t *testing.T) (*world, *still) {
	t.Helper()
	w, s := busy(t)
	const id = "019ad5e2-0000-7000-8000-0000000000"
	began := began - 9*minute
	fact := func(after int64, kind ambiguity.Kind, source ambiguity.Source, f queue.FactView) queue.FactView {
		f.Attempt, f.At, f.Kind, f.Source = id+"a1", began+after, kind, source
		return f
	}
	begun := fact(0, ambiguity.Begun, ambiguity.ByGate, queue.FactView{By: "nod hook", Durable: true})
	timeout := fact(30_000, ambiguity.Report, ambiguity.ByTool, queue.FactView{By: "support-bot", Exit: "timeout", Seen: "request timed out after 30000 ms"})
	lost := fact(5*minute, ambiguity.LeaseOver, ambiguity.ByGate, queue.FactView{Says: "unknown", Durable: true})
	pending := fact(6*minute, ambiguity.Observation, ambiguity.ByObserver, queue.FactView{By: "refunds", Says: "committed", Ref: "re_19c",
		Seen: `GET /v1/refunds?payment=pay_8842 gave "re_19c", "pending"`})
	waits := s.pending[4].Row
	waits.Tool, waits.Gist, waits.Agent = "billing.refund", "pay_8842", "mailer"

	add := func(n int64, e queue.EffectView, state queue.AttemptState, d queue.Desk) {
		e.Num, e.ID, e.Ordinal, e.Attempts = n, id+"e"+string(rune('0'+n)), 1, 1
		e.Tool, e.Gist, e.Agent, e.Session, e.Class = "billing.refund", d.Confirm, "support-bot", "s-71c4000000000000", "compensatable"
		e.Key = []byte(`["prod-eu","refund","` + d.Confirm + `"]`)
		e.CreatedAt, e.MovedAt = began, d.Facts[len(d.Facts)-1].At
		d.Effect, d.Arguments, d.SettledAt = e, []byte(`{"amount":4800,"currency":"EUR","payment_id":"`+d.Confirm+`"}`), began+15*minute
		d.Readings = []queue.DeskReading{{Pointer: "/amount", Text: "48.00 EUR"}}
		d.Provider = &queue.Provider{KeyLifetime: "24 h", Changed: "refused", Cached: "its first answer"}
		d.Observers = []queue.ObserverView{{Name: "refunds", Kind: "http"}}
		d.Attempts = []queue.DeskAttempt{{AttemptView: queue.AttemptView{ID: id + "a1", Number: 1, Effect: e.ID, State: state, Exit: "timeout", Executor: "nod hook",
			BeganAt: began, EndedAt: began + 5*minute, Lease: began + 5*minute}, Ask: s.past[0].Row.ID, SettledAt: d.SettledAt, DecidedBy: queue.ByPerson, Decider: "mia",
			DecidedAt: began - 21_000, DwellMS: 18_000, LinesSeen: 33, LinesAll: 33, ShownDigest: s.past[0].Row.ShownDigest}}
		page := card.Desk{Effect: e.ID, State: string(e.Standing), Mark: string(e.Mark), Key: digest.JSON(e.Key), Ordinal: 1, Tool: e.Tool, Environment: "prod-eu",
			Agent: e.Agent, Class: e.Class, Arguments: digest.JSON(d.Arguments), SettledAt: d.SettledAt, Provider: &card.Provider{KeyLifetime: "24 h", Changed: "refused"},
			Attempts: []card.DeskAttempt{{ID: id + "a1", Number: 1, Ask: s.past[0].Row.ID, State: string(state), BeganAt: began, Exit: "timeout", Executor: "nod hook"}}}
		for i := range d.Facts {
			f := &d.Facts[i]
			page.Facts = append(page.Facts, card.Fact{Attempt: f.Attempt, At: f.At, Kind: string(f.Kind), Source: string(f.Source), By: f.By, Says: string(f.Says),
				Durable: f.Durable, Divergent: f.Divergent, Exit: string(f.Exit), Seen: f.Seen, Ref: f.Ref, Reason: f.Reason})
		}
		text, err := card.RenderDesk(&page)
		if err != nil {
			t.Fatal(err)
		}
		d.Page, d.Digest = string(text), card.ShownDigest(text)
		s.desks = append(s.desks, d)
	}
	answer := func(act, unlocks string) queue.AnswerView {
		return queue.AnswerView{Act: act, Attempt: id + "a1", Open: true, Unlocks: unlocks}
	}
	happened := answer("committed", "Repeats are refused duplicate_effect with the first reference.")
	never := answer("not_executed", "One new attempt may begin, on an approval given after this answer.")
	unknown := answer("unknown", "Nothing: repeats stay blocked; your reason stands here for the next reader.")
	open := queue.AnswerView{Act: "open", Why: "only beside an effect that happened another one opens"}
	ack := queue.AnswerView{Act: "acknowledge", Why: "nothing waits to be acknowledged"}

	corrects := func(a queue.AnswerView) queue.AnswerView { a.Correct = true; return a }
	may := func(a queue.AnswerView, unlocks string) queue.AnswerView {
		a.Open, a.Why, a.Unlocks = true, "", unlocks
		return a
	}
	opens := may(open, "Lets a second one be asked for on purpose, linked to this one, with your reason on its card.")

	early := never
	early.Open, early.Why, early.At = false, "lease and settle time are not over", began+15*minute
	add(4, queue.EffectView{Standing: ambiguity.StandsUnknown, Mark: ambiguity.NotDurable, Open: true, Repeats: 2}, queue.AttemptUnknown, queue.Desk{Confirm: "pay_8842",
		Facts: []queue.FactView{begun, timeout, lost, pending}, Waiting: []queue.Row{waits},
		Repeats: []queue.RepeatView{{Session: "s-71c4000000000000", Agent: "support-bot", Code: "ambiguous_effect", Count: 2, First: began + minute, Last: began + 8*minute}},
		Answers: []queue.AnswerView{happened, early, unknown, ack, open}})
	add(3, queue.EffectView{Standing: ambiguity.StandsUnknown, Mark: ambiguity.NotConfirmed, Open: true}, queue.AttemptUnknown, queue.Desk{Confirm: "pay_8841",
		Facts: []queue.FactView{begun, timeout, lost}, Answers: []queue.AnswerView{happened, never, unknown, ack, open}})
	add(2, queue.EffectView{Standing: ambiguity.StandsCommitted, Mark: ambiguity.Divergent, Open: true}, queue.AttemptCommitted, queue.Desk{Confirm: "pay_8840",
		Facts:   []queue.FactView{begun, fact(7*minute, ambiguity.Observation, ambiguity.ByObserver, queue.FactView{By: "refunds", Says: "committed", Durable: true, Divergent: true, Seen: "amount differs"})},
		Allowed: "{\n  \"amount\": 4800,\n  \"currency\": \"EUR\"\n}\n", Content: "{\n  \"amount\": 9900,\n  \"currency\": \"EUR\"\n}\n",
		Answers: []queue.AnswerView{corrects(never), corrects(unknown), may(ack, "Nothing: it only says that you read what stays open."), opens}})
	add(1, queue.EffectView{Standing: ambiguity.StandsCommitted, Ref: "re_18f"}, queue.AttemptCommitted, queue.Desk{Confirm: "pay_8839",
		Facts:   []queue.FactView{begun, fact(minute, ambiguity.Reconciliation, ambiguity.ByOperator, queue.FactView{By: "mia", Says: "committed", Durable: true, Reason: "in the dashboard", Seen: "case 55120"})},
		Answers: []queue.AnswerView{corrects(never), corrects(unknown), ack, opens}})
	return w, s
}

// deskScenes are the views of effects, each with the keys that lead there.
func deskScenes() map[string][]string {
	return map[string][]string{
		"inbox": nil, "effects": {"2"}, "effects-settled": {"2", "G"}, "desk": {"enter"}, "desk-page": {"enter", "tab"}, "desk-attempts": {"enter", "shift+tab", "shift+tab"},
		"desk-waits": {"enter", "shift+tab"}, "desk-card": {"enter", "shift+tab", "shift+tab", "shift+tab"}, "desk-divergent": {"2", "j", "j", "enter"},
		"desk-diff": {"2", "j", "j", "enter", "tab", "tab"}, "desk-settled": {"2", "G", "enter"},
		"desk-form": {"enter", "m", "I", "tab", "c"}, "desk-not-yet": {"enter", "v"},
		"desk-written": {"enter", "m", "I", "tab", "c", "ctrl+s"}, "desk-giving": {"enter", "u", "I", "ctrl+s"},
		"help-desk": {"enter", "?"}, "help-effects": {"2", "?"}, "palette-desk": {"enter", ":", "h", "a", "p"},
	}
}
