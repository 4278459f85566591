package history

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/frame/frametest"
)

// doc writes an event's document.
func doc(t testing.TB, seq int64, members map[string]any) queue.StoredEvent {
	t.Helper()
	members["seq"], members["type"] = seq, queue.TypeEvent
	if members["effective_ms"] == nil {
		members["effective_ms"] = look.Now - 1000*(20_000-seq)
	}
	b, err := json.Marshal(members, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return queue.StoredEvent{Seq: seq, Body: jsontext.Value(b)}
}

// mock is the events of SCREENS §9.
func mock(t testing.TB) queue.Events {
	return queue.Events{Events: []queue.StoredEvent{
		doc(t, 18190, map[string]any{"act": "submit", "to": "pending", "actor": "support-bot", "way": "mcp proxy"}),
		doc(t, 18193, map[string]any{"act": "decide", "to": "allowed", "from": "pending", "by": "person", "actor": "mia", "dwell_ms": 18_000, "lines_seen": 33, "lines_all": 33, "words": true}),
		doc(t, 18194, map[string]any{"act": "begin", "to": "spent", "attempt_number": 1, "actor": "support-bot", "way": "mcp proxy", "by": "person"}),
		doc(t, 18197, map[string]any{"act": "report", "to": "committed", "attempt_number": 1, "exit_status": "success", "mismatch": true, "late": true, "actor": "support-bot"}),
		doc(t, 18198, map[string]any{"act": "submit", "to": "allowed", "by": "rule", "rule": "reads"}),
		doc(t, 18199, map[string]any{"act": "expire", "to": "expired", "actor": "clock"}),
		doc(t, 18200, map[string]any{"act": "decide", "to": "denied", "by": "person", "actor": "night-desk", "way": "ssh"}),
		{Seq: 18201, Body: jsontext.Value(`{"act":"x","act":"y"}`)},
	}}
}

func text(rows []frame.Line) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(strings.TrimRight(r.Plain(), " ") + "\n")
	}
	return b.String()
}

func TestEventsSayWhoAndWhat(t *testing.T) {
	var e Events
	e.SetSelf("mia")
	e.Show("a", mock(t))
	got := text(e.Render(look, 100, 20))
	for _, want := range []string{
		"   Events of the selected row\n",
		"  18,190  07:29:50  submit  pending    mcp proxy\n",
		"  decide  allowed    you, 18 s, 33 of 33, with words\n",
		"  begin   spent      attempt 1, mcp proxy\n",
		"  report  committed  MISMATCH, attempt 1, success, late, support-bot\n",
		"  submit  allowed    rule reads\n",
		"  expire  expired    clock\n",
		"  decide  denied     night-desk, ssh\n",
		`  18,201  not an event document  {"act":"x","act":"y"}` + "\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	e.SetSelf("")
	e.Show("a", queue.Events{Events: append(mock(t).Events, doc(t, 18300, map[string]any{"act": "decide", "to": "denied"}))})
	if got := text(e.Render(look, 100, 20)); strings.Contains(got, "you") || !strings.Contains(got, "mia, 18 s") {
		t.Errorf("for nobody:\n%s", got)
	}
}

func TestALongWordLeavesTheOtherColumns(t *testing.T) {
	long := strings.Repeat("w", 40)
	var e Events
	e.Show("a", queue.Events{Events: []queue.StoredEvent{doc(t, 1, map[string]any{"act": long, "to": long, "way": "hook"})}})
	if got := text(e.Render(look, 60, 5)); !strings.Contains(got, " wwwwwwww…+32  wwwwwwww…+32  hook\n") {
		t.Error(got)
	}
}

// TestNoMemberIsPassedOver: what the pane does not know it draws, and what is
// not an event says so.
func TestNoMemberIsPassedOver(t *testing.T) {
	s := doc(t, 7, map[string]any{"act": "decide", "to": "denied", "actor": "mia", "verdict": "allowed", "new\x1b[2J": map[string]any{"a": []int{1}}, "prev": "00", "session": "s"})
	got := read(&s)
	if last := got.last("mia").String(); got.fault != "" || last != `you, new\u{1B}[2J: {"a":[1]}, verdict: "allowed"` {
		t.Errorf("%q %q", got.fault, last)
	}
	for want, body := range map[string]string{
		"not an event document":    `{"seq":7,"type":"nod.event/v1","act":7}`,
		"not an event document ":   `[]`,
		"not an event document  ":  `{"seq":7`,
		"not an event document   ": `{"seq":7,"type":"nod.event/v1","act":"x","other":1,"other":2}`,
		"another kind of document": `{"seq":7,"type":"nod.event/v2","act":"x"}`,
		"another event's document": `{"seq":8,"type":"nod.event/v1","act":"x"}`,
		"an event without an act":  `{"seq":7,"type":"nod.event/v1"}`,
	} {
		got := read(&queue.StoredEvent{Seq: 7, Body: jsontext.Value(body)})
		if got.fault != strings.TrimRight(want, " ") || !strings.Contains(got.rest.String(), body) {
			t.Errorf("%s: %q %q", body, got.fault, got.rest)
		}
		var e Events
		e.Show("a", queue.Events{Events: []queue.StoredEvent{{Seq: 7, Body: jsontext.Value(body)}}})
		if row := e.Render(look, 80, 3)[1]; row[2].Role != themes.Danger {
			t.Errorf("%q is not danger", row.Plain())
		}
	}
}

// TestTheKnownMembersAreTheQueues: every member that the queue writes is
// either shown or known, and none of them is drawn as an unknown one.
func TestTheKnownMembersAreTheQueues(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../../queue/event.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]any{"text": "x", "num": 5, "flag": true}
	n := 0
	ast.Inspect(file, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 {
			return true
		}
		method, ok := call.Fun.(*ast.SelectorExpr)
		name, literal := call.Args[0].(*ast.BasicLit)
		if !ok || !literal || values[method.Sel.Name] == nil {
			return true
		}
		member, err := strconv.Unquote(name.Value)
		if err != nil {
			t.Fatal(err)
		}
		n++
		members := map[string]any{"act": "decide"}
		members[member] = values[method.Sel.Name]
		s := doc(t, 7, members)
		if got := read(&s); got.fault != "" || got.rest.Len() > 0 {
			t.Errorf("%s: %q %q", member, got.fault, got.rest)
		}
		return true
	})
	if n < 40 {
		t.Errorf("the queue writes %d members", n)
	}
}

func TestTheNewestEventsAreShownAndTheOthersCounted(t *testing.T) {
	var e Events
	if got := text(e.Render(look, 80, 5)); !strings.Contains(got, "nothing is selected") {
		t.Error(got)
	}
	e.Expect("a")
	if got := text(e.Render(look, 80, 5)); !strings.Contains(got, "reading…") || e.Of() != "a" {
		t.Error(got)
	}
	e.Show("a", mock(t))
	if e.Rows() != 9 {
		t.Errorf("%d rows", e.Rows())
	}
	got := text(e.Render(look, 80, 5))
	if !strings.Contains(got, "   5 earlier ones are not shown\n  18,199") || strings.Count(got, "\n") != 5 {
		t.Error(got)
	}
	if got := text(e.Render(look, 80, 9)); strings.Contains(got, "not shown") {
		t.Error(got)
	}
	more := mock(t)
	more.More = true
	e.Show("a", more)
	if got := text(e.Render(look, 80, 20)); !strings.Contains(got, "and there are later ones") {
		t.Error(got)
	}
	e.Expect("b")
	if got := text(e.Render(look, 80, 5)); strings.Contains(got, "submit") {
		t.Errorf("another ask's events:\n%s", got)
	}
	e.Show("b", queue.Events{})
	if got := text(e.Render(look, 80, 5)); !strings.Contains(got, "the store has no event of it") {
		t.Error(got)
	}
}

func chains() []Chain {
	intact := Chain{Events: 18_204, Head: "5e1b09d4" + strings.Repeat("0", 56), At: look.Now - 14_000, Newest: 18_204, Mark: Mark{Events: 18_100, Time: look.Now - 32*60_000}}
	since := intact
	since.Newest, since.Mark, since.Running = 18_300, Mark{}, true
	return []Chain{intact, since, {}, {Running: true}, {Failed: true},
		{At: 1, Bad: &Break{Seq: 18_190, Sentence: "its bytes are not those that were hashed"}}, {Bad: &Break{Sentence: "the store's head is not the hash of its newest event"}}}
}

func TestTheChainLine(t *testing.T) {
	want := []struct {
		w    int
		n    int
		text string
		role themes.Role
	}{
		{120, 0, " chain intact: 18,204 events verified to head 5e1b09d4…, 14 s ago · signed checkpoint of 07:28, 18,100 events, agrees", themes.OK},
		{80, 0, " chain intact: 18,204 events verified to head 5e1b09d4…, 14 s ago", themes.OK},
		{60, 0, " chain intact: 18,204 events verified, 14 s ago", themes.OK},
		{140, 1, " chain intact: 18,204 events verified to head 5e1b09d4…, 14 s ago, 96 since · no signed checkpoint to compare with · being verified again", themes.OK},
		{80, 2, " chain not verified yet; V verifies it", themes.Muted},
		{80, 3, " chain: being verified", themes.Muted},
		{80, 4, " chain not verified: the store could not be read to its end; V tries again", themes.Warn},
		{80, 5, " chain broken at event 18,190: its bytes are not those that were hashed", themes.Danger},
		{50, 5, " chain broken at event 18,190: its bytes are …+26", themes.Danger},
		{80, 6, " chain broken: the store's head is not the hash of its newest event", themes.Danger},
	}
	all := chains()
	for _, x := range want {
		line := all[x.n].Line(look, x.w)
		if got := strings.TrimRight(line.Plain(), " "); got != x.text || line[1].Role != x.role {
			t.Errorf("%q in %v, want %q", got, line[1].Role, x.text)
		}
	}
	for i, c := range all {
		for w := 20; w < 160; w++ {
			line := c.Line(look, w)
			frametest.Sound(t, []frame.Line{line}, 0, w, 1)
			if strings.Contains(line.Plain(), "intact") && (c.Bad != nil || c.At == 0) {
				t.Errorf("chain %d is said to be intact: %q", i, line.Plain())
			}
		}
	}
}

func TestReplayHeads(t *testing.T) {
	v := queue.AskView{Card: "nod card v1\n", Decision: &queue.Decision{LinesSeen: 31, LinesAll: 33}}
	v.Row.Verdict, v.Row.ShownDigest = queue.VerdictAllow, "sha256:3d08c1f6"+visible64
	if got := text(Replay(look, &v, 80)); got != " replay of the card as it was answered, read from the store\n shown digest recomputed, equal: 3d08c1f6… · 31 of 33 shown\n" {
		t.Error(got)
	}
	v.Decision.LinesSeen = 33
	if got := text(Replay(look, &v, 63)); !strings.HasSuffix(got, "equal: 3d08c1f6… · all 33 shown\n") {
		t.Error(got)
	}
	if got := text(Replay(look, &v, 55)); !strings.HasSuffix(got, "equal: 3d08c1f6…\n") {
		t.Errorf("half a sentence:\n%s", got)
	}
	v.Card = ""
	if got := text(Replay(look, &v, 80)); got != " pruned; digest kept\n shown digest as it was filed: 3d08c1f6…\n" {
		t.Error(got)
	}
	v.Card, v.Row.Verdict, v.Decision = "x", "", nil
	if got := text(Replay(look, &v, 80)); !strings.Contains(got, "no person answered it") {
		t.Error(got)
	}
}

const visible64 = "00000000000000000000000000000000000000000000000000000000"

func TestGoldens(t *testing.T) {
	for _, c := range frametest.Cases(look.Now) {
		t.Run(c.Name, func(t *testing.T) {
			p := answered(8)
			p[1].State, p[1].Verdict, p[1].DecidedBy = queue.StateExpired, "", ""
			p[2].DecidedBy, p[2].State, p[2].Verdict, p[2].Outcome, p[2].Exit = queue.ByRule, queue.StateSpent, queue.VerdictAllow, "", queue.ExitSuccess
			p[3].State, p[3].Verdict, p[3].Outcome, p[3].Mismatch = queue.StateSpent, queue.VerdictAllow, queue.AttemptUnknown, true
			p[4].State, p[4].Verdict, p[4].Outcome = queue.StateSpent, queue.VerdictAllow, queue.AttemptUnknown
			p[5].EditedTo, p[5].Gist = "x", "set -eu\ncd é"
			var l List
			l.Top(p.page(l.First()))
			l.Move(3, c.H)
			var e Events
			e.SetSelf("mia")
			e.Show("a", mock(t))
			all := chains()
			rows := []frame.Line{all[0].Line(c.Look, c.W)}
			list, at := l.Render(c.Look, c.W, c.H-e.Rows()-2)
			frametest.Sound(t, list, at, c.W, max(c.H-e.Rows()-2, 0))
			rows = append(append(rows, list...), nil)
			rows = append(rows, e.Render(c.Look, c.W, c.H-len(rows))...)
			got := c.Text(rows)
			l.SetFilter(queue.Filter{Verdict: queue.VerdictDeny}, visible.Own("denied"))
			l.Show(queue.History{})
			list, _ = l.Render(c.Look, c.W, c.H)
			golden.RequireEqual(t, got+c.Text(list))
		})
	}
}

// looks is how many rows a filtered page looks at.
const looks = 40

// filtered pages like a queue: it looks at a bounded number of rows and says
// how far it came.
func (p past) filtered(q queue.QHistory) queue.History {
	if q.Filter == (queue.Filter{}) {
		return p.page(q)
	}
	var out queue.History
	seen := 0
	for _, r := range p {
		if q.BeforeSeq != 0 && r.Seq >= q.BeforeSeq {
			continue
		}
		if seen == looks || len(out.Rows) == int(q.Limit) {
			out.More = true
			break
		}
		seen++
		out.Reached = r.Seq
		if r.Tool == q.Filter.Tool {
			out.Rows = append(out.Rows, r)
		}
	}
	return out
}

func TestAFilteredHistoryReadsOnToItsRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := answered(rapid.IntRange(0, 1200).Draw(t, "asks"))
		step := rapid.IntRange(1, 150).Draw(t, "step")
		var want []queue.Row
		for i := range p {
			if i%step == step-1 {
				p[i].Tool = "Write"
				want = append(want, p[i])
			}
		}
		var l List
		l.Top(p.page(l.First()))
		l.SetFilter(queue.Filter{Tool: "Write"}, visible.Own("Write"))
		if l.Loaded() {
			t.Fatalf("the rows of another filter are shown")
		}
		l.Top(p.filtered(l.First()))
		chase := func() {
			for range 200 {
				q, up, ok := l.Wants()
				if !ok {
					return
				}
				l.Extend(q, up, p.filtered(q))
			}
			t.Fatalf("it never has enough")
		}
		chase()
		if len(want) == 0 {
			rows, _ := l.Render(look, 80, 10)
			if !strings.Contains(text(rows), "filter: Write; Esc shows all\n   nothing matches; Esc shows all") {
				t.Fatalf("%s", text(rows))
			}
			return
		}
		for i := range want {
			if r, _ := l.Selected(); r.ID != want[i].ID {
				t.Fatalf("row %d is %s, not %s", i, r.ID, want[i].ID)
			}
			l.Refresh(p.filtered(l.Again()))
			l.Move(1, 20)
			chase()
			if len(l.rows) > held+Page {
				t.Fatalf("%d rows held", len(l.rows))
			}
		}
		for i := len(want) - 1; i >= 0; i-- {
			if r, _ := l.Selected(); r.ID != want[i].ID {
				t.Fatalf("up, row %d is %s, not %s", i, r.ID, want[i].ID)
			}
			l.Move(-1, 20)
			chase()
		}
	})
}

func TestAnAnswerToAnotherFiltersQuestionIsDropped(t *testing.T) {
	p := answered(300)
	var l List
	l.SetFilter(queue.Filter{Tool: "Bash"}, visible.Own("tool Bash"))
	l.Show(p.page(l.First()))
	stale := queue.QHistory{BeforeSeq: l.next, Limit: Page}
	l.Extend(stale, false, p.page(stale))
	if len(l.rows) != Page {
		t.Errorf("%d rows", len(l.rows))
	}
	l.Show(queue.History{More: true, Reached: 200})
	rows, _ := l.Render(look, 80, 10)
	if !strings.Contains(text(rows), "nothing matches so far; looking further…") {
		t.Error(text(rows))
	}
	if q, up, ok := l.Wants(); !ok || up || q.BeforeSeq != 200 || q.Filter.Tool != "Bash" {
		t.Errorf("%+v %v %v", q, up, ok)
	}
}

// TestRowsThatComeBetweenAreNotJumped: while pages are let go above, asks in
// their range are answered; reading up again finds every one.
func TestRowsThatComeBetweenAreNotJumped(t *testing.T) {
	all := answered(1000)
	var p past
	for i, r := range all {
		if i > 400 || i%2 == 0 {
			p = append(p, r)
		}
	}
	var l List
	l.Top(p.page(l.First()))
	for range 700 {
		follow(&l, p)
		l.Move(1, 20)
	}
	if l.above == 0 {
		t.Fatal("nothing was let go")
	}
	at, _ := l.Selected()
	for seq := at.Seq; seq < 1000; seq++ {
		follow(&l, all)
		if r, _ := l.Selected(); r.Seq != seq {
			t.Fatalf("after %d comes %d", seq-1, r.Seq)
		}
		l.Move(-1, 20)
	}
}

func TestTheHostileCorporaStayInTheirRows(t *testing.T) {
	texts := frametest.Hostile(t, "../testdata")
	for w := 20; w <= 140; w += 15 {
		for at := 0; at < len(texts); at += 40 {
			var p past
			var events queue.Events
			for i, x := range texts[at:min(at+40, len(texts))] {
				p = append(p, queue.Row{Seq: int64(100 - i), ID: fmt.Sprint(i), State: queue.StateDenied, Verdict: queue.VerdictDeny, Tool: x, Gist: texts[(at+i*7)%len(texts)], Agent: x})
				events.Events = append(events.Events, doc(t, int64(i+1), map[string]any{"act": "a" + x, "to": x, "actor": x, "way": x, "rule": x, "by": "rule", "reason": x, "un" + x: x}),
					queue.StoredEvent{Seq: int64(i + 1), Body: jsontext.Value(x)})
			}
			for _, split := range []bool{false, true} {
				look := look
				look.Split = split
				var l List
				l.SetFilter(queue.Filter{Find: "x"}, visible.Row(texts[at]))
				l.Top(p.page(l.First()))
				var e Events
				e.Show("a", events)
				c := Chain{Bad: &Break{Seq: 1, Sentence: texts[at]}}
				for range 3 {
					for _, h := range []int{0, 1, 2, 3, 13, 90} {
						rows, cursor := l.Render(look, w, h)
						frametest.Sound(t, rows, cursor, w, h)
						pane := e.Render(look, w, h)
						frametest.Sound(t, pane, -1, w, h)
						if split {
							frametest.Strict(t, append(rows, pane...), "▌✗·…–⏎")
						}
					}
					frametest.Sound(t, []frame.Line{c.Line(look, w)}, -1, w, 1)
					l.Move(13, 13)
				}
			}
		}
	}
}
