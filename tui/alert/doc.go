// Package alert says what the terminal around the console is told: the window's
// title, the bell and desktop notifications (issue "Attention", SCREENS A).
//
// The rules it keeps: what is sent is one of a closed set of sequences, made of
// our own words and of counts; no text of an ask is ever in it. A bell or a
// notification goes out only when the operator configured that kind, only
// while the terminal said that its window is not in front, and at most once in
// 30 seconds; what came in between is folded into the next one. A terminal
// that never reports its focus counts as in front. Pure: time and events are
// passed in.
package alert
