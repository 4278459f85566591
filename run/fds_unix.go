//go:build unix

package run

import (
	"math"
	"os"
	"strconv"
	"syscall"
)

// keepOpenFiles keeps every descriptor above stderr from the command: the card
// says nothing of what this process was started with.
func keepOpenFiles() error {
	if closeOnExecFrom(3) == nil {
		return nil
	}
	dir := "/dev/fd"
	names, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, n := range names {
		if fd, err := strconv.Atoi(n.Name()); err == nil && fd > 2 && fd < math.MaxInt32 {
			syscall.CloseOnExec(fd)
		}
	}
	return nil
}
