package detail

import (
	"nod/digest/card"
	"nod/queue"
	"nod/tui/cardview"
	"nod/tui/frame"
	"slices"
)

// Sheet is one ask's card in a pane and how much of it was displayed. It
// decides nothing.
type Sheet struct {
	view  queue.AskView
	lines []card.Line
	opts  cardview.Options
	lay   *cardview.Layout
	read  *cardview.Reading
	top   int
	shown painting
	asked int // the card's line whose value an approval types; -1 for none
}

// painting is what the newest frame shows of the card.
type painting struct {
	lay         *cardview.Layout
	top, height int
}

// NewSheet lays nothing out yet: Fit does.
func NewSheet(view queue.AskView) Sheet {
	return Sheet{view: view, asked: -1, lines: card.Lines([]byte(view.Card))}
}

// Replace takes another text in the place of this one. Nothing of it counts as
// shown.
func (s *Sheet) Replace(view queue.AskView) {
	was := s.view
	s.view, s.lines, s.asked = view, card.Lines([]byte(view.Card)), -1
	if was.Card == view.Card || s.lay == nil {
		return
	}
	top := s.lay.LineAt(s.top)
	lay := cardview.New(s.lines, s.lay.Width(), s.opts)
	s.top = lay.FirstRow(max(min(top, lay.Lines()-1), 0))
	s.lay, s.read, s.shown = lay, cardview.NewReading(lay), painting{}
}

// ID is the ask's whole id, Row the ask as last read, Card its bytes.
func (s *Sheet) ID() string          { return s.view.Row.ID }
func (s *Sheet) Row() *queue.Row     { return &s.view.Row }
func (s *Sheet) Card() string        { return s.view.Card }
func (s *Sheet) View() queue.AskView { return s.view }

// Clamped reports whether a clamp of the ask's session holds.
func (s *Sheet) Clamped(cell string) bool { return slices.Contains(s.view.Clamps, cell) }

// Unread is how many lines were neither displayed nor skipped.
func (s *Sheet) Unread() int {
	if s.read == nil {
		return len(s.lines)
	}
	return s.read.Unread()
}

// Seen is how many lines were displayed, of All.
func (s *Sheet) Seen() (seen, all int) {
	if s.read == nil {
		return 0, len(s.lines)
	}
	return s.read.Seen(), s.read.All()
}

// Paint says that the rows which Fit laid out go to the terminal as a frame.
func (s *Sheet) Paint(id uint64) {
	if s.read != nil {
		s.read.Painted(id, s.shown.lay, s.shown.top, s.shown.height)
	}
}

// Confirm says that the terminal showed a frame.
func (s *Sheet) Confirm(id uint64) {
	if s.read != nil {
		s.read.Confirm(id)
	}
}

// ReadAnew forgets what was displayed and goes to the top: the whole card is
// to be read again.
func (s *Sheet) ReadAnew() {
	s.top, s.shown = 0, painting{}
	if s.lay != nil {
		s.read = cardview.NewReading(s.lay)
	}
}

// Options are how a card is laid out on a screen.
func Options(look frame.Look, beside bool) cardview.Options {
	o := cardview.Options{ASCII: look.Glyphs.ASCII, Indent: 1, Groups: look.H >= 30}
	if beside {
		o.Indent = 0
	}
	if look.W >= wideLabels {
		o.Labels = wideLabelCells
	}
	return o
}

// From wideLabels columns on the labels get more room than SCREENS' 13 cells,
// so that the members of a call's arguments stand beside their values.
const (
	wideLabels     = 80
	wideLabelCells = 20
)

// Fit lays the card out for a pane and keeps the same words at the top. It
// reports whether the rows that the pane shows are others than before.
func (s *Sheet) Fit(look frame.Look, w, h int, beside bool) bool {
	if s.view.Card == "" {
		return false
	}
	if s.lay == nil || s.opts != Options(look, beside) || s.lay.Width() != w {
		s.opts = Options(look, beside)
		lay := cardview.New(s.lines, w, s.opts)
		if s.lay != nil {
			s.top = lay.RowOf(s.lay.PlaceOf(s.top))
		}
		s.lay = lay
		if s.read == nil {
			s.read = cardview.NewReading(lay)
		}
	}
	s.top = s.lay.Clamp(s.top, h)
	now := painting{s.lay, s.top, h}
	if now == s.shown {
		return false
	}
	s.shown = now
	return true
}

// Forget drops what waits for its confirmation: the page was covered, or its
// size changed.
func (s *Sheet) Forget() {
	s.shown = painting{}
	if s.read != nil {
		s.read.Drop()
	}
}

// Scroll moves by rows; the top is clamped by the next Fit.
func (s *Sheet) Scroll(n int) {
	if s.lay != nil {
		s.top = s.lay.Clamp(s.top+n, max(s.shown.height, 1))
	}
}

// AtEnd reports whether the last row of the card is on the screen.
func (s *Sheet) AtEnd() bool {
	return s.lay != nil && s.shown.height > 0 && s.lay.Clamp(s.top+1, s.shown.height) == s.top
}

// Body is how many rows of the card are on the screen.
func (s *Sheet) Body() int { return max(s.shown.height, 1) }

// ToTop and ToEnd go to the card's ends.
func (s *Sheet) ToTop() { s.top = 0 }
func (s *Sheet) ToEnd() { s.Scroll(1 << 40) }

// ToUnread goes to the next line that was not displayed; false when all were.
func (s *Sheet) ToUnread() bool {
	if s.read == nil || s.lay == nil {
		return false
	}
	from := 0
	if _, last, ok := s.lay.Whole(s.top, s.shown.height); ok {
		from = last + 1
	}
	n, ok := s.read.NextUnread(from)
	if !ok {
		return false
	}
	row := s.lay.RowOf(s.read.Gap(n)) // in a line longer than the screen: go on in it
	if row < s.top || row >= s.top+s.shown.height {
		s.top = s.lay.Clamp(row, s.shown.height)
	}
	return true
}
