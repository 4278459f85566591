//go:build !linux

package main

import "time"

// bootMS is the wall clock where no clock that counts sleep is at hand: a jump
// of it is then not told from a sleep, and time simply goes on.
func bootMS() int64 { return time.Now().UnixMilli() }
