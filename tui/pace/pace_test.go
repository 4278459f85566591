package pace

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"nod/queue"
)

const second = 1000

// answered adds n answers, every apart, each seen for took.
func answered(m *Meter, from int64, n int, apart, took int64) int64 {
	for range n {
		m.Add(from, took)
		from += apart
	}
	return from
}

func TestTooFastFromFiveAnswersOn(t *testing.T) {
	for _, c := range []struct {
		name string
		took []int64
		want bool
	}{
		{"none", nil, false},
		{"four fast", []int64{1, 1, 1, 1}, false},
		{"five fast", []int64{1, 1, 1, 1, 1}, true},
		{"five at the limit", []int64{2000, 2000, 2000, 2000, 2000}, false},
		{"just below", []int64{1999, 1999, 1999, 1999, 1999}, true},
		{"three of five fast", []int64{9000, 1, 9000, 1, 1}, true},
		{"two of five fast", []int64{9000, 1, 9000, 1, 9000}, false},
		{"half of six", []int64{9000, 9000, 9000, 1, 1, 1}, true},
	} {
		m := New(Limits{})
		began := 0
		for i, took := range c.took {
			if m.Add(int64(i)*second, took) {
				began++
			}
		}
		if got := m.Slow(10 * second); got != c.want || (began == 1) != c.want {
			t.Errorf("%s: slow %v, began %d times", c.name, got, began)
		}
	}
}

func TestWhenItEnds(t *testing.T) {
	fast := func() (*Meter, int64) {
		m := New(Limits{})
		return m, answered(m, 0, 5, second, 500)
	}
	// Answers of 2.5 s do not end it: the limit is 2 s, the end 3 s.
	m, now := fast()
	now = answered(m, now, 20, second, 2500)
	if !m.Slow(now) {
		t.Error("over at 2.5 s, below the end")
	}
	m, now = fast()
	answered(m, now, 5, second, 3000)
	if !m.Slow(now) {
		t.Error("five slow answers do not outweigh five fast ones")
	}
	if answered(m, now+5*second, 1, second, 3000); m.Slow(now + 6*second) {
		t.Error("not over when most took 3 s")
	}
	// With time: five at 0..4 s leave one by one; two are too few.
	m, _ = fast()
	if !m.Slow(600*second + 2*second - 1) {
		t.Error("over with three answers left")
	}
	if m.Slow(600*second + 2*second) {
		t.Error("not over with two answers left")
	}
}

func TestACardIsAskedForAnewOnce(t *testing.T) {
	m := New(Limits{})
	if m.Anew("a", 0) {
		t.Error("anew without being too fast")
	}
	now := answered(m, 0, 5, second, 10)
	if !m.Anew("a", now) || m.Anew("a", now) || !m.Anew("b", now) {
		t.Error("not exactly once an ask")
	}
	now = answered(m, now, 9, second, 9000) // over
	if m.Slow(now) || m.Anew("c", now) {
		t.Error("not over")
	}
	now = answered(m, now, 20, second, 10)
	if !m.Anew("a", now) {
		t.Error("a new spell does not ask anew")
	}
}

func TestNumbersOfTheSentence(t *testing.T) {
	m := New(Limits{})
	answered(m, 0, 3, 200*second, 10)
	now := answered(m, 500*second, 7, 8*second, 10)
	if n, half := m.Standing(now); n != 10 || half != 10 {
		t.Errorf("%d answers, half within %d", n, half)
	}
	if n := m.Minute(now); n != 7 {
		t.Errorf("%d in a minute", n)
	}
	head, rest := m.Sentence(now, "g")
	if head != "Slow down:" || rest != "7 answers in a minute, so this card is read anew; g is its top." {
		t.Errorf("%s %s", head, rest)
	}
	m = New(Limits{})
	now = answered(m, 0, 5, 100*second, 10)
	head, rest = m.Sentence(now, "g")
	if rest != "5 answers in 10 min, so this card is read anew; g is its top." || len(head)+1+len(rest) > 78 {
		t.Errorf("spread out: %s %s", head, rest)
	}
	// A minute is less than 60 s from the first to the last.
	m = New(Limits{})
	answered(m, 0, 2, minute, 10)
	if n := m.Minute(minute); n != 1 {
		t.Errorf("%d in a minute, 60 s apart", n)
	}
}

func TestSeededFromTheHistory(t *testing.T) {
	row := func(at, dwell int64, change func(*queue.Row)) queue.Row {
		r := queue.Row{DecidedAt: at, DwellMS: dwell, DecidedBy: queue.ByPerson, Decider: "mia", DecidedWay: "console"}
		if change != nil {
			change(&r)
		}
		return r
	}
	rows := []queue.Row{
		row(5000, 100, nil), row(4000, 100, nil), row(3000, 100, nil), row(2000, 100, nil), row(1000, 100, nil), // newest first
		row(900, 100, func(r *queue.Row) { r.Decider = "tom" }),
		row(900, 100, func(r *queue.Row) { r.DecidedBy = queue.ByRule }),
		row(900, 100, func(r *queue.Row) { r.DecidedWay = "command" }),
		row(-700_000, 100, nil),
	}
	m := New(Limits{})
	m.Seed(rows, "mia", "console")
	if n, _ := m.Standing(6000); n != 5 || !m.Slow(6000) {
		t.Errorf("%d answers, slow %v", n, m.Slow(6000))
	}
	m = New(Limits{})
	m.Seed(rows[1:], "mia", "console")
	if m.Slow(6000) {
		t.Error("four answers, and others', are too fast")
	}
}

func TestOtherLimits(t *testing.T) {
	m := New(Limits{SlowBelowMS: 10_000})
	answered(m, 0, 5, second, 9000)
	if !m.Slow(5 * second) {
		t.Error("9 s is not below 10 s")
	}
}

// What the meter says at a time depends on the answers alone: a meter that is
// asked all the time and one that is asked once agree, as does one that was
// started anew from the history.
func TestLookingChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		looked, left := New(Limits{}), New(Limits{})
		var rows []queue.Row
		now := int64(0)
		for range rapid.IntRange(0, 60).Draw(t, "n") {
			now += rapid.Int64Range(1, 90_000).Draw(t, "pass")
			if rapid.Bool().Draw(t, "look") {
				looked.Slow(now)
				looked.Minute(now)
				continue
			}
			took := rapid.SampledFrom([]int64{0, 100, 1999, 2000, 2999, 3000, 60_000}).Draw(t, "took")
			looked.Add(now, took)
			left.Add(now, took)
			rows = append(rows, queue.Row{DecidedAt: now, DwellMS: took, DecidedBy: queue.ByPerson, Decider: "mia", DecidedWay: "console"})
		}
		slices.Reverse(rows)
		again := New(Limits{})
		again.Seed(rows, "mia", "console")
		n, half := looked.Standing(now)
		for _, m := range []*Meter{left, again} {
			if gotN, gotHalf := m.Standing(now); gotN != n || gotHalf != half || m.Slow(now) != looked.Slow(now) {
				t.Fatalf("%d answers, half %d, slow %v; looked at: %d, %d, %v", gotN, gotHalf, m.Slow(now), n, half, looked.Slow(now))
			}
		}
	})
}
