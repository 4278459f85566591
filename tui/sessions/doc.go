// Package sessions is the view of the agents' conversations, as trees of
// parents and children (SCREENS §10).
//
// The rule it keeps: every session that was read is in the view exactly once,
// whatever its parent is said to be, or stands below a fold that counts it;
// and the selected row is an id that nothing but the operator moves.
package sessions
