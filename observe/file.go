package observe

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"

	"nod/descriptor"
	"nod/digest"
	"nod/ownfile"
	"nod/run/operand"
)

// maxFile bounds the file that is read.
const maxFile = 64 << 20

func file(ctx context.Context, o *descriptor.Observer, args digest.JSON, before digest.Digest) descriptor.Observation {
	path, err := o.File(args)
	if err != nil {
		return unavailable(err.Error())
	}
	held, bad := read(ctx, path)
	if bad != nil {
		return bad.After("read " + shown(path))
	}
	return o.JudgeFile(held, args, before).After("read " + shown(path))
}

// read digests the file at path; bad says why there is nothing to compare. The
// path is an agent's: what is no regular file is not even opened, because to
// open a device may already be an act.
func read(ctx context.Context, path string) (held descriptor.Held, bad *descriptor.Observation) {
	fail := func(v descriptor.Observation) (descriptor.Held, *descriptor.Observation) {
		return descriptor.Held{}, &v
	}
	named, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return descriptor.Held{}, nil
	case err != nil:
		return fail(unavailable("it cannot be looked at"))
	case named.Mode()&fs.ModeSymlink != 0:
		return fail(unavailable("it is a link, and links are not followed"))
	case !named.Mode().IsRegular():
		return fail(unavailable("it is no regular file"))
	case named.Size() > maxFile:
		return fail(tooLarge())
	}
	f, was, err := open(path, named)
	if err != nil {
		return fail(unavailable("it cannot be opened, or another was put in its place"))
	}
	defer func() { _ = f.Close() }() // opened for reading
	kept := &head{most: descriptor.MaxDiff}
	held.There = true
	held.Digest, err = operand.Reader(ctx, io.TeeReader(io.LimitReader(f, maxFile+1), kept))
	switch {
	case ctx.Err() != nil:
		return fail(late(ctx))
	case err != nil:
		return fail(unavailable("it cannot be read"))
	case kept.n > maxFile:
		return fail(tooLarge())
	}
	// Bytes of two states are the content of neither.
	if now, err := f.Stat(); err != nil || !operand.Same(was, now) || kept.n != now.Size() {
		return fail(unavailable("it changed while it was read"))
	}
	held.Bytes = kept.bytes()
	return held, nil
}

// open opens the file that was looked at, and no other that is now in its
// place: it follows no link and waits for no pipe's other end.
func open(path string, named fs.FileInfo) (f *os.File, was fs.FileInfo, err error) {
	if f, err = os.OpenFile(path, os.O_RDONLY|ownfile.NoFollow, 0); err != nil {
		return nil, nil, err
	}
	if was, err = f.Stat(); err == nil && !operand.Same(named, was) {
		err = fs.ErrInvalid
	}
	if err != nil {
		_ = f.Close() // opened for reading
		return nil, nil, err
	}
	return f, was, nil
}

func tooLarge() descriptor.Observation {
	return descriptor.Unseen(descriptor.WhyTooLarge, "it is larger than "+strconv.Itoa(maxFile>>20)+" MiB")
}

// head counts what is written, and keeps it unless it is more than most bytes.
type head struct {
	b    []byte
	n    int64
	most int64
}

func (h *head) Write(p []byte) (int, error) {
	if h.n += int64(len(p)); h.n <= h.most {
		h.b = append(h.b, p...)
	}
	return len(p), nil
}

func (h *head) bytes() []byte {
	if h.n > h.most {
		return nil
	}
	return h.b
}
