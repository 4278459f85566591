// Package say writes times and numbers the one way the console writes them.
//
// The rule it keeps (SCREENS, grammar): a column has one unit, floored; a
// sentence has two; a day that is not today is named; a thousand has a comma.
// Everything is ASCII.
package say

import (
	"strconv"
	"strings"
	"time"
)

// Units in milliseconds.
const (
	Second int64 = 1000
	Minute       = 60 * Second
	Hour         = 60 * Minute
	Day          = 24 * Hour
	Week         = 7 * Day
)

// Age is a duration in one unit for a column: 8s, 4m, 3h, 2d, 5w. A negative
// one is 0s.
func Age(ms int64) string {
	ms = max(ms, 0)
	for _, u := range []struct {
		ms   int64
		name string
	}{{Week, "w"}, {Day, "d"}, {Hour, "h"}, {Minute, "m"}} {
		if ms >= u.ms {
			return strconv.FormatInt(ms/u.ms, 10) + u.name
		}
	}
	return strconv.FormatInt(ms/Second, 10) + "s"
}

// Span is a duration in at most two units for a sentence: 23 h 58 min, 10 min,
// 9 min 12 s, 40 s, 2 d 3 h.
func Span(ms int64) string {
	ms = max(ms, 0)
	two := func(a int64, an string, b int64, bn string) string {
		s := strconv.FormatInt(a, 10) + " " + an
		if b > 0 {
			s += " " + strconv.FormatInt(b, 10) + " " + bn
		}
		return s
	}
	switch {
	case ms >= 2*Day:
		return two(ms/Day, "d", ms%Day/Hour, "h")
	case ms >= Hour:
		return two(ms/Hour, "h", ms%Hour/Minute, "min")
	case ms >= Minute:
		return two(ms/Minute, "min", ms%Minute/Second, "s")
	}
	return strconv.FormatInt(ms/Second, 10) + " s"
}

// About is a duration in one unit, floored, for a sentence that has no room for
// two: 23 h, 10 min, 40 s.
func About(ms int64) string {
	ms = max(ms, 0)
	for _, u := range []struct {
		ms   int64
		name string
	}{{Day, " d"}, {Hour, " h"}, {Minute, " min"}} {
		if ms >= u.ms {
			return strconv.FormatInt(ms/u.ms, 10) + u.name
		}
	}
	return strconv.FormatInt(ms/Second, 10) + " s"
}

// Clock is a time of day, with the date before it when it is not now's.
func Clock(ms, now int64, loc *time.Location) string { return clock(ms, now, loc, "15:04") }

// ClockSec is Clock with seconds, where order matters.
func ClockSec(ms, now int64, loc *time.Location) string { return clock(ms, now, loc, "15:04:05") }

func clock(ms, now int64, loc *time.Location, layout string) string {
	t, n := time.UnixMilli(ms).In(loc), time.UnixMilli(now).In(loc)
	switch {
	case t.Year() != n.Year():
		layout = "2006-01-02 " + layout
	case t.YearDay() != n.YearDay():
		layout = "01-02 " + layout
	}
	return t.Format(layout)
}

// Number writes n with commas: 1,204.
func Number(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	var b strings.Builder
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return sign + b.String()
}

// Column is Number, shortened from 100,000 on: 120k, 1.2M.
func Column(n int64) string {
	switch {
	case n < 100_000:
		return Number(n)
	case n < 1_000_000:
		return strconv.FormatInt(n/1000, 10) + "k"
	default:
		tenth := n / 100_000
		return strconv.FormatInt(tenth/10, 10) + "." + strconv.FormatInt(tenth%10, 10) + "M"
	}
}

// Count is n and its noun: 1 line, 6 lines.
func Count(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Number(n) + " " + many
}
