// Package tui is the console.
//
// The rule it keeps: keys → gate → binding → intent → act. A view never sees a
// key, an intent never touches the screen, and only an act, sent through
// queue.Port and answered after its commit, changes anything. Screens are pure:
// the same state, size and theme give the same rows. A slow queue never holds
// up a key: reading is done by commands, and an answer that comes too late for
// its question is dropped.
package tui
