//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package plain

import (
	"os"

	"golang.org/x/sys/unix"
)

// pending cannot look into a line that is being typed here; whole lines are
// known by the time at which they came.
func pending(*os.File) bool { return false }

// flush throws away what the terminal holds: it sets the terminal to what it
// is, in the way that drops the input.
func flush(f *os.File) {
	fd := int(f.Fd())
	if t, err := unix.IoctlGetTermios(fd, unix.TIOCGETA); err == nil {
		_ = unix.IoctlSetTermios(fd, unix.TIOCSETAF, t) // a terminal that cannot flush has nothing to lose
	}
}
