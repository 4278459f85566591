package frame

import (
	"math"
	"time"
)

// Scroll keeps the selected item of a list on the screen row where it stands
// while items come and go around it. The zero Scroll is at the top.
type Scroll struct {
	row    int
	pinned bool // row is where the item was drawn
	held   bool // items may have come and gone since
}

// Top gives the first item to show when item at of n is selected and h rows
// are free. lead items above it (its heading) stay in view.
func (s Scroll) Top(at, lead, n, h int) int {
	if s.held {
		return max(at-min(s.row, max(h-1, 0)), 0)
	}
	return max(min(at-min(max(s.row, lead), max(h-1, 0)), n-h), 0)
}

// Pad gives how many blank rows stand above the first item, because items
// above the selected one went away and Hold keeps it in its place.
func (s Scroll) Pad(at, h int) int {
	if !s.held {
		return 0
	}
	return max(min(s.row, max(h-1, 0))-at, 0)
}

// Move says that the selection went from one item to another; the list scrolls
// only when it must. fromLead is the lead of the old one.
func (s *Scroll) Move(from, fromLead, to, n, h int) {
	row := to - s.Top(from, fromLead, n, h) // blank rows above the first item go
	s.held = false
	s.row = max(min(row, h-1), 0)
	s.Pin(to, 0, n, h)
}

// Pin keeps the selected item on the row where it is now.
func (s *Scroll) Pin(at, lead, n, h int) {
	s.row = at - s.Top(at, lead, n, h)
	s.pinned = true
}

// Hold says that items come and go that are not the operator's doing: until
// the next Move blank rows stand where some are missing, so that the selected
// one stays. It takes a Move after Free or Reset to know where that is.
func (s *Scroll) Hold() { s.held = s.pinned }

// Free fills the blank rows that Hold left.
func (s *Scroll) Free() { s.pinned, s.held = false, false }

// Reset puts the selected item at the top.
func (s *Scroll) Reset() { *s = Scroll{} }

// Bottom puts the selected item on the last row.
func (s *Scroll) Bottom() { *s = Scroll{row: math.MaxInt32} }

// Look is what a view needs to know beside its own state.
type Look struct {
	Glyphs Glyphs
	W, H   int   // of the whole screen: what is dropped depends on it
	Now    int64 // effective Unix ms
	Loc    *time.Location
	Split  bool // something stands right of the list
}
