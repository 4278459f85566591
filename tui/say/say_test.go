package say

import (
	"testing"
	"time"
)

func TestWordsForTimesAndNumbers(t *testing.T) {
	utc := time.UTC
	at := time.Date(2026, 11, 30, 14, 32, 7, 0, utc).UnixMilli()
	for _, c := range []struct{ got, want string }{
		{Age(8400), "8s"}, {Age(4*Minute + 59*Second), "4m"}, {Age(Hour), "1h"}, {Age(47 * Hour), "1d"}, {Age(5 * Week), "5w"}, {Age(-5), "0s"},
		{Span(23*Hour + 58*Minute + 59*Second), "23 h 58 min"}, {Span(10 * Minute), "10 min"}, {Span(9*Minute + 12*Second), "9 min 12 s"}, {Span(40 * Second), "40 s"}, {Span(25 * Hour), "25 h"}, {Span(51 * Hour), "2 d 3 h"}, {Span(-1), "0 s"},
		{Clock(at, at+Hour, utc), "14:32"}, {ClockSec(at, at, utc), "14:32:07"}, {Clock(at-Day, at, utc), "11-29 14:32"}, {Clock(at-365*Day, at, utc), "2025-11-30 14:32"},
		{Clock(at, at, time.FixedZone("x", 3600)), "15:32"},
		{Number(9), "9"}, {Number(1204), "1,204"}, {Number(-1204567), "-1,204,567"}, {Number(100), "100"},
		{Column(99_999), "99,999"}, {Column(120_500), "120k"}, {Column(1_250_000), "1.2M"},
		{Count(1, "line", "lines"), "1 line"}, {Count(0, "line", "lines"), "0 lines"}, {Count(1204, "line", "lines"), "1,204 lines"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestAboutIsOneUnit(t *testing.T) {
	for ms, want := range map[int64]string{-5: "0 s", 59_999: "59 s", 60_000: "1 min", 23*Hour + 59*Minute: "23 h", 50 * Hour: "2 d"} {
		if got := About(ms); got != want {
			t.Errorf("%d: %q, not %q", ms, got, want)
		}
	}
}
