// Package policy says what an effect must declare before it may run under a
// policy that an operator attached, which acts that undo it are then owed, and
// what is written down of the call (DESIGN §7, SEED-TABLES §1 and §7).
//
// The rule it keeps: everything is judged before anything runs, and what cannot
// be shown to have been undone is never called so. A policy is a value that does
// not change after it was built. A scope is a value too: each step gives the next
// one, which is kept before the step is taken in the world, so that a crash at
// any point leaves a state to go on from, and no act that undoes runs twice.
//
// The package is pure. policy/transaction has the transactions that hosts report,
// policy/screen the decisions that come from elsewhere, policy/clamp what a child
// may not loosen. docs/spec/policy.md is the specification.
package policy
