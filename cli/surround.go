package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"nod/audit"
	"nod/config"
	"nod/digest"
	"nod/queue"
	"nod/run/operand"
	"nod/tui/history"
	"nod/tui/lens"
)

// verifier checks the events whole, for the console, against the checkpoints
// that are kept outside the store.
func (a *app) verifier(port queue.Port, paths *config.Paths) func(context.Context) (history.Chain, error) {
	return func(ctx context.Context) (history.Chain, error) {
		_, marks, err := a.kept(ctx, port, paths)
		if err != nil {
			return history.Chain{}, err
		}
		whole, err := audit.VerifyStore(ctx, port, marks)
		if f, ok := errors.AsType[*audit.Fault](err); ok {
			return history.Chain{Bad: &history.Break{Seq: f.Seq, Sentence: f.Sentence}}, nil
		}
		if err != nil {
			return history.Chain{}, err
		}
		c := history.Chain{Events: whole.Events, Head: whole.Head}
		for _, mark := range marks {
			if mark.Size == whole.Signed && whole.Checkpoints > 0 {
				c.Mark = history.Mark{Events: mark.Size, Time: mark.Time}
			}
		}
		return c, nil
	}
}

// diskMS is how long the disk may take to give the file that a call would
// write: a network or user-space file system may not answer at all, and the
// other lenses do not wait for it.
const diskMS = 2_000

// changed reads the file that a call would write, for the diff beside its
// card: a regular file, bounded in size and time, never one that blocks.
func (a *app) changed(path, cwd string) *lens.File {
	if !filepath.IsAbs(path) {
		if !filepath.IsAbs(cwd) {
			return &lens.File{Err: "the path is relative and the call names no directory"}
		}
		path = cwd + string(filepath.Separator) + path
	}
	now := a.Edge.WallMS()
	return within(diskMS*time.Millisecond, now, func() *lens.File { return readFile(path, now) })
}

// within gives what read gives, unless it takes longer than limit.
func within(limit time.Duration, now int64, read func() *lens.File) *lens.File {
	got := make(chan *lens.File, 1)
	go func() { got <- read() }()
	stop := time.NewTimer(limit)
	defer stop.Stop()
	select {
	case f := <-got:
		return f
	case <-stop.C:
		return &lens.File{At: now, Err: "the disk did not give the file in time"}
	}
}

// readFile reads the file at an absolute path.
func readFile(path string, now int64) *lens.File {
	f := &lens.File{At: now}
	if twoPlaces(path) {
		f.Err = "its .. passes a link or a missing directory, so tools read it in two ways"
		return f
	}
	in, err := operand.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.Missing = true
		return f
	case err != nil:
		f.Err = "the file cannot be read here"
		return f
	}
	defer func() { _ = in.Close() }() // read-only
	info, err := in.Stat()
	switch {
	case err != nil:
		f.Err = "the file cannot be read here"
		return f
	case info.Size() > lens.MaxFile:
		f.Size = info.Size()
		return f
	}
	if f.Bytes, err = io.ReadAll(io.LimitReader(in, lens.MaxFile+1)); err != nil {
		f.Bytes, f.Err = nil, "the file cannot be read here"
		return f
	}
	if len(f.Bytes) > lens.MaxFile {
		f.Size, f.Bytes = int64(len(f.Bytes)), nil
		return f
	}
	f.Digest = digest.Of(f.Bytes)
	return f
}

// twoPlaces reports whether path leads to another directory for the system,
// which follows a link before it goes up, than for a program that takes the
// name and the .. after it out first.
func twoPlaces(path string) bool {
	if !slices.Contains(strings.Split(filepath.ToSlash(path), "/"), "..") {
		return false
	}
	followed, err := os.Stat(path[:strings.LastIndexByte(path, filepath.Separator)+1])
	short, also := os.Stat(filepath.Dir(path))
	if err != nil || also != nil {
		return err == nil || also == nil
	}
	return !os.SameFile(followed, short)
}
