package detail

import (
	"strings"
	"testing"
	"time"

	"nod/digest"
	"nod/queue"
	"nod/tui/frame"
	"nod/tui/gate"
)

var look = frame.Look{Glyphs: frame.Unicode(), W: 80, H: 24, Now: 1_800_000_000_000, Loc: time.UTC}

// view is a call whose card is n lines long; nobody parses it here.
func view(n int) queue.AskView {
	return queue.AskView{
		Row: queue.Row{ID: "id-1", Kind: "call", State: queue.StatePending, ShownDigest: digest.Of([]byte("card")), ActionDigest: digest.Of([]byte("action")),
			AnswerBy: look.Now + 60_000, UseWithinMS: 600_000, WaiterHash: "x", WaiterUntil: look.Now + 1000},
		Card: "nod card v1" + strings.Repeat("\nkind │ call", n-1), Now: look.Now,
	}
}

// paint draws the page as frame id and lets the terminal confirm it.
func paint(p *Page, id uint64, w, h int, ms int64) {
	p.Fit(look, w, h, false)
	p.Painted(id, ms)
	p.Handle(gate.Confirmed{Frame: id}, ms)
}

func TestNothingIsReadBeforeItsFrameIsConfirmed(t *testing.T) {
	p := New(view(30), gate.DefaultKeys(), time.UTC, 0)
	p.Fit(look, 80, 10, false)
	p.Painted(1, 10)
	if p.Unread() != 30 {
		t.Fatalf("%d unread", p.Unread())
	}
	p.Handle(gate.Confirmed{Frame: 7}, 20)
	if p.Unread() != 30 {
		t.Fatal("another frame's answer counts")
	}
	p.Handle(gate.Confirmed{Frame: 1}, 30)
	if p.Unread() != 20 {
		t.Fatalf("%d unread", p.Unread())
	}
	p.Scroll(10)
	p.Forget() // covered before the frame was confirmed
	p.Handle(gate.Confirmed{Frame: 2}, 40)
	if p.Unread() != 20 {
		t.Fatal("a frame that was never drawn counts")
	}
}

func TestUnseenLinesAreFoundAndReadToTheEnd(t *testing.T) {
	p := New(view(35), gate.DefaultKeys(), time.UTC, 0)
	p.Fit(look, 80, 10, false)
	p.ToEnd()
	paint(p, 1, 80, 10, 10)
	for id := uint64(2); p.ToUnread(); id++ {
		paint(p, id, 80, 10, int64(10*id))
		if id > 20 {
			t.Fatal("no end")
		}
	}
	if p.Unread() != 0 {
		t.Errorf("%d unread", p.Unread())
	}
}

func TestAnotherDigestClosesTheGateAndKeepsTheCard(t *testing.T) {
	p := New(view(5), gate.DefaultKeys(), time.UTC, 0)
	paint(p, 1, 80, 10, 10)
	other := view(5)
	other.Card, other.Row.ShownDigest = "nod card v1\nkind │ question", digest.Of([]byte("other"))
	p.Update(other, time.UTC, 600)
	if p.Pending() || p.Card() != view(5).Card {
		t.Errorf("pending %v, card %q", p.Pending(), p.Card())
	}
	rows := p.CardRows(80)
	if !strings.Contains(rows[1].Plain(), "call") {
		t.Errorf("%s", rows[1].Plain())
	}
}

func TestAnotherAskNeverTakesThePage(t *testing.T) {
	p := New(view(5), gate.DefaultKeys(), time.UTC, 0)
	other := view(9)
	other.Row.ID = "id-2"
	p.Update(other, time.UTC, 5)
	if p.ID() != "id-1" || p.Card() != view(5).Card {
		t.Error("the page shows another ask")
	}
}

func TestTheStateIsSaidShorterNotCut(t *testing.T) {
	v := view(5)
	v.Row.Mandated, v.Row.AnswerBy = true, look.Now+(23*60+58)*60_000
	v.Confirm = "Bash"
	p := New(v, gate.DefaultKeys(), time.UTC, 0)
	for w, want := range map[int]string{
		120: "pending · mandated · 1 waits · 23 h 58 min to answer, then 10 min to use",
		80:  "pending · mandated · 1 waits · 23 h 58 min to answer",
		60:  "pending · mandated · 1 waits · 23 h left",
	} {
		if got := p.State(look, w).Plain(); !strings.Contains(got, want) || !strings.Contains(got, "shown "+v.Row.ShownDigest.Hex()[:8]+"…") {
			t.Errorf("%d: %s", w, got)
		}
	}
}

func TestAPrunedCardSaysSo(t *testing.T) {
	v := view(5)
	v.Card, v.Row.State, v.Row.Verdict = "", queue.StateDenied, queue.VerdictDeny
	p := New(v, gate.DefaultKeys(), time.UTC, 0)
	p.Fit(look, 80, 10, false)
	rows := p.CardRows(80)
	if !strings.Contains(rows[0].Plain(), "pruned") || p.HasGate() {
		t.Errorf("%s", rows[0].Plain())
	}
}

func TestADecisionIsNeverLost(t *testing.T) {
	for name, event := range map[string]func(p *Page, ms int64){
		"a tick":   func(p *Page, ms int64) { p.Handle(gate.Tick{}, ms) },
		"a frame":  func(p *Page, ms int64) { p.Scroll(1); p.Fit(look, 80, 10, false); p.Painted(2, ms) },
		"words":    func(p *Page, ms int64) { p.SetWords("late", ms) },
		"a key":    func(p *Page, ms int64) { p.Handle(gate.Key{Name: "j", Text: "j"}, ms) },
		"an echo":  func(p *Page, ms int64) { p.Handle(gate.Confirmed{Frame: 1}, ms) },
		"a minute": func(p *Page, ms int64) { p.Handle(gate.UseBy{Clock: "15:00"}, ms) },
	} {
		p := New(view(30), gate.DefaultKeys(), time.UTC, 0)
		paint(p, 1, 80, 10, 10)
		p.Handle(gate.Key{Name: "x", Text: "x"}, 900)
		if p.Decision() != nil {
			t.Fatal("denied without rest")
		}
		event(p, 1400)
		if d := p.Decision(); d == nil || d.Verdict != gate.VerdictDeny {
			t.Errorf("after %s: %+v", name, d)
		}
		if p.Decision() != nil {
			t.Error("a decision is given out twice")
		}
	}
}

// The mark stands at the value that is typed: the descriptor's place, else the
// tool, never a line that only looks like it.
func TestTheLineWhoseValueIsTypedIsMarked(t *testing.T) {
	for _, c := range []struct{ at, want string }{
		{"/payment_id", `arguments/payment_id │ "pay_8842"`},
		{"/refund/payment_id", `arguments/refund/payment_id │ "pay_7"`},
		{"", `tool │ "billing.refund"`},
		{"/gone", ""},
	} {
		v := view(2)
		v.Row.Irreversible, v.Confirm, v.ConfirmAt = true, "pay_8842", c.at
		v.Card = "nod card v1\nkind │ call\ntool │ \"billing.refund\"\narguments/note │ \"arguments/payment_id │ x⏎\n· │ arguments/payment_id │ y\"\n" +
			"arguments/payment_id │ \"pay_8842\"\narguments/refund/payment_id │ \"pay_7\"\nreading/payment_id │ \"a name\""
		p := New(v, gate.DefaultKeys(), time.UTC, 0)
		paint(p, 1, 80, 20, 10)
		p.Handle(gate.Tick{}, 2000)
		p.Handle(gate.Key{Name: "a", Text: "a"}, 2500)
		got := ""
		if p.asked >= 0 {
			l := p.lines[p.asked]
			got = v.Card[l.Start:l.End]
		}
		if p.out.Mode != gate.ModeValue || got != c.want {
			t.Errorf("%q: mode %d marks %q, want %q", c.at, p.out.Mode, got, c.want)
		}
	}
}

// A batch is of the cards that were displayed: one that changed since goes out
// with its old digests, so that the queue skips and names it.
func TestABatchIsOfTheCardsThatWereDisplayed(t *testing.T) {
	for _, at := range []int{0, 1} {
		views := []queue.AskView{view(3), view(3)}
		views[1].Row.ID, views[1].Row.ShownDigest = "id-2", digest.Of([]byte("other card"))
		p := NewBatch(views, gate.DefaultKeys(), time.UTC, 0)
		changed := views[at]
		changed.Card += "\nkind │ new"
		changed.Row.ShownDigest, changed.Row.ActionDigest = digest.Of([]byte("new card")), digest.Of([]byte("new action"))
		p.Update(changed, time.UTC, 100)
		for i, item := range p.Items(200) {
			if row := &views[i].Row; item.ShownDigest != row.ShownDigest || item.ActionDigest != row.ActionDigest {
				t.Errorf("item %d is bound to %s and %s", i, item.ShownDigest, item.ActionDigest)
			}
		}
		if p.Left() != 1 {
			t.Errorf("%d left the batch", p.Left())
		}
	}
}
