// Package model goes through every history of a small world, up to a depth, and
// judges each: two operators, two executors, two calls that cause one effect, and
// a clock. The queue is the real one, on the memory store; nothing of it is
// modelled but the world around it.
//
// A position of the search is the store as it stands, what the executors were
// told, and the time. From each, every act of every actor is tried, those that
// must be refused too, and the clock moves to just before, at and just after
// whatever comes due next. After each act queue/ledger judges the events and the
// rows (I1 to I7, I9), and this package what only an observer of the act can know:
// that a refusal left nothing but the clock's doing (I10), that what must be
// refused was, and that a decision's words reach whoever waits (I8).
//
// Positions that differ only in names, in times that no longer matter, or in
// which of two equal actors is which, are one (see form).
package model
