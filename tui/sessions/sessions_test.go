package sessions

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"nod/boundary"
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/frame/frametest"
	"nod/tui/say"
)

const now = int64(1_796_135_520_000) // 2026-12-01 14:32

var look = frame.Look{Glyphs: frame.Unicode(), W: 80, H: 24, Now: now, Loc: time.UTC}

// mock is the sessions of SCREENS §10.
func mock() queue.Sessions {
	s := func(id, parent, agent string, started, act int64, waits int64) queue.SessionView {
		return queue.SessionView{ID: "n-" + id, Host: "s-" + id, Parent: parent, Agent: agent, Started: now - started, LastAct: now - act, Waits: waits}
	}
	out := []queue.SessionView{
		s("71c4", "n-70aa", "support-bot", 41*say.Minute, 2*say.Minute, 1),
		s("6f02", "", "shop-fixer", say.Hour, 3*say.Minute, 5),
		s("70aa", "", "ops-desk", 2*say.Hour, say.Hour, 0),
		s("71f9", "n-71c4", "mailer", 30*say.Minute, say.Minute, 0),
		s("73d1", "n-70aa", "release-bot", 35*say.Minute, 22*say.Minute, 0),
		s("6e10", "", "release-bot", 50*say.Minute, 10*say.Minute, 2),
		s("69b8", "n-gone", "importer", 3*say.Hour, 3*say.Hour, 0),
		s("6000", "", "", 60*say.Hour, 25*say.Hour, 0),
	}
	out[4].EndedAt = now - 22*say.Minute
	out[6].Frozen = true
	for _, i := range []int{0, 2, 3, 4} {
		s := &out[i]
		s.Armed, s.Governed, s.Observed, s.Target = now-29*say.Minute-49*say.Second, now-29*say.Minute-49*say.Second, now-12*say.Minute-20*say.Second, "lab-7"
		if s.ID != "n-70aa" {
			s.Tree = "n-70aa"
		}
	}
	out[6].Armed, out[6].Observed, out[6].Governed, out[6].Unreadable = now-3*say.Hour, now-2*say.Day, now-3*say.Hour, "its parent session is unknown"
	return queue.Sessions{Sessions: out}
}

// written is what was written down of the tree of s-70aa.
func written() queue.Records {
	r := func(ago int64, phase boundary.Phase, bits ...string) queue.RecordView {
		return queue.RecordView{Run: "n-70aa.1", Phase: phase, Bits: bits, At: now - ago}
	}
	return queue.Records{Records: []queue.RecordView{
		r(12*say.Minute+20*say.Second, boundary.Exit, boundary.BitArmed, boundary.BitObserved, boundary.BitGoverned),
		r(29*say.Minute+49*say.Second, boundary.Exit, boundary.BitArmed, boundary.BitGoverned),
	}}
}

func shown(l *List, look frame.Look, w, h int) string {
	rows, _ := l.Render(look, w, h)
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(strings.TrimRight(r.Plain(), " ") + "\n")
	}
	return b.String()
}

func TestGoldens(t *testing.T) {
	for _, c := range frametest.Cases(now) {
		t.Run(c.Name, func(t *testing.T) {
			var l List
			l.Freezes([]queue.FreezeView{{Session: "n-69b8", Since: now - 28*say.Minute, By: "mia"}})
			l.Show(mock())
			l.Records("n-70aa", written())
			rows, at := l.Render(c.Look, c.W, c.H)
			frametest.Sound(t, rows, at, c.W, c.H)
			text := c.Text(rows)
			l.Move(1, c.Look, c.H)
			l.Fold()
			rows, _ = l.Render(c.Look, c.W, c.H)
			text += c.Text(rows)
			l.End(c.Look, c.H)
			rows, _ = l.Render(c.Look, c.W, c.H)
			golden.RequireEqual(t, text+c.Text(rows))
		})
	}
}

func TestStates(t *testing.T) {
	base := queue.SessionView{Started: now - 3*say.Day, LastAct: now - 5}
	for want, change := range map[string]func(*queue.SessionView){
		"● live 5w":  func(s *queue.SessionView) { s.Started = now - 5*say.Week },
		"○ ended 2h": func(s *queue.SessionView) { s.EndedAt = now - 2*say.Hour },
		"○ quiet 1d": func(s *queue.SessionView) { s.LastAct = now - say.Day },
		"● live 3d":  func(s *queue.SessionView) { s.LastAct = now - say.Day + 1 },
		"‖ frozen 9m": func(s *queue.SessionView) {
			s.Frozen, s.ID = true, "f"
			s.EndedAt = now - 1
		},
		"‖ frozen 2h": func(s *queue.SessionView) { s.Frozen, s.EndedAt = true, now-2*say.Hour },
	} {
		s := base
		change(&s)
		var l List
		l.Freezes([]queue.FreezeView{{Session: "f", Since: now - 9*say.Minute}})
		l.Show(queue.Sessions{Sessions: []queue.SessionView{s}})
		shape, word, role := State(look.Glyphs, &s, now)
		if got := shape + " " + word + " " + say.Age(now-l.begin(now, &s)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if (role == themes.Danger) != s.Frozen {
			t.Errorf("%s has role %v", word, role)
		}
		if !strings.Contains(shown(&l, look, 80, 20), "▌"+shape+" "+word) {
			t.Errorf("not drawn:\n%s", shown(&l, look, 80, 20))
		}
	}
}

func TestWhatIsFoldedIsCountedAndTheHandStays(t *testing.T) {
	var l List
	l.Show(mock())
	l.Select("n-71c4", look, 20)
	before, at := l.Render(look, 80, 20)
	if !l.Fold() {
		t.Fatal("not folded")
	}
	rows, now := l.Render(look, 80, 20)
	text := shown(&l, look, 80, 20)
	if now != at || !strings.Contains(rows[at].Plain(), "├─ ×1 folded s-71c4") || strings.Contains(text, "s-71f9") {
		t.Fatalf("%s", text)
	}
	if !strings.Contains(text, "1 session below it, folded") {
		t.Errorf("the block does not say it:\n%s", text)
	}
	l.Show(mock())
	if shown(&l, look, 80, 20) != text {
		t.Error("showing anew opens the fold")
	}
	l.Fold()
	again, _ := l.Render(look, 80, 20)
	if fmt.Sprint(before) != fmt.Sprint(again) {
		t.Error("not as before")
	}
	l.Select("n-71f9", look, 20)
	if l.Fold() {
		t.Error("a leaf folds")
	}
	l.Select("n-70aa", look, 20)
	l.Fold()
	if !l.Select("n-71f9", look, 20) || !strings.Contains(shown(&l, look, 80, 20), "s-71f9") {
		t.Error("a session that is gone to stays hidden")
	}
	l.Select("n-71f9", look, 20)
	l.folded = map[string]bool{"n-70aa": true, "n-71c4": true}
	l.Show(mock())
	if s, _ := l.Selected(); s.ID != "n-70aa" {
		t.Errorf("behind a fold the hand is on %s", s.ID)
	}
}

func TestClosingAFoldAtTheEndOfTheListMovesNothing(t *testing.T) {
	var in queue.Sessions
	for i := range 30 {
		s := queue.SessionView{ID: fmt.Sprint("id", 100+i), Host: fmt.Sprint("h", i), Started: now + int64(i), LastAct: now - int64(i)}
		if i > 25 {
			s.Parent = "id125"
		}
		in.Sessions = append(in.Sessions, s)
	}
	var l List
	l.Show(in)
	l.End(look, 20)
	l.Select("id125", look, 20)
	_, at := l.Render(look, 80, 20)
	for range 2 {
		l.Fold()
		if rows, now := l.Render(look, 80, 20); now != at || !strings.Contains(rows[now].Plain(), "h25") {
			t.Fatalf("row %d, before %d:\n%s", now, at, shown(&l, look, 80, 20))
		}
	}
}

func TestTheHostsIDIsWhole(t *testing.T) {
	id := strings.Repeat("abcdefghij", 9)
	var l List
	l.Show(queue.Sessions{Sessions: []queue.SessionView{{ID: "x", Host: id, LastAct: now, Started: now}}})
	text := shown(&l, look, 60, 20)
	got := strings.ReplaceAll(strings.ReplaceAll(text[strings.Index(text, "Host id"):], " ", ""), "\n", "")
	if got != "Hostid"+strings.ReplaceAll(id[:44]+"↳"+id[44:88]+"↳"+id[88:], "", "") {
		t.Errorf("%s", text)
	}
}

// The block says what clamps hold, and by which rules they deny; a name that a
// host chose is drawn.
func TestClampsAreInTheBlock(t *testing.T) {
	for want, v := range map[string]queue.SessionView{
		"Clamps      autoAllow, edits\n":              {ID: "s-1", Host: "one", LastAct: now, Started: now, Clamps: []string{"autoAllow", "edits"}},
		"Clamps      denies by deploys, own\n":        {ID: "s-1", Host: "one", LastAct: now, Started: now, DenyRules: []string{"deploys", "own"}},
		"Clamps      grants, denies by a\\u{1B}[2J\n": {ID: "s-1", Host: "one", LastAct: now, Started: now, Clamps: []string{"grants"}, DenyRules: []string{"a\x1b[2J"}},
		"Source      resume\n":                        {ID: "s-1", Host: "one", LastAct: now, Started: now, Source: "resume"},
	} {
		l := new(List)
		l.Show(queue.Sessions{Sessions: []queue.SessionView{v}})
		got := shown(l, look, 80, 24)
		var lines []string
		for line := range strings.Lines(got) {
			lines = append(lines, strings.TrimRight(strings.TrimSpace(line), " ")+"\n")
		}
		if !slices.Contains(lines, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestNewSessionsAreCountedAndMoveNothing(t *testing.T) {
	var l List
	l.Show(mock())
	l.Move(3, look, 20)
	before := shown(&l, look, 80, 20)
	more := mock()
	more.Sessions = append(more.Sessions, queue.SessionView{ID: "new", Host: "new", LastAct: now, Started: now})
	l.Refresh(more)
	if l.Fresh() != 1 || shown(&l, look, 80, 20) != before {
		t.Errorf("%d fresh:\n%s", l.Fresh(), shown(&l, look, 80, 20))
	}
	more.Sessions[0].Waits = 77 // 71c4
	l.Refresh(more)
	if !strings.Contains(shown(&l, look, 80, 20), "77  joins  joins  joins     ├─ s-71c4") {
		t.Errorf("not refreshed:\n%s", shown(&l, look, 80, 20))
	}
	l.Show(more)
	if !strings.Contains(shown(&l, look, 80, 20), "new") || l.Fresh() != 0 {
		t.Error("show does not bring it in")
	}
	var none List
	none.Show(queue.Sessions{})
	if !strings.Contains(shown(&none, look, 80, 20), "No agent has opened a session yet.") {
		t.Error(shown(&none, look, 80, 20))
	}
	none.Refresh(more)
	if _, ok := none.Selected(); !ok {
		t.Error("into an empty view nothing comes")
	}
}

// forest draws any parents: rings, missing ones, itself.
func forest(t *rapid.T) queue.Sessions {
	n := rapid.IntRange(0, 30).Draw(t, "n")
	var out queue.Sessions
	for i := range n {
		p := rapid.IntRange(-3, n).Draw(t, "parent")
		parent := fmt.Sprint("id", p)
		if p < 0 {
			parent = ""
		}
		out.Sessions = append(out.Sessions, queue.SessionView{
			ID: fmt.Sprint("id", i), Host: fmt.Sprint("host<", i, ">"), Parent: parent, Agent: "a",
			Started: now - rapid.Int64Range(0, 10).Draw(t, "started"), LastAct: now - rapid.Int64Range(0, 10).Draw(t, "act"),
		})
	}
	return out
}

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("rapid.nofailfile", "true"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func TestEverySessionIsThereOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := forest(t)
		all, nodes := plant(append(in.Sessions, in.Sessions...)) // twice is once
		if len(nodes) != len(in.Sessions) {
			t.Fatalf("%d rows for %d sessions", len(nodes), len(in.Sessions))
		}
		seen := map[string]bool{}
		for i, n := range nodes {
			s := all[n.of]
			if seen[s.ID] {
				t.Fatalf("%s stands there twice", s.ID)
			}
			seen[s.ID] = true
			if n.up >= 0 {
				up := nodes[n.up]
				if all[up.of].ID != s.Parent || n.depth != up.depth+1 || n.up >= i || i > n.up+up.below {
					t.Fatalf("%s hangs below %s", s.ID, all[up.of].ID)
				}
			}
		}
	})
}

func TestATreeIsTheRowsOfTheView(t *testing.T) {
	ring := append(mock().Sessions,
		queue.SessionView{ID: "n-r1", Parent: "n-r2", LastAct: now - 1}, queue.SessionView{ID: "n-r2", Parent: "n-r1", LastAct: now})
	var got []string
	for _, b := range Tree(ring) {
		got = append(got, fmt.Sprint(b.Depth, " ", b.ID))
	}
	want := []string{"0 n-r2", "1 n-r1", "0 n-70aa", "1 n-71c4", "2 n-71f9", "1 n-73d1", "0 n-6f02", "0 n-6e10", "0 n-69b8", "0 n-6000"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestFoldsAndRefreshesKeepTheSelectedRow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := forest(t)
		h := rapid.IntRange(1, 30).Draw(t, "h")
		look := look
		look.H = rapid.SampledFrom([]int{16, 22, 30}).Draw(t, "screen")
		var l List
		l.Show(in)
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			l.Move(rapid.IntRange(-5, 5).Draw(t, "move"), look, h)
			was, _ := l.Selected()
			_, at := l.Render(look, 80, h)
			switch rapid.IntRange(0, 2).Draw(t, "what") {
			case 0:
				l.Fold()
			case 1:
				l.Refresh(queue.Sessions{Sessions: append(forest(t).Sessions, in.Sessions...)})
			case 2:
				l.Freezes([]queue.FreezeView{{Session: was.ID, Since: now}})
			}
			is, _ := l.Selected()
			rows, to := l.Render(look, 80, h)
			frametest.Sound(t, rows, to, 80, h)
			if was.ID == "" {
				continue
			}
			if was.ID != is.ID {
				t.Fatalf("the hand went from %s to %s", was.ID, is.ID)
			}
			if at != to {
				t.Fatalf("%s moved from row %d to %d", was.ID, at, to)
			}
			hidden := 0
			for _, n := range l.rows() {
				if l.folded[l.all[l.nodes[n].of].ID] {
					hidden += l.nodes[n].below
				}
			}
			if len(l.rows())+hidden != max(len(in.Sessions), len(l.all)) {
				t.Fatalf("%d rows and %d folded of %d", len(l.rows()), hidden, len(l.all))
			}
		}
	})
}

func TestTheHostileCorporaStayInTheirRows(t *testing.T) {
	texts := frametest.Hostile(t, "../testdata")
	var in queue.Sessions
	for i, text := range texts {
		s := queue.SessionView{ID: fmt.Sprint("id", i), Host: text, Agent: texts[len(texts)-1-i], Started: now, LastAct: now,
			Armed: now, Target: text, Unreadable: text}
		if i%3 == 0 {
			s.Unreadable = ""
		}
		if i%40 > 0 {
			s.Parent = fmt.Sprint("id", i-1)
		}
		in.Sessions = append(in.Sessions, s)
	}
	for w := 20; w <= 140; w += 15 {
		for _, split := range []bool{false, true} {
			look := look
			look.Split = split
			var l List
			l.Show(in)
			for _, text := range texts {
				if id, ok := l.Armed(); ok {
					l.Records(id, queue.Records{Records: []queue.RecordView{{Phase: boundary.Phase(text), Unreadable: text, At: now}}})
				}
				rows, at := l.Render(look, w, 21)
				frametest.Sound(t, rows, at, w, 21)
				if split {
					frametest.Strict(t, rows, "▌●○…│├└─×↳⏎–")
				}
				l.Move(9, look, 21)
			}
		}
	}
}

// A tree that cannot be read is told from one that is armed by a sign, a word and
// the reason; records are only those of the selected session.
func TestWhyATreeIsTheStrictest(t *testing.T) {
	var l List
	l.Show(mock())
	l.Select("n-69b8", look, 20)
	page := written()
	page.Records[0].Unreadable, page.More = "the record is not an object", true
	l.Records("n-69b8", page)
	text := shown(&l, look, 100, 36)
	for _, want := range []string{"!11:32 !11-29 !11:32", "Strictest   because its parent session is unknown", "Armed       11:32:00  read as the strictest",
		"Records     the newest 2 written, 1 read as the strictest, newest 14:19:40", "14:19:40  exit  read as the strictest: the record is not an object"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	l.Select("n-70aa", look, 20)
	if text := shown(&l, look, 100, 36); strings.Contains(text, "Records") || strings.Contains(text, "Strictest") {
		t.Errorf("another session's:\n%s", text)
	}
	l.Records("n-70aa", queue.Records{})
	if text := shown(&l, look, 100, 36); !strings.Contains(text, "Records     none of this session") {
		t.Error(text)
	}
}
