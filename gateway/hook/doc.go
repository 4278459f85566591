// Package hook answers the hooks of a host that runs the calls itself. So far
// it knows Claude Code (docs/hosts/claude-code.md).
//
// The rule it keeps: the host is told to go on only after the queue has begun
// this very call, and in every other case it is told no in a way that blocks.
// An answer is built whole, written once and is the only thing on stdout; an
// error of any kind is a sentence on stderr and exit status 2, which blocks the
// call on the host (docs/hosts/claude-code.md).
package hook
