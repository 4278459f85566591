package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"nod/client"
	"nod/digest"
	"nod/notice"
	"nod/queue"
)

// maxWords is how many bytes of a person's words fit into what the host gives the
// model of one answer, 10,000 characters as others report, beside changed
// arguments and frames.
const maxWords = 5 << 10

// grace is how long what must still be written may take after the wait ended.
const grace = 5 * time.Second

// preToolUse holds one call until the queue has an answer for it.
func (h *hook) preToolUse(ctx context.Context, e *event, out, errw io.Writer) int {
	if e.Tool == "" || e.CallID == "" || len(e.Input) == 0 {
		return failed(errw, missing("tool_name, tool_use_id or tool_input"))
	}
	shut, err := h.open(ctx)
	if err != nil {
		return blocked(errw, err, sayCall+" "+client.NobodyToAsk(notice.ApproverUnavailable))
	}
	defer shut()
	kept, err := openAttempts(h.StateDir)
	if err != nil {
		return failed(errw, err)
	}
	defer kept.close()

	text, b, load, err := h.decide(ctx, e)
	if err != nil {
		return failed(errw, err)
	}
	if b == nil {
		exit := answer(text, out, errw)
		if exit == exitAnswered {
			client.Deliver(ctx, h.port, load)
		}
		return exit
	}
	// The call is begun: from here on an error is one that the queue is told.
	if err = kept.put(e.Session, e.CallID, *b); err == nil {
		if err = context.Cause(ctx); err == nil {
			err = write(out, text)
		}
	}
	if err == nil {
		client.Deliver(ctx, h.port, load)
		return exitAnswered
	}
	h.undo(ctx, b)
	_ = kept.remove(e.Session, e.CallID) // reported just now
	return failed(errw, err)
}

// decide asks for the call and begins it. The attempt is nil when the answer is
// no.
func (h *hook) decide(ctx context.Context, e *event) ([]byte, *begun, client.Load, error) {
	var none client.Load
	call, err := h.call(ctx, e)
	if err != nil {
		return nil, nil, none, err
	}
	session, parent := e.session()
	sub, err := queue.As[queue.Submitted](ctx, h.port, queue.Submit{
		Kind: digest.KindCall, Session: session, Parent: parent, CallID: e.CallID, Call: call,
		AnswerInMS: ownWait(h.HostTimeout).Milliseconds(), HostRuns: true, Begin: true, Executor: Agent,
		Edits:    e.Input.Kind() == '{', // the host replaces an input by an object and nothing else
		Receipts: queue.StageHandedOver, WordsMax: maxWords,
	})
	if err != nil {
		text, err := refusal(err)
		return text, nil, none, err
	}
	if sub.Begun != nil {
		reason, words := client.Allowed(sub.Decision, sub.Begun.Words)
		b := holds(sub.Begun, sub.Action)
		load := client.Pack(&queue.Standing{Resent: sub.Resent}, sub.Ask, sub.Token, maxWords)
		return allow(reason, nil, load.With(words)), &b, load, nil
	}
	st, err := client.Await(ctx, h.port, sub)
	switch {
	case errors.Is(err, errOwnDeadline):
		return deny(h.tooLate(ctx, &sub)), nil, none, nil
	case err != nil:
		text, err := refusal(err)
		return text, nil, none, err
	}
	load := client.Pack(&st, st.Ask, sub.Token, maxWords)
	if st.State != queue.StateAllowed {
		return deny(load.With(client.Refused(&st))), nil, load, nil
	}
	text, b, err := h.begin(ctx, e, &sub, &st, &load)
	if b == nil {
		load = none // why it did not begin carries no words
	}
	return text, b, load, err
}

// begin spends the approval in the moment before the host is told to run: what
// it asked for, or what a person made of that, which the host is then told.
func (h *hook) begin(ctx context.Context, e *event, sub *queue.Submitted, st *queue.Standing, load *client.Load) ([]byte, *begun, error) {
	ask, approved, runs := sub.Ask, sub.Action, e
	var input jsontext.Value
	if st.EditedTo != nil {
		var no string
		var err error
		if input, no, err = changedInput(st.EditedTo.Action); err != nil {
			return nil, nil, err
		}
		if no != "" {
			return deny(no), nil, nil
		}
		changed := *e
		changed.Input = input
		ask, approved, runs = st.EditedTo.Ask, st.EditedTo.Action, &changed
	}
	call, err := h.call(ctx, runs)
	if err != nil {
		return nil, nil, err
	}
	action, err := client.Replace(approved, call)
	if err != nil {
		return nil, nil, err
	}
	b, err := queue.As[queue.Begun](ctx, h.port, queue.Begin{
		Ask: ask, Token: sub.Token, Action: action, Executor: Agent, HostRuns: true,
	})
	if err != nil {
		text, err := refusal(err)
		return text, nil, err
	}
	reason, words := client.Allowed(st.Decision, st.Decision.Words)
	if st.EditedTo != nil {
		words = strings.TrimSpace(client.Edited(st.EditedTo, input) + " " + words)
	}
	held := holds(&b, action)
	return allow(reason, input, load.With(words)), &held, nil
}

// tooLate says why the host's time was over: nobody answered, or the answer
// holds the call back for longer.
func (h *hook) tooLate(ctx context.Context, sub *queue.Submitted) string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	st, err := queue.Get[queue.Standing](ctx, h.port, queue.QStanding{Ask: sub.Ask, Token: sub.Token})
	if err == nil && st.State == queue.StateAllowed {
		return client.AfterEdit(st.EditedTo, client.Held)
	}
	return client.AfterEdit(st.EditedTo, client.Nobody) // without an answer there is no edit in st
}

// refusal makes the queue's no a denial that an agent can act on; anything else
// stays an error.
func refusal(err error) ([]byte, error) {
	if r, ok := errors.AsType[*queue.Refusal](err); ok {
		return deny(client.NoBegin(r)), nil
	}
	return nil, err
}

// undo reports an attempt whose call the host was never told to run.
func (h *hook) undo(ctx context.Context, b *begun) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	// Without the report the attempt ends as unknown, which is the safe side.
	_, _ = h.port.Do(ctx, queue.Report{
		Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitBlocked, Outcome: queue.AttemptNotExecuted,
	})
}

// call is what the event asks to run, with what it reads as it is now.
func (h *hook) call(ctx context.Context, e *event) (*queue.Call, error) {
	args, lifted, err := digest.Lift(e.Input, h.Limits)
	if err != nil {
		return nil, fmt.Errorf("read the tool's input: %w", err)
	}
	operands, err := operands(ctx, e.Tool, e.Cwd, args)
	if err != nil {
		return nil, err
	}
	return &queue.Call{
		Tool: e.Tool, Arguments: jsontext.Value(args), Cwd: e.Cwd, Operands: operands, Lifted: lifted,
	}, nil
}
