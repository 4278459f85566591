// Package audit proves that the queue's history is the one that was written
// (DESIGN §4, Events).
//
// The rule it keeps: nothing is believed because the store says so. Every
// event is hashed again, linked to the one before it, held against the closed
// table of an ask's life, and against what checkpoints signed outside the
// store say. A chain alone cannot show that its end was cut off, or that all of
// it was written anew; a checkpoint shows both. What the store shows besides its
// events (asks, attempts, grants, freezes, notices, sessions) is held against
// them and against each ask's own document.
//
// The events are read through queue.Port, like everything else.
package audit
