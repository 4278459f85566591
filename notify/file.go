package notify

import (
	"errors"
	"io"
	"os"

	"nod/ownfile"
)

// maxFile bounds what is read of a file of the notifier.
const maxFile = 4 << 20

// open opens a file of our own: no link, not another's, closed to others.
func open(name string, flag, uid int) (*os.File, error) {
	f, err := ownfile.Open(name, flag, uid)
	if loose, ok := errors.AsType[*ownfile.Loose](err); ok {
		return nil, &Fault{Code: CodeLoose, Sentence: loose.Error(), Hint: loose.Hint()}
	}
	return f, err
}

func read(name string, uid int) ([]byte, error) {
	f, err := open(name, os.O_RDONLY, uid)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	return text, errors.Join(err, f.Close())
}

// replace puts text in name's place, whole or not at all. Its caller holds the
// notifier's lock, so that the name it writes under first is its own.
func replace(name string, text []byte, uid int) error {
	fresh := name + ".new"
	f, err := open(fresh, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, uid)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(fresh, name)
}
