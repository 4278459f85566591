//go:build unix

package run

import (
	"io/fs"
	"os"
	"syscall"
)

// mayExecute are the bits of which an executable has one.
const mayExecute fs.FileMode = 0o111

// suffixes are what a shell appends to a command's name.
var suffixes = [...]string{""}

// passed are the signals that are handed on to the command.
func passed() []os.Signal {
	return []os.Signal{
		syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2,
	}
}

// fromTerminal reports whether a terminal sends s to every process in front of
// it, so that the command has it already.
func fromTerminal(s os.Signal) bool { return s == syscall.SIGINT || s == syscall.SIGQUIT }
