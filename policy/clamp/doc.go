// Package clamp keeps a child from loosening what its parent ran under
// (DESIGN §7, SEED-TABLES §6).
//
// The rule it keeps: a restricting value that any level holds stands, whatever a
// later level states. Each level declares what it wants; composing them from the
// outermost in gives what is in force, and only restrictions travel on to a
// child. The package is pure.
package clamp
