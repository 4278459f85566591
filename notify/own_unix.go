//go:build unix

package notify

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// noFollow refuses a link in a file's place, and waits for no FIFO's writer.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK | syscall.O_CLOEXEC

// private reports whether a file is regular, the user's, and closed to others.
func private(info fs.FileInfo, uid int) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && info.Mode().IsRegular() && int(st.Uid) == uid && info.Mode().Perm()&0o077 == 0
}

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
