// Package gate is the deciding gate of the console: a pure state machine that
// turns keys into a decision, or into a sentence that says why not.
//
// The rule it keeps (DESIGN §9): nothing is decided but by a person who has
// been shown the whole card, or confirmed how many lines were skipped, on a
// frame that the terminal has painted, after 400 ms of rest. Allowing is two
// acts, the key and the first four characters of the shown digest; denying is
// one act that 400 ms of rest follow. Enter, Space, Esc, navigation keys, mouse,
// paste, bursts and held keys never decide. Early keys are discarded with a
// word, never queued.
//
// The package has no clock. Every event comes with the milliseconds of one
// monotonic clock, read when the event came in, not when it is handled: a
// slow frame between two keys must not make a paste look typed.
package gate
