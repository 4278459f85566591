// Package observe looks whether the effect of a call happened, in the way that
// the tool's descriptor says: it reads a file, asks by HTTP, or starts a command
// (docs/spec/descriptor.md §6).
//
// The rules it keeps: it asks whom the descriptor names and nobody else, it
// changes nothing itself, it ends in bounded time and size, and whatever goes
// wrong is unknown. What an answer means, package descriptor says.
package observe

import (
	"context"
	"crypto/x509"

	"nod/descriptor"
	"nod/digest"
)

// Run asks one observer about a call with these arguments (canonical). before
// is, for a file, the digest that it had before the call: "" where nobody
// knows, that of no bytes where there was none. It returns within the observer's
// limit, and a second for a command that cannot be waited for.
func Run(ctx context.Context, o descriptor.Observer, args digest.JSON, before digest.Digest) descriptor.Observation {
	return run(ctx, &o, args, before, nil)
}

// run trusts roots; nil are the system's.
func run(ctx context.Context, o *descriptor.Observer, args digest.JSON, before digest.Digest, roots *x509.CertPool) descriptor.Observation {
	if ctx.Err() != nil {
		return descriptor.Unseen(descriptor.WhyNotAsked, "called off before it was asked")
	}
	ctx, cancel := context.WithTimeout(ctx, o.Limit())
	defer cancel()
	switch o.Kind {
	case descriptor.KindFile:
		return file(ctx, o, args, before)
	case descriptor.KindHTTP:
		return get(ctx, o, args, roots)
	case descriptor.KindCommand:
		return command(ctx, cancel, o, args)
	}
	return descriptor.Unseen(descriptor.WhyNotAsked, "no observer of a known kind")
}

// unavailable is an observation of nothing, for a reason in our words.
func unavailable(why string) descriptor.Observation {
	return descriptor.Unseen(descriptor.WhyUnavailable, why)
}

// late says that ctx ended before the answer came: by time, or called off.
func late(ctx context.Context) descriptor.Observation {
	if ctx.Err() == context.Canceled { //nolint:errorlint // never wrapped
		return unavailable("called off")
	}
	return descriptor.Unseen(descriptor.WhyTimeout, "did not answer in time")
}
