package demo

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"nod/client"
	"nod/digest/visible"
	"nod/queue"
)

// Agent runs the script on a requester's port.
type Agent struct {
	port  queue.Port
	shop  *Shop
	pause func(context.Context) // between asks; nil for none

	mu    sync.Mutex
	lines []string
	heard string // what the last answer was, told with the next ask
}

// NewAgent makes the demo's agent, on a port that asks and observes. pause spaces
// its asks out.
func NewAgent(port queue.Port, shop *Shop, pause func(context.Context)) *Agent {
	return &Agent{port: port, shop: shop, pause: pause}
}

// Transcript is what the agent asked, got and did so far, a line each.
func (a *Agent) Transcript() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]string(nil), a.lines...)
}

func (a *Agent) say(format string, args ...any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.lines = append(a.lines, fmt.Sprintf(format, args...))
}

// Run files the script's asks, all open at once so that there is something to
// choose from, and follows each to its end. It returns when every ask was
// answered or ctx ends.
func (a *Agent) Run(ctx context.Context) error {
	var group sync.WaitGroup
	errs := make([]error, len(steps()))
	for i, s := range steps() {
		got, err := queue.As[queue.Submitted](ctx, a.port, s.submit)
		if ctx.Err() != nil {
			break // the newcomer left
		}
		if err != nil {
			return fmt.Errorf("submit %s: %w", s.name, err)
		}
		a.say("asked     %s", s.name)
		group.Go(func() { errs[i] = a.follow(ctx, s, got) })
		if a.pause != nil {
			a.pause(ctx)
		}
	}
	group.Wait()
	if ctx.Err() != nil {
		return nil //nolint:nilerr // the newcomer left; the transcript says how far it came
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return a.afterwards(ctx)
}

// follow waits for one answer and acts on it.
func (a *Agent) follow(ctx context.Context, s step, got queue.Submitted) error {
	standing, err := client.Await(ctx, a.port, got)
	if err != nil {
		return err
	}
	if e := standing.EditedTo; e != nil {
		a.say("changed   %s: a person changed its arguments%s", s.name, said(e.Words))
	}
	switch standing.State {
	case queue.StateAnswered:
		a.say("answered  %s: %s", s.name, visible.Draw(visible.Value, string(standing.Decision.Answer)))
		a.say("          %q", s.ran)
	case queue.StateAllowed:
		return a.run(ctx, s, got, standing)
	case queue.StateDenied:
		a.say("denied    %s%s", s.name, words(standing.Decision))
		a.say("          %q", s.denied)
		a.mu.Lock()
		a.heard = s.name + words(standing.Decision)
		a.mu.Unlock()
	case queue.StateExpired:
		a.say("expired   %s: no person answered", s.name)
	default:
		a.say("%-9s %s", standing.State, s.name)
	}
	return nil
}

func words(d *queue.Decision) string {
	if d == nil {
		return ""
	}
	return said(d.Words)
}

func said(words string) string {
	if words == "" {
		return ""
	}
	return ", with the words " + visible.Draw(visible.Value, words)
}

// run begins the allowed step with the very action that was approved.
func (a *Agent) run(ctx context.Context, s step, got queue.Submitted, st queue.Standing) error {
	ask, action, read := got.Ask, got.Action, got.ActionDigest
	if e := st.EditedTo; e != nil {
		ask, action, read = e.Ask, e.Action, e.ActionDigest
	}
	begun, err := queue.As[queue.Begun](ctx, a.port, queue.Begin{Ask: ask, Token: got.Token, Action: action, Executor: "demo"})
	if r, ok := errors.AsType[*queue.Refusal](err); ok {
		a.say("refused   %s: %s", s.name, r.Sentence)
		return nil
	}
	if err != nil {
		return err
	}
	a.say("allowed   %s%s", s.name, words(st.Decision))
	a.say("begun     %s, once, as read (digest %s)", s.name, read.Short())
	if st.EditedTo != nil {
		a.say("          %q", "I ran the call as you changed it, not as I had asked.")
	}
	if s.submit.Call.Tool == refundTool {
		return a.refund(ctx, s, &begun, action)
	}
	if st.EditedTo == nil {
		a.say("          %q", s.ran)
	}
	_, err = a.port.Do(ctx, queue.Report{Attempt: begun.Attempt, Token: begun.Token, Exit: queue.ExitSuccess})
	return err
}

// afterwards files one more ask that shows that the agent heard a no.
func (a *Agent) afterwards(ctx context.Context) error {
	a.mu.Lock()
	heard := a.heard
	a.mu.Unlock()
	if heard == "" {
		return nil
	}
	s := step{name: "follow-up", ran: "The note is sent.", denied: "Then I stop here."}
	s.submit = call("demo-6", "chat.post", `{"channel":"#shop","text":"A person stopped one of my steps; I did not repeat it."}`,
		strings.ToValidUTF8("You denied "+heard+"; I did not try again and would rather tell the team.", ""))
	got, err := queue.As[queue.Submitted](ctx, a.port, s.submit)
	if err == nil {
		a.say("asked     %s", s.name)
		err = a.follow(ctx, s, got)
	}
	if ctx.Err() != nil {
		return nil //nolint:nilerr // the newcomer left
	}
	return err
}
