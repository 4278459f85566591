package cli

import (
	"fmt"
	"time"
)

// clock is a time of day, local; with the date when it is another day's.
func clock(ms, now int64) string {
	if ms == 0 {
		return "–"
	}
	t, n := time.UnixMilli(ms), time.UnixMilli(now)
	if t.YearDay() != n.YearDay() || t.Year() != n.Year() {
		return t.Format("01-02 15:04")
	}
	return t.Format("15:04:05")
}

// span is a length of time in one unit, floored: 8s 4m 3h 2d 5w.
func span(ms int64) string {
	s := max(ms, 0) / 1000
	switch {
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 3600:
		return fmt.Sprintf("%dm", s/60)
	case s < 86_400:
		return fmt.Sprintf("%dh", s/3600)
	case s < 14*86_400:
		return fmt.Sprintf("%dd", s/86_400)
	default:
		return fmt.Sprintf("%dw", s/(7*86_400))
	}
}
