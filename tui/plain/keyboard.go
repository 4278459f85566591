package plain

import (
	"bytes"
	"context"
	"io"
	"os"
	"time"
)

// line is what the operator typed, without its end.
type line struct {
	text string
	at   time.Time // when its end came
}

// keyboard is where lines come from.
type keyboard interface {
	// next gives the next line. io.EOF is the end of input; what stands before
	// it without a line's end is no line.
	next(ctx context.Context) (line, error)
	// waits reports whether something was typed that nobody has read, also the
	// beginning of a line where the system can tell.
	waits() bool
	// forget throws away what waits.
	forget()
}

// maxLine is the longest line that is taken: a terminal hands over no more
// than 4095 bytes of one, and what is longer was cut by it.
const maxLine = 4095

// tty reads lines from a terminal in its line mode. It reads only while
// somebody waits for a line, so that what was typed before a prompt is still
// the terminal's, and can be counted and thrown away whole.
type tty struct {
	in   *os.File
	now  func() time.Time
	read chan read // the reading that is under way; nil for none
}

type read struct {
	line
	whole bool // it ended with a line's end
	err   error
}

func newTTY(in *os.File, now func() time.Time) *tty { return &tty{in: in, now: now} }

func (t *tty) next(ctx context.Context) (line, error) {
	for {
		if t.read == nil {
			t.read = make(chan read, 1)
			go readLine(t.in, t.now, t.read)
		}
		select {
		case <-ctx.Done():
			return line{}, ctx.Err() // the reading ends with the terminal or the process
		case r := <-t.read:
			t.read = nil
			switch {
			case r.err != nil:
				return line{}, io.EOF // a terminal that hangs up says EIO
			case r.whole:
				return r.line, nil
			}
		}
	}
}

// readLine reads once: a terminal in line mode gives one line at a time.
func readLine(in *os.File, now func() time.Time, to chan<- read) {
	buf := make([]byte, 2*maxLine)
	n, err := in.Read(buf)
	r := read{err: err}
	r.at = now()
	text, rest, whole := bytes.Cut(buf[:n], []byte{'\n'})
	r.whole = whole && len(rest) == 0
	r.text = string(bytes.TrimRight(text, "\r"))
	to <- r
}

func (t *tty) waits() bool { return pending(t.in) }

func (t *tty) forget() { flush(t.in) }
