//go:build unix

package operand

import "syscall"

// nonBlocking keeps the open of a named pipe from waiting for a writer.
const nonBlocking = syscall.O_NONBLOCK
