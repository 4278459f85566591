package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"

	"nod/config"
	"nod/digest"
	"nod/digest/visible"
	"nod/queue"
)

// exit ends a command with a code; err may be nil when all was said.
type exit struct {
	code int
	err  error
}

func (e *exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.code)
	}
	return e.err.Error()
}

func (e *exit) Unwrap() error { return e.err }

// fault is an operator's error: code, sentence, hint.
type fault struct {
	Code     string `json:"code"`
	Sentence string `json:"sentence"`
	Hint     string `json:"hint,omitzero"`
	Who      string `json:"who,omitzero"`
	At       int64  `json:"at,omitzero"`
}

func (f *fault) Error() string { return f.Code + ": " + f.Sentence }

// told is what other packages' errors can say of themselves.
type told interface {
	error
	Told() (code, sentence, hint string)
}

// explain finds the operator's words in an error.
func explain(err error) fault {
	if f, ok := errors.AsType[*fault](err); ok {
		return *f
	}
	if r, ok := errors.AsType[*queue.Refusal](err); ok {
		return fault{Code: r.Code, Sentence: r.Sentence, Hint: r.Hint, Who: r.Who, At: r.At}
	}
	if d, ok := errors.AsType[*digest.Error](err); ok {
		return fault{Code: d.Code, Sentence: d.Sentence, Hint: d.Hint}
	}
	if c, ok := errors.AsType[*config.Error](err); ok {
		return fault{Code: c.Code, Sentence: c.Error(), Hint: c.Hint}
	}
	if t, ok := errors.AsType[told](err); ok {
		var f fault
		f.Code, f.Sentence, f.Hint = t.Told()
		return f
	}
	return fault{Code: "error", Sentence: err.Error()}
}

// complain writes an error for a person, or as JSON.
func complain(w io.Writer, err error, asJSON bool) {
	f := explain(err)
	if asJSON {
		if b, e := json.Marshal(map[string]fault{"error": f}); e == nil {
			_, _ = fmt.Fprintf(w, "%s\n", b) // nowhere left to say it
			return
		}
	}
	_, _ = fmt.Fprintf(w, "nod: %s (%s)\n", oneLine(f.Sentence), f.Code)
	if f.Hint != "" {
		_, _ = fmt.Fprintf(w, "hint: %s\n", oneLine(f.Hint))
	}
}

// oneLine draws text that may hold another's bytes for one line of a terminal.
func oneLine(s string) string { return visible.Row(s).String() }
