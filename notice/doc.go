// Package notice makes the engine's notices: what an operator must read because
// nobody else will (DESIGN §8, SEED-TABLES §3 and §5). Facts come in, the exact
// notices go out, each with a stable code, a closed detail and a key by which it
// is told once.
//
// The rule it keeps: words that a person wrote arrived, or a notice counts them;
// and no notice holds the words themselves. The package is pure.
//
// docs/spec/notices.md is the specification, with examples that a test reads.
package notice
