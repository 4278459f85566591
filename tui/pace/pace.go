// Package pace measures how fast a person answers (SCREENS §6 "Slow down", §11).
//
// The rule it keeps: when at least five answers of the last ten minutes took
// less than two seconds in the median, the person is too fast to have read, and
// each card is then read anew before it can be approved. That is over when half
// of the answers take half as long again as the limit, or when fewer than three
// answers are left in the ten minutes. Being fast depends on the answers alone,
// never on when somebody looked, and comes back from the history after a
// restart. Pure: times are effective Unix ms and passed in.
//
// An answer is one card decided by this person at a console, denials too. A
// batch is as many answers as it has cards, each with the time its own card was
// on the screen: one code for twenty cards seen for a tenth of a second each is
// just what the meter is for.
package pace

import (
	"fmt"
	"slices"

	"nod/queue"
	"nod/tui/say"
)

// Limits are what the meter holds a person to. The zero Limits are Default's.
type Limits struct {
	SlowBelowMS int64 // a median below it is too fast
	Answers     int   // of so many answers
	WindowMS    int64 // in so long
}

// Default is 5 answers in ten minutes, half of them within 2 s.
func Default() Limits { return Limits{SlowBelowMS: 2000, Answers: 5, WindowMS: 600_000} }

// fewest is how many answers keep a slow spell going.
const fewest = 3

// minute is the stretch in which answers are counted for the sentence.
const minute = 60_000

// answer is one decided card.
type answer struct{ at, took int64 }

// Meter is one person's pace. It starts with New and is no two goroutines'.
type Meter struct {
	limits Limits
	in     []answer // of the window, oldest first
	slow   bool
	asked  map[string]bool // asks whose card was asked for anew in this spell
}

// New is a meter without answers.
func New(l Limits) *Meter {
	d := Default()
	if l.SlowBelowMS <= 0 {
		l.SlowBelowMS = d.SlowBelowMS
	}
	if l.Answers <= 0 {
		l.Answers = d.Answers
	}
	if l.WindowMS <= 0 {
		l.WindowMS = d.WindowMS
	}
	return &Meter{limits: l, asked: map[string]bool{}}
}

// Limits are what the meter holds the person to.
func (m *Meter) Limits() Limits { return m.limits }

// Query reads the rows that Seed looks for: people's newest answers of the
// window that ends at now.
func (m *Meter) Query(now int64) queue.QHistory {
	return queue.QHistory{Limit: 100, Filter: queue.Filter{By: queue.ByPerson, Since: now - m.limits.WindowMS}}
}

// Seed adds what who answered at one of the ways, out of rows of the history in
// any order, so that a restart does not begin anew. Of one millisecond any of
// its answers may be the first.
func (m *Meter) Seed(rows []queue.Row, who string, ways ...string) {
	var old []answer
	for i := range rows {
		r := &rows[i]
		if r.DecidedBy == queue.ByPerson && r.Decider == who && slices.Contains(ways, r.DecidedWay) {
			old = append(old, answer{r.DecidedAt, r.DwellMS})
		}
	}
	slices.SortStableFunc(old, func(a, b answer) int { return int(min(max(a.at-b.at, -1), 1)) })
	for _, a := range old {
		m.Add(a.at, a.took)
	}
}

// Add takes one answer at a time, with how long its card was on the screen. It
// reports whether the person became too fast with it. A time before the newest
// answer's counts as that one's: effective time does not go back.
func (m *Meter) Add(at, took int64) (began bool) {
	if n := len(m.in); n > 0 {
		at = max(at, m.in[n-1].at)
	}
	m.pass(at)
	m.in = append(m.in, answer{at, max(took, 0)})
	was := m.slow
	m.judge()
	return m.slow && !was
}

// pass lets the answers go that are out of the window at now, one by one: what
// the meter says must not depend on how often somebody asks it.
func (m *Meter) pass(now int64) {
	for len(m.in) > 0 && now-m.in[0].at >= m.limits.WindowMS {
		m.in = m.in[1:]
		m.judge()
	}
}

func (m *Meter) judge() {
	n, half := len(m.in), m.half()
	switch {
	case m.slow && (n < fewest || half >= m.limits.SlowBelowMS+m.limits.SlowBelowMS/2):
		m.slow = false
		clear(m.asked)
	case !m.slow && n >= m.limits.Answers && half < m.limits.SlowBelowMS:
		m.slow = true
	}
}

// half is the time within which half of the answers came, 0 without any.
func (m *Meter) half() int64 {
	if len(m.in) == 0 {
		return 0
	}
	took := make([]int64, len(m.in))
	for i, a := range m.in {
		took[i] = a.took
	}
	slices.Sort(took)
	return took[(len(took)-1)/2]
}

// Standing is how many answers there are in the window and within what time
// half of them came (0 without any).
func (m *Meter) Standing(now int64) (answers int, halfMS int64) {
	m.pass(now)
	return len(m.in), m.half()
}

// Slow reports whether the person is too fast, so that cards are read anew.
func (m *Meter) Slow(now int64) bool {
	m.pass(now)
	return m.slow
}

// Anew reports whether this ask's card has to be read anew before it can be
// approved: true once an ask while the person is too fast. Who gets a true
// resets the reading and says Sentence; no key of the moment decides.
func (m *Meter) Anew(ask string, now int64) bool {
	if !m.Slow(now) || m.asked[ask] {
		return false
	}
	m.asked[ask] = true
	return true
}

// Minute is the most answers of the window within one minute.
func (m *Meter) Minute(now int64) int {
	m.pass(now)
	most, from := 0, 0
	for to := range m.in {
		for m.in[to].at-m.in[from].at >= minute {
			from++
		}
		most = max(most, to-from+1)
	}
	return most
}

// Sentence is what the gate says when a card is asked for anew: head and rest,
// at most 78 cells together with the space between them. top is the key that goes
// to the card's top, as the screen writes it, "" for none.
func (m *Meter) Sentence(now int64, top string) (head, rest string) {
	head = "Slow down:"
	if top != "" {
		top = "; " + top + " is its top"
	}
	if n := m.Minute(now); n >= fewest {
		return head, fmt.Sprintf("%s answers in a minute, so this card is read anew%s.", say.Column(int64(n)), top)
	}
	n, _ := m.Standing(now)
	return head, fmt.Sprintf("%s answers in %s, so this card is read anew%s.", say.Column(int64(n)), say.Span(m.limits.WindowMS), top)
}
