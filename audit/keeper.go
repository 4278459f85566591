package audit

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"nod/ownfile"
	"nod/queue"
)

// Keeper makes and keeps checkpoints in a directory outside the store.
type Keeper struct {
	dir      string
	uid      int
	signer   note.Signer
	verifier string
}

const (
	keyFile   = "checkpoint.key"
	markFile  = "checkpoints-" // and the store's id
	keyName   = "nod"
	terminate = "%%\n" // ends each record; no line of a note is this
)

// OpenKeeper opens the checkpoints in dir for the user uid (-1 where a system
// has none). dir is there already, 0700. The first one to open it makes the
// signing key out of random; whoever else opens it at that moment gets the
// same key.
func OpenKeeper(dir string, uid int, random io.Reader) (*Keeper, error) {
	k := &Keeper{dir: dir, uid: uid}
	name := filepath.Join(dir, keyFile)
	text, err := k.read(name)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeKey(dir, random); err != nil {
			return nil, fmt.Errorf("make the checkpoint key: %w", err)
		}
		text, err = k.read(name)
	}
	if err != nil {
		return nil, fmt.Errorf("read the checkpoint key: %w", err)
	}
	if k.signer, k.verifier, err = parseKey(string(text)); err != nil {
		return nil, fmt.Errorf("read the checkpoint key: %w", err)
	}
	return k, nil
}

// VerifierKey is the public key, in the form of golang.org/x/mod/sumdb/note.
// Kept elsewhere, it shows that somebody replaced the key.
func (k *Keeper) VerifierKey() string { return k.verifier }

// makeKey writes a new key, unless there is one.
func makeKey(dir string, random io.Reader) error {
	key, _, err := note.GenerateKey(random, keyName)
	if err != nil {
		return err
	}
	return ownfile.Once(dir, keyFile, key+"\n")
}

// parseKey reads the private key and works out the public one: its last 32
// bytes are an Ed25519 seed behind a byte that says so.
func parseKey(text string) (note.Signer, string, error) {
	text = strings.TrimSuffix(text, "\n")
	signer, err := note.NewSigner(text)
	if err != nil {
		return nil, "", err
	}
	// PRIVATE+KEY+name+hash+key; the alphabet of key has "+" too.
	fields := strings.SplitN(text, "+", 5)
	raw, err := base64.StdEncoding.DecodeString(fields[len(fields)-1])
	if err != nil || len(raw) != 1+ed25519.SeedSize {
		return nil, "", errors.New("not an Ed25519 key")
	}
	public, ok := ed25519.NewKeyFromSeed(raw[1:]).Public().(ed25519.PublicKey)
	if !ok {
		return nil, "", errors.New("not an Ed25519 key")
	}
	verifier, err := note.NewEd25519VerifierKey(signer.Name(), public)
	return signer, verifier, err
}

// Checkpoint checks the events behind the newest checkpoint, signs what the
// history is now and appends it, durably. Without a new event it gives the
// newest checkpoint again; of a store without events it gives a zero one. A
// history that contradicts the newest checkpoint is a *Fault, and nothing is
// signed.
func (k *Keeper) Checkpoint(ctx context.Context, port queue.Port) (Checkpoint, error) {
	status, err := queue.Get[queue.Status](ctx, port, queue.QStatus{})
	if err != nil {
		return Checkpoint{}, fmt.Errorf("read the store's status: %w", err)
	}
	marks, err := k.Checkpoints(status.StoreID)
	if err != nil {
		return Checkpoint{}, err
	}
	c := chain{store: status.StoreID, head: genesis}
	var newest Checkpoint
	if len(marks) > 0 {
		newest = marks[len(marks)-1]
		c = newest.at()
	}
	if status.Event < newest.Size {
		return Checkpoint{}, fault(CodeTruncated, 0, "the store holds %d events, and %d were signed in a checkpoint", status.Event, newest.Size)
	}
	if err := c.follow(ctx, port, status.Event, nil); err != nil {
		return Checkpoint{}, err
	}
	if c.head != status.Head {
		if c.tree.size == newest.Size {
			return Checkpoint{}, fault(CodeRewritten, 0, "the first %d events are not those that were signed in a checkpoint", newest.Size)
		}
		return Checkpoint{}, fault(CodeHead, c.tree.size, "the store's head is not the hash of its newest event")
	}
	if c.tree.size == newest.Size {
		return newest, nil
	}
	next := Checkpoint{Store: c.store, Size: c.tree.size, Root: c.tree.root(), Head: c.head, Time: c.time, Peaks: c.tree.peaks}
	signed, err := next.sign(k.signer)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("sign a checkpoint: %w", err)
	}
	if err := k.append(k.marks(next.Store), signed); err != nil {
		return Checkpoint{}, fmt.Errorf("write a checkpoint: %w", err)
	}
	return next, nil
}

// Checkpoints gives the checkpoints of a store, smallest first. A record that
// a crash left unfinished is passed over; one that is whole and was not signed
// by our key is a *Fault.
func (k *Keeper) Checkpoints(store string) ([]Checkpoint, error) {
	text, err := k.read(k.marks(store))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the checkpoints: %w", err)
	}
	var out []Checkpoint
	for record, rest, whole := bytes.Cut(text, []byte(terminate)); whole; record, rest, whole = bytes.Cut(rest, []byte(terminate)) {
		c, err := VerifyCheckpoint(record, k.verifier)
		if err == nil && c.Store != store {
			err = badCheckpoint(errors.New("it is another store's"))
		}
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b Checkpoint) int { return int(min(max(a.Size-b.Size, -1), 1)) })
	return out, nil
}

// marks names a store's file; an id that is no plain word has none, because
// only a damaged store has one.
func (k *Keeper) marks(store string) string {
	plain := func(r rune) rune {
		if r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' {
			return r
		}
		return '_'
	}
	return filepath.Join(k.dir, markFile+strings.Map(plain, store))
}

func (k *Keeper) read(name string) ([]byte, error) {
	f, err := k.open(name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(f)
	return text, errors.Join(err, f.Close())
}

// append writes one record in one write. What a crash left behind the last
// whole record is cut off first.
func (k *Keeper) append(name string, signed []byte) error {
	f, err := k.open(name, os.O_RDWR|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(f)
	if err == nil && len(text) > 0 && !bytes.HasSuffix(text, []byte(terminate)) {
		whole := 0
		if at := bytes.LastIndex(text, []byte(terminate)); at >= 0 {
			whole = at + len(terminate)
		}
		err = f.Truncate(int64(whole))
	}
	if err == nil {
		_, err = f.Write(append(signed, terminate...))
	}
	return errors.Join(err, f.Sync(), f.Close())
}

// open opens a file of our own: no link, not another's, closed to others.
func (k *Keeper) open(name string, flag int) (*os.File, error) {
	f, err := ownfile.Open(name, flag, k.uid)
	if loose, ok := errors.AsType[*ownfile.Loose](err); ok {
		return nil, &Fault{Code: CodeLoose, Sentence: loose.Error(), Hint: loose.Hint()}
	}
	return f, err
}
