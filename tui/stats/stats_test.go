package stats

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/frame/frametest"
	"nod/tui/say"
)

const now = int64(1_796_135_520_000) // 2026-12-01 14:32

var look = frame.Look{Glyphs: frame.Unicode(), W: 80, H: 24, Now: now, Loc: time.UTC}

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("rapid.nofailfile", "true"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// mock is the numbers of SCREENS §11.
func mock(q queue.QStats) queue.Stats {
	s := queue.Stats{
		From: now - q.SpanMS, CellMS: q.SpanMS / q.Cells, HalfMS: 38_000, MostMS: 370_000, Waiting: 8, OldestMS: 12 * say.Minute, Now: now,
		Outcomes: queue.Outcomes{AllowedByPerson: 187, AllowedByRule: 71, Denied: 41, Withdrawn: 12, Expired: 2, Pending: 8},
		Tools: []queue.ToolStat{
			{Tool: "Bash", Asks: 141, Denied: 16, HalfMS: 21_000}, {Tool: "Write", Asks: 88, Denied: 15, HalfMS: 44_000},
			{Asks: 40, HalfMS: 1400}, {Tool: "WebFetch", Asks: 31, Denied: 10}, {Tool: "crm.update_contact", Asks: 1204, Denied: 1, HalfMS: 130_000},
		},
	}
	asks := []int64{19, 16, 14, 10, 9, 5, 4, 3, 2, 1, 0, 0, 2, 0, 2, 6, 11, 16, 42, 40, 27, 21, 33, 38}
	for i := range q.Cells {
		n := asks[i%24]
		s.Cells = append(s.Cells, queue.StatCell{Asks: n, Answers: n * 3 / 4, HalfMS: n * 1000})
	}
	return s
}

func page(change func(*queue.Stats)) *Page {
	p := &Page{}
	s := mock(p.Query())
	if change != nil {
		change(&s)
	}
	p.Show(p.Query(), s)
	p.Counters(queue.Counters{Unknown: 1})
	p.SetPace(11, 9000, 2000)
	return p
}

func text(p *Page, look frame.Look, w, h int) string {
	rows, _ := p.Render(look, w, h)
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(strings.TrimRight(r.Plain(), " ") + "\n")
	}
	return b.String()
}

func TestGoldens(t *testing.T) {
	for _, c := range frametest.Cases(now) {
		t.Run(c.Name, func(t *testing.T) {
			p := page(nil)
			rows, at := p.Render(c.Look, c.W, c.H)
			frametest.Sound(t, rows, at, c.W, c.H)
			all := c.Text(rows)
			p.SetSpan(Month)
			p.Show(p.Query(), mock(p.Query()))
			p.SetOrder(ByTool)
			p.End(c.Look, c.W, c.H)
			rows, at = p.Render(c.Look, c.W, c.H)
			frametest.Sound(t, rows, at, c.W, c.H)
			golden.RequireEqual(t, all+c.Text(rows))
		})
	}
}

func TestTheSentences(t *testing.T) {
	got := text(page(nil), look, 100, 30)
	for _, want := range []string{
		" [day]  week  month   24 hours to 14:32, a cell an hour, the right-most is now",
		"   Asks            ▄▄▃▂▂▁▁▁▁▁··▁·▁▂▃▄██▆▄▇█  321 in all, most 42 from 08:32",
		"half within 38 s, 95 % within 6 min 10 s",
		"   Waiting 8, oldest 12 min · unknown outcomes 1 · expired unanswered 2",
		"   Your pace: 11 answers in 10 min, half within 9 s (below 2 s the whole card is asked for again)",
		"   what became of them   asks  share",
		"▌  allowed by a person    187   58 %  ███████████████████████\n",
		"   allowed by a rule       71   22 %  █████████\n",
		"   denied                  41   13 %  █████\n",
		"   withdrawn or lapsed     12    4 %  █\n",
		"   nobody answered          2    1 %\n",
		"   waiting                  8    2 %  █\n",
		"    141    11 %         21 s   Bash\n",
		"     40     0 %        1.4 s   questions\n",
		"     31    32 %            –   WebFetch\n",
		"  1,204    <1 %   2 min 10 s   crm.update_contact\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestNothingLooksMeasuredThatIsNot(t *testing.T) {
	p := page(func(s *queue.Stats) {
		*s = queue.Stats{From: s.From, CellMS: s.CellMS, Cells: make([]queue.StatCell, 24), Now: now}
	})
	p.SetPace(0, 0, 2000)
	got := text(p, look, 80, 30)
	for _, want := range []string{
		"Asks            ························  0 in all\n", "no person answered", "Waiting 0 ·", "no answer in 10 min",
		"denied                   0      –\n", "No tool was asked for.",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	got = text(page(func(s *queue.Stats) { s.Unread = true }), look, 100, 30)
	for _, want := range []string{"At least: the span holds more than was looked at", "at least 321 in all"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	var none Page
	if got := text(&none, look, 80, 20); !strings.Contains(got, "reading…") || strings.Contains(got, "asks  share") {
		t.Errorf("before anything was read:\n%s", got)
	}
}

func TestAnAnswerForAnotherSpanIsDropped(t *testing.T) {
	p := page(nil)
	old := p.Query()
	p.SetSpan(Week)
	p.Show(old, mock(old))
	if p.Loaded() {
		t.Error("the day's numbers stand under the week")
	}
	if q := p.Query(); q.SpanMS != 7*say.Day || q.Cells != 28 || q.SpanMS%q.Cells != 0 {
		t.Errorf("%+v", q)
	}
	p.Show(p.Query(), mock(p.Query()))
	if !p.Loaded() {
		t.Error("the week's are not shown")
	}
}

func TestThePaceWarnsAndUnknownIsUnknown(t *testing.T) {
	role := func(p *Page, word string) themes.Role {
		rows, _ := p.Render(look, 100, 30)
		for _, r := range rows {
			for _, s := range r {
				if strings.Contains(s.Text.String(), word) {
					return s.Role
				}
			}
		}
		t.Fatalf("no %s", word)
		return 0
	}
	p := page(nil)
	if role(p, "Your pace") != themes.Text || role(p, "unknown outcomes") != themes.Unknown {
		t.Error("a calm pace or an unknown outcome")
	}
	p.SetPace(11, 1999, 2000)
	p.Counters(queue.Counters{})
	if role(p, "Your pace") != themes.Warn || role(p, "unknown outcomes") != themes.Text {
		t.Error("a fast pace or no unknown outcome")
	}
	rows, _ := p.Render(look, 100, 30)
	if last := rows[1][len(rows[1])-4]; last.Role != themes.Accent || frame.Width(last.Text) != 1 {
		t.Errorf("the cell that is now: %q in %v", last.Text, last.Role)
	}
}

func TestWithinIsNeverTooSmall(t *testing.T) {
	for ms, want := range map[int64]string{
		0: "0 s", 1: "0.1 s", 1400: "1.4 s", 1401: "1.5 s", 1990: "2 s", 2000: "2 s", 9999: "10 s", 38_000: "38 s", 38_001: "39 s",
		59_999: "1 min", 370_000: "6 min 10 s", say.Hour - 1: "1 h", say.Hour + 1: "1 h 1 min", 3*say.Day + 1: "3 d 1 h",
	} {
		if got := within(ms); got != want {
			t.Errorf("%d ms within %q, want %q", ms, got, want)
		}
	}
}

func TestSharesSumToAHundred(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.Int64Range(0, 1_000_000), 1, 8).Draw(t, "parts")
		var total, sum int64
		for _, p := range parts {
			total += p
		}
		for i, s := range shares(parts) {
			sum += s
			if total > 0 && (s*total < parts[i]*100-total || s*total > parts[i]*100+total) {
				t.Fatalf("%d of %d is %d %%", parts[i], total, s)
			}
			said := percent(look.Glyphs, s, parts[i], total)
			if (said == "0 %") != (parts[i] == 0 && total > 0) || (said == "100 %") != (parts[i] == total && total > 0) {
				t.Fatalf("%d of %d is said %q", parts[i], total, said)
			}
		}
		if total > 0 && sum != 100 || total == 0 && sum != 0 {
			t.Fatalf("the shares of %v sum to %d", parts, sum)
		}
	})
}

func TestSparklines(t *testing.T) {
	values := []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 80}
	for want, g := range map[string]frame.Glyphs{"·▁▁▁▁▁▁▁▁█": frame.Unicode(), ".111111118": frame.ASCII()} {
		if got := spark(g, values).Plain(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := spark(frame.ASCII(), []int64{1, 2, 3, 4, 5, 6, 7, 8}).Plain(); got != "12345678" {
		t.Error(got)
	}
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Int64Range(0, 1<<62), 1, 40).Draw(t, "values")
		if got := spark(frame.ASCII(), v).Plain(); len(got) != len(v) || strings.Trim(got, ".12345678") != "" {
			t.Fatalf("%q for %v", got, v)
		}
	})
}

func TestTheHistoryOfTheRow(t *testing.T) {
	p := page(nil)
	from := now - say.Day
	want := []queue.Filter{
		{By: queue.ByPerson, Verdict: queue.VerdictAllow, Since: from}, {By: queue.ByRule, Since: from}, {Verdict: queue.VerdictDeny, Since: from},
		{State: queue.StateWithdrawn, Since: from}, {State: queue.StateExpired, Since: from}, {},
		{Tool: "Bash", Since: from}, {Tool: "Write", Since: from}, {Kind: "question", Since: from},
	}
	for i, w := range want {
		f, name, ok := p.Filter()
		if f != w || ok != (w != queue.Filter{}) || ok != (name.Len() > 0) {
			t.Errorf("row %d: %+v %q %v", i, f, name, ok)
		}
		if tool, is := p.Selected(); is != (i > 5) || tool != w.Tool {
			t.Errorf("row %d: tool %q %v", i, tool, is)
		}
		p.Move(1, look, 80, 20)
	}
	less := mock(p.Query())
	less.Tools = less.Tools[:1]
	p.Show(p.Query(), less)
	if _, ok := p.Selected(); ok {
		t.Error("a tool that is gone is still under the hand")
	}
}

func TestTheWholeOfItIsReachedOnASmallScreen(t *testing.T) {
	for _, order := range []Order{ByVerdict, ByTool} {
		for h := 12; h < 30; h++ {
			p := page(func(s *queue.Stats) {
				s.Tools = nil
				for i := range 50 {
					s.Tools = append(s.Tools, queue.ToolStat{Tool: fmt.Sprint("tool<", i, ">"), Asks: 100})
				}
			})
			p.SetOrder(order)
			small := look
			small.W, small.H = 60, 16
			seen := ""
			for range 60 {
				rows, at := p.Render(small, 60, h)
				frametest.Sound(t, rows, at, 60, h)
				if at < 0 || !strings.HasPrefix(rows[at].Plain(), "▌") {
					t.Fatalf("the row under the hand is not shown: %d", at)
				}
				seen += text(p, small, 60, h)
				p.Move(1, small, 60, h)
			}
			for _, want := range []string{"what became of them", "allowed by a person", "waiting  ", "half within   tool", "tool<0>", "tool<49>"} {
				if !strings.Contains(seen, want) {
					t.Fatalf("%d rows, order %d: %q is never shown", h, order, want)
				}
			}
		}
	}
}

func TestTheHostileCorporaStayInTheirRows(t *testing.T) {
	texts := frametest.Hostile(t, "../testdata")
	for w := 20; w <= 140; w += 15 {
		for at := 0; at < len(texts); at += 50 {
			p := page(func(s *queue.Stats) {
				s.Tools = nil
				for _, x := range texts[at:min(at+50, len(texts))] {
					s.Tools = append(s.Tools, queue.ToolStat{Tool: x, Asks: 1 << 40, HalfMS: 1 << 40})
				}
			})
			for _, split := range []bool{false, true} {
				look := look
				look.Split = split
				for i := range 6 {
					h := []int{1, 2, 5, 8, 21, 60}[i]
					rows, cursor := p.Render(look, w, h)
					frametest.Sound(t, rows, cursor, w, h)
					if split {
						frametest.Strict(t, rows, "▌▁▂▃▄▅▆▇█…·–⏎")
					}
					p.Move(9, look, w, h)
				}
			}
		}
	}
}
