// Package cli is the command line: a file a command.
//
// The rules it keeps: what a command prints of an ask is drawn first; an error
// is one sentence, a hint and a stable code; exit codes are 0 allowed or done,
// 1 denied, 2 error, 3 nobody answered; and a decision from here needs a
// terminal and the code of the card (DESIGN §9).
package cli
