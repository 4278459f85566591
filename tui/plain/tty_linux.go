package plain

import (
	"os"

	"golang.org/x/sys/unix"
)

// pending reports whether the terminal holds input. In line mode it counts
// whole lines only, so it is asked for a moment out of line mode.
func pending(f *os.File) bool {
	fd := int(f.Fd())
	t, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return false
	}
	if raw := *t; t.Lflag&unix.ICANON != 0 {
		raw.Lflag &^= unix.ICANON
		if unix.IoctlSetTermios(fd, unix.TCSETS, &raw) == nil {
			defer func() { _ = unix.IoctlSetTermios(fd, unix.TCSETS, t) }() // as it was a moment ago
		}
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCINQ)
	return err == nil && n > 0
}

// flush throws away what the terminal holds.
func flush(f *os.File) {
	_ = unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCIFLUSH) // a terminal that cannot flush has nothing to lose
}
