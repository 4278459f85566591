package sqlite

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"nod/queue"
	"nod/store/sqlite/db"
)

// lookAt is how many rows one filtered page looks at: some 5 µs each, most of
// it for the page of the file that the row is on. No index serves words, and
// one more would make each submit dearer; so a page is bounded, and who wants
// more goes on from where it ended.
const lookAt = 10_000

// errEnough ends a query whose page is full.
var errEnough = errors.New("the page is full")

// side is a list in its order: the pending asks by key, down or up, or the
// history, newest first.
type side struct {
	key   string // what its keys are
	list  string // the rows of the list beyond its first two parameters, a key
	upTo  string // at or before the key in its two parameters
	order string
}

var (
	pendingDown = side{
		"urgency, seq", "asks INDEXED BY asks_pending WHERE state = 'pending' AND (urgency, seq) > (?, ?)",
		" AND (urgency, seq) <= (?, ?)", " ORDER BY urgency, seq"}
	pendingUp = side{
		"urgency, seq", "asks INDEXED BY asks_pending WHERE state = 'pending' AND (urgency, seq) < (?, ?)",
		" AND (urgency, seq) >= (?, ?)", " ORDER BY urgency DESC, seq DESC"}
	past = side{
		"0, seq", "asks INDEXED BY asks_history WHERE state <> 'pending' AND ? = 0 AND seq < ?",
		" AND ? = 0 AND seq >= ?", " ORDER BY seq DESC"}
	pastOfState = side{
		"state, seq", "asks INDEXED BY asks_state WHERE state <> 'pending' AND state = ? AND seq < ?",
		" AND ? <> '' AND seq >= ?", " ORDER BY seq DESC"}
)

// terms is what is asked of a row besides its words.
type terms struct {
	sql  strings.Builder
	args []driver.Value
}

func (t *terms) add(set bool, sql string, args ...driver.Value) {
	if set {
		t.sql.WriteString(" AND " + sql)
		t.args = append(t.args, args...)
	}
}

const isSnoozed = "EXISTS (SELECT 1 FROM marks WHERE marks.seq = asks.seq AND snoozed_until > ?)"

func termsOf(f *queue.Filter, now int64, pending bool) *terms {
	t := &terms{}
	t.add(f.Kind != "", "kind = ?", f.Kind)
	t.add(f.Tool != "", "tool = ?", f.Tool)
	t.add(f.Agent != "", "agent = ?", f.Agent)
	t.add(f.Session != "", "session = ?", f.Session)
	t.add(f.Verdict != "", "verdict = ?", string(f.Verdict))
	t.add(f.By != "", "decided_by = ?", string(f.By))
	t.add(f.Mandated, "mandated = 1")
	t.add(f.Irreversible, "irreversible = 1")
	t.add(f.Alone, "(waiter_hash = '' OR waiter_until <= ?)", now)
	t.add(f.Since > 0, "created_at >= ?", f.Since)
	t.add(pending && f.HidesSnoozed(), "NOT "+isSnoozed, now)
	t.add(pending && f.Snoozed, isSnoozed, now)
	for _, w := range f.Words() {
		// LIKE sees a text up to its first NUL; the rest is looked at below.
		const one = "(tool LIKE ? ESCAPE '\\' OR gist LIKE ? ESCAPE '\\' OR agent LIKE ? ESCAPE '\\' OR cwd LIKE ? ESCAPE '\\'" +
			" OR session LIKE ? ESCAPE '\\' OR id LIKE ? ESCAPE '\\' OR instr(tool || gist || agent || cwd, char(0)) > 0)"
		like := pattern(w)
		t.add(true, one, like, like, like, like, like, like)
	}
	return t
}

// pattern is the LIKE pattern of a word's characters in their order.
func pattern(word string) string {
	var b strings.Builder
	for _, r := range word {
		b.WriteByte('%')
		if r == '%' || r == '_' || r == '\\' {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	b.WriteByte('%')
	return b.String()
}

// window finds where a page stops looking: lookAt rows on, or at the end.
func (r *reader) window(s side, at [2]driver.Value) (end [2]driver.Value, cut bool, err error) {
	var row [2]driver.Value
	err = r.c.query("SELECT "+s.key+" FROM "+s.list+s.order+fmt.Sprintf(" LIMIT 1 OFFSET %d", r.most()-1), row[:], func() error {
		end, cut = row, true
		return nil
	}, at[:]...)
	return end, cut, err
}

// most is lookAt, or what a test put in its place.
func (r *reader) most() int {
	if r.look > 0 {
		return r.look
	}
	return lookAt
}

// keys gives the numbers of at most n rows that the filter lets through, in the
// list's order.
func (r *reader) keys(s side, f *queue.Filter, t *terms, at, end [2]driver.Value, cut bool, n int64) (seqs []int64, err error) {
	args := slices.Concat(at[:], t.args)
	query := "SELECT seq, tool, gist, agent, cwd, session, id FROM " + s.list + t.sql.String()
	if cut {
		query += s.upTo
		args = append(args, end[:]...)
	}
	words := f.Words()
	var row [7]driver.Value
	err = r.c.query(query+s.order, row[:], func() error {
		var texts [6]string
		for i := range texts {
			text, ok := row[i+1].(string)
			if !ok {
				return damaged(errors.New("a column of an ask is no text"))
			}
			texts[i] = text
		}
		seq, ok := row[0].(int64)
		if !ok {
			return damaged(errors.New("an ask's number is none"))
		}
		if !queue.Found(words, texts[:]...) {
			return nil
		}
		if seqs = append(seqs, seq); int64(len(seqs)) == n {
			return errEnough
		}
		return nil
	}, args...)
	if errors.Is(err, errEnough) {
		err = nil
	}
	return seqs, err
}

// bySeq reads rows by their numbers.
func (r *reader) bySeq(seqs []int64) ([]queue.Row, error) {
	list := make([]queue.Row, 0, len(seqs))
	for _, seq := range seqs {
		row, err := r.c.ask(db.AskBySeq, seq)
		if err != nil {
			return nil, err
		}
		if row == nil {
			return nil, damaged(fmt.Errorf("ask %d is in an index and not in the table", seq))
		}
		list = append(list, *row)
	}
	return list, nil
}

// find gives a page of s beyond at.
func (r *reader) find(s side, f *queue.Filter, t *terms, at [2]driver.Value, limit int64) (p queue.Page, err error) {
	end, cut, err := r.window(s, at)
	if err != nil {
		return p, err
	}
	seqs, err := r.keys(s, f, t, at, end, cut, limit+1)
	if err != nil {
		return p, err
	}
	full := int64(len(seqs)) > limit
	if full {
		seqs = seqs[:limit]
	}
	if p.Rows, err = r.bySeq(seqs); err != nil {
		return p, err
	}
	p.More = full || cut
	switch {
	case full:
		last := &p.Rows[limit-1]
		p.Reached = queue.Key{Urgency: last.Urgency, Seq: last.Seq}
	case cut:
		p.Reached.Urgency, _ = end[0].(int64)
		p.Reached.Seq, _ = end[1].(int64)
	}
	return p, nil
}

func (r *reader) FindPending(q queue.QInbox, now int64) (queue.Page, error) {
	t := termsOf(&q.Filter, now, true)
	s, at := pendingDown, q.After
	if q.Before != nil {
		s, at = pendingUp, *q.Before
	}
	p, err := r.find(s, &q.Filter, t, [2]driver.Value{at.Urgency, at.Seq}, q.Limit)
	if q.Before != nil {
		slices.Reverse(p.Rows)
	}
	return p, err
}

func (r *reader) FindHistory(q queue.QHistory, now int64) (queue.Page, error) {
	before := q.BeforeSeq
	if before == 0 {
		before = math.MaxInt64
	}
	s, first := past, driver.Value(int64(0))
	if q.Filter.State != "" {
		s, first = pastOfState, string(q.Filter.State)
	}
	p, err := r.find(s, &q.Filter, termsOf(&q.Filter, now, false), [2]driver.Value{first, before}, q.Limit)
	if err != nil || !p.More || q.Filter.Since == 0 {
		return p, err
	}
	// Numbers are given in the order of time: what is older than asked for ends it.
	made, err := r.c.ints("SELECT created_at FROM asks WHERE seq = ?", p.Reached.Seq)
	if err == nil && len(made) == 1 && made[0] < q.Filter.Since {
		p.More, p.Reached = false, queue.Key{}
	}
	return p, err
}

// Answered looks at the newest part of the history in its index alone.
func (r *reader) Answered(tool string, before, limit int64) ([]queue.Row, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	seqs, err := r.c.ints("SELECT seq FROM (SELECT seq, tool, decided_by FROM asks INDEXED BY asks_history"+
		" WHERE state <> 'pending' AND seq < ? ORDER BY seq DESC LIMIT 20000)"+
		" WHERE tool = ? AND decided_by = 'person' ORDER BY seq DESC LIMIT ?", before, tool, limit)
	if err != nil {
		return nil, err
	}
	return r.bySeq(seqs)
}
