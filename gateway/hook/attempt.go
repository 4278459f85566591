package hook

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"nod/queue"
)

// begun is what a call's report needs and the host does not carry: it lies in
// a file between the hook that allowed the call and the one that reports it.
type begun struct {
	Ask     string         `json:"ask"`
	Attempt string         `json:"attempt"`
	Token   string         `json:"token"`
	Action  jsontext.Value `json:"action"` // as begun, complete
}

// attempts is the directory of those files: one directory a session, in it one
// file a call, both named by digests, because ids are the host's to choose.
type attempts struct{ root *os.Root }

// openAttempts opens the attempts below a state directory, making what is not
// there. Both must be this user's own and nobody else's to read (DESIGN §10).
func openAttempts(state string) (*attempts, error) {
	if state == "" {
		return nil, errors.New("no state directory is configured")
	}
	dir := filepath.Join(state, "attempts")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the state directory: %w", err)
	}
	for _, d := range []string{state, dir} {
		if err := private(d); err != nil {
			return nil, err
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the state directory: %w", err)
	}
	return &attempts{root}, nil
}

func (a *attempts) close() { _ = a.root.Close() } // read-only handle

func fileNames(session, call string) (dir, name string) {
	return hashed("session", session), hashed(session, call)
}

// hashed joins with a byte that no id can hold once it is JSON text.
func hashed(a, b string) string {
	sum := sha256.Sum256([]byte(a + "\x00" + b))
	return hex.EncodeToString(sum[:])
}

// put writes b so that a reader sees all of it or nothing.
func (a *attempts) put(session, call string, b begun) error {
	body, err := json.Marshal(b)
	if err != nil {
		return fmt.Errorf("write the attempt: %w", err)
	}
	dir, name := fileNames(session, call)
	if err := a.root.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("write the attempt: %w", err)
	}
	temporary := dir + "/" + rand.Text()
	f, err := a.root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write the attempt: %w", err)
	}
	_, err = f.Write(body)
	err = errors.Join(err, f.Chmod(0o600), f.Close())
	if err == nil {
		err = a.root.Rename(temporary, dir+"/"+name)
	}
	if err != nil {
		_ = a.root.Remove(temporary) // the error says more
		return fmt.Errorf("write the attempt: %w", err)
	}
	return nil
}

// get reads the call's file, granted or not; nil without one.
func (a *attempts) get(session, call string) (*begun, error) {
	dir, name := fileNames(session, call)
	f, err := a.root.Open(dir + "/" + name)
	if errors.Is(err, fs.ErrNotExist) { // in this order: a grant renames it in between
		f, err = a.root.Open(dir + "/" + name + granted)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the attempt: %w", err)
	}
	return readBegun(f)
}

func readBegun(f *os.File) (*begun, error) {
	body, err := io.ReadAll(io.LimitReader(f, maxEvent))
	_ = f.Close() // opened for reading
	b := new(begun)
	if err == nil {
		err = json.Unmarshal(body, b, json.RejectUnknownMembers(true))
	}
	if err != nil {
		return nil, fmt.Errorf("read the attempt: %w", err)
	}
	return b, nil
}

// granted is the suffix of an attempt that was granted to the host.
const granted = ".granted"

// open lists the session's attempts that were not granted yet, by file name.
func (a *attempts) open(session string) (map[string]*begun, error) {
	dir, _ := fileNames(session, "")
	entries, err := fs.ReadDir(a.root.FS(), dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the attempts: %w", err)
	}
	out := map[string]*begun{}
	for _, entry := range entries {
		name := dir + "/" + entry.Name()
		if len(entry.Name()) != 2*sha256.Size { // granted, or being written
			continue
		}
		f, err := a.root.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // granted or reported just now
		}
		if err != nil {
			return nil, fmt.Errorf("read the attempt: %w", err)
		}
		if out[name], err = readBegun(f); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// grant takes an attempt for the caller alone; false when somebody else did, or
// the call was reported already. It is one rename, so that no request that read
// the attempt before can grant it after that.
func (a *attempts) grant(name string) (bool, error) {
	err := a.root.Rename(name, name+granted)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("take the attempt: %w", err)
	}
	return true, nil
}

// remove forgets one call.
func (a *attempts) remove(session, call string) error {
	dir, name := fileNames(session, call)
	return a.drop(dir + "/" + name)
}

func (a *attempts) drop(name string) error {
	for _, n := range []string{name, name + granted} {
		if err := a.root.Remove(n); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove the attempt: %w", err)
		}
	}
	return nil
}

// end forgets a session's calls; the queue has made what ran of them unknown.
func (a *attempts) end(session string) error {
	dir, _ := fileNames(session, "")
	if err := a.root.RemoveAll(dir); err != nil {
		return fmt.Errorf("remove the session's attempts: %w", err)
	}
	return nil
}

// keepFor is how long a session's files outlive their last change: a host that
// was killed never ends its session, and a report that late is only evidence.
const keepFor = 7 * 24 * time.Hour

// sweep forgets sessions that nothing was written to for keepFor.
func (a *attempts) sweep(now time.Time) error {
	entries, err := fs.ReadDir(a.root.FS(), ".")
	if err != nil {
		return fmt.Errorf("list the sessions: %w", err)
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || len(entry.Name()) != 2*sha256.Size || now.Sub(info.ModTime()) < keepFor {
			continue
		}
		if err := a.root.RemoveAll(entry.Name()); err != nil {
			return fmt.Errorf("remove an old session's attempts: %w", err)
		}
	}
	return nil
}

// holds turns a begin into what is kept of it.
func holds(b *queue.Begun, action jsontext.Value) begun {
	return begun{Ask: b.Ask, Attempt: b.Attempt, Token: b.Token, Action: action}
}
