package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"nod/client"
	"nod/digest"
	"nod/queue"
)

// patience bounds what must still be said to the queue when nobody waits.
const patience = 30 * time.Second

// begun is an attempt, the length of its lease and the action that began.
type begun struct {
	queue.Begun
	lease  time.Duration
	action jsontext.Value
}

// signalled is the cause of a wait that a signal ended.
type signalled struct{ os.Signal }

func (s signalled) Error() string { return "stopped by " + s.String() }

// Run asks for argv, waits, and runs exactly that when it is allowed. It
// returns the exit status of the process: the command's own once it was begun
// (128+n when signal n ended it), else ExitDenied, ExitError or ExitNobody with
// the reason on Stderr.
func Run(ctx context.Context, d Deps, argv []string) int {
	sigs := make(chan os.Signal, 16)
	signal.Notify(sigs, passed()...)
	defer signal.Stop(sigs)

	if err := d.mayObserve(); err != nil {
		return d.fail(err)
	}
	own := d.Session == ""
	if own {
		d.Session = "run-" + d.NewID()
		defer d.endSession(ctx)
	}
	c, b, exit := d.ask(ctx, argv, sigs, own)
	if c == nil {
		return exit
	}
	defer c.close()
	return d.execute(ctx, c, b, sigs)
}

// ask holds the command until it is begun; without a begin the command is nil.
func (d *Deps) ask(ctx context.Context, argv []string, sigs <-chan os.Signal, own bool) (*command, *begun, int) {
	ctx, stop := context.WithCancelCause(ctx)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		select {
		case s := <-sigs:
			stop(signalled{s})
		case <-ctx.Done():
		}
	}()
	defer func() {
		stop(nil)
		<-stopped // so that no later signal is lost to this wait
	}()
	c, err := d.resolve(ctx, argv)
	if err != nil {
		return nil, nil, d.fail(err)
	}
	defer c.close()
	submit := queue.Submit{
		Kind: digest.KindCall, Session: d.Session, Call: &c.call, AgentWords: d.Words,
		AnswerInMS: d.Within.Milliseconds(), Receipts: queue.StageHandedOver,
	}
	d.Stated.into(&submit)
	sub, err := queue.As[queue.Submitted](ctx, d.Port, submit)
	if err != nil {
		return nil, nil, d.stopped(ctx, err)
	}
	st, err := client.Await(ctx, d.Port, sub)
	if err != nil {
		if own {
			d.withdraw(ctx, &sub)
		}
		return nil, nil, d.stopped(ctx, err)
	}
	load := client.Pack(&st, st.Ask, sub.Token, 0)
	if st.State != queue.StateAllowed {
		if d.say(load.With(client.Refused(&st))) {
			client.Deliver(ctx, d.Port, load)
		}
		return nil, nil, exitOf(st.State)
	}
	return d.begin(ctx, c, &sub, &st, &load)
}

// begin resolves and digests everything anew and spends the approval on that.
func (d *Deps) begin(ctx context.Context, asked *command, sub *queue.Submitted, st *queue.Standing, load *client.Load) (*command, *begun, int) {
	c, err := d.resolve(ctx, asked.argv)
	if err != nil {
		return nil, nil, d.fail(err)
	}
	if !c.sameDir(asked) {
		c.close()
		return nil, nil, d.fail(errors.New("the working directory is another one now than when it was asked (it did not run)"))
	}
	action, err := client.Replace(sub.Action, &c.call)
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		c.close()
		return nil, nil, d.stopped(ctx, err)
	}
	b, err := queue.As[queue.Begun](ctx, d.Port, queue.Begin{
		Ask: sub.Ask, Token: sub.Token, Action: action, Executor: Executor,
	})
	if err != nil {
		c.close()
		return nil, nil, d.fail(err)
	}
	_, words := client.Allowed(nil, b.Words)
	if words = load.With(words); words == "" || d.say(words) {
		client.Deliver(ctx, d.Port, *load)
	}
	return c, &begun{b, time.Duration(b.Lease-st.Now) * time.Millisecond, action}, ExitAllowed
}

// execute starts the begun command, reports how it ended, and looks what became
// of its effect.
func (d *Deps) execute(ctx context.Context, c *command, b *begun, sigs <-chan os.Signal) int {
	ctx = context.WithoutCancel(ctx) // a begun command ends by itself
	h, err := d.listen(b.action)
	if err != nil {
		return d.unstarted(ctx, b, err)
	}
	defer h.close()
	cmd, err := d.start(c, h)
	if err != nil {
		return d.unstarted(ctx, b, err)
	}
	renewing, stop := context.WithCancel(ctx)
	go d.renew(renewing, b)
	err = d.wait(cmd, sigs)
	stop()
	status, exit := ended(cmd, err)
	r := queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: status}
	if err := h.tell(&r, cmd.ProcessState); err != nil {
		d.say(client.Told(err))
	}
	if reported := d.report(ctx, r); reported != nil && reported.Effect != "" {
		d.look(ctx, b, reported, sigs)
	}
	return exit
}

// unstarted reports a begun command that was never started.
func (d *Deps) unstarted(ctx context.Context, b *begun, err error) int {
	d.report(ctx, queue.Report{
		Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitBlocked, Outcome: queue.AttemptNotExecuted,
	})
	return d.fail(fmt.Errorf("start the command: %w (it did not run)", err))
}

// start starts the executable that was digested, with what the card shows.
func (d *Deps) start(c *command, h *heard) (*exec.Cmd, error) {
	_, _, script, err := shebang(c.exe)
	if err != nil {
		return nil, err
	}
	name, release, err := c.byFile(script)
	if err != nil {
		return nil, err
	}
	defer release()
	dir, leave, err := c.inDir()
	if err != nil {
		return nil, err
	}
	defer leave()
	cmd := &exec.Cmd{
		Path: name, Args: c.argv, Env: c.env, Dir: dir, Stdin: d.Stdin, Stdout: d.Stdout, Stderr: d.Stderr,
	}
	h.on(cmd)
	if err := keepOpenFiles(); err != nil {
		return nil, err
	}
	if !c.unchanged() {
		return nil, errors.New("what the command reads changed after it was begun")
	}
	return cmd, cmd.Start()
}

// wait waits for the command and hands signals on to it.
func (d *Deps) wait(cmd *exec.Cmd, sigs <-chan os.Signal) error {
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	tty := isTerminal(d.Stdin)
	for {
		select {
		case err := <-done:
			return err
		case s := <-sigs:
			if !tty || !fromTerminal(s) {
				_ = cmd.Process.Signal(s) // it may have ended just now
			}
		}
	}
}

// ended says how the command ended, for the queue and for the caller. A signal
// means that it was stopped from outside: it may have done anything.
func ended(cmd *exec.Cmd, err error) (queue.ExitStatus, int) {
	state := cmd.ProcessState
	if state == nil {
		return queue.ExitTimeout, ExitError
	}
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return queue.ExitTimeout, 128 + int(ws.Signal())
	}
	if code := state.ExitCode(); code != 0 {
		return queue.ExitFailure, code
	}
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) { // its output could not be copied
		return queue.ExitFailure, ExitError
	}
	return queue.ExitSuccess, 0
}

// renew keeps the attempt's lease while the command runs.
func (d *Deps) renew(ctx context.Context, b *begun) {
	tick := time.NewTicker(min(max(b.lease/3, 100*time.Millisecond), time.Minute))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			// A lost lease does not stop the command; the report then is
			// evidence on an unknown outcome.
			_, _ = d.Port.Do(ctx, queue.Renew{Attempt: b.Attempt, Token: b.Token})
		}
	}
}

// report tells the queue how the attempt ended, again while the store fails. A
// report that is refused for what it says besides is sent without that. nil:
// it could not be told.
func (d *Deps) report(ctx context.Context, r queue.Report) *queue.Reported {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		reported, err := queue.As[queue.Reported](ctx, d.Port, r)
		if err == nil {
			return &reported
		}
		refusal, refused := errors.AsType[*queue.Refusal](err)
		bare := queue.Report{Attempt: r.Attempt, Token: r.Token, Exit: r.Exit, CameBack: r.CameBack}
		if refused && refusal.Code != queue.CodeReported && (r.Outcome != "" || r.Ref != "" || r.ActionDigest != "" || len(r.Result) > 0) {
			d.say(client.Told(fmt.Errorf("%w: %w", client.ErrOutcome, err)))
			r = bare
			continue
		}
		if refused || ctx.Err() != nil {
			d.say("How the command ended could not be reported, so its outcome stays unknown: " + err.Error())
			return nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

func (d *Deps) withdraw(ctx context.Context, sub *queue.Submitted) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	// Unreached, the ask has no waiter and its deadline ends it.
	_, _ = d.Port.Do(ctx, queue.Withdraw{Ask: sub.Ask, Token: sub.Token, Why: "requester"})
}

// endSession ends the session of one command; a command that was never asked
// for has none.
func (d *Deps) endSession(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	// Unreached, the session ends by its age.
	_, _ = d.Port.Do(ctx, queue.EndSession{Session: d.Session, Why: "command_end"})
}

func exitOf(s queue.State) int {
	switch s {
	case queue.StateAllowed, queue.StateAnswered:
		return ExitAllowed
	case queue.StateExpired, queue.StateWithdrawn, queue.StateLapsed:
		return ExitNobody
	case queue.StateDenied, queue.StateRevoked:
		return ExitDenied
	default:
		return ExitError
	}
}

// stopped says why the wait ended without an answer: the caller was told to
// stop, or something failed.
func (d *Deps) stopped(ctx context.Context, err error) int {
	if by, ok := errors.AsType[signalled](context.Cause(ctx)); ok {
		d.say("This was " + by.Error() + " before the command began. It did not run.") // also while an allow was held
		return ExitNobody
	}
	return d.fail(err)
}

// fail says why nothing ran.
func (d *Deps) fail(err error) int {
	if d.Fail != nil {
		d.Fail(err)
		return ExitError
	}
	if r, refused := errors.AsType[*queue.Refusal](err); refused {
		d.say(client.NoBegin(r))
		return ExitError
	}
	d.say(client.Told(err))
	return ExitError
}

// say tells the caller, and reports whether that could be written: there is
// nowhere else to say it.
func (d *Deps) say(sentence string) bool {
	_, err := fmt.Fprintln(d.Stderr, "nod: "+sentence)
	return err == nil
}
