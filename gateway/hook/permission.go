package hook

import (
	"bytes"
	"context"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"nod/client"
	"nod/digest"
	"nod/notice"
	"nod/queue"
)

// Sentences of a refusal in the last moment.
const (
	sayChanged = "This call was changed after it was approved: another hook or rule on this machine rewrites calls. It did not run. Tell the person, and do not repeat it."
	sayNoAllow = "Nod has allowed no such call in this session. It did not run."
)

// permissionRequest grants, once, what PreToolUse allowed in this session. The
// host sends it after every PreToolUse hook, with the input that will run and
// without the call's id; the begun action rebuilt from it must be the begun
// action (DESIGN §4), else another hook rewrote the call.
func (h *hook) permissionRequest(ctx context.Context, e *event, out, errw io.Writer) int {
	if e.Tool == "" || len(e.Input) == 0 {
		return failed(errw, missing("tool_name or tool_input"))
	}
	kept, err := openAttempts(h.StateDir)
	if err != nil {
		return failed(errw, err)
	}
	defer kept.close()
	open, err := kept.open(e.Session)
	if err != nil {
		return failed(errw, err)
	}
	call, err := h.call(ctx, e)
	if err != nil {
		return failed(errw, err)
	}
	if len(open) == 0 { // the host asks here, and never asked the hook that holds a call for a person
		return answer(forbid(client.NobodyToAsk(notice.NoApproverWired)), out, errw)
	}
	suspects := map[string]jsontext.Value{} // begun calls of this tool, with what would run instead
	for name, b := range open {
		runs, err := client.Replace(b.Action, call)
		if err != nil {
			return failed(errw, err)
		}
		if bytes.Equal(runs, b.Action) {
			mine, err := kept.grant(name)
			if err != nil {
				return failed(errw, err)
			}
			if mine {
				return answer(permit(), out, errw)
			}
			continue
		}
		if a, err := digest.ParseAction(b.Action, digest.NoLimits()); err == nil && a.Tool == e.Tool {
			suspects[name] = runs
		}
	}
	if len(suspects) != 1 {
		return answer(forbid(sayNoAllow), out, errw)
	}
	for name, runs := range suspects {
		mine, err := kept.grant(name) // nobody else may have it: it is reported as not run
		if err != nil {
			return failed(errw, err)
		}
		if !mine {
			return answer(forbid(sayNoAllow), out, errw)
		}
		h.rewritten(ctx, open[name], runs, errw)
		if err := kept.drop(name); err != nil {
			say(errw, err.Error())
		}
	}
	return answer(forbid(sayChanged), out, errw)
}

// rewritten reports a begun call that was changed before it ran, with what
// would have run. Without the report the attempt ends as unknown.
func (h *hook) rewritten(ctx context.Context, b *begun, runs jsontext.Value, errw io.Writer) {
	ctx, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	shut, err := h.open(ctx)
	if err == nil {
		defer shut()
		_, err = h.port.Do(ctx, queue.Report{
			Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitBlocked, Outcome: queue.AttemptNotExecuted, Observed: runs,
		})
	}
	if err != nil {
		say(errw, "report the changed call: "+err.Error())
	}
}
