// Package ambiguity says what is known of an effect in the world (DESIGN §5,
// SEED-TABLES §2): how an effect is named, what a list of statements on one
// attempt proves, what the attempts make of the effect, and what an answer
// unlocks.
//
// The rule it keeps: what happened is never inferred from what happened to the
// call. Committed wants somebody's statement, not executed wants proof that Nod
// holds, everything else is unknown, and a person leaves unknown by an answer
// that is appended. The package is pure: facts come in, a judgement goes out.
package ambiguity
