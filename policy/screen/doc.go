// Package screen reads decisions that come from elsewhere: from a host's rules,
// hooks and classifiers (SEED-TABLES §4).
//
// The rule it keeps: a decision is taken as a whole or not at all. One that is out
// of contract is a deny that names the member, whatever else it says. A mandate on
// a decision only makes it stricter. The package is pure.
package screen
