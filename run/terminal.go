package run

import (
	"os"

	"golang.org/x/term"
)

// isTerminal reports whether a stream is a terminal. One that the command reads
// from sends its signals to the command too.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
