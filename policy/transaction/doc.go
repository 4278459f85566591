// Package transaction keeps what a host reports of activating, rolling back or
// repairing a runtime (DESIGN §7, SEED-TABLES §1).
//
// The rule it keeps: a call's return is no proof. A cutover and a restore count
// only when what is observed shows them; what was interrupted is not resumed but
// taken back to where it was, and where that cannot be shown it has diverged.
// A record is a value, its entries its whole history: the same entries always
// make the same record, and a stored record that no entries lead to is an error.
// The package is pure: Nod reports and remembers, the host does.
package transaction
