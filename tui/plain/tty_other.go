//go:build !linux && !darwin && !dragonfly && !freebsd && !netbsd && !openbsd

package plain

import "os"

// pending cannot look into the terminal's input here; whole lines are known by
// the time at which they came.
func pending(*os.File) bool { return false }

func flush(*os.File) {}
