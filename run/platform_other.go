//go:build !unix

package run

import (
	"io/fs"
	"os"
)

// mayExecute is none: the suffix tells.
const mayExecute fs.FileMode = 0

// suffixes are what a shell appends to a command's name.
var suffixes = [...]string{"", ".exe", ".com"}

// passed are the signals that are handed on to the command.
func passed() []os.Signal { return []os.Signal{os.Interrupt} }

// fromTerminal: the console sends an interrupt to the command as well.
func fromTerminal(os.Signal) bool { return true }
