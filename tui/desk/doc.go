// Package desk draws what stands beside the page of an effect: a summary of it
// with the answers and what each unlocks, its attempts, and who waits for it.
//
// The rule it keeps (DESIGN §5, §9): an answer is bound to the page and to
// nothing here, and a row here never counts as reading the page. What was
// allowed, what came back and who says what happened stand apart; text of a
// tool or an observer is drawn by visible, in quotes.
package desk
