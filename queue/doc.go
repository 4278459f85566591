// Package queue is the life of an ask (DESIGN §4): what may happen to it, by
// whom, and what is written down when it does.
//
// The rule it keeps: one transaction an act. authorise → settle → judge →
// apply; settle's changes stay even when the act is refused, judging writes
// nothing, applying appends exactly one event a change, and the caller is
// answered after the commit. Business rules are written here once; a Store
// adds none. Clock, ids, randomness, rules and limits are passed in.
package queue
