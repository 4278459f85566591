// Package faults holds the tests that hurt a queue while it works: processes
// killed at random moments, races between processes, disks that are full or
// stop taking writes.
//
// The rule it keeps: whatever happens to a process or a disk, the history on
// disk is one that the rules of DESIGN §4 allow, everything acknowledged is in
// it, and nothing in it was not asked for. The history is judged by a reader
// of its own (queue/ledger), which knows the rules and none of the queue's code.
//
// docs/faults.md names the command that makes each figure.
package faults
