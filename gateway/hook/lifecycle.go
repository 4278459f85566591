package hook

import (
	"context"
	"errors"
	"io"
	"time"

	"nod/client"
	"nod/queue"
)

// sessionStart opens the queue once, so that a person learns at the start that
// nothing will run, not at the first call.
func (h *hook) sessionStart(ctx context.Context) []byte {
	ctx, cancel := context.WithTimeout(ctx, reportWithin)
	defer cancel()
	shut, err := h.open(ctx)
	if err == nil {
		shut()
		var kept *attempts
		if kept, err = openAttempts(h.StateDir); err == nil {
			err = kept.sweep(time.Now())
			kept.close()
		}
	}
	if err != nil {
		return remark("every call of this session will be refused: " + client.Told(err))
	}
	return []byte(nothing)
}

// sessionEnd withdraws what the session still asks. A session that never asked
// is unknown to the queue, which is no fault.
func (h *hook) sessionEnd(ctx context.Context, e *event, errw io.Writer) []byte {
	ctx, cancel := context.WithTimeout(ctx, reportWithin)
	defer cancel()
	shut, err := h.open(ctx)
	if err != nil {
		say(errw, err.Error())
		return []byte(nothing)
	}
	defer shut()
	session, _ := e.session()
	_, err = h.port.Do(ctx, queue.EndSession{Session: session, Why: "host"})
	if r, refused := errors.AsType[*queue.Refusal](err); refused && r.Code == queue.CodeUnknownID {
		err = nil
	}
	if err == nil {
		var kept *attempts
		if kept, err = openAttempts(h.StateDir); err == nil {
			err = kept.end(e.Session)
			kept.close()
		}
	}
	if err != nil {
		say(errw, "end the session: "+err.Error())
	}
	return []byte(nothing)
}
