// Package run holds one command of the caller's own until a person allows it,
// runs exactly that, and reports how it ended (nod run); and it asks without
// running anything (nod ask).
//
// The rule it keeps: what starts is what was on the card. The executable is
// resolved when asked and started by the file that was digested; the child gets
// the arguments and the environment variables that the card shows and no
// others, stands in the directory that was asked for even when its name leads
// elsewhere by then, and has no open file but stdin, stdout and stderr;
// everything digested is looked at again between begin and start. Every
// interpreter that the kernel or env would start is on the card, or the script
// is refused. Without a begin nothing starts.
//
// Where the outcome of its effect is kept (queue, DESIGN §5), the child has one
// variable and its output one listener more: EnvOutcome names a file of its own
// in which it may say what became of the effect, the last line of stderr goes
// to the desk, and stdout is read where the descriptor says that a result can
// prove that nothing happened. A second after its end the listening ends, and
// what it left in the background writes into a closed pipe.
//
// What the card cannot hold: what comes in on stdin when that is a pipe or a
// terminal (the card says which), files that a program opens by itself or that
// stand inside an argument (sh -c '. ./x'), files above 64 MiB that the program
// is not known to run, and a
// script's own bytes between the last look at them and the interpreter's
// reading, because an interpreter opens its script by name.
package run
