// Package plain is the console in lines, for screen readers and terminals that
// cannot place a cursor (SCREENS §15).
//
// The rule it keeps: the same digests and the same gate as the screen's, line
// by line. A card's lines count as shown when they were printed and the prompt
// after them was reached. Allowing is a line that says so, the value where one
// is asked, and a line with the first four characters of the shown digest. A
// line counts only when it came after its prompt: what was waiting is thrown
// away with a word, a line that decides wants 400 ms of rest since its prompt,
// and a paste of several lines decides nothing. The end of input, a closed
// terminal and the end of the program decide nothing.
//
// Every line that is printed is drawn text: printable characters and line
// feeds, no sequence. Nothing is aligned or coloured, and nothing is printed
// but after a line of the operator's.
package plain
