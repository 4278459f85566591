package inbox

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"nod/queue"
)

func TestAFoldIsMarkedWhole(t *testing.T) {
	s := three()
	l := list(s)
	if why := l.ToggleMark(look.Now); why != "" || ids(l.Marked()) != "1 3 6" {
		t.Fatalf("%q: %s", why, ids(l.Marked()))
	}
	if got := screen(l, look, 80, 21); !strings.Contains(got, "▌● marked ×3     5s    2h  Bash  same") ||
		!strings.HasSuffix(strings.SplitN(got, "\n", 2)[0], "3 marked") {
		t.Errorf("%s", got)
	}
	l.Unfold(look, 20)
	l.Move(1, look, 20)
	if why := l.ToggleMark(look.Now); why != "" || ids(l.Marked()) != "1 6" {
		t.Errorf("%q: %s", why, ids(l.Marked()))
	}
	if got := screen(l, look, 80, 21); !strings.Contains(got, " ● marked 2/3    5s") || !strings.Contains(got, " ● marked        5s    2h    Bash") {
		t.Errorf("%s", got)
	}
	l.Move(2, look, 20)
	l.ToggleMark(look.Now)
	if ids(l.Marked()) != "1 2 6" {
		t.Errorf("%s", ids(l.Marked()))
	}
	l.ToggleMark(look.Now)
	l.Select("id-1", look, 20)
	l.Unfold(look, 20)
	l.ToggleMark(look.Now) // 3 joins
	l.ToggleMark(look.Now) // and all go
	if len(l.Marked()) != 0 || strings.Contains(screen(l, look, 80, 21), "marked") {
		t.Errorf("%s", ids(l.Marked()))
	}
	l.ToggleMark(look.Now)
	l.ClearMarks()
	if len(l.Marked()) != 0 {
		t.Error("still marked")
	}
}

func TestWhatIsAnsweredAloneIsNotMarked(t *testing.T) {
	for want, change := range map[string]func(*queue.Row){
		"mandated":      func(r *queue.Row) { r.Mandated = true },
		"irreversible":  func(r *queue.Row) { r.Irreversible = true },
		"commit":        func(r *queue.Row) { r.Kind, r.Irreversible = "commit", true },
		"question":      func(r *queue.Row) { r.Kind = "question" },
		"waits":         func(r *queue.Row) { r.State = queue.StateDenied },
		"longer waits":  func(r *queue.Row) { r.AnswerBy = look.Now },
		"another tool ": func(r *queue.Row) { r.Tool = "Write" },
	} {
		s := asks(3)
		change(&s[1])
		l := list(s)
		if why := l.ToggleMark(look.Now); why != "" {
			t.Fatal(why)
		}
		l.Move(1, look, 20)
		if l.Selected().Ask != "id-2" {
			l.Select("id-2", look, 20)
		}
		if why := l.ToggleMark(look.Now); !strings.Contains(why, want) || ids(l.Marked()) != "1" {
			t.Errorf("%s: %q, marked %s", want, why, ids(l.Marked()))
		}
	}
	l := &List{}
	l.Top(queue.Inbox{}, Lists{Notices: []queue.NoticeView{{ID: 1}}})
	if why := l.ToggleMark(look.Now); !strings.Contains(why, "notice") {
		t.Error(why)
	}
	l.Top(queue.Inbox{}, Lists{Lately: asks(1)})
	l.Select("id-1", look, 20)
	if why := l.ToggleMark(look.Now); why == "" {
		t.Error("what was answered lately is marked")
	}
}

func TestABatchHoldsSixtyFour(t *testing.T) {
	s := asks(70)
	for i := range 60 {
		s[i] = alike(s[i], "same")
	}
	l := list(s)
	for range 11 {
		before := len(l.Marked())
		if why := l.ToggleMark(look.Now); (why != "") != (before == MostMarked) {
			t.Fatalf("%d marked: %q", len(l.Marked()), why)
		}
		l.Move(1, look, 20)
	}
	if len(l.Marked()) != 64 {
		t.Errorf("%d marked", len(l.Marked()))
	}
	for i := range 60 {
		s[i].ActionDigest = "same"
	}
	for i := 60; i < 70; i++ {
		s[i] = alike(s[i], "other")
	}
	l = list(s)
	l.ToggleMark(look.Now)
	l.Move(1, look, 20)
	if why := l.ToggleMark(look.Now); why == "" || len(l.Marked()) != 60 {
		t.Errorf("half a fold is marked: %d, %q", len(l.Marked()), why)
	}
}

// TestMarksSurvive: a mark goes when the operator takes it away, or when its
// ask is known to wait no more; no page, refresh or fold takes or gives one.
func TestMarksSurvive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := asks(rapid.IntRange(5, 450).Draw(t, "asks"))
		for i := range s {
			if i%3 == 0 {
				s[i] = alike(s[i], fmt.Sprint("d", i%9))
			}
		}
		l := list(s)
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			was := ids(l.Marked())
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0:
				l.Move(rapid.IntRange(-90, 90).Draw(t, "move"), look, 20)
				follow(l, s)
			case 1:
				l.Refresh(s.page(l.Again()), Lists{})
			case 2:
				l.Unfold(look, 20)
			case 3:
				l.End(s.page(l.FromEnd()), Lists{})
			case 4:
				l.Top(s.page(l.FromTop()), Lists{})
			case 5:
				l.ToggleMark(look.Now)
				was = ids(l.Marked())
			}
			if now := ids(l.Marked()); now != was {
				t.Fatalf("%s was marked, and now %s", was, now)
			}
		}
	})
	s := asks(4)
	l := list(s)
	for range 3 {
		l.ToggleMark(look.Now)
		l.Move(1, look, 20)
	}
	gone := s[0]
	gone.State = queue.StateDenied
	l.Refresh(s[1:].page(l.Again()), Lists{Lately: []queue.Row{gone}})
	if ids(l.Marked()) != "2 3" {
		t.Errorf("%s", ids(l.Marked()))
	}
	l.Show(s[2:].page(l.FromTop()), Lists{}, false, "")
	if ids(l.Marked()) != "3" {
		t.Errorf("%s", ids(l.Marked()))
	}
}
