package main

import "golang.org/x/sys/unix"

// bootMS is the time since this machine started, sleep included: Go's own
// monotonic clock stands still while a laptop sleeps, and waking would look
// like a clock that was set forward.
func bootMS() int64 {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &ts) != nil {
		return 0
	}
	return ts.Nano() / 1e6
}
