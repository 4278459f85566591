package cli_test

import (
	"testing"
	"time"
)

// BenchmarkIdle: what the real console on a pty takes of a processor while
// nothing happens, with 1,000 pending asks, over 30 s, beside a least Bubble
// Tea program. Want ≤ 1 %.
//
//	go test -run - -bench Idle -benchtime 1x ./cli
func BenchmarkIdle(b *testing.B) {
	const span = 30 * time.Second
	share := func(c *terminal) float64 {
		c.still(2 * time.Second)
		used := cpu(b, c.cmd.Process.Pid)
		time.Sleep(span)
		return 100 * float64(cpu(b, c.cmd.Process.Pid)-used) / float64(span)
	}
	s := newSite(b, "")
	s.pending(1_000)
	for b.Loop() {
		least := onTerminal(b, 120, 40, nil, "leasttea")
		least.until("[inbox")
		b.ReportMetric(share(least), "%cpu-least-tea")
		least.press("q")
		least.gone()
		c := s.console(b, 120, 40)
		c.until("[inbox ")
		c.until("go test")
		b.ReportMetric(share(c), "%cpu-idle")
		b.ReportMetric(float64(rss(b, c.cmd.Process.Pid))/(1<<20), "MiB-rss")
		c.press("q")
		c.gone()
	}
}
