package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"golang.org/x/term"

	"nod/digest/card"
	"nod/tui/cardview"
)

// The size of a terminal that does not say its own.
const (
	usualWidth  = 80
	usualHeight = 24
)

const (
	leastWidth     = 20 // a card is not laid out narrower
	wideLabels     = 80 // from here on the labels get wideLabelCells, as in the console
	wideLabelCells = 20
)

// size is the terminal's that standard output goes to; ok is false for a pipe
// or a file.
func (a *app) size() (width, height int, ok bool) {
	out, isFile := a.Stdout.(*os.File)
	if !isFile || !term.IsTerminal(int(out.Fd())) {
		return 0, 0, false
	}
	width, height, err := term.GetSize(int(out.Fd()))
	if err != nil || width <= 0 || height <= 0 {
		return usualWidth, usualHeight, true
	}
	return width, height, true
}

// sheet is a card on a terminal. It is laid out here, as in the console, so
// that the terminal wraps nothing: no value begins at the left edge, where a
// label of Nod's own would stand.
type sheet struct {
	app    *app
	lines  []card.Line
	lay    *cardview.Layout
	read   *cardview.Reading
	top    int // the first row that was not printed
	from   int // where the page that was printed last begins
	height int // rows of the terminal
	page   uint64
}

// sheet lays out a card, or the desk page of an effect.
func (a *app) sheet(text string) (*sheet, error) {
	s := &sheet{app: a, lines: card.Lines([]byte(text))}
	if err := s.fit(); err != nil {
		return nil, err
	}
	s.read = cardview.NewReading(s.lay)
	return s, nil
}

// fit lays the card out for the terminal as it is now and keeps the place.
func (s *sheet) fit() error {
	width, height, _ := s.app.size()
	if width < leastWidth {
		return &fault{Code: "narrow_terminal", Sentence: "the terminal is too narrow to show a card", Hint: "make it at least 20 columns wide"}
	}
	s.height = height
	if s.lay != nil && s.lay.Width() == width {
		return nil
	}
	o := cardview.Options{ASCII: s.app.plain}
	if width >= wideLabels {
		o.Labels = wideLabelCells
	}
	lay := cardview.New(s.lines, width, o)
	if s.lay != nil {
		s.top = lay.RowOf(s.lay.PlaceOf(s.top))
	}
	s.lay = lay
	return nil
}

// rows is how many rows of the card fit above what is printed below it: a blank
// row, the shown digest, and two rows of questions.
func (s *sheet) rows() int {
	w := s.lay.Width()
	return max(s.height-2-rowsOf(80, w)-rowsOf(64, w), 1)
}

func rowsOf(cells, width int) int { return (cells + width - 1) / width }

// next prints the next page; what is printed counts as displayed.
func (s *sheet) next() error {
	if err := s.fit(); err != nil {
		return err
	}
	return s.print(s.rows())
}

// whole prints all that is left.
func (s *sheet) whole() error { return s.print(s.lay.Rows() - s.top) }

func (s *sheet) print(height int) error {
	var b strings.Builder
	for _, row := range s.lay.Window(s.top, height) {
		b.WriteString(" " + row.String() + "\n") // the gutter is empty
	}
	if err := s.app.printf("%s", b.String()); err != nil {
		return err
	}
	s.page++
	s.read.Painted(s.page, s.lay, s.top, height)
	s.read.Confirm(s.page)
	s.from, s.top = s.top, min(s.top+height, s.lay.Rows())
	return nil
}

// done reports whether the last row was printed.
func (s *sheet) done() bool { return s.top >= s.lay.Rows() }

// where says which lines the page showed.
func (s *sheet) where() string {
	last := s.lay.LineAt(s.top - 1)
	goesOn := ""
	if s.lay.LastRow(last) >= s.top {
		goesOn = fmt.Sprintf(" (%d goes on)", last+1)
	}
	return fmt.Sprintf("lines %d-%d of %d%s", s.lay.LineAt(s.from)+1, last+1, s.lay.Lines(), goesOn)
}

// row prints one line that may hold another's text. On a terminal it is wrapped
// here, with a mark before what goes on.
func (a *app) row(format string, args ...any) error {
	line := fmt.Sprintf(format, args...)
	if width, _, ok := a.size(); ok {
		mark := "  ↳ "
		if a.plain {
			mark = "  > "
		}
		line = hang(line, width, mark)
	}
	return a.printf("%s\n", line)
}

// hang wraps a line at the cells that a terminal gives it at the most.
func hang(line string, width int, mark string) string {
	width = max(width, 2*len(mark))
	var b strings.Builder
	used := 0
	for _, r := range line {
		cells := max(displaywidth.Rune(r), 1)
		if used+cells > width {
			b.WriteString("\n" + mark)
			used = displaywidth.String(mark)
		}
		b.WriteRune(r)
		used += cells
	}
	return b.String()
}
