package queue_test

import (
	"slices"
	"strings"
	"testing"

	"nod/digest"
	"nod/queue"
)

// commands rules by what stands in the command.
type commands struct{}

func (commands) Judge(a *digest.Action) queue.Ruling {
	switch text := string(a.Arguments); {
	case strings.Contains(text, "forbidden"):
		return queue.Ruling{Verdict: queue.RuleDeny, Rule: "never", Why: "it is forbidden"}
	case strings.Contains(text, "safe"):
		return queue.Ruling{Verdict: queue.RuleAllow, Rule: "safe"}
	}
	return queue.Ruling{}
}

func TestAnEditIsJudgedByEverything(t *testing.T) {
	w := newWorld(t, func(s *queue.Settings) { s.Rules = commands{} })
	s := w.submit(editable("ls"))
	got := w.edit(s.Ask, `{"command":"forbidden"}`)
	if got.State != queue.StateDenied {
		t.Errorf("a rule denies the new arguments, and they are %s", got.State)
	}
	st := w.wait(s)
	if st.State != queue.StateDenied || st.Decision.By != queue.ByRule || st.Decision.Who != "never" || st.EditedTo == nil {
		t.Errorf("the waiter is told %+v", st)
	}

	// A rule's allow and a grant do not stand in for a person.
	if got := w.edit(w.submit(editable("pwd")).Ask, `{"command":"safe"}`); got.State != queue.StatePending {
		t.Errorf("a rule made an edit %s", got.State)
	}
	wide := w.submit(editable("granted"))
	w.ok(w.operator, queue.GrantDigest{Ask: wide.Ask, ShownDigest: wide.ShownDigest, Times: 9, ForMS: 600_000}, 1)
	if got := w.edit(w.submit(editable("date")).Ask, `{"command":"granted"}`); got.State != queue.StatePending {
		t.Errorf("a grant made an edit %s", got.State)
	}
}

func TestAnEditIsNeverLooser(t *testing.T) {
	w := newWorld(t)
	a := editable("ls")
	a.Raise = []string{queue.ReasonCrossBoundary, queue.ReasonRealApproval}
	a.HostRuns, a.AnswerInMS, a.UseInMS = true, 60_000, 5_000
	a.Call.Effect = &queue.Effect{Class: "irreversible", Access: "write"}
	a.Call.Vars = map[string]string{"K": "v"}
	a.Call.Operands = []queue.Operand{{Name: "file", Digest: digest.Of(digest.JSON(`1`))}}
	a.AgentWords = "why not"
	s := w.submit(a)
	w.pass(10_000)
	got := w.see(w.edit(s.Ask, `{"command":"ls -l"}`).Ask)
	was := w.see(s.Ask)
	for _, r := range was.Row.Reasons {
		if !slices.Contains(got.Row.Reasons, r) {
			t.Errorf("the edit is not %s any more: %v", r, got.Row.Reasons)
		}
	}
	if !got.Row.Mandated || !got.Row.Irreversible || got.Confirm != "Bash" || got.Row.Urgency != was.Row.Urgency {
		t.Errorf("the edit is looser: %+v", got.Row)
	}
	if got.Row.AnswerBy != was.Row.AnswerBy || got.Row.UseWithinMS != was.Row.UseWithinMS {
		t.Errorf("deadlines %d %d, were %d %d", got.Row.AnswerBy, got.Row.UseWithinMS, was.Row.AnswerBy, was.Row.UseWithinMS)
	}
	x := must[*digest.Ask](t)(digest.ParseAsk(was.Ask, digest.NoLimits()))
	y := must[*digest.Ask](t)(digest.ParseAsk(got.Ask, digest.NoLimits()))
	y.Action.Arguments = x.Action.Arguments
	if d, _ := y.Action.Digest(); d != x.ActionDigest { //nolint:errcheck // an empty digest differs
		t.Errorf("the edit changed more than the arguments:\n%s\n%s", was.Ask, got.Ask)
	}
	for _, want := range []string{"The host runs it", "was digested for the arguments before the change"} {
		if !slices.ContainsFunc(y.Why, func(s string) bool { return strings.Contains(s, want) }) {
			t.Errorf("why does not say %q: %q", want, y.Why)
		}
	}
	if y.AgentWords != "why not" {
		t.Errorf("the agent's words are %q", y.AgentWords)
	}
	act := w.decision(got.Row.ID, queue.VerdictAllow)
	act.Confirm = ""
	w.refused(w.operator, act, queue.CodeWrongConfirm, 0) // I6
}

func TestAnEditAndTheStatedEffect(t *testing.T) {
	w := newWorld(t)
	refund := func() queue.Submitted {
		a := editable("refund")
		a.CallID = ""
		a.Call.Tool, a.Call.Arguments = "refund", []byte(`{"payment_id":"pay_1","amount":48}`)
		a.Call.Effect = &queue.Effect{ID: []byte(`"pay_1"`), Class: "compensatable", Access: "write"}
		return w.submit(a)
	}
	w.refused(w.operator, w.change(refund().Ask, `{"payment_id":"pay_2","amount":48}`), queue.CodeEffectEdited, 0)
	w.refused(w.operator, w.change(refund().Ask, `{"pay_1":"pay_2","amount":48}`), queue.CodeEffectEdited, 0) // a name is no value
	for _, c := range []struct{ was, id, now string }{
		{`{"payment_id":"pay_1","note":"pay_1"}`, `"pay_1"`, `{"payment_id":"pay_2","note":"pay_1"}`},
		{`{"payment_id":42}`, `"42"`, `{"payment_id":43}`},
		{`{"payment_id":"42"}`, `42`, `{"payment_id":"43"}`},
	} {
		a := editable("refund")
		a.CallID = ""
		a.Call.Tool, a.Call.Arguments = "refund", []byte(c.was)
		a.Call.Effect = &queue.Effect{ID: []byte(c.id), Class: "compensatable", Access: "write"}
		w.refused(w.operator, w.change(w.submit(a).Ask, c.now), queue.CodeEffectEdited, 0)
	}
	got := w.see(w.edit(refund().Ask, `{"payment_id":"pay_1","amount":20}`).Ask)
	if !strings.Contains(string(got.Ask), `"key":["local","tool:refund","pay_1"]`) {
		t.Errorf("the effect key is gone: %s", got.Ask)
	}
}

func TestAnEditOfALiftedNumber(t *testing.T) {
	alone(t)
	for _, c := range []struct{ name, arguments, lifted string }{
		{"kept", `{"n":"9007199254740993","m":"x"}`, `"lifted":["/n"]`},
		{"another one", `{"n":"9007199254740995"}`, `"lifted":["/n"]`},
		{"a plain number", `{"n":5}`, ""},
		{"a number that needs no lift", `{"n":"5"}`, ""},
		{"a word", `{"n":"five"}`, ""},
		{"a number with a blank", `{"n":" 9007199254740993"}`, ""},
		{"a number with a line", `{"n":"9007199254740993\n"}`, ""},
		{"more than a number", `{"n":"9007199254740993,1"}`, ""},
		{"no number's zeros", `{"n":"009007199254740993"}`, ""},
		{"gone", `{}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			a := editable("n")
			a.Call.Arguments, a.Call.Lifted = []byte(`{"n":"9007199254740993"}`), []string{"/n"}
			got := string(w.see(w.edit(w.submit(a).Ask, c.arguments).Ask).Ask)
			if has := strings.Contains(got, `"lifted"`); has != (c.lifted != "") || !strings.Contains(got, c.lifted) {
				t.Errorf("the edited ask is %s", got)
			}
		})
	}
}
