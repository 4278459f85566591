// Package ledger judges the history of a queue: it folds the chain of events from
// the first one and says which rule of DESIGN §4 an event breaks. Then it holds
// the store's rows against what the events make of them.
//
// It knows the rules and none of the queue's code, so that one fault cannot be
// in both. The fault tests and the model checker use it; the program does not.
package ledger
