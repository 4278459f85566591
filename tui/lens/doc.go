// Package lens draws a call in other ways than its card: what a write changes
// in a file, the arguments as JSON, a command line laid out, what was answered
// before, the escapes by name, the bytes.
//
// The rule it keeps (DESIGN §9, SCREENS §4): a lens is a reading aid. It says
// in its first row that it is not part of what is approved, it never counts as
// reading the card, and it shows what it was given or says what it lacks; it
// judges nothing. Untrusted text is drawn by visible, and left of a divider
// every character of it beyond ASCII is escaped. The package is pure: files
// and earlier asks are handed to it, and nothing in it waits.
package lens
