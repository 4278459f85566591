// Package stats is the view of what was asked and answered over a span
// (SCREENS §11).
//
// The rule it keeps: a number on it is the store's or follows from the store's
// by counting; what was not looked at is said ("at least"), what nobody did is
// a dash or a dot and never a zero that looks measured.
package stats
