//go:build unix

package cli

import (
	"os"
	"syscall"
)

// watchFile says that a console watches the store: each console holds a shared
// lock on it, which the system lets go when the console dies.
func watchFile(store string) string { return store + ".watched" }

// announce holds the lock until the process ends or the function is called.
// Failing to announce fails nothing else.
func announce(store string) func() {
	f, err := os.OpenFile(watchFile(store), os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return func() {}
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		return func() {}
	}
	return func() { _ = f.Close() }
}

// watched reports whether a console is open on the store; known is false where
// that cannot be told.
func watched(store string) (is, known bool) {
	f, err := os.OpenFile(watchFile(store), os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
	if os.IsNotExist(err) {
		return false, true
	}
	if err != nil {
		return false, false
	}
	defer func() { _ = f.Close() }()
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	return err != nil, true
}
