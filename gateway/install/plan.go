package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/aymanbagabas/go-udiff"
	"nod/digest"
)

// maxSettings bounds a settings file.
const maxSettings = 16 << 20

// Plan is a change of one settings file, made and not yet carried out.
type Plan struct {
	Path   string // as it was given
	Target string // the file behind links, which is written
	Before []byte // nil when the file is not there
	After  []byte // nil when the file goes
	// Left are the pointers to members that equal what an installation writes
	// and stay, because nothing remembers what was there before.
	Left   []string
	mode   fs.FileMode
	record string
	older  string  // an older version's record, which goes
	write  *record // what the record becomes; nil: it goes
}

// Changed reports whether the plan changes the settings.
func (p *Plan) Changed() bool {
	return (p.Before == nil) != (p.After == nil) || !bytes.Equal(p.Before, p.After)
}

// Diff is the change as a unified diff; "" for none.
func (p *Plan) Diff() string {
	return udiff.Unified(p.Path, p.Path, string(p.Before), string(p.After))
}

// Install plans to put the gate into the settings, whatever is there: nothing,
// other hooks, an older gate. Installed as wanted, the plan changes nothing.
func (c Claude) Install() (*Plan, error) {
	p, old, err := c.start()
	if err != nil {
		return nil, err
	}
	text := p.Before
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	after, w, err := c.add(text)
	if err != nil {
		return nil, err
	}
	p.After = after
	next := &record{Settings: p.Target, Existed: p.Before != nil, After: digest.Of(after), Was: w}
	if p.Before != nil && !gated(p.Before) {
		before := string(p.Before)
		next.Before = &before
	}
	if old != nil && old.Settings == p.Target {
		next.join(old, digest.Of(p.Before))
	}
	p.write = next
	return p, nil
}

// join keeps what an earlier installation found: the file that this one finds
// has that one's gate in it.
func (r *record) join(old *record, now digest.Digest) {
	if now == old.After {
		r.Existed, r.Before = old.Existed, old.Before
	} else {
		r.Existed = true
	}
	r.Was.Created = append(append([]string(nil), old.Was.Created...), r.Was.Created...)
	for pointer, value := range old.Was.Replaced {
		if _, newer := r.Was.Replaced[pointer]; !newer {
			r.Was.Replaced[pointer] = value
		}
	}
}

// Uninstall plans to take the gate out. When nobody has changed the file since
// the installation it becomes what it was, byte for byte, or goes if it was not
// there; else only what the installation put there is taken out.
func (c Claude) Uninstall() (*Plan, error) {
	p, old, err := c.start()
	if err != nil {
		return nil, err
	}
	if p.Before == nil {
		return p, nil
	}
	if old != nil && old.Settings == p.Target && old.After == digest.Of(p.Before) && (!old.Existed || old.Before != nil) {
		if old.Existed {
			p.After = []byte(*old.Before)
		}
		return p, nil
	}
	w := was{}
	if old != nil && old.Settings == p.Target {
		w = old.Was
	}
	if len(bytes.TrimSpace(p.Before)) == 0 {
		p.After = p.Before
		return p, nil
	}
	if p.After, err = c.remove(p.Before, w); err != nil {
		return nil, err
	}
	if old == nil && gated(p.Before) {
		p.Left, err = c.left(p.After)
	}
	return p, err
}

// start reads the settings and the record.
func (c Claude) start() (*Plan, *record, error) {
	if err := c.check(); err != nil {
		return nil, nil, err
	}
	p := &Plan{Path: c.Settings, mode: 0o600}
	if c.Managed {
		p.mode = 0o644 // every user's host reads it
	}
	if err := p.read(); err != nil {
		return nil, nil, err
	}
	r, err := p.remembered(c.Record)
	if err != nil {
		return nil, nil, err
	}
	return p, r, nil
}

// read finds the file behind links and reads it. A link is followed, because
// people keep their settings elsewhere and link them; what it leads to must be
// the user's own regular file that nobody else may write.
func (p *Plan) read() error {
	target, err := filepath.EvalSymlinks(p.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(p.Path); err == nil {
			return &Error{Code: CodeNotRegular, Sentence: "the settings file is a link to nowhere", Hint: "mend or remove " + p.Path}
		}
		p.Target, err = behindLinks(p.Path)
		if err != nil {
			return &Error{Code: CodeUnreadable, Sentence: "the settings file cannot be found", Err: err}
		}
		return nil
	case err != nil:
		return &Error{Code: CodeUnreadable, Sentence: "the settings file cannot be found", Err: err}
	}
	p.Target = target
	info, err := os.Stat(target)
	if err != nil {
		return &Error{Code: CodeUnreadable, Sentence: "the settings file cannot be read", Err: err}
	}
	if !info.Mode().IsRegular() || info.Size() > maxSettings {
		return &Error{Code: CodeNotRegular, Sentence: "the settings file is not a regular file of a usual size", Hint: "look at " + target}
	}
	if err := ownFile(target, info); err != nil {
		return err
	}
	p.mode = info.Mode().Perm()
	if p.Before, err = os.ReadFile(target); err != nil {
		return &Error{Code: CodeUnreadable, Sentence: "the settings file cannot be read", Err: err}
	}
	if p.Before == nil {
		p.Before = []byte{}
	}
	return nil
}

// behindLinks resolves the directories of a file that is not there, as far as
// they are: once it is written its name must stay the same.
func behindLinks(path string) (string, error) {
	dir := filepath.Dir(path)
	if dir == path {
		return path, nil
	}
	real, err := filepath.EvalSymlinks(dir)
	if errors.Is(err, fs.ErrNotExist) {
		real, err = behindLinks(dir)
	}
	return filepath.Join(real, filepath.Base(path)), err
}

// Apply carries the plan out: the record first, then the settings in one step.
// Settings that changed since the plan was made are refused.
func (p *Plan) Apply() error {
	now := Plan{Path: p.Path}
	if err := now.read(); err != nil {
		return err
	}
	if now.Target != p.Target || (now.Before == nil) != (p.Before == nil) || !bytes.Equal(now.Before, p.Before) {
		return &Error{Code: CodeChanged, Sentence: "the settings changed since the change was shown", Hint: "run it again"}
	}
	if p.write != nil {
		if err := p.keep(); err != nil {
			return err
		}
	}
	if p.Changed() {
		var err error
		if p.After == nil {
			err = os.Remove(p.Target)
		} else {
			err = writeWhole(p.Target, p.After, p.mode, 0o700)
		}
		if err != nil {
			return notWritten(p.Target, err)
		}
	}
	if p.write == nil {
		if err := p.keep(); err != nil {
			return err
		}
	}
	if p.older != "" {
		return p.forget(p.older)
	}
	return nil
}

func notWritten(path string, err error) error {
	return &Error{Code: CodeNotWritten, Sentence: fmt.Sprintf("%q could not be written", path), Err: err, Hint: "look at the permissions and the space of its directory"}
}

// writeWhole puts body at path in one step: a reader sees the old file or the
// new one. Missing directories are made with dirMode.
func writeWhole(path string, body []byte, mode, dirMode fs.FileMode) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".nod-*")
	if err != nil {
		return err
	}
	_, err = f.Write(body)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the error says more
	}
	return err
}
