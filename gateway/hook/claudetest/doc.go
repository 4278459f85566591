// Package claudetest runs a real Claude Code session against a scripted model
// on loopback, so that a test sees what the host does with a hook's answer
// instead of what its documentation says.
//
// The rule it keeps: nothing a session starts outlives the call that started
// it, nothing leaves the machine, and nothing of the developer's own Claude
// configuration is read or written. A tool call counts as run only when it
// left a mark in the world (a file, a connection, a word read from disk), never
// because the host said so.
package claudetest
