package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"nod/client"
	"nod/descriptor"
	"nod/digest"
	"nod/queue"
)

// Agent is what Claude Code is called as a principal's agent and as an executor.
const Agent = "claude-code"

// DefaultHostTimeout is the time that the installer gives the gate on the host.
const DefaultHostTimeout = 86400 * time.Second

// Exit statuses of a hook. Nothing else is ever returned: an exit status of 1
// lets the call run on some hosts.
const (
	exitAnswered = 0
	exitBlocked  = 2
)

// Deps are what a hook is given.
type Deps struct {
	// Open opens the queue for this connection, which asks and observes, and gives
	// a function that closes it. It is called once a process, after the event was
	// read.
	Open func(ctx context.Context) (queue.Port, func() error, error)
	// StateDir is an absolute directory of Nod's own (0700): it holds the
	// tokens of attempts between the hook that allows and the one that reports.
	StateDir string
	// HostTimeout is the timeout that the host was given for this hook; the
	// hook's own wait is shorter. Zero is DefaultHostTimeout.
	HostTimeout time.Duration
	// Tools are the operator's descriptors: their observers that run by
	// themselves do so after a report. nil: none.
	Tools *descriptor.Set
	// Limits bound a call's arguments; zero are DESIGN §3's.
	Limits digest.Limits
}

// Causes of an end of waiting.
var (
	errOwnDeadline = errors.New("nobody answered within the host's time")
	errSignal      = errors.New("the host stopped waiting")
)

// hook is one process's work on one event.
type hook struct {
	Deps
	port queue.Port
}

// ClaudeCode answers one event of Claude Code: it reads in to its end, writes
// at most one JSON object to out, and returns the process's exit status, 0 or
// 2. With 0 the answer was written whole; with 2 the reason is on errw and, on
// PreToolUse and PermissionRequest, the host does not run the call. ctx may end early; a SIGTERM,
// SIGINT or SIGHUP, or a host that is gone, ends the wait like it.
func ClaudeCode(ctx context.Context, d Deps, in io.Reader, out, errw io.Writer) (exit int) {
	defer func() {
		if p := recover(); p != nil {
			exit = blocked(errw, fmt.Errorf("internal fault: %v", p), sayWaiting)
		}
	}()
	if d.HostTimeout <= 0 {
		d.HostTimeout = DefaultHostTimeout
	}
	// A write to a host that is gone must come back as an error, not as the
	// end of this process: a begun attempt has to be reported.
	signal.Ignore(syscall.SIGPIPE)
	ctx, cancel := context.WithDeadlineCause(ctx, time.Now().Add(ownWait(d.HostTimeout)), errOwnDeadline)
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	signalled, done := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP) // from here on
	defer done()
	go untilSignal(signalled, stop)
	go watchHost(ctx, stop)

	raw, err := io.ReadAll(io.LimitReader(in, maxEvent+1))
	if err != nil {
		return blocked(errw, fmt.Errorf("read the event: %w", err), sayWaiting)
	}
	if len(raw) > maxEvent {
		return blocked(errw, fmt.Errorf("read the event: %w", &digest.Error{Code: digest.CodeTooLarge, Sentence: "it is larger than 64 MiB"}), sayWaiting)
	}
	e, err := readEvent(raw)
	if err != nil {
		return blocked(errw, err, sayWaiting)
	}
	h := &hook{Deps: d}
	switch e.Name {
	case PreToolUse:
		return h.preToolUse(ctx, e, out, errw)
	case PermissionRequest:
		return h.permissionRequest(ctx, e, out, errw)
	case PostToolUse, PostToolUseFailure:
		return remarked(h.report(ctx, e, errw), out, errw)
	case SessionStart:
		return remarked(h.sessionStart(ctx), out, errw)
	case SessionEnd:
		return remarked(h.sessionEnd(ctx, e, errw), out, errw)
	}
	return blocked(errw, fmt.Errorf("answer %.40q: %w", e.Name, &digest.Error{
		Code: digest.CodeBadValue, Pointer: "/hook_event_name", Sentence: "nod has no rule for this event",
		Hint: "run nod install claude-code, which puts nod's hooks where they belong",
	}), "")
}

// ownWait is how long a hook may take when the host stops it after timeout: a
// tenth less, at least two seconds and at most a minute, because what the host
// does on its own timeout is not always a refusal (docs/hosts/claude-code.md).
func ownWait(timeout time.Duration) time.Duration {
	margin := min(max(timeout/10, 2*time.Second), time.Minute)
	return max(timeout-margin, timeout/2)
}

// untilSignal ends the wait when the host asks the process to go.
func untilSignal(signalled context.Context, stop func(error)) {
	<-signalled.Done()
	stop(errSignal)
}

// answer writes one whole object, once.
func answer(text []byte, out, errw io.Writer) int {
	if err := write(out, text); err != nil {
		return failed(errw, err)
	}
	return exitAnswered
}

func write(out io.Writer, text []byte) error {
	n, err := out.Write(text)
	if err == nil && n < len(text) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	return nil
}

// remarked is answer for an event on which no call waits.
func remarked(text []byte, out, errw io.Writer) int {
	if err := write(out, text); err != nil {
		return blocked(errw, err, "")
	}
	return exitAnswered
}

// What blocked adds about the call that the event is of.
const (
	sayCall    = " (the call did not run)"
	sayWaiting = " (a call that waits for this answer does not run)" // the event is not known
)

// failed says why there is no answer about a call.
func failed(errw io.Writer, err error) int { return blocked(errw, err, sayCall) }

// blocked says why there is no answer. The sentence is one line: the host shows
// it to the model.
func blocked(errw io.Writer, err error, more string) int {
	say(errw, client.Told(err)+more)
	return exitBlocked
}

// missing refuses an event that lacks what its kind must have.
func missing(names string) error {
	return &digest.Error{Code: digest.CodeMissingMember, Sentence: "the event names no " + names}
}

func say(errw io.Writer, sentence string) {
	line := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, sentence)
	_, _ = fmt.Fprintln(errw, "nod: "+line) // nowhere else to say it
}

// open opens the queue; the function it gives never fails.
func (h *hook) open(ctx context.Context) (func(), error) {
	if h.Open == nil {
		return nil, errors.New("open the queue: none is configured")
	}
	port, closer, err := h.Open(ctx)
	if err != nil {
		return nil, fmt.Errorf("open the queue: %w", err)
	}
	h.port = port
	return func() {
		if closer != nil {
			_ = closer() // what was done is on disk already
		}
	}, nil
}
