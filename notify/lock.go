package notify

import (
	"errors"
	"fmt"
	"os"
)

// lockFile is beside the store; whoever tells of the store holds its lock.
func lockFile(store string) string { return store + ".notifier" }

// hold takes the notifier's lock until it is released; without it (taken is
// false) another process has it.
func hold(store string, uid int) (release func() error, taken bool, err error) {
	f, err := open(lockFile(store), os.O_RDWR|os.O_CREATE, uid)
	if err != nil {
		return nil, false, fmt.Errorf("open the notifier's lock: %w", err)
	}
	taken, err = flock(f)
	if err != nil || !taken {
		return nil, false, errors.Join(err, f.Close())
	}
	return f.Close, true, nil
}
