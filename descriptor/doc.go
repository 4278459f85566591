// Package descriptor says what the operator's own text about a tool means: its
// class and access, how to read its values, and which value an approver types
// (DESIGN §1, docs/spec/descriptor.md).
//
// The rule it keeps: a reading stands beside a raw value and never says more
// than the value does. What cannot be read exactly is said to be unread; no
// text of the arguments ever becomes part of a reading. The package is pure:
// reading the files is the configuration's work.
package descriptor
