// Package operand digests what an action reads by reference when it runs: the
// executable, a script, the file an edit starts from (DESIGN §3, operands).
//
// The rule it keeps: a digest is of the bytes of one opened regular file. What
// is not a regular file has no digest, and what is too large to digest is an
// error, never a digest of a part.
package operand

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"nod/digest"
)

// MaxBytes is the largest file that is digested: 1 GiB.
const MaxBytes = 1 << 30

// Errors of Open and Of.
var (
	ErrTooLarge   = errors.New("file is too large to digest")
	ErrNotRegular = errors.New("not a regular file")
)

// Open opens a regular file for reading. It follows links, as the program that
// reads the file will, and never waits for a pipe's other end. What is no
// regular file is not opened: to open a device may already be an act.
func Open(path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "digest", Path: path, Err: ErrNotRegular}
	}
	f, err := os.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "digest", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		_ = f.Close() // opened for reading
		return nil, err
	}
	return f, nil
}

// Of digests an opened file from its start, whatever its position is.
func Of(ctx context.Context, f *os.File) (digest.Digest, error) {
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if info.Size() > MaxBytes {
		return "", &fs.PathError{Op: "digest", Path: f.Name(), Err: ErrTooLarge}
	}
	return Reader(ctx, io.NewSectionReader(f, 0, MaxBytes+1))
}

// Reader digests what r gives until its end, at most MaxBytes.
func Reader(ctx context.Context, r io.Reader) (digest.Digest, error) {
	h := sha256.New()
	buf := make([]byte, 128<<10)
	var n int64
	for {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		k, err := r.Read(buf)
		_, _ = h.Write(buf[:k]) // a hash never fails
		if n += int64(k); n > MaxBytes {
			return "", ErrTooLarge
		}
		switch {
		case errors.Is(err, io.EOF):
			return digest.Digest("sha256:" + hex.EncodeToString(h.Sum(nil))), nil
		case err != nil:
			return "", fmt.Errorf("digest: %w", err)
		}
	}
}

// File digests the file at path.
func File(ctx context.Context, path string) (digest.Digest, error) {
	f, err := Open(path)
	if err != nil {
		return "", err
	}
	d, err := Of(ctx, f)
	_ = f.Close() // opened for reading
	return d, err
}

// Same reports whether two looks at a file saw one file in one state: nothing
// was put in its place and, as far as the file system tells, nothing written.
func Same(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && changed(a).Equal(changed(b))
}
