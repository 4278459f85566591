// Package descriptor says what the operator's own text about a tool means: its
// class and access, how to read its values, which value an approver types, which
// calls repeat one another, and what an observer's answer says of an effect
// (DESIGN §1 and §5, docs/spec/descriptor.md).
//
// The rule it keeps: a reading stands beside a raw value and never says more
// than the value does. What cannot be read exactly is said to be unread; no
// text of the arguments ever becomes part of a reading. An answer says that an
// effect happened, or did not, only where nothing else can be read from it. The
// package is pure: reading the files is the configuration's work, asking is
// package observe's.
package descriptor
