// Package digest keeps one rule: what was read, what was approved and what is
// run are the same bytes. It takes strict JSON in, writes RFC 8785 canonical
// bytes, and names a document by the SHA-256 of those bytes (DESIGN §3).
//
// Nothing is repaired: whatever two readers could understand differently is
// refused, with a stable code and the RFC 6901 pointer of the place, never the
// value. The package is pure: no clock, disk, randomness or environment.
//
// docs/spec/digest.md is the specification, with test vectors.
package digest
