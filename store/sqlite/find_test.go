package sqlite

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"nod/digest"
	"nod/queue"
)

// text draws from few characters, so that words are found, and from those that
// mean something to LIKE, to SQL and to C.
var text8 = rapid.StringOfN(rapid.SampledFrom([]rune("aAbBzZ%_\\'\"| \x00éÉ🙂ſK\u212a1*?[")), 0, 8, -1)

// randomRow is a row whose members take few values.
func randomRow(t *rapid.T, i int) *queue.Row {
	r := pendingRow(i, nil)
	pick := func(label string, from ...string) string { return rapid.SampledFrom(from).Draw(t, label) }
	flip := func(label string) bool { return rapid.Bool().Draw(t, label) }
	r.Urgency = int64(rapid.IntRange(1, 3).Draw(t, "urgency"))
	r.Kind = pick("kind", digest.KindCall, digest.KindQuestion, digest.KindCommit)
	r.Tool = pick("tool", "Bash", "a\x00b", text8.Draw(t, "other tool"))
	r.Gist, r.Cwd = text8.Draw(t, "gist"), text8.Draw(t, "cwd")
	r.Agent, r.Session = pick("agent", "x", "y", "%"), pick("session", "s-1", "s-2")
	r.Mandated, r.Irreversible = flip("mandated"), flip("irreversible")
	r.CreatedAt = int64(1000 + 10*i)
	if flip("alone") {
		r.WaiterHash, r.WaiterUntil = "", 0
	} else {
		r.WaiterUntil = int64(rapid.SampledFrom([]int{1999, 2000, 2001}).Draw(t, "waits until"))
	}
	if flip("over") {
		r.State = queue.State(pick("state", "allowed", "denied", "answered", "expired", "withdrawn", "revoked", "lapsed", "spent"))
		r.Verdict = queue.Verdict(pick("verdict", "", "allow", "deny", "answer"))
		r.DecidedBy = queue.DecidedBy(pick("by", "", "person", "rule", "grant"))
	}
	return r
}

func randomFilter(t *rapid.T, past bool) (f queue.Filter) {
	pick := func(label string, from ...string) string { return rapid.SampledFrom(from).Draw(t, label) }
	sometimes := func(label string) bool { return rapid.IntRange(0, 3).Draw(t, label) == 0 }
	f.Find = strings.Repeat(text8.Draw(t, "find")+" ", rapid.IntRange(0, 2).Draw(t, "words"))
	f.Kind = pick("by kind", "", "", "", "call", "question")
	f.Tool = pick("by tool", "", "", "", "Bash", "bash", "a\x00b", "a", "%")
	f.Agent, f.Session = pick("by agent", "", "", "x", "%"), pick("by session", "", "", "s-1")
	f.Mandated, f.Irreversible, f.Alone = sometimes("only mandated"), sometimes("only irreversible"), sometimes("only alone")
	if sometimes("since") {
		f.Since = int64(rapid.IntRange(1000, 1400).Draw(t, "since when"))
	}
	if past {
		f.State = queue.State(pick("by state", "", "", "denied", "spent"))
		f.Verdict, f.By = queue.Verdict(pick("by verdict", "", "", "deny")), queue.DecidedBy(pick("by decider", "", "", "person"))
	} else {
		f.Snoozed = sometimes("only snoozed")
	}
	return f
}

// plainly is what a filter lets through, in other words than the store's.
func plainly(f queue.Filter, r *queue.Row, snoozed bool) bool {
	small := func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r - 'A' + 'a'
		}
		return r
	}
	var in func(word, text []rune) bool
	in = func(word, text []rune) bool {
		if len(word) == 0 {
			return true
		}
		for i := range text {
			if small(text[i]) == small(word[0]) && in(word[1:], text[i+1:]) {
				return true
			}
		}
		return false
	}
	for _, w := range strings.Split(f.Find, " ") {
		one := false
		for _, text := range []string{r.Tool, r.Gist, r.Agent, r.Cwd, r.Session, r.ID} {
			one = one || in([]rune(w), []rune(text))
		}
		if !one {
			return false
		}
	}
	hidden := snoozed && f.Find == "" && f.Session == ""
	if r.State == queue.StatePending && (f.Snoozed && !snoozed || !f.Snoozed && hidden) {
		return false
	}
	return (f.Kind == "" || f.Kind == r.Kind) && (f.Tool == "" || f.Tool == r.Tool) && (f.Agent == "" || f.Agent == r.Agent) &&
		(f.Session == "" || f.Session == r.Session) && (f.State == "" || f.State == r.State) &&
		(f.Verdict == "" || f.Verdict == r.Verdict) && (f.By == "" || f.By == r.DecidedBy) &&
		(!f.Mandated || r.Mandated) && (!f.Irreversible || r.Irreversible) && r.CreatedAt >= f.Since &&
		(!f.Alone || r.WaiterHash == "" || r.WaiterUntil <= 2000)
}

// TestFilteredPages: whatever is asked for, in pages of any size that look at
// any number of rows, down and up: together the pages are the plain reference,
// in its order, nothing twice.
func TestFilteredPages(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, err := Open(context.Background(), t.TempDir()+"/nod/nod.db", Options{Create: true})
		if err != nil {
			rt.Fatal(err)
		}
		defer func() {
			if err := s.Close(); err != nil {
				rt.Error(err)
			}
		}()
		n := rapid.IntRange(0, 25).Draw(rt, "rows")
		var rows []*queue.Row
		snoozed := map[int64]bool{}
		err = s.Do(context.Background(), func(tx queue.Tx) error {
			for i := range n {
				r := randomRow(rt, i)
				if err := tx.InsertAsk(r, nil); err != nil {
					return err
				}
				rows = append(rows, r)
				if r.State != queue.StatePending || rapid.IntRange(0, 3).Draw(rt, "mark") > 0 {
					continue
				}
				until := int64(rapid.SampledFrom([]int{2000, 2001}).Draw(rt, "until"))
				snoozed[r.Seq] = until > 2000
				if err := tx.PutMark(r.Seq, queue.Mark{SnoozedUntil: until}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			rt.Fatal(err)
		}
		look := rapid.IntRange(1, 50).Draw(rt, "look")
		limit := int64(rapid.IntRange(1, 12).Draw(rt, "limit"))
		read := func(fn func(r *reader) (queue.Page, error)) (p queue.Page) {
			err := s.View(context.Background(), func(tx queue.ReadTx) (err error) {
				r := tx.(*reader)
				r.look = look
				p, err = fn(r)
				return err
			})
			if err != nil {
				rt.Fatal(err)
			}
			if int64(len(p.Rows)) > limit {
				rt.Fatalf("%d rows, limit %d", len(p.Rows), limit)
			}
			return p
		}
		same := func(what string, f queue.Filter, got, want []int64) {
			if !slices.Equal(got, want) {
				rt.Fatalf("%s %+v, looking at %d by %d:\ngot  %d\nwant %d", what, f, look, limit, got, want)
			}
		}
		seqs := func(rows []queue.Row) (list []int64) {
			for i := range rows {
				list = append(list, rows[i].Seq)
			}
			return list
		}
		for range 2 {
			f := randomFilter(rt, false)
			var want, down, up []int64
			byKey := slices.Clone(rows)
			slices.SortStableFunc(byKey, func(a, b *queue.Row) int { return int(a.Urgency - b.Urgency) })
			for _, r := range byKey {
				if r.State == queue.StatePending && plainly(f, r, snoozed[r.Seq]) {
					want = append(want, r.Seq)
				}
			}
			pages := 0
			for at, more := (queue.Key{}), true; more; pages++ {
				p := read(func(r *reader) (queue.Page, error) {
					return r.FindPending(queue.QInbox{After: at, Limit: limit, Filter: f}, 2000)
				})
				down = append(down, seqs(p.Rows)...)
				at, more = p.Reached, p.More
			}
			same("down", f, down, want)
			if most := n/look + len(want)/int(limit) + 2; pages > most {
				rt.Fatalf("%d pages for %d rows looking at %d by %d", pages, n, look, limit)
			}
			for at, more := (queue.Key{Urgency: 9}), true; more; {
				before := at
				p := read(func(r *reader) (queue.Page, error) {
					return r.FindPending(queue.QInbox{Before: &before, Limit: limit, Filter: f}, 2000)
				})
				up = append(seqs(p.Rows), up...)
				at, more = p.Reached, p.More
			}
			same("up", f, up, want)

			f = randomFilter(rt, true)
			want, down = nil, nil
			for _, r := range slices.Backward(rows) {
				if r.State != queue.StatePending && plainly(f, r, false) {
					want = append(want, r.Seq)
				}
			}
			for at, more := int64(0), true; more; {
				p := read(func(r *reader) (queue.Page, error) {
					return r.FindHistory(queue.QHistory{BeforeSeq: at, Limit: limit, Filter: f}, 2000)
				})
				down = append(down, seqs(p.Rows)...)
				at, more = p.Reached.Seq, p.More
			}
			same("history", f, down, want)
		}
	})
}

// TestHostileWords: what means something to LIKE, to SQL or to C is a character
// like any other.
func TestHostileWords(t *testing.T) {
	s := fresh(t, Options{})
	gists := []string{"100% sure", "snake_case", `back\slash`, `it's "quoted"`, "nul\x00behind", "plain", strings.Repeat("é", 128), "İstanbul", "\u212aelvin"}
	do(t, s, func(tx queue.Tx) error {
		for i, g := range gists {
			r := pendingRow(i+1, nil)
			r.Gist, r.Urgency = g, 1
			if err := tx.InsertAsk(r, nil); err != nil {
				return err
			}
		}
		return nil
	})
	for find, want := range map[string][]int64{
		"%": {1}, "_": {2}, `\`: {3}, "'": {4}, `"`: {4}, "\x00": {5}, "behind": {5}, "l\x00bE": {5}, "NUL": {5, 8},
		"10%": {1}, "%1": nil, "PLAIN": {6}, "pln": {6}, "npl": nil, "plain snake": nil, " plain  bash ": {6},
		strings.Repeat("é", 128): {7}, strings.Repeat("é", 128) + "é": nil, "É": nil, "i̇": nil, "İ": {8}, "istan": nil, "kelvin": nil,
		"%%": nil, `\%`: nil, "' OR 1=1 --": nil, "\ufffd": nil, "|": nil,
	} {
		view(t, s, func(tx queue.ReadTx) error {
			p, err := tx.FindPending(queue.QInbox{Limit: 50, Filter: queue.Filter{Find: find}}, 2000)
			var got []int64
			for i := range p.Rows {
				got = append(got, p.Rows[i].Seq)
			}
			if err != nil || p.More || !slices.Equal(got, want) {
				t.Errorf("%q: %d, more %v, %v; want %d", find, got, p.More, err, want)
			}
			return nil
		})
	}
}

// TestAPageIsBounded: a page that finds nothing stops after the rows it may
// look at, and says where.
func TestAPageIsBounded(t *testing.T) {
	s := fresh(t, Options{})
	populate(t, s, lookAt+100)
	view(t, s, func(tx queue.ReadTx) error {
		q := queue.QInbox{Limit: 50, Filter: queue.Filter{Find: "nowhere"}}
		p, err := tx.FindPending(q, 2000)
		if err != nil || len(p.Rows) != 0 || !p.More || p.Reached.Urgency != 3 {
			t.Fatalf("%d rows, more %v, reached %+v, %v", len(p.Rows), p.More, p.Reached, err)
		}
		q.After = p.Reached
		p, err = tx.FindPending(q, 2000)
		if err != nil || len(p.Rows) != 0 || p.More {
			t.Fatalf("and then %d rows, more %v, %v", len(p.Rows), p.More, err)
		}
		return nil
	})
}

// TestFindsUseTheListsIndex: no filter makes the engine sort, or read rows in
// another order than the list's.
func TestFindsUseTheListsIndex(t *testing.T) {
	s := fresh(t, Options{})
	f := queue.Filter{Find: "a b", Kind: "call", Tool: "t", Agent: "a", Session: "s", Verdict: "allow", By: "person",
		Mandated: true, Irreversible: true, Alone: true, Since: 1}
	for i, side := range []side{pendingDown, pendingUp, past, pastOfState} {
		terms := termsOf(&f, 1, true)
		for _, query := range []string{
			"SELECT " + side.key + " FROM " + side.list + side.order + " LIMIT 1 OFFSET 9",
			"SELECT seq, tool, gist, agent, cwd, session, id FROM " + side.list + terms.sql.String() + side.upTo + side.order,
		} {
			rows, err := s.pool.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, make([]any, strings.Count(query, "?"))...)
			if err != nil {
				t.Fatal(err)
			}
			var plan []string
			for rows.Next() {
				var id, parent, unused int
				var detail string
				if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
					t.Fatal(err)
				}
				plan = append(plan, detail)
			}
			if rows.Err() != nil || rows.Close() != nil {
				t.Fatal("plan")
			}
			if text := fmt.Sprint(plan); !strings.Contains(text, "SEARCH asks USING") || strings.Contains(text, "TEMP B-TREE") || strings.Contains(text, "SCAN asks") {
				t.Errorf("%d: %s", i, text)
			}
		}
	}
}
