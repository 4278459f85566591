//go:build unix

package hook

import (
	"fmt"
	"os"
	"syscall"
)

// private refuses a directory that is not the user's own, is a link, or that
// others may read or change.
func private(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("look at the state directory: %w", err)
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !info.IsDir():
		return fmt.Errorf("the state directory %q is not a directory", dir)
	case !ok || int(st.Uid) != os.Geteuid():
		return fmt.Errorf("the state directory %q belongs to another user", dir)
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("the state directory %q is open to other users (mode %#o): chmod 700 it", dir, info.Mode().Perm())
	}
	return nil
}
