package notify

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// flock takes f's lock alone, without waiting.
func flock(f *os.File) (taken bool, err error) {
	how := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY | windows.LOCKFILE_EXCLUSIVE_LOCK)
	err = windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, &windows.Overlapped{})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}
