package frame

import (
	"math"
	"time"
)

// Scroll keeps the selected item of a list on the screen row where it stands
// while items come and go around it. The zero Scroll is at the top.
type Scroll struct {
	row  int
	tall int // items that the list had when the selection was last moved
}

// Top gives the first item to show when item at of n is selected and h rows
// are free. lead items above it (its heading) stay in view.
func (s Scroll) Top(at, lead, n, h int) int {
	return max(min(at-min(max(s.row, lead), max(h-1, 0)), max(n, s.tall)-h), 0)
}

// Move says that the selection went from one item to another; the list scrolls
// only when it must. fromLead is the lead of the old one.
func (s *Scroll) Move(from, fromLead, to, n, h int) {
	row := from - s.Top(from, fromLead, n, h) + to - from
	s.row = max(min(row, h-1), 0)
	s.Pin(to, 0, n, h)
}

// Pin keeps the selected item on the row where it is now.
func (s *Scroll) Pin(at, lead, n, h int) {
	s.tall = n
	s.row = at - s.Top(at, lead, n, h)
}

// Hold says that the list has n items before some may go that are not the
// operator's doing: those below leave blank rows and do not pull the others
// down.
func (s *Scroll) Hold(n int) { s.tall = max(s.tall, n) }

// Free fills the blank rows that Hold left.
func (s *Scroll) Free() { s.tall = 0 }

// Reset puts the selected item at the top.
func (s *Scroll) Reset() { *s = Scroll{} }

// Bottom puts the selected item on the last row.
func (s *Scroll) Bottom() { s.row = math.MaxInt32 }

// Look is what a view needs to know beside its own state.
type Look struct {
	Glyphs Glyphs
	W, H   int   // of the whole screen: what is dropped depends on it
	Now    int64 // effective Unix ms
	Loc    *time.Location
	Split  bool // something stands right of the list
}
