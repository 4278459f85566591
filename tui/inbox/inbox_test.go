package inbox

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"nod/queue"
	"nod/tui/frame"
)

var look = frame.Look{Glyphs: frame.Unicode(), W: 80, H: 24, Now: 1_000_000_000, Loc: time.UTC}

// store is pending asks in order, as a queue pages them.
type store []queue.Row

func asks(n int) store {
	var s store
	for i := range n {
		s = append(s, ask(i+1))
	}
	return s
}

func ask(seq int) queue.Row {
	return queue.Row{Seq: int64(seq), ID: fmt.Sprintf("id-%d", seq), Urgency: 3, Kind: "call", State: queue.StatePending,
		Tool: "Bash", Gist: fmt.Sprintf("echo %d", seq), Agent: "a", CreatedAt: look.Now - 5000, AnswerBy: look.Now + 1e7,
		WaiterHash: "x", WaiterUntil: look.Now + 1e6}
}

func (s store) page(q queue.QInbox) queue.Inbox {
	out := queue.Inbox{Counters: queue.Counters{Pending: int64(len(s))}, Now: look.Now}
	if q.Before != nil {
		var all []queue.Row
		for _, r := range s {
			if after(*q.Before, keyOf(&r)) {
				all = append(all, r)
			}
		}
		from := max(len(all)-int(q.Limit), 0)
		out.Rows, out.More = all[from:], from > 0
		return out
	}
	for _, r := range s {
		if after(keyOf(&r), q.After) {
			if len(out.Rows) == int(q.Limit) {
				out.More = true
				break
			}
			out.Rows = append(out.Rows, r)
		}
	}
	return out
}

// follow reads what the list wants until it wants nothing more.
func follow(l *List, s store) {
	for {
		q, up, ok := l.Wants()
		if !ok {
			return
		}
		l.Extend(q, up, s.page(q))
	}
}

func plain(rows []frame.Line) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(strings.TrimRight(r.Plain(), " ") + "\n")
	}
	return b.String()
}

func TestTheWholeQueueIsReachedAndOnlyPagesAreHeld(t *testing.T) {
	s := asks(2000)
	var l List
	l.Top(s.page(queue.QInbox{Limit: Page}), Lists{})
	for i := 1; i < 2000; i++ {
		follow(&l, s)
		l.Move(1, look, 20)
		if len(l.rows) > held {
			t.Fatalf("%d rows held", len(l.rows))
		}
	}
	if got := l.Selected().Ask; got != "id-2000" {
		t.Fatalf("at %s", got)
	}
	for range 1999 {
		follow(&l, s)
		l.Move(-1, look, 20)
	}
	if got := l.Selected().Ask; got != "id-1" || len(l.rows) > held {
		t.Fatalf("at %s with %d rows", got, len(l.rows))
	}
	l.Show(s.page(End()), Lists{}, true, "")
	if got := l.Selected().Ask; got != "id-2000" {
		t.Fatalf("the end is %s", got)
	}
	follow(&l, s)
	l.Move(-1, look, 20)
	if got := l.Selected().Ask; got != "id-1999" {
		t.Fatalf("before the end is %s", got)
	}
}

func TestNothingMovesUnderTheHand(t *testing.T) {
	s := asks(30)
	var l List
	l.Top(s.page(queue.QInbox{Limit: Page}), Lists{})
	for range 10 {
		l.Move(1, look, 20)
	}
	rows, at := l.Render(look, 80, 21)
	before := plain(rows)
	urgent := ask(31)
	urgent.Urgency, urgent.Mandated = 1, true
	s = append(store{urgent}, s...)
	l.Refresh(s.page(l.Again()), Lists{})
	rows, now := l.Render(look, 80, 21)
	if at != now || plain(rows) != before {
		t.Fatalf("the screen moved:\n%s", plain(rows))
	}
	if l.Fresh() != 1 {
		t.Errorf("fresh %d", l.Fresh())
	}
	if got := l.Selected().Ask; got != "id-11" {
		t.Errorf("selected %s", got)
	}
	l.Top(s.page(queue.QInbox{Limit: Page}), Lists{})
	rows, _ = l.Render(look, 80, 21)
	if l.Fresh() != 0 || !strings.Contains(plain(rows), "mandated") || l.Selected().Ask != "id-31" {
		t.Errorf("g shows:\n%s", plain(rows))
	}
}

func TestAnAskDecidedElsewhereStaysWithItsState(t *testing.T) {
	s := asks(5)
	var l List
	l.Top(s.page(queue.QInbox{Limit: Page}), Lists{})
	l.Move(2, look, 20)
	gone := s[2]
	gone.State, gone.Verdict, gone.MovedAt = queue.StateDenied, queue.VerdictDeny, look.Now
	rest := append(append(store{}, s[:2]...), s[3:]...)
	l.Refresh(rest.page(l.Again()), Lists{Lately: []queue.Row{gone}})
	rows, at := l.Render(look, 80, 21)
	if row := rows[at].Plain(); !strings.Contains(row, "denied") || !strings.Contains(row, "echo 3") {
		t.Fatalf("%s", plain(rows))
	}
	if strings.Count(plain(rows), "echo 3") != 1 {
		t.Errorf("it stands there twice:\n%s", plain(rows))
	}
	rest = rest[1:] // another one, of which nobody knows how it went
	l.Refresh(rest.page(l.Again()), Lists{Lately: []queue.Row{gone}})
	rows, _ = l.Render(look, 80, 21)
	if !strings.Contains(plain(rows), "gone") || l.Fresh() != 0 {
		t.Errorf("fresh %d:\n%s", l.Fresh(), plain(rows))
	}
}

func TestWhatComesIntoAnEmptyInboxIsShownAtOnce(t *testing.T) {
	var l List
	l.Top(queue.Inbox{}, Lists{})
	if !l.Empty(look) {
		t.Fatal("not empty")
	}
	s := asks(1)
	l.Refresh(s.page(l.Again()), Lists{})
	if l.Selected().Ask != "id-1" || l.Fresh() != 0 {
		t.Errorf("%+v fresh %d", l.Selected(), l.Fresh())
	}
}

func TestALateNoticePageDoesNotTakeTheSelectedNoticeAway(t *testing.T) {
	n := func(id int64) queue.NoticeView { return queue.NoticeView{ID: id, Sentence: fmt.Sprint("notice ", id)} }
	var l List
	l.Top(queue.Inbox{}, Lists{Notices: []queue.NoticeView{n(2), n(1)}})
	l.Move(1, look, 20)
	l.Refresh(queue.Inbox{}, Lists{Notices: []queue.NoticeView{n(3), n(2)}})
	if l.Selected().Notice != 1 {
		t.Fatalf("%+v", l.Selected())
	}
	l.Acknowledged(1, look, 20)
	if l.Selected().Notice != 2 {
		t.Errorf("%+v", l.Selected())
	}
}

func TestLeftOfADividerNothingButASCIIIsDrawn(t *testing.T) {
	s := asks(1)
	s[0].Tool, s[0].Gist, s[0].Agent = "Bаsh", "日本\nx\u202Ey\x1b[2J", "ägent"
	var l List
	l.Top(s.page(queue.QInbox{Limit: Page}), Lists{Notices: []queue.NoticeView{{ID: 1, Sentence: "about 日本"}}})
	split := look
	split.Split = true
	rows, _ := l.Render(split, 100, 20)
	for _, r := range plain(rows) {
		if r > 0x7E && !strings.ContainsRune("▌●!…⏎", r) {
			t.Errorf("%q in\n%s", r, plain(rows))
		}
	}
	if !strings.Contains(plain(rows), `\u{65E5}\u{672C}⏎x\u{202E}`) {
		t.Errorf("%s", plain(rows))
	}
	rows, _ = l.Render(look, 80, 20)
	if !strings.Contains(plain(rows), `日本⏎x\u{202E}y\u{1B}[2J`) {
		t.Errorf("the last column of an unsplit list:\n%s", plain(rows))
	}
}

func TestWhoWaitsAndHowLong(t *testing.T) {
	s := asks(4)
	s[1].WaiterUntil = look.Now - 1
	s[2].Kind = "question"
	s[3].AnswerBy = look.Now + 9*60_000
	var l List
	l.Top(s.page(queue.QInbox{Limit: Page}), Lists{})
	rows, _ := l.Render(look, 80, 20)
	for _, want := range []string{"▌● call          5s    2h  Bash  echo 1  by a", " ○ call          5s    2h  Bash  echo 2", " ? question", "   9m  Bash  echo 4"} {
		if !strings.Contains(plain(rows), want) {
			t.Errorf("no %q in\n%s", want, plain(rows))
		}
	}
	small := look
	small.W, small.H = 60, 16
	rows, _ = l.Render(small, 60, 13)
	if !strings.Contains(plain(rows), "● call         -9m  Bash  echo 4") {
		t.Errorf("%s", plain(rows))
	}
}
