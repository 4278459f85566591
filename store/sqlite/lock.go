package sqlite

import (
	"errors"
	"fmt"
	"os"
)

// lockFile is the lock beside a store: whoever opens the store shares it, and
// who wants the store alone (`nod serve`, an upgrade) holds it alone.
type lockFile struct {
	f    *os.File
	path string
}

func takeLock(path string, alone bool) (*lockFile, error) {
	name := path + ".lock"
	f, err := openNoFollow(name)
	if err != nil {
		if info, e := os.Lstat(name); e == nil && info.Mode()&os.ModeSymlink != 0 {
			return nil, fail(CodeLink, "remove the link", "%s is a symbolic link", name)
		}
		return nil, fmt.Errorf("open the store's lock: %w", err)
	}
	l := &lockFile{f: f, path: path}
	if err := f.Chmod(0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("open the store's lock: %w", err), f.Close())
	}
	if err := l.hold(alone); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return l, nil
}

// hold takes the lock or changes how it is held.
func (l *lockFile) hold(alone bool) error {
	taken, err := flock(l.f, alone)
	switch {
	case err != nil:
		return fmt.Errorf("lock the store: %w", err)
	case taken:
		return nil
	case alone:
		return fail(CodeLocked, "end the other nods that use it, then try again",
			"other processes have the store %s open", l.path)
	}
	return fail(CodeLocked, "use its socket (mode = \"socket\"), or end it",
		"another process, such as `nod serve`, holds the store %s alone", l.path)
}

func (l *lockFile) release() error { return l.f.Close() }
