//go:build unix

package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// guardOwner wants info's file to be this user's and nobody else's.
func guardOwner(path string, info fs.FileInfo, remedy string) error {
	if st, ok := info.Sys().(*syscall.Stat_t); ok && int64(st.Uid) != int64(os.Geteuid()) {
		return fail(CodeLoose, "run nod as the owner, or give the file to the user that runs nod",
			"%s belongs to user %d, and nod runs as user %d", path, st.Uid, os.Geteuid())
	}
	if info.Mode().Perm()&0o077 != 0 {
		return fail(CodeLoose, remedy, "others have access to %s (mode %#o)", path, info.Mode().Perm())
	}
	return nil
}

// syncDir makes names in dir durable.
func syncDir(dir string) error {
	d, err := os.Open(dir) //nolint:gosec // the store's own directory
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// flock takes f's lock, alone or shared, without waiting.
func flock(f *os.File, alone bool) (taken bool, err error) {
	how := unix.LOCK_SH | unix.LOCK_NB
	if alone {
		how = unix.LOCK_EX | unix.LOCK_NB
	}
	for {
		switch err := unix.Flock(int(f.Fd()), how); {
		case err == nil:
			return true, nil
		case errors.Is(err, unix.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, unix.EINTR):
			return false, err
		}
	}
}

// openNoFollow opens a file that is not a link; it makes it when it is not there.
func openNoFollow(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW, 0o600) //nolint:gosec // beside the store
}
