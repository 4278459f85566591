//go:build unix

package probe

import (
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// Run asks the terminal in, writing to out, and waits for at most within. An
// error means that the terminal could not be asked; it changes nothing and the
// terminal is as it was.
func Run(in *os.File, out io.Writer, within time.Duration) (Result, error) {
	fd := int(in.Fd())
	was, err := term.MakeRaw(fd)
	if err != nil {
		return Result{}, err
	}
	defer func() { _ = term.Restore(fd, was) }() // it was just set; there is nothing else to try
	if _, err := io.WriteString(out, Ask()); err != nil {
		return Result{}, err
	}
	got, err := collect(fd, time.Now().Add(within))
	if _, e := io.WriteString(out, Erase()); err == nil {
		err = e
	}
	r := Result{Typed: got.typed, Quit: got.quit, Owed: max(answersWanted-len(got.cols), 0)}
	if len(got.cols) >= answersWanted {
		r.Wide = Wide(got.cols[0], got.cols[1])
	}
	return r, err
}

// collect reads until both answers are there or the time is over.
func collect(fd int, until time.Time) (parsed, error) {
	var all []byte
	buf := make([]byte, 1024)
	for late := false; ; {
		p := parse(all)
		if len(p.cols) >= answersWanted {
			return p, nil
		}
		left := time.Until(until)
		if left <= 0 {
			if !p.half || late {
				return p, nil
			}
			late, until = true, time.Now().Add(half)
			continue
		}
		ready, err := readable(fd, left)
		if err != nil {
			return p, err
		}
		if !ready {
			continue
		}
		n, err := unix.Read(fd, buf)
		if n <= 0 {
			if errors.Is(err, unix.EINTR) || errors.Is(err, unix.EAGAIN) {
				continue
			}
			return p, err // the terminal is gone; the console finds that out itself
		}
		all = append(all, buf[:n]...)
	}
}

// readable waits until something can be read. Select and not poll: on some
// systems poll knows nothing of terminals.
func readable(fd int, within time.Duration) (bool, error) {
	var set unix.FdSet
	if fd < 0 || fd >= unix.FD_SETSIZE {
		return false, errors.New("the terminal's descriptor is out of range")
	}
	set.Set(fd)
	left := unix.NsecToTimeval(max(within, time.Microsecond).Nanoseconds())
	n, err := unix.Select(fd+1, &set, nil, nil, &left)
	if errors.Is(err, unix.EINTR) {
		return false, nil
	}
	return n > 0, err
}
