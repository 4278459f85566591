//go:build unix

package hook

import (
	"context"
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// errGone is the cause of a wait that nobody is left to hear.
var errGone = errors.New("the host is gone")

// lookForHost is how often the host is looked for.
const lookForHost = 500 * time.Millisecond

// watchHost calls gone once when the host that started this process is not
// there any more. Between host and hook stands a shell that outlives a killed
// host, so the parent alone does not tell: the other ends of stdout and stderr
// are watched too. It returns when ctx ends.
func watchHost(ctx context.Context, gone func(error)) {
	parent := os.Getppid()
	tick := time.NewTicker(lookForHost)
	defer tick.Stop()
	for {
		if os.Getppid() != parent || hungUp(1) || hungUp(2) {
			gone(errGone)
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// hungUp reports whether nobody can read what is written to fd, a pipe or a
// socket. A file or a terminal never hangs up here.
func hungUp(fd int32) bool {
	fds := []unix.PollFd{{Fd: fd}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0 && fds[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
}
