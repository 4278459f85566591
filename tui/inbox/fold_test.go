package inbox

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"nod/digest"
	"nod/queue"
	"nod/tui/frame"
	"nod/tui/frame/frametest"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("rapid.nofailfile", "true"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// alike gives an ask the digest of others.
func alike(r queue.Row, d string) queue.Row {
	r.ActionDigest, r.Gist = digest.Digest(d), d
	return r
}

// three is asks 1 to 6, of which 1, 3 and 6 are alike.
func three() store {
	s := asks(6)
	for _, i := range []int{0, 2, 5} {
		s[i] = alike(s[i], "same")
	}
	return s
}

func list(s store) *List {
	l := &List{}
	l.Top(s.page(l.FromTop()), Lists{})
	return l
}

func screen(l *List, look frame.Look, w, h int) string {
	rows, _ := l.Render(look, w, h)
	return plain(rows)
}

func ids(rows []queue.Row) string {
	var out []string
	for i := range rows {
		out = append(out, strings.TrimPrefix(rows[i].ID, "id-"))
	}
	return strings.Join(out, " ")
}

func TestAsksOfOneDigestAreOneRow(t *testing.T) {
	s := three()
	s[5].AnswerBy = look.Now + 9*60_000 // the first deadline counts
	l := list(s)
	got := screen(l, look, 80, 21)
	if strings.Count(got, "Bash  same") != 1 || !strings.Contains(got, "▌● call ×3       5s    9m  Bash  same  by a\n") {
		t.Fatalf("%s", got)
	}
	if l.Selected().Ask != "id-1" || ids(l.Folded("id-3")) != "1 3 6" || ids(l.Folded("id-2")) != "2" || l.Folded("id-9") != nil {
		t.Errorf("%+v; %s; %s", l.Selected(), ids(l.Folded("id-3")), ids(l.Folded("id-2")))
	}
	s[2].Agent = "other"
	if got := screen(list(s), look, 80, 21); !strings.Contains(got, "Bash  same  by several agents") {
		t.Errorf("one agent stands for two:\n%s", got)
	}
	for name, change := range map[string]func(*queue.Row){
		"kind":         func(r *queue.Row) { r.Kind = "question" },
		"mandated":     func(r *queue.Row) { r.Mandated = true },
		"irreversible": func(r *queue.Row) { r.Irreversible = true },
		"digest":       func(r *queue.Row) { r.ActionDigest = "other" },
	} {
		s := three()
		change(&s[0])
		if got := screen(list(s), look, 80, 21); !strings.Contains(got, "call ×2") || strings.Count(got, "Bash  same") != 2 {
			t.Errorf("another %s folds with them:\n%s", name, got)
		}
	}
	s = asks(3)
	if got := screen(list(s), look, 80, 21); strings.Contains(got, "×") {
		t.Errorf("asks without a digest fold:\n%s", got)
	}
}

func TestAFoldOpensInPlace(t *testing.T) {
	l := list(three())
	_, at := l.Render(look, 80, 21)
	if !l.Unfold(look, 20) {
		t.Fatal("not opened")
	}
	rows, now := l.Render(look, 80, 21)
	want := " ● call          5s    2h    Bash  same  by a"
	if at != now || !strings.HasPrefix(rows[at+1].Plain(), want) || !strings.HasPrefix(rows[at+2].Plain(), want) || !strings.Contains(rows[at+3].Plain(), "echo 2") {
		t.Fatalf("%s", plain(rows))
	}
	l.Move(2, look, 20)
	if l.Selected().Ask != "id-6" {
		t.Errorf("the third is %s", l.Selected().Ask)
	}
	s := three()
	s[5].Tool = "Changed"
	l.Refresh(s.page(l.Again()), Lists{})
	if l.Selected().Ask != "id-6" || !strings.Contains(screen(l, look, 80, 21), "▌● call          5s    2h    Changed") {
		t.Errorf("%s", screen(l, look, 80, 21))
	}
	_, at = l.Render(look, 80, 21)
	l.Unfold(look, 20)
	if rows, now := l.Render(look, 80, 21); l.Selected().Ask != "id-1" || now != at-2 || !strings.Contains(rows[now].Plain(), "call ×3") {
		t.Errorf("closed at %d, before at %d:\n%s", now, at, plain(rows))
	}
	l.Move(1, look, 20)
	if l.Unfold(look, 20) {
		t.Error("a single ask unfolds")
	}
	l.Refresh(three().page(l.Again()), Lists{})
	l.Select("id-6", look, 20)
	if l.Selected().Ask != "id-6" || !strings.Contains(screen(l, look, 80, 21), "▌● call          5s    2h    Bash  same") {
		t.Errorf("an ask that is gone to stays hidden:\n%s", screen(l, look, 80, 21))
	}
}

func TestAnAnsweredLeaderStaysAndTheOthersGetARow(t *testing.T) {
	s := three()
	l := list(s)
	l.Move(1, look, 20) // on 2, below the fold
	_, at := l.Render(look, 80, 21)
	gone := s[0]
	gone.State, gone.Verdict, gone.MovedAt = queue.StateDenied, queue.VerdictDeny, look.Now
	l.Refresh(s[1:].page(l.Again()), Lists{Lately: []queue.Row{gone}})
	rows, now := l.Render(look, 80, 21)
	text := plain(rows)
	if now != at || !strings.Contains(text, "✗ denied") || !strings.Contains(text, "call ×2") || l.Selected().Ask != "id-2" {
		t.Fatalf("row %d, before %d:\n%s", now, at, text)
	}
	if l.Fresh() != 0 {
		t.Errorf("%d fresh", l.Fresh())
	}
	// A batch answers all: one row stays one row.
	s = three()
	l = list(s)
	var lately []queue.Row
	for _, i := range []int{0, 2, 5} {
		r := s[i]
		r.State, r.Verdict, r.MovedAt = queue.StateAllowed, queue.VerdictAllow, look.Now
		r.DecidedAt, r.UseWithinMS = look.Now, 60_000
		lately = append(lately, r)
	}
	l.Refresh(store{s[1], s[3], s[4]}.page(l.Again()), Lists{Lately: lately})
	if text := screen(l, look, 80, 21); strings.Count(text, "Bash  same") != 3 || !strings.Contains(text, "▌✓ allowed ×3") {
		t.Errorf("%s", text) // the fold's row, and the two others below "Answered lately"
	}
}

// TestTheHandGoesIntoNoOthersRow: what comes in before the selected ask, or
// what becomes of it, never hides it in a fold that another one leads.
func TestTheHandGoesIntoNoOthersRow(t *testing.T) {
	s := three()[1:] // 3 leads, 6 follows
	l := list(s)
	l.Select("id-3", look, 20)
	before := alike(ask(0), "same")
	l.Show(append(store{before}, s...).page(l.FromTop()), Lists{}, false, "")
	if l.Selected().Ask != "id-3" || !strings.Contains(screen(l, look, 80, 21), "▌● call ×3") {
		t.Errorf("on %s:\n%s", l.Selected().Ask, screen(l, look, 80, 21))
	}
	s = three()
	s[0].Mandated, s[0].Urgency, s[2].Mandated, s[2].Urgency = true, 1, true, 1
	l = list(s)
	l.Select("id-6", look, 20)
	_, at := l.Render(look, 80, 21)
	s[5].Mandated = true // it joins the others' fold
	l.Refresh(s.page(l.Again()), Lists{})
	if rows, now := l.Render(look, 80, 21); l.Selected().Ask != "id-6" || now != at || !strings.Contains(rows[now].Plain(), "▌◆ mandated ") {
		t.Errorf("row %d, before %d:\n%s", now, at, plain(rows))
	}
}

func TestTheSelectedRowIsNeverLetGo(t *testing.T) {
	s := asks(900)
	l := &List{}
	l.End(s.page(l.FromEnd()), Lists{})
	for l.above {
		q := queue.QInbox{Before: &queue.Key{Urgency: l.top.Urgency, Seq: l.top.Seq}, Limit: Page}
		l.Extend(q, true, s.page(q))
	}
	if l.Selected().Ask != "id-900" || l.rows[0].ID != "id-1" {
		t.Errorf("the hand is on %q, the first row is %s", l.Selected().Ask, l.rows[0].ID)
	}
}

func TestCountsFitTheStateColumn(t *testing.T) {
	for _, g := range []frame.Glyphs{frame.Unicode(), frame.ASCII()} {
		for _, word := range []string{"call", "question", "mandated", "irreversible", "commit", "edited call", "marked", "allowed", "withdrawn"} {
			for _, n := range []int{1, 2, 9, 10, 64, 99, 100, 300, 1000, 99999} {
				for _, more := range []bool{false, true} {
					got := times(g, word, n, more)
					if n > 1 && ansi.StringWidth(got) > stateCells {
						t.Errorf("%q has %d cells", got, ansi.StringWidth(got))
					}
					var m int
					_, after, _ := strings.Cut(got, g.Times)
					if n > 1 {
						if _, err := fmt.Sscanf(after, "%d", &m); err != nil {
							t.Errorf("%q holds no count", got)
						}
					}
					exact, least := m == n && !more, m <= n && (m < n || more)
					if plus := strings.HasSuffix(got, "+"); n > 1 && (plus && !least || !plus && !exact) {
						t.Errorf("%s of %d, more %v, is %q", word, n, more, got)
					}
					if n == 1 && got != word {
						t.Errorf("%q", got)
					}
				}
			}
		}
	}
	for want, got := range map[string]string{
		"call ×64": times(frame.Unicode(), "call", 64, false), "mandated×12": times(frame.Unicode(), "mandated", 12, false),
		"mandated×9+": times(frame.Unicode(), "mandated", 100, false), "irrev. ×12": times(frame.Unicode(), "irreversible", 12, false),
		"call x200+": times(frame.ASCII(), "call", 200, true),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestAFoldOfTheWholeQueueIsReadThroughAndHeldSmall(t *testing.T) {
	var s store
	for i := range 3000 {
		s = append(s, alike(ask(i+1), "same"))
	}
	s = append(s, ask(3001))
	l := list(s)
	follow(l, s)
	if len(l.rows) > held+hiddenHeld {
		t.Fatalf("%d rows held", len(l.rows))
	}
	text := screen(l, look, 80, 21)
	if !strings.Contains(text, "▌● call ×201+") || !strings.Contains(text, "echo 3001") {
		t.Fatalf("%s", text)
	}
	if l.Position("id-3001") != 0 {
		t.Errorf("its place among the pending is said to be %d", l.Position("id-3001"))
	}
	l.Refresh(s.page(l.Again()), Lists{})
	if l.Fresh() != 0 {
		t.Errorf("%d fresh", l.Fresh())
	}
}

// TestFoldsRefreshesAndPagesKeepTheSelectedRow: nothing but the operator moves
// the selected id, neither to another ask nor to another row of the screen.
func TestFoldsRefreshesAndPagesKeepTheSelectedRow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(seq int) queue.Row {
			r := ask(seq)
			r.Urgency = rapid.Int64Range(1, 3).Draw(t, "urgency")
			if d := rapid.IntRange(0, 6).Draw(t, "digest"); d > 1 {
				r = alike(r, fmt.Sprint("d", d))
			}
			r.Mandated = r.Urgency == 1
			return r
		}
		var s store
		n := rapid.IntRange(1, 500).Draw(t, "asks")
		for i := range n {
			r := ask(i + 1)
			r.Urgency = int64(1 + i*3/n)
			if d := (i * 7919) % 11; d > 4 {
				r = alike(r, fmt.Sprint("d", d))
			}
			r.Mandated = r.Urgency == 1
			s = append(s, r)
		}
		lists := Lists{Notices: []queue.NoticeView{{ID: 1, Sentence: "a"}, {ID: 2, Sentence: "b"}}}
		look := look
		look.H = rapid.SampledFrom([]int{16, 22, 30}).Draw(t, "screen")
		h := rapid.IntRange(2, 27).Draw(t, "h")
		l, seq := &List{}, 1000
		if rapid.Bool().Draw(t, "end") {
			l.End(s.page(l.FromEnd()), lists)
		} else {
			l.Top(s.page(l.FromTop()), lists)
		}
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			l.Move(rapid.SampledFrom([]int{-120, -7, -1, 0, 1, 3, 90}).Draw(t, "move"), look, l.Body(look, h))
			was := l.Selected()
			_, at := l.Render(look, 80, h)
			what := rapid.SampledFrom([]string{"unfold", "new", "answer", "extend", "lists", "snooze"}).Draw(t, "what")
			switch what {
			case "unfold":
				l.Unfold(look, l.Body(look, h))
				if l.Selected() != was {
					continue // it was closed from within, and the hand went to its row
				}
			case "new":
				seq++
				s = append(s, draw(seq))
				slices.SortFunc(s, func(a, b queue.Row) int {
					if after(keyOf(&a), keyOf(&b)) {
						return 1
					}
					return -1
				})
				l.Refresh(s.page(l.Again()), lists)
			case "answer":
				i := rapid.IntRange(0, len(s)-1).Draw(t, "which")
				if len(s) > 1 {
					r := s[i]
					r.State, r.Verdict = queue.StateDenied, queue.VerdictDeny
					s = slices.Delete(slices.Clone(s), i, i+1)
					with := lists
					if rapid.Bool().Draw(t, "known") {
						with.Lately = []queue.Row{r}
					}
					l.Refresh(s.page(l.Again()), with)
				}
			case "extend":
				if q, up, ok := l.Wants(); ok {
					l.Extend(q, up, s.page(q))
				}
			case "lists":
				lists.Notices = lists.Notices[:rapid.IntRange(0, len(lists.Notices)).Draw(t, "notices")]
				lists.Lately = nil
				l.Refresh(s.page(l.Again()), lists)
			case "snooze":
				page := s.page(l.Again())
				page.Snoozed = rapid.Int64Range(0, 2).Draw(t, "snoozed")
				l.Refresh(page, lists)
			}
			rows, to := l.Render(look, 80, h)
			frametest.Sound(t, rows, to, 80, h)
			if l.Selected() != was {
				t.Fatalf("%s: the hand went from %v to %v", what, was, l.Selected())
			}
			if at != to {
				t.Fatalf("%s: %v moved from row %d to %d of\n%s", what, was, at, to, plain(rows))
			}
			visible := map[string]bool{}
			for _, it := range l.lay(look.Now) {
				if visible[it.row.ID] {
					t.Fatalf("%s: %s stands there twice", what, it.row.ID)
				}
				visible[it.row.ID] = true
			}
			for i := range l.rows {
				r := &l.rows[i]
				if own, _ := l.owner(r.ID); r.State == queue.StatePending && !visible[l.rows[own].ID] {
					t.Fatalf("%s: %s is nowhere", what, r.ID)
				}
			}
		}
	})
}

// TestNoFoldIsUnderWhatWasAnsweredLately: an answered row whose fold is closed
// stands among what was answered lately; the fold is not under the hand there,
// and opening it would take the row away.
func TestNoFoldIsUnderWhatWasAnsweredLately(t *testing.T) {
	s := three()
	l := list(s)
	gone := s[2]
	gone.State, gone.Verdict = queue.StateDenied, queue.VerdictDeny
	l.Refresh(store{s[0], s[1], s[3], s[4], s[5]}.page(l.Again()), Lists{Lately: []queue.Row{gone}})
	h := l.Body(look, 21)
	l.Move(90, look, h)
	if l.Selected().Ask != gone.ID {
		t.Fatalf("%v is selected:\n%s", l.Selected(), screen(l, look, 80, 21))
	}
	before := screen(l, look, 80, 21)
	if l.Unfold(look, h) || screen(l, look, 80, 21) != before {
		t.Errorf("a fold opened:\n%s", screen(l, look, 80, 21))
	}
}
