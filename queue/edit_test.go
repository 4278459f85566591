package queue_test

import (
	"slices"
	"strings"
	"testing"

	"nod/digest"
	"nod/queue"
)

// editable is a call whose requester runs changed arguments.
func editable(command string) queue.Submit {
	s := call(command)
	s.Edits, s.CallID = true, "c-"+command
	return s
}

// change is an edit with everything that binds it.
func (w *world) change(id, arguments string) queue.Edit {
	w.t.Helper()
	v := w.see(id)
	return queue.Edit{Ask: id, ActionDigest: v.Row.ActionDigest, ShownDigest: v.Row.ShownDigest, Arguments: []byte(arguments)}
}

func (w *world) edit(id, arguments string) queue.Edited {
	w.t.Helper()
	return must[queue.Edited](w.t)(queue.As[queue.Edited](w.t.Context(), w.operator, w.change(id, arguments)))
}

func (w *world) wait(s queue.Submitted) queue.Standing {
	w.t.Helper()
	return must[queue.Standing](w.t)(queue.As[queue.Standing](w.t.Context(), w.agent, queue.Wait{Ask: s.Ask, Token: s.Token}))
}

func TestAnEditDeniesAndAsksAnew(t *testing.T) {
	w := newWorld(t)
	s := w.submit(editable("rm -rf /"))
	act := w.change(s.Ask, `{"command":"rm -rf ./dist"}`)
	act.Words = "only the build"
	got := w.ok(w.operator, act, 2).(queue.Edited)

	was, now := w.see(s.Ask), w.see(got.Ask)
	if was.Row.State != queue.StateDenied || was.Row.DecidedBy != queue.ByPerson || was.Row.Decider != "mia" ||
		was.Row.EditedTo != got.Ask || was.Row.Words != "only the build" {
		t.Errorf("the original is %+v", was.Row)
	}
	if now.Row.State != queue.StatePending || now.Row.DerivedFrom != s.Ask || now.Row.AnswerBy != was.Row.AnswerBy ||
		now.Row.Session != was.Row.Session || !now.Row.Edits || !slices.Equal(now.Row.Reasons, []string{queue.ReasonEdited}) {
		t.Errorf("the new ask is %+v", now.Row)
	}
	if got.Action == s.ActionDigest || got.Shown == s.ShownDigest || got.Action != now.Row.ActionDigest || got.Shown != now.Row.ShownDigest {
		t.Errorf("digests %+v", got)
	}
	ask := must[*digest.Ask](t)(digest.ParseAsk(now.Ask, digest.NoLimits()))
	if ask.DerivedFrom == nil || ask.DerivedFrom.Ask != s.Ask || ask.DerivedFrom.By != "mia" || string(ask.Action.Arguments) != `{"command":"rm -rf ./dist"}` {
		t.Errorf("the document is %s", now.Ask)
	}
	for _, line := range []string{"derived from", s.Ask, "edited by", `"mia"`, "A person changed the arguments"} {
		if !strings.Contains(now.Card, line) {
			t.Errorf("the card does not say %q:\n%s", line, now.Card)
		}
	}
}

func TestTheWaiterFollowsAnEdit(t *testing.T) {
	w := newWorld(t)
	s := w.submit(editable("one"))
	w.edit(s.Ask, `{"command":"two"}`)
	mid := w.see(s.Ask).Row.EditedTo
	if st := w.wait(s); st.Ask != mid || st.State != queue.StatePending || st.EditedTo == nil || st.EditedTo.By != "mia" {
		t.Fatalf("after one edit: %+v", st)
	}
	again := w.change(mid, `{"command":"three"}`)
	again.Words = "three is right"
	last := w.ok(w.operator, again, 2).(queue.Edited)

	st := w.wait(s)
	read := must[queue.Standing](t)(queue.Get[queue.Standing](t.Context(), w.agent, queue.QStanding{Ask: s.Ask, Token: s.Token}))
	for _, got := range []queue.Standing{st, read} {
		e := got.EditedTo
		if got.Ask != last.Ask || got.State != queue.StatePending || e == nil || e.Ask != last.Ask || e.ActionDigest != last.Action ||
			e.ShownDigest != last.Shown || e.Words != "three is right" || !strings.Contains(string(e.Action), `"command":"three"`) {
			t.Fatalf("after two edits: %+v", got)
		}
	}
	w.decide(last.Ask, queue.VerdictAllow)
	st = w.wait(s)
	if st.State != queue.StateAllowed || st.Decision == nil || st.Decision.Verdict != queue.VerdictAllow {
		t.Fatalf("the new ask's decision did not reach the waiter: %+v", st)
	}

	// The original's action, the middle one's and a changed byte do not begin.
	begin := queue.Begin{Ask: last.Ask, Token: s.Token, Action: st.EditedTo.Action, Executor: "test"}
	for _, c := range []struct {
		name, code string
		change     func(b *queue.Begin)
	}{
		{"the original's action", queue.CodeWrongDigest, func(b *queue.Begin) { b.Action = s.Action }},
		{"a changed byte", queue.CodeWrongDigest, func(b *queue.Begin) {
			b.Action = []byte(strings.Replace(string(b.Action), "three", "thref", 1))
		}},
		{"another token", queue.CodeNotYours, func(b *queue.Begin) { b.Token = "guess" }},
		{"the original's id", queue.CodeWrongDigest, func(b *queue.Begin) { b.Ask = s.Ask }},
		{"the original whole", queue.CodeDecided, func(b *queue.Begin) { b.Ask, b.Action = s.Ask, s.Action }},
	} {
		b := begin
		c.change(&b)
		t.Run(c.name, func(t *testing.T) { w.refused(w.agent, b, c.code, 0) })
	}
	w.ok(w.agent, begin, 1)
	w.refused(w.agent, begin, queue.CodeSpent, 0) // I3
	if got := w.wait(s); got.State != queue.StateSpent || got.EditedTo == nil || len(got.EditedTo.Action) != 0 {
		t.Errorf("after the begin: %+v", got)
	}
}

func TestAnEditKeepsTheLease(t *testing.T) {
	w := newWorld(t)
	s := w.submit(editable("one"))
	got := w.edit(s.Ask, `{"command":"two"}`)
	was, now := w.see(s.Ask).Row, w.see(got.Ask).Row
	if now.WaiterUntil != was.WaiterUntil || now.WaiterUntil == 0 {
		t.Errorf("the lease is %d, was %d", now.WaiterUntil, was.WaiterUntil)
	}
	w.pass(20_000)
	w.wait(s)
	if later := w.see(got.Ask).Row.WaiterUntil; later <= now.WaiterUntil {
		t.Errorf("waiting for the original does not renew: %d", later)
	}
	w.ok(w.agent, queue.Wait{Ask: s.Ask, Token: s.Token, Release: true}, 0)
	if row := w.see(got.Ask).Row; row.Waits(w.wall) {
		t.Error("a release does not reach the edit")
	}
	w.refused(w.agent, queue.Wait{Ask: s.Ask, Token: "guess"}, queue.CodeNotYours, 0)
	w.ok(w.agent, queue.Withdraw{Ask: s.Ask, Token: s.Token}, 1)
	if state := w.state(got.Ask); state != queue.StateWithdrawn {
		t.Errorf("taking the call back left the edit %s", state)
	}
}

func TestWhatIsNotEdited(t *testing.T) {
	w := newWorld(t)
	s := w.submit(editable("ls"))
	good := w.change(s.Ask, `{"command":"ls -l"}`)
	plain := w.submit(call("no edits"))
	question := w.submit(queue.Submit{Kind: "question", Session: "s1", Edits: true, Question: &queue.Question{Text: "?", Schema: []byte(`{}`)}})
	commit := w.submit(queue.Submit{Kind: "commit", Session: "s1", Edits: true, Call: &queue.Call{Tool: "db", Operation: "commit",
		Arguments: []byte(`{}`), Effect: &queue.Effect{CommitBoundary: "b-1"}}})
	for _, c := range []struct {
		name, code string
		change     func(e *queue.Edit)
	}{
		{"equal arguments", queue.CodeUnchanged, func(e *queue.Edit) { e.Arguments = []byte(`{ "command" : "l\u0073" }`) }},
		{"another card", queue.CodeWrongDigest, func(e *queue.Edit) { e.ShownDigest = digest.Of(digest.JSON(`1`)) }},
		{"another action", queue.CodeWrongDigest, func(e *queue.Edit) { e.ActionDigest = digest.Of(digest.JSON(`1`)) }},
		{"no digest", queue.CodeWrongDigest, func(e *queue.Edit) { e.ShownDigest = "" }},
		{"an unknown ask", queue.CodeUnknownID, func(e *queue.Edit) { e.Ask = w.id() }},
		{"a member twice", digest.CodeDuplicateMember, func(e *queue.Edit) { e.Arguments = []byte(`{"a":1,"\u0061":2}`) }},
		{"a lossy number", digest.CodeLossyNumber, func(e *queue.Edit) { e.Arguments = []byte(`{"a":9007199254740993}`) }},
		{"a list for an object", queue.CodeBadInput, func(e *queue.Edit) { e.Arguments = []byte(`["ls"]`) }},
		{"a text for an object", queue.CodeBadInput, func(e *queue.Edit) { e.Arguments = []byte(`"ls"`) }},
		{"null for an object", queue.CodeBadInput, func(e *queue.Edit) { e.Arguments = []byte(`null`) }},
		{"no JSON", digest.CodeBadJSON, func(e *queue.Edit) { e.Arguments = []byte(`{`) }},
		{"long words", digest.CodeTooLarge, func(e *queue.Edit) { e.Words = strings.Repeat("w", queue.MaxWords+1) }},
		{"words that are not UTF-8", digest.CodeBadUTF8, func(e *queue.Edit) { e.Words = "\xff" }},
		{"a requester without edits", queue.CodeNoEdits, func(e *queue.Edit) { *e = w.change(plain.Ask, `{"command":"x"}`) }},
		{"a question", queue.CodeBadInput, func(e *queue.Edit) { *e = w.change(question.Ask, `{"command":"x"}`) }},
		{"a commit", queue.CodeBadInput, func(e *queue.Edit) { *e = w.change(commit.Ask, `{"command":"x"}`) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			act := good
			c.change(&act)
			w.refused(w.operator, act, c.code, 0)
		})
	}
	w.refused(w.agent, good, queue.CodeNotAllowed, 0)
	script := w.q.Port(queue.Conn{Principal: digest.Principal{User: "mia"}, Role: queue.RoleOperator, Way: queue.WayScript})
	w.refused(script, good, queue.CodeNeedsPerson, 0)
	w.ok(w.operator, good, 2)
	if r := w.refused(w.operator, good, queue.CodeDecided, 0); r.Who != "mia" || !strings.Contains(r.Sentence, w.see(s.Ask).Row.EditedTo) {
		t.Errorf("the second edit is told %+v", r)
	}
}

func TestAnEditLosesARace(t *testing.T) {
	for _, c := range []struct {
		name, code string
		first      func(w *world, s queue.Submitted)
		due        int64
	}{
		{"to a decision", queue.CodeDecided, func(w *world, s queue.Submitted) { w.decide(s.Ask, queue.VerdictDeny) }, 0},
		{"to an allow", queue.CodeDecided, func(w *world, s queue.Submitted) { w.decide(s.Ask, queue.VerdictAllow) }, 0},
		{"to the clock", queue.CodeTooLate, func(w *world, _ queue.Submitted) { w.pass(25 * 3_600_000) }, 1},
		{"to the requester", queue.CodeTooLate, func(w *world, s queue.Submitted) {
			w.ok(w.agent, queue.Withdraw{Ask: s.Ask, Token: s.Token}, 1)
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			s := w.submit(editable("ls"))
			act := w.change(s.Ask, `{"command":"ls -l"}`)
			c.first(w, s)
			w.refused(w.operator, act, c.code, c.due)
		})
	}
	w := newWorld(t)
	s := w.submit(editable("ls"))
	late := w.decision(s.Ask, queue.VerdictAllow)
	got := w.edit(s.Ask, `{"command":"ls -l"}`)
	w.refused(w.operator, late, queue.CodeDecided, 0) // I1
	late.Ask = got.Ask
	w.refused(w.operator, late, queue.CodeWrongDigest, 0) // what was read is the original's card
	w.pass(25 * 3_600_000)
	if st := w.wait(s); st.State != queue.StateExpired || st.EditedTo == nil {
		t.Errorf("an edit nobody decided is %+v", st)
	}
}

// TestAnEditedAskIsBoundToItsCard changes every byte of the edited ask's card:
// no decision is taken on any of them.
func TestAnEditedAskIsBoundToItsCard(t *testing.T) {
	w := newWorld(t)
	got := w.edit(w.submit(editable("ls")).Ask, `{"command":"ls -l"}`)
	good := w.decision(got.Ask, queue.VerdictAllow)
	text := []byte(w.see(got.Ask).Card)
	for i := range text {
		text[i] ^= 1
		act := good
		act.ShownDigest = digest.Of(digest.JSON(text))
		if _, err := w.operator.Do(t.Context(), act); err == nil {
			t.Fatalf("byte %d of the card is not bound", i)
		}
		text[i] ^= 1
	}
	w.ok(w.operator, good, 1)
}
