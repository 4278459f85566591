//go:build unix

package cli

// keyboardName is the terminal of this process, whatever standard input is.
const keyboardName = "/dev/tty"
