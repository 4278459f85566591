//go:build unix

package notify

import (
	"errors"
	"os"
	"syscall"
)

// flock takes f's lock alone, without waiting. The system lets it go when the
// process dies.
func flock(f *os.File) (taken bool, err error) {
	for {
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, syscall.EINTR):
			return false, err
		}
	}
}
