// Package editor is the console's text editor for the JSON of a call that is
// edited and asked anew.
//
// The rule it keeps: what is seen is what is there. The text holds only
// characters that digest/visible draws as themselves, each on cells of its own;
// every other character is its JSON escape, and becomes one when it is typed or
// pasted. So no mark of the drawing stands between the eye and the text, the
// cursor stands where the character is, and nothing in a call can hide in it.
package editor
