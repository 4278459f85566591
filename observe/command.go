package observe

import (
	"context"
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"nod/descriptor"
	"nod/digest"
	"nod/outside"
)

// command starts a program and reads its standard output. cancel ends ctx: a
// program that says too much is not waited for.
func command(ctx context.Context, cancel func(), o *descriptor.Observer, args digest.JSON) descriptor.Observation {
	argv, err := o.Command(args)
	if err != nil {
		return unavailable(err.Error())
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = "/"
	cmd.Env = []string{} // nil would be ours
	for name, value := range o.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out := &output{most: descriptor.MaxDocument, full: cancel}
	cmd.Stdout = out
	outside.Alone(cmd)
	cmd.WaitDelay = time.Second
	err = cmd.Run()
	outside.Sweep(cmd)
	asked := make([]string, len(argv))
	for i, a := range argv {
		asked[i] = shown(a)
	}
	return ended(ctx, cmd, err, out, o, args).After(strings.Join(asked, " "))
}

// ended judges the output of a command that ended well, and says of any other
// how it ended.
func ended(ctx context.Context, cmd *exec.Cmd, err error, out *output, o *descriptor.Observer, args digest.JSON) descriptor.Observation {
	var exit *exec.ExitError
	switch {
	case out.over:
		return descriptor.Unseen(descriptor.WhyTooLarge, "said more than "+strconv.Itoa(descriptor.MaxDocument)+" bytes and was killed")
	case err == nil:
		return o.Judge(out.b, args).After("ended with 0")
	case errors.Is(err, exec.ErrWaitDelay):
		return unavailable("left something running that could still answer")
	case ctx.Err() != nil:
		return late(ctx)
	case errors.As(err, &exit) && exit.Exited():
		return unavailable("ended with " + strconv.Itoa(exit.ExitCode()))
	case cmd.ProcessState != nil:
		return unavailable("was killed")
	default:
		return unavailable("could not be started")
	}
}

// output keeps at most most bytes, and calls full at the first one more.
type output struct {
	b    []byte
	most int
	over bool
	full func()
}

func (o *output) Write(p []byte) (int, error) {
	if o.over {
		return 0, errors.New("too much")
	}
	if len(o.b)+len(p) > o.most {
		o.over = true
		o.full()
		return 0, errors.New("too much")
	}
	o.b = append(o.b, p...)
	return len(p), nil
}

// shown writes a path or an argument so that it is seen where it ends.
func shown(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(c rune) bool { return c <= ' ' || c > '~' || strings.ContainsRune("\"'`\\", c) }) {
		return s
	}
	return strconv.Quote(s)
}
