package query

import (
	"errors"
	"time"
)

// Length reads a length of time as an operator types it, 30m or 2h. One that is
// not nothing and less than a millisecond would count as none where lengths are
// milliseconds, so it is refused. The error is the middle of a sentence.
func Length(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return 0, errors.New("write it as 30m or 2h") // days have no letter there
	case d != 0 && d.Abs() < time.Millisecond:
		return 0, errors.New("it is less than a millisecond")
	}
	return d, nil
}
