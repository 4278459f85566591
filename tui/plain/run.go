package plain

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"nod/queue"
	"nod/tui/pace"
)

// Options are what the lines need of their surroundings.
type Options struct {
	ASCII bool             // no character outside ASCII
	Name  string           // who answers, as the history records it; "" keeps no account of the pace before
	Pace  pace.Limits      // when cards are read anew; the zero Limits are the defaults
	Loc   *time.Location   // for clock times; nil for the system's
	Now   func() time.Time // with a monotonic reading; nil for time.Now
	// Observe asks the observers of an effect's tool and files what they saw; it
	// gives how many answered. nil where none can be asked.
	Observe func(ctx context.Context, effect string) (int, error)
	// Size is the terminal's, in cells and rows; nil asks out.
	Size func() (width, height int)
	// Pause waits; nil waits in real time.
	Pause func(ctx context.Context, d time.Duration) error
}

// ErrNoTerminal says that in is no terminal: deciding needs one.
var ErrNoTerminal = errors.New("the console needs a terminal")

// Run talks with the operator until quit, the end of input or the end of ctx.
// Ending decides nothing.
func Run(ctx context.Context, port queue.Port, o Options, in *os.File, out io.Writer) error {
	if !term.IsTerminal(int(in.Fd())) {
		return ErrNoTerminal
	}
	o = o.filled(out)
	return talk(ctx, port, o, newTTY(in, o.Now), out)
}

// The size of a terminal that does not say its own.
const (
	usualWidth  = 80
	usualHeight = 24
)

func (o Options) filled(out io.Writer) Options {
	if o.Loc == nil {
		o.Loc = time.Local
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Pause == nil {
		o.Pause = pause
	}
	if o.Size == nil {
		o.Size = func() (int, int) {
			if f, ok := out.(*os.File); ok {
				if w, h, err := term.GetSize(int(f.Fd())); err == nil && w > 0 && h > 0 {
					return w, h
				}
			}
			return usualWidth, usualHeight
		}
	}
	return o
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
