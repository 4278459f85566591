package sqlite

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// guardOwner leaves access to the directory's list, which a user's profile
// restricts to that user; mode bits say nothing here.
func guardOwner(string, fs.FileInfo, string) error { return nil }

// syncDir has nothing to do: NTFS journals names.
func syncDir(string) error { return nil }

// flock takes f's lock, alone or shared, without waiting.
func flock(f *os.File, alone bool) (taken bool, err error) {
	how := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if alone {
		how |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	h := windows.Handle(f.Fd())
	_ = windows.UnlockFileEx(h, 0, 1, 0, &windows.Overlapped{}) // held or not
	err = windows.LockFileEx(h, how, 0, 1, 0, &windows.Overlapped{})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

func openNoFollow(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // beside the store
}
