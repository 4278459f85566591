//go:build !unix

package hook

import (
	"context"
	"errors"
)

// errGone is the cause of a wait that nobody is left to hear.
var errGone = errors.New("the host is gone")

// watchHost cannot tell here; the waiter's lease ends with the process.
func watchHost(ctx context.Context, _ func(error)) { <-ctx.Done() }
