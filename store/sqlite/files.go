package sqlite

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	keySize   = 32
	keySuffix = ".key"
)

// sidecars are the files that SQLite keeps beside a store.
func sidecars(path string) []string {
	return []string{path + "-wal", path + "-shm", path + "-journal"}
}

// makeDir makes the store's directory for this user alone. One that is there
// stays as it is: guardDir judges it.
func makeDir(dir string) error {
	if _, err := os.Lstat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return fmt.Errorf("make the store's directory: %w", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make the store's directory: %w", err)
	}
	return guardDir(dir)
}

// guardDir wants a directory that only this user can enter.
func guardDir(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fail(CodeMissing, "check the path", "there is no directory %s", dir)
	case err != nil:
		return fmt.Errorf("look at the store's directory: %w", err)
	case info.Mode()&fs.ModeSymlink != 0:
		return fail(CodeLink, "name the directory that it points to", "the directory %s is a symbolic link", dir)
	case !info.IsDir():
		return fail(CodeMissing, "name a path inside a directory", "%s is not a directory", dir)
	}
	return guardOwner(dir, info, "keep the store in a directory of its own that only you can enter (mkdir -m 700); for Nod's own directory: chmod 700 "+dir)
}

// guardFile wants a plain file that only this user can read and write.
func guardFile(path string) (fs.FileInfo, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fail(CodeMissing, "check the path", "there is no file %s", path)
	case err != nil:
		return nil, fmt.Errorf("look at the store: %w", err)
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, fail(CodeLink, "move the file itself here; nod follows no links", "%s is a symbolic link", path)
	case !info.Mode().IsRegular():
		return nil, fail(CodeLink, "name a plain file", "%s is not a plain file", path)
	}
	return info, guardOwner(path, info, "chmod 600 "+path)
}

// guardSidecars looks at the files beside the store that are there.
func guardSidecars(path string) error {
	for _, side := range sidecars(path) {
		var own *Error
		if _, err := guardFile(side); err != nil && (!errors.As(err, &own) || own.Code != CodeMissing) {
			return err
		}
	}
	return nil
}

// same refuses to go on when the path names another file than was opened: what
// is written then would be acknowledged and lost.
func (s *Store) same() error {
	info, err := os.Lstat(s.path)
	if err == nil && os.SameFile(info, s.file) {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("look at the store: %w", err)
	}
	return fail(CodeReplaced, "end every nod, find out who moved it, and put the right file back",
		"the store %s was moved or replaced while it was open", s.path)
}

// newFile makes a file that was not there, for this user alone whatever the
// umask.
func newFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the operator names it
	if err != nil {
		return nil, err
	}
	if err := f.Chmod(0o600); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(path))
	}
	return f, nil
}

// randomName is path with an ending that nobody else has.
func randomName(path string) string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return path + ".new-" + hex.EncodeToString(b[:])
}

// settle gives the finished file tmp its name, which must be free, and makes
// that durable. It reports false when somebody else took the name first.
func settle(tmp, path string) (bool, error) {
	if err := syncFile(tmp); err != nil {
		return false, err
	}
	err := os.Link(tmp, path)
	if errors.Is(err, fs.ErrExist) {
		return false, os.Remove(tmp)
	}
	if err := errors.Join(err, os.Remove(tmp)); err != nil {
		return false, err
	}
	return true, syncDir(filepath.Dir(path))
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0) //nolint:gosec // a file made here
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// writeKey puts key beside the store at path; one that is there stays.
func writeKey(path string, key []byte) error {
	tmp := randomName(path + keySuffix)
	f, err := newFile(tmp)
	if err != nil {
		return fmt.Errorf("make the store's key: %w", err)
	}
	_, err = f.Write(key)
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(fmt.Errorf("make the store's key: %w", err), os.Remove(tmp))
	}
	_, err = settle(tmp, path+keySuffix)
	return err
}

func newKey() []byte {
	key := make([]byte, keySize)
	_, _ = rand.Read(key) // never fails
	return key
}

// readKey reads the key beside the store at path; nil when there is none.
func readKey(path string) ([]byte, error) {
	if _, err := guardFile(path + keySuffix); err != nil {
		var own *Error
		if errors.As(err, &own) && own.Code == CodeMissing {
			return nil, nil
		}
		return nil, err
	}
	f, err := os.Open(path + keySuffix)
	if err != nil {
		return nil, fmt.Errorf("read the store's key: %w", err)
	}
	key, err := io.ReadAll(io.LimitReader(f, keySize+1))
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("read the store's key: %w", err)
	}
	if len(key) != keySize {
		return nil, fail(CodeCorrupt, "put the key of your backup back", "the key %s%s is not %d bytes long", path, keySuffix, keySize)
	}
	return key, nil
}
