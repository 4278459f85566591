package notify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// attempt is one payload on its way, signed for this attempt.
type attempt struct {
	id        string
	seconds   int64 // Unix time of the attempt
	signature string
	body      []byte
	event     string
	text      string
}

// outcome is how an attempt ended. why is one of a few phrases of ours: it
// holds no address, no answer and no output.
type outcome struct {
	done  bool
	again bool // it may go well another time
	why   string
}

// target is one receiver.
type target interface {
	// name is what the operator calls it: "webhook 1", "command".
	name() string
	// mark tells it from others, also after a restart, without telling its address.
	mark() string
	send(ctx context.Context, a *attempt) outcome
}

// Bounds of one attempt.
const (
	webhookTime = 5 * time.Second
	commandTime = 10 * time.Second
)

func mark(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

func (o *Options) targets() []target {
	var list []target
	for i, u := range o.Webhooks {
		list = append(list, newWebhook("webhook "+strconv.Itoa(i+1), u, o.roots, webhookTime))
	}
	if len(o.Command) > 0 {
		list = append(list, &command{argv: o.Command, env: o.Env, limit: commandTime})
	}
	return list
}
