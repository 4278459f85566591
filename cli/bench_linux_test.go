package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"nod/digest"
	"nod/digest/card"
	"nod/queue"
)

func quantile(took []time.Duration, q float64) time.Duration {
	sorted := slices.Sorted(slices.Values(took))
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

// BenchmarkHooks: 8 processes of nod hook at once, every call answered by a
// rule. Want p99 ≤ 20 × the median of one process alone.
//
//	go test -run - -bench Hooks -benchtime 1x ./cli
func BenchmarkHooks(b *testing.B) {
	s := newSite(b, "[[rule]]\nname = \"all\"\ntools = [\"*\"]\nverdict = \"allow\"\n")
	session := "bench-" + uuid.NewString()
	hook := func(event string) (string, error) {
		cmd := exec.Command("nod", s.flags("hook", "claude-code")...)
		cmd.Stdin = strings.NewReader(event)
		out, err := cmd.Output()
		return string(out), err
	}
	defer func() { // lets the files of its calls go
		if _, err := hook(fmt.Sprintf(`{"hook_event_name":"SessionEnd","session_id":%q,"cwd":"/","reason":"other"}`, session)); err != nil {
			b.Error(err)
		}
	}()
	call := func() (time.Duration, error) {
		event := fmt.Sprintf(`{"hook_event_name":"PreToolUse","session_id":%q,"cwd":"/srv","tool_name":"Bash","tool_use_id":%q,"tool_input":{"command":"ls"}}`,
			session, uuid.NewString())
		start := time.Now()
		out, err := hook(event)
		took := time.Since(start)
		if err == nil && !strings.Contains(out, `"permissionDecision":"allow"`) {
			err = fmt.Errorf("not allowed: %s", out)
		}
		return took, err
	}
	for b.Loop() {
		var alone, together []time.Duration
		for range 40 {
			took, err := call()
			if err != nil {
				b.Fatal(err)
			}
			alone = append(alone, took)
		}
		for range 25 {
			var group sync.WaitGroup
			var mu sync.Mutex
			for range 8 {
				group.Go(func() {
					took, err := call()
					mu.Lock()
					defer mu.Unlock()
					if err != nil {
						b.Error(err)
					}
					together = append(together, took)
				})
			}
			group.Wait()
		}
		one, p99 := quantile(alone, 0.5), quantile(together, 0.99)
		b.ReportMetric(float64(one.Microseconds())/1000, "ms-alone")
		b.ReportMetric(float64(p99.Microseconds())/1000, "ms-p99-of-8")
		b.ReportMetric(float64(p99)/float64(one), "p99/alone")
	}
}

// pending fills the store with n asks like one that was really submitted, each
// of another call: equal ones would stand in one row of the console.
func (s *site) pending(n int) {
	s.t.Helper()
	view := s.view(s.submit(bash("go test ./...")))
	ask, err := digest.ParseAsk(view.Ask, digest.Limits{})
	if err != nil {
		s.t.Fatal(err)
	}
	filed := 0
	next := func() (queue.Row, []byte) {
		filed++
		row := view.Row
		row.ID = uuid.Must(uuid.NewV7()).String()
		row.WaiterHash, row.WaiterUntil = "", 0
		row.Gist = fmt.Sprintf("go test ./%d/...", filed)
		ask.ID, ask.Action.Arguments = row.ID, digest.JSON(fmt.Sprintf(`{"command":%q}`, row.Gist))
		var err error
		if ask.ActionDigest, err = ask.SubjectDigest(); err != nil {
			s.t.Fatal(err)
		}
		doc, err := ask.Canonical()
		if err != nil {
			s.t.Fatal(err)
		}
		text, err := card.Render(ask)
		if err != nil {
			s.t.Fatal(err)
		}
		row.ActionDigest, row.ShownDigest, row.AskDigest = ask.ActionDigest, card.ShownDigest(text), digest.Of(doc)
		return row, doc
	}
	const each = 5000
	for from := 1; from < n; from += each {
		err := s.db.Do(s.t.Context(), func(tx queue.Tx) error {
			for range min(each, n-from) {
				row, doc := next()
				if err := tx.InsertAsk(&row, doc); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			s.t.Fatal(err)
		}
	}
}

// BenchmarkConsole: the real console on a pty over queues of three sizes. Want
// key to frame flat in the queue's size, the first frame near a least Bubble
// Tea program's, and next to nothing while idle.
//
//	go test -run - -bench Console -benchtime 60x -timeout 30m ./cli
func BenchmarkConsole(b *testing.B) {
	first := func(c *terminal, start time.Time, want string) time.Duration {
		c.until(want)
		return time.Since(start)
	}
	var trivial []time.Duration
	for range 15 {
		start := time.Now()
		c := onTerminal(b, 120, 40, nil, "leasttea")
		trivial = append(trivial, first(c, start, "[inbox"))
		c.press("q")
		c.gone()
	}
	var small time.Duration
	for _, n := range []int{1_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("pending=%d", n), func(b *testing.B) {
			if n > 1_000 && testing.Short() {
				b.Skip("fills a large store")
			}
			s := newSite(b, "")
			s.pending(n)
			var opening []time.Duration
			for range 15 {
				start := time.Now()
				c := s.console(b, 120, 40)
				opening = append(opening, first(c, start, "[inbox "))
				c.press("q")
				c.gone()
			}
			c := s.console(b, 120, 40)
			c.until("[inbox ")
			c.until("go test")
			c.still(200 * time.Millisecond)
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				before := len(c.written())
				start := time.Now()
				c.press([]string{"j", "k"}[i/200%2])
				for len(c.written()) == before && time.Since(start) < patience {
					time.Sleep(200 * time.Microsecond)
				}
				took = append(took, time.Since(start))
				c.still(30 * time.Millisecond)
			}
			median := quantile(took, 0.5)
			if small == 0 {
				small = median
			}
			b.ReportMetric(float64(median.Microseconds())/1000, "ms-key-to-frame")
			b.ReportMetric(float64(median)/float64(small), "key/key-at-1000")
			b.ReportMetric(float64(quantile(opening, 0.5).Microseconds())/1000, "ms-first-frame")
			b.ReportMetric(float64(quantile(opening, 0.5))/float64(quantile(trivial, 0.5)), "first/least-tea")
			c.still(time.Second)
			used, idle := cpu(b, c.cmd.Process.Pid), 5*time.Second
			time.Sleep(idle)
			b.ReportMetric(100*float64(cpu(b, c.cmd.Process.Pid)-used)/float64(idle), "%cpu-idle")
			b.ReportMetric(float64(rss(b, c.cmd.Process.Pid))/(1<<20), "MiB-rss")
		})
	}
}

// cpu is the time that a process has used: user and system, in ticks of 10 ms.
func cpu(b *testing.B, pid int) time.Duration {
	b.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	var ticks int
	for _, f := range fields[11:13] {
		n, err := strconv.Atoi(f)
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// rss is what a process has in memory, in bytes.
func rss(b *testing.B, pid int) int {
	b.Helper()
	statm, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		b.Fatal(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(statm))[1])
	if err != nil {
		b.Fatal(err)
	}
	return pages * os.Getpagesize()
}
