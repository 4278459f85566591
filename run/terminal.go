package run

import (
	"io"
	"os"

	"golang.org/x/term"
)

// isTerminal reports whether the command reads from a terminal, which then
// sends its signals to the command too.
func isTerminal(r io.Reader) bool {
	f, ok := r.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
