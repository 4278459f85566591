package run

import (
	"math"

	"golang.org/x/sys/unix"
)

func closeOnExecFrom(fd uint) error {
	return unix.CloseRange(fd, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
}
