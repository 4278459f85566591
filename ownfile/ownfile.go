// Package ownfile opens and makes files that are this user's alone: keys, what
// was signed with them, what was told.
//
// The rule it keeps (DESIGN §10): no link, not another's, closed to others
// whatever the umask, and never waiting for a FIFO's writer. A secret is made
// whole or not at all, and once.
package ownfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Loose is a file that others can read or change, or that is none.
type Loose struct{ Name string }

func (l *Loose) Error() string { return l.Name + " is not a file that only you can read and change" }

// Hint is what to do about it.
func (l *Loose) Hint() string {
	return "look at who could have changed it; then run: chmod 600 " + l.Name
}

// Open opens a file of the user uid (-1 where a system has none) as os.OpenFile
// does. One that flag makes is 0600. A file that is not the user's alone is a
// *Loose; one that is a link is the system's error.
func Open(name string, flag, uid int) (*os.File, error) {
	f, err := os.OpenFile(name, flag|NoFollow, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !private(info, uid) {
		err = &Loose{Name: name}
	}
	if err == nil && flag&os.O_CREATE != 0 {
		err = f.Chmod(0o600) // whatever the umask took away
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Once makes name in dir with this text, durably, under a name of its own that
// is then linked into place: it is there whole or not at all, and what is there
// already is never replaced, which is no error.
func Once(dir, name, text string) (err error) {
	f, err := os.CreateTemp(dir, name+"-*") // 0600
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(f.Name())) }()
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Chmod(0o600), f.Sync(), f.Close()); err != nil {
		return err
	}
	if err = os.Link(f.Name(), filepath.Join(dir, name)); errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}
