package inbox

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/frame/frametest"
)

// looks is how many rows a filtered page looks at.
const looks = 40

// filtered pages like a queue: it looks at a bounded number of rows and says
// how far it came.
func (s store) filtered(q queue.QInbox) queue.Inbox {
	if q.Filter == (queue.Filter{}) {
		return s.page(q)
	}
	out := queue.Inbox{Counters: queue.Counters{Pending: int64(len(s))}, Now: look.Now}
	seen := 0
	visit := func(r queue.Row) bool {
		if seen == looks || len(out.Rows) == int(q.Limit) {
			out.More = true
			return false
		}
		seen++
		k := keyOf(&r)
		out.Reached = &k
		if r.Tool == q.Filter.Tool {
			out.Rows = append(out.Rows, r)
		}
		return true
	}
	if q.Before != nil {
		for i := len(s) - 1; i >= 0; i-- {
			if after(*q.Before, keyOf(&s[i])) && !visit(s[i]) {
				break
			}
		}
		for i, j := 0, len(out.Rows)-1; i < j; i, j = i+1, j-1 {
			out.Rows[i], out.Rows[j] = out.Rows[j], out.Rows[i]
		}
		return out
	}
	for _, r := range s {
		if after(keyOf(&r), q.After) && !visit(r) {
			break
		}
	}
	return out
}

func chase(t interface{ Fatalf(string, ...any) }, l *List, s store) {
	for range 1000 {
		q, up, ok := l.Wants()
		if !ok {
			return
		}
		l.Extend(q, up, s.filtered(q))
	}
	t.Fatalf("it never has enough")
}

func TestAFilteredListReadsOnToItsRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := asks(rapid.IntRange(0, 600).Draw(t, "asks"))
		var want []queue.Row
		step := rapid.IntRange(1, 200).Draw(t, "step")
		for i := range s {
			if i%step == step-1 {
				s[i].Tool = "Write"
				want = append(want, s[i])
			}
		}
		l := list(s)
		l.SetFilter(queue.Filter{Tool: "Write"}, visible.Own("Write"))
		fromEnd := rapid.Bool().Draw(t, "from the end")
		if fromEnd {
			l.End(s.filtered(l.FromEnd()), Lists{})
		} else {
			l.Top(s.filtered(l.FromTop()), Lists{})
		}
		chase(t, l, s)
		if len(want) == 0 {
			if l.Selected() != (Key{}) || l.Empty(look) || !strings.Contains(screen(l, look, 80, 20), "nothing matches; Esc shows all") {
				t.Fatalf("%s", screen(l, look, 80, 20))
			}
			return
		}
		if fromEnd {
			for range len(want) {
				l.Move(-1, look, 20)
				chase(t, l, s)
			}
		}
		for i := range want {
			if got := l.Selected().Ask; got != want[i].ID {
				t.Fatalf("row %d is %s, not %s", i, got, want[i].ID)
			}
			before := len(l.rows)
			l.Refresh(s.filtered(l.Again()), Lists{})
			if l.Fresh() != 0 || len(l.rows) != before || strings.Contains(screen(l, look, 80, 20), "gone") {
				t.Fatalf("a refresh of nothing new: %d fresh, %d rows\n%s", l.Fresh(), len(l.rows), screen(l, look, 80, 20))
			}
			l.Move(1, look, 20)
			chase(t, l, s)
			if len(l.rows) > held {
				t.Fatalf("%d rows held", len(l.rows))
			}
		}
	})
}

func TestAFilterSaysItselfAndHidesNothingSilently(t *testing.T) {
	s := asks(3)
	l := list(s)
	l.SetFilter(queue.Filter{Tool: "Write"}, visible.Own("tool Write"))
	if got := screen(l, look, 80, 20); !strings.Contains(got, "reading…") || strings.Contains(got, "nothing") {
		t.Errorf("%s", got)
	}
	l.Extend(queue.QInbox{Limit: Page}, false, s.page(queue.QInbox{Limit: Page})) // an answer to the older question
	if len(l.rows) > 0 {
		t.Error("a page of the whole list came into the filtered one")
	}
	l.Show(queue.Inbox{More: true, Reached: &queue.Key{Urgency: 3, Seq: 2}}, Lists{Notices: []queue.NoticeView{{ID: 1, Sentence: "n"}}}, false, "")
	if got := screen(l, look, 80, 20); !strings.Contains(got, "   filter: tool Write; Esc shows all\n   nothing matches so far; looking further…\n") {
		t.Errorf("%s", got)
	}
	if q, up, ok := l.Wants(); !ok || up || q.After != (queue.Key{Urgency: 3, Seq: 2}) || q.Filter.Tool != "Write" {
		t.Errorf("%+v %v %v", q, up, ok)
	}
	l.Show(queue.Inbox{Snoozed: 2}, Lists{Notices: []queue.NoticeView{{ID: 1, Sentence: "n"}}}, false, "")
	got := screen(l, look, 80, 20)
	if strings.Contains(got, "snoozed") || !strings.Contains(got, "nothing matches; Esc shows all") || strings.Contains(got, "notice") || l.Empty(look) {
		t.Errorf("%s", got)
	}
	l.SetFilter(queue.Filter{}, visible.Text{})
	l.Show(queue.Inbox{}, Lists{}, false, "")
	if !l.Empty(look) || strings.Contains(screen(l, look, 80, 20), "filter") {
		t.Errorf("%s", screen(l, look, 80, 20))
	}
	l.SetKeys("f", "")
	l.Show(queue.Inbox{Snoozed: 2}, Lists{}, false, "")
	if l.Empty(look) || !strings.Contains(screen(l, look, 80, 20), "   2 snoozed; f shows them\n") {
		t.Errorf("%s", screen(l, look, 80, 20))
	}
	l.Show(queue.Inbox{Snoozed: 1}, Lists{}, false, "")
	if !strings.Contains(screen(l, look, 80, 20), "   1 snoozed; f shows it\n") {
		t.Errorf("%s", screen(l, look, 80, 20))
	}
}

func TestAnAnswerToAnotherFiltersQuestionIsDropped(t *testing.T) {
	s := asks(200)
	l := &List{}
	l.SetFilter(queue.Filter{Tool: "Bash"}, visible.Own("tool Bash"))
	q := l.FromTop()
	l.Show(s.page(q), Lists{}, false, "")
	stale := queue.QInbox{After: l.bottom, Limit: Page}
	l.Extend(stale, false, s.page(stale))
	if len(l.rows) != Page {
		t.Errorf("%d rows", len(l.rows))
	}
	stale.Filter = q.Filter
	l.Extend(stale, false, s.page(stale))
	if len(l.rows) != 2*Page {
		t.Errorf("%d rows", len(l.rows))
	}
}

func TestAFilteredListCountsTheNewOnesThatItWouldShow(t *testing.T) {
	s := asks(300)
	for i := range s {
		s[i].Tool = []string{"Bash", "Write"}[i%2]
	}
	l := &List{}
	l.SetFilter(queue.Filter{Tool: "Write"}, visible.Own("tool Write"))
	l.Show(s.filtered(l.FromTop()), Lists{}, false, "")
	page := s.filtered(l.Again())
	page.Counters.Pending += 20 // twenty that the filter hides
	l.Refresh(page, Lists{})
	if l.Fresh() != 0 {
		t.Errorf("%d fresh that it would not show", l.Fresh())
	}
	urgent := ask(301)
	urgent.Urgency, urgent.Tool = 1, "Write"
	l.Refresh(append(store{urgent}, s...).filtered(l.Again()), Lists{})
	if l.Fresh() != 1 {
		t.Errorf("%d fresh", l.Fresh())
	}
}

func TestSnoozingIsNoNews(t *testing.T) {
	s := asks(150)
	l := list(s)
	page := s[1:].page(l.Again()) // the first one was snoozed
	page.Counters.Pending, page.Snoozed = 150, 1
	l.Refresh(page, Lists{})
	if l.Fresh() != 0 {
		t.Errorf("%d came in", l.Fresh())
	}
}

func TestTheWordInTheWay(t *testing.T) {
	s := asks(6)
	for i := range 4 {
		s[i].ClaimedBy, s[i].ClaimedUntil = "mia", look.Now+1
	}
	s[1].ClaimedBy = "night-desk"
	s[2].ClaimedUntil = look.Now
	s[3].ClaimedBy = ""
	s[4].State, s[4].NotBefore, s[4].DecidedAt, s[4].UseWithinMS = queue.StateAllowed, look.Now+1, look.Now, 60_000
	s[5].DerivedFrom = "x"
	l := list(s)
	l.SetSelf("mia")
	small := look
	small.W, small.H = 60, 16
	for i, want := range [][2]string{
		{"call          5s  mine  Bash", "call        mine  Bash"}, {"call          5s taken  Bash", "call       taken  Bash"},
		{"call          5s    2h  Bash", "call          5s  Bash"}, {"call          5s    2h  Bash", "call          5s  Bash"},
		{"allowed       5s  held  Bash", "allowed     held  Bash"}, {"edited call   5s    2h  Bash", "edited call   5s  Bash"},
	} {
		wide, narrow := strings.Split(screen(l, look, 80, 20), "\n")[2+i], strings.Split(screen(l, small, 60, 13), "\n")[1+i]
		if !strings.Contains(wide, want[0]) || !strings.Contains(narrow, want[1]) {
			t.Errorf("row %d: %q and %q, want %q", i+1, wide, narrow, want)
		}
	}
	l.SetSelf("")
	if got := screen(l, look, 80, 20); strings.Contains(got, "mine") || strings.Count(got, "taken") != 2 {
		t.Errorf("with nobody's name:\n%s", got)
	}
	l.SetHeld(true)
	if got := screen(l, look, 80, 20); strings.Count(got, "held") != 4 || strings.Contains(got, " 2h ") {
		t.Errorf("the clock is held:\n%s", got)
	}
	s = asks(3)
	s[0].SnoozedUntil, s[1].SnoozedUntil, s[2].SnoozedUntil = look.Now+1, look.Now, look.Now+1
	s[2].ClaimedBy, s[2].ClaimedUntil = "mia", look.Now+1
	if got := screen(list(s), look, 80, 20); strings.Count(got, "5s later  Bash") != 1 || strings.Count(got, "5s taken") != 1 {
		t.Errorf("%s", got)
	}
	s = asks(1)
	s[0].State, s[0].EditedTo = queue.StateDenied, "id-9"
	if got := screen(list(s), look, 80, 20); !strings.Contains(got, "✗ edited ") {
		t.Errorf("%s", got)
	}
	if _, word, role := Outcome(look.Glyphs, &s[0], look.Now); word != "edited" || role != themes.Text {
		t.Error(word)
	}
	// A word of eleven cells and a claim of five: the age stays.
	s = asks(1)
	s[0].DerivedFrom, s[0].ClaimedBy, s[0].ClaimedUntil = "x", "night-desk", look.Now+1
	if got := screen(list(s), small, 60, 13); !strings.Contains(got, "edited call   5s  Bash") {
		t.Errorf("%s", got)
	}
}

func TestGoldens(t *testing.T) {
	for _, c := range frametest.Cases(look.Now) {
		t.Run(c.Name, func(t *testing.T) {
			s := asks(12)
			s[0].Urgency, s[0].Mandated = 1, true
			s[1].Urgency, s[1].Irreversible, s[1].Kind = 1, true, "commit"
			for _, i := range []int{2, 4, 7} {
				s[i] = alike(s[i], "go test ./...")
			}
			for i := 8; i < 11; i++ {
				s[i] = alike(s[i], "npm ci")
			}
			s[3].ClaimedBy, s[3].ClaimedUntil = "mia", look.Now+1
			s[5].ClaimedBy, s[5].ClaimedUntil = "night-desk", look.Now+1
			s[6].Kind, s[6].Tool, s[6].Gist = "question", "", "Which region may it use?"
			s[11].DerivedFrom, s[11].Gist, s[11].GistMore = "x", "set -eu\ncd /srv\necho é", 40
			s[5].AnswerBy = look.Now + 9*60_000
			edited := asks(20)[19]
			edited.State, edited.Verdict, edited.EditedTo, edited.MovedAt = queue.StateDenied, queue.VerdictDeny, "id-12", look.Now-60_000
			l := &List{}
			l.SetSelf("mia")
			l.SetKeys("f", "")
			page := s.page(l.FromTop())
			page.Snoozed = 2
			l.Top(page, Lists{Notices: []queue.NoticeView{{ID: 1, Sentence: "2 steers not delivered", At: look.Now - 22*60_000}}, Lately: []queue.Row{edited}})
			body := l.Body(c.Look, c.H)
			l.Move(2, c.Look, body)
			l.Unfold(c.Look, body)
			l.Select("id-9", c.Look, body)
			l.Unfold(c.Look, body)
			l.ToggleMark(look.Now)
			rows, at := l.Render(c.Look, c.W, c.H)
			frametest.Sound(t, rows, at, c.W, c.H)
			all := c.Text(rows)
			l.SetFilter(queue.Filter{Tool: "none"}, visible.Own("tool none"))
			l.Show(queue.Inbox{}, Lists{}, false, "")
			rows, _ = l.Render(c.Look, c.W, c.H)
			golden.RequireEqual(t, all+c.Text(rows))
		})
	}
}

func TestTheHostileCorporaStayInTheirRows(t *testing.T) {
	texts := frametest.Hostile(t, "../testdata")
	for w := 20; w <= 140; w += 15 {
		for at := 0; at < len(texts); at += 40 {
			var s store
			var lists Lists
			for i, x := range texts[at:min(at+40, len(texts))] {
				r := ask(i + 1)
				r.Tool, r.Gist, r.Agent, r.ClaimedBy, r.ClaimedUntil = x, texts[(at+i*7)%len(texts)], x, x, look.Now+int64(i%2)
				r.Mandated, r.Irreversible, r.GistMore = i%5 == 0, i%7 == 0, int64(i%3)
				if i%2 == 0 {
					r = alike(r, "d")
				}
				s = append(s, r)
				lists.Notices = append(lists.Notices, queue.NoticeView{ID: int64(i + 1), Sentence: x, At: look.Now})
				r.State = queue.StateDenied
				r.ID += "past"
				lists.Lately = append(lists.Lately, r)
			}
			for _, split := range []bool{false, true} {
				look := look
				look.Split = split
				l := &List{}
				l.SetSelf(texts[at])
				l.SetFilter(queue.Filter{Find: texts[at]}, visible.Row(texts[at]))
				for range 2 {
					page := s.page(l.FromTop())
					page.Snoozed = 3
					l.Top(page, lists)
					for i := range 12 {
						h := []int{1, 2, 3, 13, 21, 30}[i%6]
						rows, cursor := l.Render(look, w, h)
						frametest.Sound(t, rows, cursor, w, h)
						if split {
							frametest.Strict(t, rows, "▌▲◆●○·✗!…×⏎")
						}
						l.ToggleMark(look.Now)
						l.Move(9, look, l.Body(look, h))
						l.Unfold(look, l.Body(look, h))
					}
					l.SetFilter(queue.Filter{}, visible.Text{})
				}
			}
		}
	}
}

func TestAnUnfilteredListHasNoFilterRow(t *testing.T) {
	l := list(asks(2))
	if l.Body(look, 20) != Body(look, 20) || l.Body(look, 20) != 19 {
		t.Error("body")
	}
	l.SetFilter(queue.Filter{Tool: "Bash"}, visible.Own("tool Bash"))
	l.Show(asks(2).page(l.FromTop()), Lists{}, false, "")
	if l.Body(look, 20) != 18 {
		t.Error("the filter's row is not counted")
	}
	rows, _ := l.Render(look, 80, 20)
	if rows[1].Plain() == "" || !strings.Contains(rows[1].Plain(), "filter: tool Bash") || rows[1][0].Role != themes.Muted {
		t.Error(plain(rows))
	}
}
