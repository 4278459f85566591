package run

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"nod/client"
	"nod/digest"
	"nod/queue"
	"nod/run/operand"
)

// EnvOutcome names the variable that names the file in which a command may say
// what became of its effect (docs/outcomes.md). Only a command has it whose
// effect is kept.
const EnvOutcome = "NOD_OUTCOME_FILE"

// Bounds of what is kept of a command's words.
const (
	maxLine    = queue.MaxSeen // of what came back
	maxTail    = 8 << 10
	maxResult  = 1 << 20
	maxOutcome = 64 << 10

	// drain is how long a command's output is copied after its end: what it
	// left behind in the background may hold the pipe for ever.
	drain = time.Second
)

// isKept reports whether an action's effect is one whose outcome is kept.
func isKept(action jsontext.Value) bool {
	a, err := digest.ParseAction(action, digest.NoLimits())
	if err != nil || a.Effect == nil {
		return false
	}
	e := a.Effect
	return len(e.Key) > 0 || e.Class == digest.ClassCompensatable || e.Class == digest.ClassIrreversible
}

// heard is what a command says besides its exit status. The zero value hears
// nothing.
type heard struct {
	tail   *tail
	result *head
	dir    string // holds the outcome file; "" for none
	action jsontext.Value
}

// listen makes ready to hear a command whose effect is kept: its errors where
// they are no terminal, its output where the descriptor reads it, and a file for
// its outcome.
func (d *Deps) listen(action jsontext.Value) (*heard, error) {
	h := &heard{action: action}
	if !isKept(action) {
		return h, nil
	}
	if !isTerminal(d.Stderr) {
		h.tail = new(tail)
	}
	if t := d.Tools.Tool(Tool); t != nil && t.ReadsResult() {
		h.result = new(head)
	}
	dir, err := os.MkdirTemp("", "nod-outcome-") // 0700
	if err != nil {
		return nil, fmt.Errorf("make the file for the command's outcome: %w", err)
	}
	h.dir = dir
	body, err := json.Marshal(client.ToSay(action))
	if err == nil {
		err = os.WriteFile(h.file(), append(body, '\n'), 0o600)
	}
	if err != nil {
		h.close()
		return nil, fmt.Errorf("make the file for the command's outcome: %w", err)
	}
	return h, nil
}

func (h *heard) file() string { return filepath.Join(h.dir, "outcome.json") }

func (h *heard) close() {
	if h.dir != "" {
		_ = os.RemoveAll(h.dir) // what is left of it is the system's to clean
	}
}

// on puts the listening between the command and its caller.
func (h *heard) on(cmd *exec.Cmd) {
	if h.tail != nil {
		cmd.Stderr, cmd.WaitDelay = io.MultiWriter(h.tail, writer{cmd.Stderr}), drain
	}
	if h.result != nil {
		cmd.Stdout, cmd.WaitDelay = io.MultiWriter(h.result, writer{cmd.Stdout}), drain
	}
	if h.dir != "" {
		cmd.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], EnvOutcome+"="+h.file())
	}
}

// writer is the caller's stream: that it is closed there is no reason to hear
// less.
type writer struct{ w io.Writer }

func (w writer) Write(p []byte) (int, error) {
	if w.w != nil {
		_, _ = w.w.Write(p) // as without Nod, nobody is told
	}
	return len(p), nil
}

// tell fills a report with what was heard. An error is why the command's own
// word does not count; the report then says nothing of the outcome.
func (h *heard) tell(r *queue.Report, state *os.ProcessState) error {
	if h.dir == "" {
		return nil
	}
	if h.tail != nil {
		r.CameBack = h.tail.line()
	}
	if r.CameBack == "" && r.Exit != queue.ExitSuccess && state != nil {
		r.CameBack = state.String()
	}
	if h.result != nil {
		r.Result = h.result.document()
	}
	raw, err := readOutcome(h.file())
	if err != nil {
		return fmt.Errorf("%w: %w", client.ErrOutcome, err)
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil
	}
	o, err := client.ReadOutcome(raw, h.action)
	if err != nil {
		return err
	}
	r.Outcome, r.Durable, r.Ref, r.ActionDigest = o.Says, o.Durable, o.Ref, o.ActionDigest
	return nil
}

// readOutcome reads the file that the command wrote; one that it removed says
// nothing.
func readOutcome(name string) ([]byte, error) {
	if info, err := os.Lstat(name); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil || !info.Mode().IsRegular() {
		return nil, errors.New("its file is none any more")
	}
	f, err := operand.Open(name)
	if err != nil {
		return nil, errors.New("its file cannot be read")
	}
	defer func() { _ = f.Close() }() // opened for reading
	raw, err := io.ReadAll(io.LimitReader(f, maxOutcome+1))
	if err != nil || len(raw) > maxOutcome {
		return nil, errors.New("its file cannot be read, or is larger than 64 KiB")
	}
	return raw, nil
}

// tail keeps the end of what is written.
type tail struct{ b []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.b = append(t.b, p...)
	if len(t.b) > 2*maxTail {
		t.b = append(t.b[:0], t.b[len(t.b)-maxTail:]...)
	}
	return len(p), nil
}

// line is the last line that is not blank, at most maxLine bytes of it.
func (t *tail) line() string { return client.LastLine(string(t.b), maxLine) }

// head keeps what is written, unless it is more than maxResult bytes.
type head struct {
	b []byte
	n int64
}

func (h *head) Write(p []byte) (int, error) {
	if h.n += int64(len(p)); h.n <= maxResult {
		h.b = append(h.b, p...)
	}
	return len(p), nil
}

// document is what was written, where that is one strict JSON document.
func (h *head) document() jsontext.Value {
	if h.n == 0 || h.n > maxResult {
		return nil
	}
	doc, err := digest.Canonical(h.b, digest.Limits{})
	if err != nil {
		return nil
	}
	return jsontext.Value(doc)
}
