// Package boundary says when a call that crosses a device's boundary needs a
// person's word, whatever rule, mode or classifier said yes (DESIGN §6,
// SEED-TABLES §3): which legs a call has, which bits a session's tree holds and
// what sets them, what a call owes, and how a tree is written down and read.
//
// The rule it keeps: bits only grow, and what cannot be read is read as the
// strictest. The package is pure: trees, legs and facts come in, a judgement
// goes out; times come in as text and go out in sentences.
//
// docs/spec/boundary.md is the specification, with examples that a test reads.
package boundary
