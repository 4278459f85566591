//go:build unix

package faults

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"nod/store/sqlite"
)

// TestManyOpenAfterAKill: when a process was killed and left its log behind,
// many may open the store at once (hooks do): all of them get it.
func TestManyOpenAfterAKill(t *testing.T) {
	const processes = 8
	n := rounds(t, "NOD_FAULT_OPEN", 200, 10)
	path := newStorePath(t)
	if s := openStore(t, path, sqlite.Options{Create: true}); s.Close() != nil {
		t.Fatal("the new store does not close")
	}
	for i := range n {
		p := startPeer(t, path)
		for k := range 5 + i%10 {
			if r := p.do(agent, call("open", fmt.Sprintf("open-%d-%d", i, k))); r.err != nil {
				t.Fatal(r.err)
			}
		}
		p.kill()
		var said [processes]strings.Builder
		var running sync.WaitGroup
		for k := range processes {
			cmd := role(t, "peer", path, "") // its input has ended: it opens the store and closes it
			cmd.Stderr = &said[k]
			running.Go(func() {
				if err := cmd.Run(); err != nil {
					t.Errorf("round %d: process %d: %v: %s", i, k, err, strings.TrimSpace(said[k].String()))
				}
			})
		}
		running.Wait()
		if t.Failed() {
			t.FailNow()
		}
	}
	whole(t, openStore(t, path, sqlite.Options{}))
	t.Logf("eight processes open a store at once after a kill: %d rounds, all of them got it", n)
}
