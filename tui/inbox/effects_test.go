package inbox

import (
	"fmt"
	"strings"
	"testing"

	"nod/ambiguity"
	"nod/queue"
)

func effectRow(n int64, e queue.EffectView) queue.EffectView {
	e.Num, e.ID, e.Tool, e.Open = n, fmt.Sprint("eff", n), fmt.Sprint("refund", n), true
	if e.Standing == "" {
		e.Standing = ambiguity.StandsUnknown
	}
	return e
}

// What agents run into stands on top, and what nobody can prove before what is
// open all the same; the oldest of equals first.
func TestTheOrderOfTheDesk(t *testing.T) {
	var l List
	l.Top(queue.Inbox{}, Lists{Effects: []queue.EffectView{
		effectRow(5, queue.EffectView{}), effectRow(4, queue.EffectView{Standing: ambiguity.StandsCommitted, Mark: ambiguity.Divergent}),
		effectRow(3, queue.EffectView{Repeats: 1}), effectRow(2, queue.EffectView{}), effectRow(1, queue.EffectView{Repeats: 9}),
	}})
	got := ""
	for _, e := range l.effects.rows {
		got += fmt.Sprint(e.Num)
	}
	if got != "13254" {
		t.Errorf("the order is %s", got)
	}
	if e, ok := l.SelectedEffect(); !ok || e.Num != 1 || l.Clear() {
		t.Errorf("%+v is under the hand", e)
	}
}

// While an effect is under the hand no page of asks is read on without end, and
// none is let go above it.
func TestAnEffectUnderTheHandReadsNothingOn(t *testing.T) {
	var l List
	page := queue.Inbox{More: true}
	for i := range Page {
		page.Rows = append(page.Rows, queue.Row{ID: fmt.Sprint("ask", i), Seq: int64(i + 1), State: queue.StatePending})
	}
	l.Top(page, Lists{Effects: []queue.EffectView{effectRow(1, queue.EffectView{})}})
	if q, _, ok := l.Wants(); ok {
		t.Errorf("it wants %+v", q)
	}
}

// A refresh changes the desk where it stands, counts what came, and moves
// nothing.
func TestTheDeskIsRefreshedInPlace(t *testing.T) {
	var l List
	l.Top(queue.Inbox{Rows: []queue.Row{{ID: "a", State: queue.StatePending, Seq: 1}}}, Lists{Effects: []queue.EffectView{effectRow(2, queue.EffectView{}), effectRow(1, queue.EffectView{Repeats: 1})}})
	seen := effectRow(1, queue.EffectView{Mark: ambiguity.NotDurable, Repeats: 2})
	l.Refresh(queue.Inbox{Rows: l.rows}, Lists{Effects: []queue.EffectView{effectRow(3, queue.EffectView{Repeats: 5}), seen}})
	if len(l.effects.rows) != 2 || l.effects.rows[0].Repeats != 2 || l.effects.rows[1].Open || l.FreshEffects() != 1 {
		t.Errorf("%+v, %d fresh", l.effects.rows, l.FreshEffects())
	}
	rows, _ := l.Render(look, 80, 20)
	var text strings.Builder
	for _, r := range rows {
		text.WriteString(r.Plain())
	}
	if !strings.Contains(text.String(), "settled") || strings.Contains(text.String(), "refund3") {
		t.Error(text.String())
	}
	if id, ok := l.NearEffect("eff1", 1); ok {
		t.Errorf("%s is next", id)
	}
	if got := l.BesideEffect("eff1"); got != "a" {
		t.Errorf("it goes on with %q", got)
	}
}
