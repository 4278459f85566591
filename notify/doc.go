// Package notify tells others that asks wait: with a signed POST to a webhook
// and by starting a command (docs/notifications.md).
//
// The rules it keeps. What is sent is a closed document of ids, counts, times
// and our own words: no tool, no argument, no agent's and no operator's text,
// so that it may go where an ask's contents may not. Each rung of each ask is
// told at most once (package ladder): one process a store holds the notifier's
// lock, and what was told is on disk before it is sent, so that a process that
// dies does not tell it again. A receiver that fails is tried again a bounded
// number of times with the same id; what was given up is remembered and said.
// The addresses and the key are in nothing that is sent, printed or kept.
//
// Clock, ids, randomness and environment are passed in.
package notify
