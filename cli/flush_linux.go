package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// flushInput throws away what waits in the terminal's input and reports
// whether there was anything.
func flushInput(f *os.File) bool {
	n, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCINQ)
	_ = unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCIFLUSH) // a terminal that cannot flush had nothing to lose
	return err == nil && n > 0
}
