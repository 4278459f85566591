//go:build unix

package claudetest

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// markVariable is in the environment of every process of a session. A host
// starts hooks and servers in groups of their own, so the group alone does not
// find them.
const markVariable = "NOD_CLAUDETEST_SESSION"

// sweep kills what is left of a session: its process group and, where /proc
// shows environments, every process that carries the mark. It returns how many
// processes it found by their mark.
func sweep(group int, mark string) int {
	// ESRCH is the good case: nobody is left.
	_ = syscall.Kill(-group, syscall.SIGKILL)
	found := map[int]bool{}
	// A process found may just be starting another: look until none is left.
	for range 50 {
		live := marked(mark)
		if len(live) == 0 {
			break
		}
		for _, pid := range live {
			found[pid] = true
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(2 * time.Millisecond)
	}
	return len(found)
}

// marked lists the live processes that carry the mark; none without /proc.
func marked(mark string) []int {
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		return nil
	}
	want := []byte(markVariable + "=" + mark + "\x00")
	var pids []int
	for _, f := range files {
		env, err := os.ReadFile(f) // gone, or another user's
		if err != nil || !bytes.Contains(env, want) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f))); err == nil && pid != os.Getpid() {
			pids = append(pids, pid)
		}
	}
	return pids
}
