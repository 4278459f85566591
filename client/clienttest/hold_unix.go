//go:build unix

package clienttest

import (
	"context"
	"errors"
	"os"
	"syscall"
	"testing"
	"time"

	"nod/queue"
)

// Hold stops a process where it keeps nobody else from the store: one that is
// stopped inside its write transaction would.
func (q *Queue) Hold(t testing.TB, p *os.Process) {
	t.Helper()
	for range 50 {
		if err := p.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		_, err := q.Operator.Do(ctx, queue.AckNotice{Notice: -1}) // refused by a store that can be written
		cancel()
		if _, free := errors.AsType[*queue.Refusal](err); free {
			return
		}
		if err := p.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("the process never let go of the store")
}
