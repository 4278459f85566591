// Package cardview lays a card out for the screen and keeps account of which
// of its lines have been displayed.
//
// The rule it keeps (DESIGN §9, CARD.md "On screen"): the detail is the card,
// verbatim. Layout adds a gutter, padding, label rows and the wrap glyph and
// nothing else; taking them away gives the card's bytes back, at every width.
// A line counts as read only when every one of its rows was on a confirmed
// frame. The package knows no terminal, no clock and no colour.
package cardview
