package hook

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"nod/client"
	"nod/digest"
	"nod/queue"
)

// reportWithin bounds a report: the host waits for it between two calls.
const reportWithin = 8 * time.Second

// Sentences for the person at the host.
const (
	sayMismatch = "MISMATCH: the host ran something else than what was approved. Look at nod's notices before you go on."
	sayUnasked  = "the host ran a call that nod never let begin. Something goes around the gate: run nod doctor."
)

// report tells the queue how a call ended and what the host says it ran. It
// never stops the host: a failure is a sentence to the person there.
func (h *hook) report(ctx context.Context, e *event, errw io.Writer) []byte {
	ctx, cancel := context.WithTimeout(ctx, reportWithin)
	defer cancel()
	sentence, words, err := h.reported(ctx, e)
	if err != nil {
		sentence = "the end of a call could not be reported, so its outcome stays unknown: " + err.Error()
	}
	if sentence == "" && words == "" {
		return []byte(nothing)
	}
	if sentence != "" {
		say(errw, sentence)
	}
	return told(e.Name, sentence, words)
}

// reported gives a sentence for the person at the host, and words for the agent.
func (h *hook) reported(ctx context.Context, e *event) (sentence, words string, err error) {
	if e.CallID == "" {
		return "", "", missing("tool_use_id")
	}
	kept, err := openAttempts(h.StateDir)
	if err != nil {
		return "", "", err
	}
	defer kept.close()
	b, err := kept.get(e.Session, e.CallID)
	if err != nil {
		return "", "", err
	}
	shut, err := h.open(ctx)
	if err != nil {
		return "", "", err
	}
	defer shut()
	if b == nil {
		session, _ := e.session()
		if _, err := h.port.Do(ctx, queue.Unasked{Session: session, Tool: e.Tool}); err != nil {
			return "", "", fmt.Errorf("%s But the queue could not be told: %w", sayUnasked, err)
		}
		return sayUnasked, "", nil
	}
	observed, err := h.observed(e, b)
	if err != nil {
		return "", "", err
	}
	r, no, err := h.file(ctx, e, b, queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: exitStatus(e), Observed: observed})
	if err != nil {
		return "", "", fmt.Errorf("report to the queue: %w", err)
	}
	if err := kept.remove(e.Session, e.CallID); err != nil {
		return "", "", err
	}
	words, err = h.look(ctx, b, &r)
	switch {
	case r.Mismatch:
		sentence = sayMismatch
	case no != nil:
		sentence = no.Error()
	case err != nil:
		sentence = "the effect of a call could not be observed to the end: " + client.Told(err)
	}
	return sentence, words, nil
}

// exitStatus describes the call, not the effect: an interrupted call may have
// done anything, so it is no failure that the tool reported, and one that the
// host moved to the background still runs, so it is no success.
func exitStatus(e *event) queue.ExitStatus {
	switch {
	case e.Name == PostToolUse && runsOn(e):
		return queue.ExitTimeout
	case e.Name == PostToolUse:
		return queue.ExitSuccess
	case e.Interrupt:
		return queue.ExitTimeout
	default:
		return queue.ExitFailure
	}
}

// runsOn reports whether the host's own result says that the call did not come
// to its end: a shell command in the background, or one that was interrupted.
func runsOn(e *event) bool {
	doc, _, err := digest.Lift(e.Response, digest.Limits{})
	if err != nil {
		return false
	}
	_, background := textAt(doc, "/backgroundTaskId")
	interrupted, _ := digest.Lookup(doc, "/interrupted")
	return background || string(interrupted) == "true"
}

// observed is the action that the host says it ran: the begun one with the
// tool and input of the report. What the call read and where it stood cannot
// be observed afterwards (the call itself changes both), so these stay.
//
// An input that no strict reader accepts was not approved: it is shown as a
// text, which no approved input of these hosts is.
func (h *hook) observed(e *event, b *begun) (jsontext.Value, error) {
	a, err := digest.ParseAction(b.Action, digest.NoLimits())
	if err != nil {
		return nil, fmt.Errorf("read the begun action: %w", err)
	}
	if e.Tool != "" {
		a.Tool = e.Tool
	}
	if len(e.Input) > 0 {
		a.Arguments, a.Lifted, err = digest.Lift(e.Input, h.Limits)
		if err != nil {
			text, _ := jsontext.AppendQuote(nil, strings.ToValidUTF8(string(e.Input), "\uFFFD")) //nolint:errcheck // valid now
			a.Arguments, a.Lifted = text, nil
			if len(text) > digest.DefaultMaxBytes/2 {
				a.Arguments = digest.JSON(quote(nil, "not readable, "+string(digest.Of(e.Input))))
			}
		}
	}
	doc, err := a.Canonical()
	if err != nil {
		return nil, fmt.Errorf("write the observed action: %w", err)
	}
	return jsontext.Value(doc), nil
}
