package audit

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Checkpoint states, signed, what the first Size events of a store are. Its
// text is a C2SP checkpoint: origin, size and RFC 6962 root, each on a line,
// and then lines of our own.
type Checkpoint struct {
	Store string
	Size  int64
	Root  tlog.Hash // over the canonical bytes of the events
	Head  string    // chain hash of event number Size, 64 hex digits
	Time  int64     // its effective time, Unix ms
	// Peaks are the roots of the tree's perfect subtrees, largest first: the
	// next checkpoint goes on from them and need not read the events again.
	Peaks []tlog.Hash
}

const origin = "nod.checkpoint/v1/"

// text writes the checkpoint as it is signed.
func (c *Checkpoint) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s\n%d\n%s\nhead %s\ntime %d\n", origin, c.Store, c.Size, c.Root, c.Head, c.Time)
	for _, p := range c.Peaks {
		fmt.Fprintf(&b, "peak %s\n", p)
	}
	return b.String()
}

// parseCheckpoint reads what text wrote, and nothing else.
func parseCheckpoint(text string) (Checkpoint, bool) {
	var c Checkpoint
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) < 5 {
		return c, false
	}
	var err error
	if c.Size, err = strconv.ParseInt(lines[1], 10, 64); err != nil {
		return c, false
	}
	if c.Root, err = parseHash(lines[2]); err != nil {
		return c, false
	}
	if c.Time, err = strconv.ParseInt(strings.TrimPrefix(lines[4], "time "), 10, 64); err != nil {
		return c, false
	}
	c.Store = strings.TrimPrefix(lines[0], origin)
	c.Head = strings.TrimPrefix(lines[3], "head ")
	for _, l := range lines[5:] {
		p, err := parseHash(strings.TrimPrefix(l, "peak "))
		if err != nil {
			return c, false
		}
		c.Peaks = append(c.Peaks, p)
	}
	if raw, err := hex.DecodeString(c.Head); err != nil || len(raw) != 32 {
		return c, false
	}
	t := tree{size: c.Size, peaks: c.Peaks}
	return c, c.Size > 0 && t.whole() && t.root() == c.Root && c.text() == text
}

func parseHash(s string) (h tlog.Hash, err error) {
	raw, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return h, err
	}
	if copy(h[:], raw) != len(h) || len(raw) != len(h) {
		return h, fmt.Errorf("a hash of %d bytes", len(raw))
	}
	return h, nil
}

// sign writes the checkpoint as a signed note (golang.org/x/mod/sumdb/note).
func (c *Checkpoint) sign(by note.Signer) ([]byte, error) {
	return note.Sign(&note.Note{Text: c.text()}, by)
}

// VerifyCheckpoint opens a signed note with a key (Keeper.VerifierKey) and
// gives the checkpoint in it, so that one that was copied to another place can
// be held against the store there.
func VerifyCheckpoint(signed []byte, verifierKey string) (Checkpoint, error) {
	v, err := note.NewVerifier(verifierKey)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("read the verifier key: %w", err)
	}
	n, err := note.Open(signed, note.VerifierList(v))
	if err != nil {
		return Checkpoint{}, badCheckpoint(err)
	}
	c, ok := parseCheckpoint(n.Text)
	if !ok || !oneWriting(n) {
		return Checkpoint{}, badCheckpoint(nil)
	}
	return c, nil
}

// oneWriting reports whether the note has one signature, in the one base64
// writing of its bytes: the decoder of note lets unused bits pass.
func oneWriting(n *note.Note) bool {
	if len(n.Sigs) != 1 || len(n.UnverifiedSigs) != 0 {
		return false
	}
	_, err := base64.StdEncoding.Strict().DecodeString(n.Sigs[0].Base64)
	return err == nil
}

func badCheckpoint(err error) *Fault {
	f := &Fault{Code: CodeCheckpoint, Sentence: "a checkpoint was not signed by this installation's key", Hint: hintChanged}
	if err != nil {
		f.Sentence += " (" + err.Error() + ")"
	}
	return f
}

// at gives a chain that goes on behind the checkpoint.
func (c *Checkpoint) at() chain {
	return chain{store: c.Store, head: c.Head, time: c.Time, tree: tree{size: c.Size, peaks: append([]tlog.Hash(nil), c.Peaks...)}}
}

// compare holds the checkpoint against a chain of its size.
func (c *Checkpoint) compare(to *chain) *Fault {
	if f := c.compareStore(to.store); f != nil {
		return f
	}
	if c.Head != to.head || c.Root != to.tree.root() {
		return fault(CodeRewritten, 0, "the first %d events are not those that were signed in a checkpoint", c.Size)
	}
	return nil
}

func (c *Checkpoint) compareStore(id string) *Fault {
	if c.Store != id {
		return fault(CodeRewritten, 0, "the checkpoint was signed for another store")
	}
	return nil
}
