//go:build !unix

package probe

import (
	"io"
	"os"
	"time"
)

// Run asks nothing here: the console's own output is Unicode on these systems.
func Run(*os.File, io.Writer, time.Duration) (Result, error) { return Result{}, nil }
