// Package effects is the list of what agents did in the world and of which
// nobody may be sure: the open ones, then those that were settled lately.
//
// The rule it keeps: what happened is a word of its own, never the call's
// status; the selected row is an id and never moves under the hand. Rows come
// by number, newest first.
package effects
