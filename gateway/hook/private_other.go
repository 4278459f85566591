//go:build !unix

package hook

import (
	"fmt"
	"os"
)

// private refuses what is not a directory; access lists are the system's.
func private(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("look at the state directory: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("the state directory %q is not a directory", dir)
	}
	return nil
}
