package notify

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"strconv"
	"time"

	"nod/outside"
)

// command is started with the payload on its standard input and the signature
// in its environment. There is no shell, no terminal, and its output goes
// nowhere; when its time is over it is killed with what it started.
type command struct {
	argv  []string
	env   []string // KEY=value
	limit time.Duration
}

func (c *command) name() string { return "command" }

func (c *command) mark() string { return mark(append([]string{"command"}, c.argv...)...) }

func (c *command) send(ctx context.Context, a *attempt) outcome {
	ctx, cancel := context.WithTimeout(ctx, c.limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.argv[0], c.argv[1:]...)
	cmd.Dir = "/"
	cmd.Stdin = bytes.NewReader(a.body)
	cmd.Env = append(append([]string{}, c.env...),
		"NOD_EVENT="+a.event, "NOD_TEXT="+a.text,
		"NOD_WEBHOOK_ID="+a.id,
		"NOD_WEBHOOK_TIMESTAMP="+strconv.FormatInt(a.seconds, 10),
		"NOD_WEBHOOK_SIGNATURE="+a.signature,
	)
	outside.Alone(cmd)
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return outcome{done: true} // it ended well; what it left running reads on
	case ctx.Err() != nil:
		return outcome{again: true, why: "did not end in time and was killed"}
	case errors.As(err, &exit) && exit.Exited():
		return outcome{again: true, why: "ended with status " + strconv.Itoa(exit.ExitCode())}
	case errors.As(err, &exit):
		return outcome{again: true, why: "was killed"}
	case cmd.ProcessState != nil && cmd.ProcessState.Success():
		return outcome{done: true} // it did not read its input
	default:
		return outcome{again: true, why: "could not be started"}
	}
}
