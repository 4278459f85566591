// Package rules answers a call with the operator's own rules (DESIGN §4, §10).
//
// The rule it keeps: the same call gets the same ruling, deny beats ask beats
// allow, and a predicate that errs never allows. A predicate sees the action
// and nothing else: no clock, no randomness, no disk, no order of a map; and it
// ends, because every step over a list is paid for out of a fixed budget.
//
// What a rule may never do (allow a mandated, irreversible or commit ask) is
// the queue's to hold, not this package's.
package rules
