package notify

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

const noFollow = 0

// private looks at the kind of file only: a user's profile is closed to others
// by its access control list, which file modes do not show.
func private(info fs.FileInfo, _ int) bool { return info.Mode().IsRegular() }

// flock takes f's lock alone, without waiting.
func flock(f *os.File) (taken bool, err error) {
	how := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY | windows.LOCKFILE_EXCLUSIVE_LOCK)
	err = windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, &windows.Overlapped{})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}
