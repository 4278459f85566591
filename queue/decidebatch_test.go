package queue_test

import (
	"fmt"
	"strings"
	"testing"

	"nod/digest"
	"nod/queue"
)

// batch is a batch of these asks as they stand now.
func (w *world) batch(v queue.Verdict, ids ...string) queue.DecideBatch {
	w.t.Helper()
	act := queue.DecideBatch{Verdict: v}
	for i, id := range ids {
		row := w.see(id).Row
		act.Items = append(act.Items, queue.BatchItem{Ask: id, ActionDigest: row.ActionDigest, ShownDigest: row.ShownDigest,
			DwellMS: int64(100 + i), LinesSeen: 20, LinesAll: 20})
	}
	return named(act)
}

// named gives a batch the digest of its cards.
func named(act queue.DecideBatch) queue.DecideBatch {
	shown := make([]digest.Digest, len(act.Items))
	for i := range act.Items {
		shown[i] = act.Items[i].ShownDigest
	}
	act.Digest = queue.BatchDigest(shown)
	return act
}

func (w *world) several(n int) (ids []string, subs []queue.Submitted) {
	w.t.Helper()
	for i := range n {
		s := w.submit(call(fmt.Sprintf("ls %d", i)))
		ids, subs = append(ids, s.Ask), append(subs, s)
	}
	return ids, subs
}

func TestABatchDecidesEach(t *testing.T) {
	for verdict, state := range map[queue.Verdict]queue.State{
		queue.VerdictAllow: queue.StateAllowed, queue.VerdictDeny: queue.StateDenied,
	} {
		w := newWorld(t)
		ids, subs := w.several(3)
		act := w.batch(verdict, ids...)
		act.Words = "all three"
		got := w.ok(w.operator, act, 3).(queue.BatchDecided)
		for i, r := range got.Results {
			row := w.see(ids[i]).Row
			if r.Ask != ids[i] || r.Decided == nil || r.Decided.State != state || r.Code != "" || row.State != state ||
				row.DwellMS != int64(100+i) || row.LinesSeen != 20 || row.Words != "all three" || row.DecidedBy != queue.ByPerson {
				t.Errorf("%s: %+v, row %+v", verdict, r, row)
			}
		}
		if verdict == queue.VerdictAllow {
			w.ok(w.agent, begin(subs[1]), 1)
			wrong := begin(subs[2])
			wrong.Action = subs[0].Action
			w.refused(w.agent, wrong, queue.CodeWrongDigest, 0) // bound to each digest
		}
	}
}

func TestABatchSkipsAndNamesWhatChanged(t *testing.T) {
	w := newWorld(t)
	ids, subs := w.several(5)
	edited := w.submit(editable("edited"))
	ids = append(ids, edited.Ask)
	act := w.batch(queue.VerdictAllow, ids...)
	w.decide(ids[0], queue.VerdictDeny)
	w.ok(w.agent, queue.Withdraw{Ask: ids[1], Token: subs[1].Token}, 1)
	act.Items[2].ShownDigest = digest.Of(digest.JSON(`1`)) // another card was displayed
	act.Items[3].ActionDigest = digest.Of(digest.JSON(`1`))
	w.edit(edited.Ask, `{"command":"other"}`)
	act.Items = append(act.Items, queue.BatchItem{Ask: w.id(), ActionDigest: subs[0].ActionDigest, ShownDigest: subs[0].ShownDigest})
	got := w.ok(w.operator, named(act), 1).(queue.BatchDecided)
	for i, want := range []string{
		queue.CodeDecided, queue.CodeTooLate, queue.CodeWrongDigest, queue.CodeWrongDigest, "", queue.CodeDecided, queue.CodeUnknownID,
	} {
		r := got.Results[i]
		if r.Code != want || (want == "") != (r.Decided != nil) || (want == "") != (r.Sentence == "") {
			t.Errorf("item %d: %+v, want %q", i, r, want)
		}
	}
	if w.state(ids[2]) != queue.StatePending || w.state(ids[4]) != queue.StateAllowed {
		t.Error("what was skipped was decided, or the other way round")
	}

	w = newWorld(t)
	ids, _ = w.several(2)
	act = w.batch(queue.VerdictAllow, ids...)
	w.pass(25 * 3_600_000)
	got = w.ok(w.operator, act, 2).(queue.BatchDecided) // they expired, and nothing else
	if got.Results[0].Code != queue.CodeTooLate || got.Results[1].Code != queue.CodeTooLate {
		t.Errorf("after their time: %+v", got.Results)
	}
}

func TestWhatIsNoBatch(t *testing.T) {
	w := newWorld(t)
	ids, _ := w.several(3)
	good := w.batch(queue.VerdictAllow, ids...)
	other := call("other tool")
	other.Call.Tool = "Read"
	elsewhere := agentConn("shop-fixer")
	elsewhere.Environment = "prod"
	far := must[queue.Submitted](t)(queue.As[queue.Submitted](t.Context(), w.q.Port(elsewhere), call("far")))
	raised := func(reason string) string {
		s := call("raised " + reason)
		s.Raise = []string{reason}
		return w.submit(s).Ask
	}
	commit := w.submit(queue.Submit{Kind: "commit", Session: "s1", Call: &queue.Call{Tool: "Bash", Operation: "commit",
		Arguments: []byte(`{}`), Effect: &queue.Effect{CommitBoundary: "b-1"}}})
	question := w.submit(queue.Submit{Kind: "question", Session: "s1", Question: &queue.Question{Text: "?", Schema: []byte(`{}`)}})
	for _, c := range []struct {
		name, code string
		act        queue.DecideBatch
	}{
		{"one ask", queue.CodeBadInput, w.batch(queue.VerdictAllow, ids[0])},
		{"an ask twice", queue.CodeBadInput, w.batch(queue.VerdictAllow, ids[0], ids[1], ids[0])},
		{"an answer", queue.CodeBadInput, w.batch(queue.VerdictAnswer, ids...)},
		{"another tool", queue.CodeUnlike, w.batch(queue.VerdictAllow, ids[0], w.submit(other).Ask)},
		{"another tool, denied", queue.CodeUnlike, w.batch(queue.VerdictDeny, ids[0], w.submit(other).Ask)},
		{"another environment", queue.CodeUnlike, w.batch(queue.VerdictAllow, ids[0], far.Ask)},
		{"mandated", queue.CodeNeedsPerson, w.batch(queue.VerdictAllow, ids[0], raised(queue.ReasonCrossBoundary))},
		{"irreversible", queue.CodeNeedsPerson, w.batch(queue.VerdictAllow, ids[0], raised(queue.ReasonIrreversible))},
		{"a real approval", queue.CodeNeedsPerson, w.batch(queue.VerdictAllow, ids[0], raised(queue.ReasonRealApproval))},
		{"a commit", queue.CodeNeedsPerson, w.batch(queue.VerdictDeny, ids[0], commit.Ask)},
		{"a question", queue.CodeNeedsPerson, w.batch(queue.VerdictDeny, ids[0], question.Ask)},
	} {
		t.Run(c.name, func(t *testing.T) { w.refused(w.operator, c.act, c.code, 0) })
	}
	for name, change := range map[string]func(a *queue.DecideBatch){
		"another order":  func(a *queue.DecideBatch) { a.Items[0], a.Items[1] = a.Items[1], a.Items[0] },
		"one less":       func(a *queue.DecideBatch) { a.Items = a.Items[:2] },
		"another digest": func(a *queue.DecideBatch) { a.Digest = a.Items[0].ShownDigest },
		"no digest":      func(a *queue.DecideBatch) { a.Digest = "" },
		"a card without a digest": func(a *queue.DecideBatch) {
			a.Items[0].ShownDigest = ""
			*a = named(*a)
		},
	} {
		t.Run(name, func(t *testing.T) {
			act := good
			act.Items = append([]queue.BatchItem(nil), good.Items...)
			change(&act)
			w.refused(w.operator, act, queue.CodeWrongDigest, 0)
		})
	}
	long := good
	long.Words = strings.Repeat("w", queue.MaxWords+1)
	w.refused(w.operator, long, digest.CodeTooLarge, 0)
	negative := good
	negative.Items = append([]queue.BatchItem(nil), good.Items...)
	negative.Items[1].DwellMS = -1
	w.refused(w.operator, negative, queue.CodeBadInput, 0)
	w.refused(w.agent, good, queue.CodeNotAllowed, 0)
	w.ok(w.operator, good, 3)
}

func TestABatchOfTheMost(t *testing.T) {
	w := newWorld(t)
	ids, _ := w.several(65)
	w.refused(w.operator, w.batch(queue.VerdictAllow, ids...), queue.CodeBadInput, 0)
	w.ok(w.operator, w.batch(queue.VerdictAllow, ids[:64]...), 64)
}
