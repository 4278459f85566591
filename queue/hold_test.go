package queue_test

import (
	"math/rand"
	"strings"
	"testing"

	"nod/queue"
)

const holdMS = 30_000

func held(s *queue.Settings) { s.HoldIrreversibleMS = holdMS }

func irreversible(command string) queue.Submit {
	s := call(command)
	s.Raise = []string{queue.ReasonIrreversible}
	return s
}

func TestAnAllowOfWhatCannotBeTakenBackIsHeld(t *testing.T) {
	w := newWorld(t, held)
	s := w.submit(irreversible("publish"))
	got := w.decide(s.Ask, queue.VerdictAllow).Decision
	if got.NotBefore != got.At+holdMS || got.UseBy != got.NotBefore+600_000 {
		t.Fatalf("held to %d, to be used by %d, decided at %d", got.NotBefore, got.UseBy, got.At)
	}
	w.pass(holdMS - 1)
	if no := w.refused(w.agent, begin(s), queue.CodeHeld, 0); no.At != got.NotBefore {
		t.Errorf("the refusal says %d", no.At)
	}
	w.pass(1)
	w.ok(w.agent, begin(s), 2) // nobody waited for it meanwhile

	s = w.submit(irreversible("again"))
	w.decide(s.Ask, queue.VerdictAllow)
	w.ok(w.operator, queue.Revoke{Ask: s.Ask}, 1)
	w.pass(holdMS)
	if no := w.refused(w.agent, begin(s), queue.CodeDecided, 0); !strings.Contains(no.Sentence, "revoked") {
		t.Errorf("taken back while held: %s", no.Sentence)
	}
}

func TestWhatIsHeldHowLong(t *testing.T) {
	alone(t)
	commit := queue.Submit{Kind: "commit", Session: "s1", Call: &queue.Call{Tool: "db", Operation: "commit",
		Arguments: []byte(`{}`), Effect: &queue.Effect{CommitBoundary: "b-1"}}}
	mandated := call("mandated")
	mandated.Raise = []string{queue.ReasonCrossBoundary}
	for _, c := range []struct {
		name        string
		submit      queue.Submit
		asked, want int64
	}{
		{"irreversible", irreversible("a"), 0, holdMS},
		{"irreversible, asked for less", irreversible("a"), 1_000, holdMS},
		{"irreversible, asked for more", irreversible("a"), 60_000, 60_000},
		{"a commit", commit, 0, holdMS},
		{"mandated", mandated, 0, 0},
		{"another call", call("ls"), 0, 0},
		{"another call, asked for", call("ls"), 1_000, 1_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, held)
			act := w.decision(w.submit(c.submit).Ask, queue.VerdictAllow)
			act.HoldMS = c.asked
			got := w.ok(w.operator, act, 1).(queue.Decided).Decision
			if c.want == 0 && got.NotBefore != 0 || c.want > 0 && got.NotBefore != got.At+c.want {
				t.Errorf("held to %d, decided at %d, want %d later", got.NotBefore, got.At, c.want)
			}
		})
	}
	w := newWorld(t, held)
	s := w.submit(irreversible("a"))
	if got := w.decide(s.Ask, queue.VerdictDeny).Decision; got.NotBefore != 0 {
		t.Errorf("a denial is held: %+v", got)
	}
	none := newWorld(t)
	s = none.allowed(irreversible("a"))
	none.ok(none.agent, begin(s), 1)
}

// TestAnEditedAskIsHeldToo: the hold is of the ask that is decided.
func TestAnEditedAskIsHeldToo(t *testing.T) {
	w := newWorld(t, held)
	a := irreversible("publish all")
	a.Edits = true
	s := w.submit(a)
	got := w.edit(s.Ask, `{"command":"publish one"}`)
	w.decide(got.Ask, queue.VerdictAllow)
	st := w.wait(s)
	if st.State != queue.StateAllowed || st.Decision.NotBefore != w.wall+holdMS {
		t.Errorf("the edited ask stands %+v %+v", st, st.Decision)
	}
	act := queue.Begin{Ask: got.Ask, Token: s.Token, Action: st.EditedTo.Action, Executor: "test"}
	w.refused(w.agent, act, queue.CodeHeld, 0)
	w.pass(holdMS)
	w.ok(w.agent, act, 2) // nobody waited for it meanwhile
}

// TestAHoldInAnyOrder: with edits, freezes, revokes, repeats and time in any
// order, a begin goes through exactly when it may.
func TestAHoldInAnyOrder(t *testing.T) {
	alone(t)
	for seed := int64(1); seed <= 60; seed++ {
		rnd := rand.New(rand.NewSource(seed))
		w := newWorld(t)
		e := editable("one")
		s := w.submit(e)
		ask, action := s.Ask, []byte(s.Action)
		if rnd.Intn(2) == 0 {
			ed := w.edit(s.Ask, `{"command":"two"}`)
			ask = ed.Ask
			action = w.wait(s).EditedTo.Action
		}
		d := w.decision(ask, queue.VerdictAllow)
		d.HoldMS = rnd.Int63n(3_600_000)
		dec := must[queue.Decided](t)(queue.As[queue.Decided](t.Context(), w.operator, d))
		at := w.wall
		frozen, everFrozen, revoked := false, false, false
		tok := s.Token
		for range 12 {
			switch rnd.Intn(6) {
			case 0:
				if !frozen {
					must[queue.Result](t)(w.operator.Do(t.Context(), queue.Freeze{}))
					frozen, everFrozen = true, true
				}
			case 1:
				if frozen {
					must[queue.Result](t)(w.operator.Do(t.Context(), queue.Unfreeze{}))
					frozen = false
				}
			case 2:
				if rnd.Intn(4) == 0 {
					if _, err := w.operator.Do(t.Context(), queue.Revoke{Ask: ask}); err == nil {
						revoked = true
					}
				}
			case 3:
				w.pass(rnd.Int63n(1_800_000))
			case 4: // repeat
				r, err := queue.As[queue.Submitted](t.Context(), w.agent, e)
				if err == nil && r.Repeat && r.Ask == ask && r.Token != "" {
					tok = r.Token
				}
			case 5:
				_, err := w.agent.Do(t.Context(), queue.Begin{Ask: ask, Token: tok, Action: action, Executor: "x"})
				ok := err == nil
				may := !everFrozen && !revoked && w.wall >= at+d.HoldMS && w.wall < dec.Decision.UseBy
				if ok != may {
					t.Fatalf("seed %d: began %v (%v), may %v; hold %d at %d use by %d", seed, ok, err, may, d.HoldMS, w.wall-at, dec.Decision.UseBy-at)
				}
				if ok {
					revoked = true
				}
			}
		}
	}
}
