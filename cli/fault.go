package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"nod/client"
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
	Pointer  string `json:"pointer,omitzero"` // RFC 6901, into what was refused; untrusted
	Who      string `json:"who,omitzero"`
	At       int64  `json:"at,omitzero"`
	// Of a call that ran into an effect: Nod's id of it, what is known of it, and
	// the reference of the first attempt; untrusted.
	Effect  string             `json:"effect,omitzero"`
	Outcome queue.AttemptState `json:"effect_outcome,omitzero"`
	Ref     string             `json:"ref,omitzero"`
}

func (f *fault) Error() string { return f.Code + ": " + f.Sentence }

// told is what other packages' errors can say of themselves.
type told interface {
	error
	Told() (code, sentence, hint string)
}

// explain finds the operator's words in an error: the outermost that has any.
func explain(err error) fault {
	for e := err; e != nil; e = errors.Unwrap(e) {
		switch e := e.(type) { //nolint:errorlint // the chain is walked by hand, outermost first
		case *fault:
			return *e
		case *queue.Refusal:
			return fault{Code: e.Code, Sentence: e.Sentence, Hint: e.Hint, Who: e.Who, At: e.At,
				Effect: e.Effect, Outcome: client.KnownOf(e.Code), Ref: e.Ref}
		case *digest.Error:
			return fault{Code: e.Code, Sentence: e.Sentence, Hint: e.Hint, Pointer: e.Pointer}
		case *config.Error:
			return fault{Code: e.Code, Sentence: e.Error(), Hint: e.Hint}
		case told:
			var f fault
			f.Code, f.Sentence, f.Hint = e.Told()
			return f
		}
	}
	if t, ok := errors.AsType[told](err); ok { // behind joined errors
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
			_, _ = fmt.Fprintf(w, "%s\n", asciiJSON(b)) // nowhere left to say it
			return
		}
	}
	_, _ = fmt.Fprintf(w, "nod: %s%s (%s)\n", oneLine(f.Sentence), place(f.Pointer), f.Code)
	if f.Who != "" {
		_, _ = fmt.Fprintf(w, "first: %s at %s\n", oneLine(f.Who), time.UnixMilli(f.At).UTC().Format("2006-01-02 15:04:05Z"))
	}
	if f.Hint != "" {
		_, _ = fmt.Fprintf(w, "hint: %s\n", oneLine(f.Hint))
	}
}

// maxPlace is how much of a pointer a sentence shows, in bytes.
const maxPlace = 160

// place says where in a document something is.
func place(pointer string) string {
	switch {
	case pointer == "":
		return ""
	case len(pointer) > maxPlace:
		cut := strings.ToValidUTF8(pointer[:maxPlace], "")
		return fmt.Sprintf(", at %s…+%d", oneLine(cut), len(pointer)-len(cut))
	default:
		return ", at " + oneLine(pointer)
	}
}

// oneLine draws text that may hold another's bytes for one line of a terminal.
func oneLine(s string) string { return visible.Row(s).String() }
