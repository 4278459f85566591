package observe

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"nod/descriptor"
	"nod/digest"
	"nod/queue"
)

// Seen is what one observer saw of an effect, and how the effect stands with it.
type Seen struct {
	Observer    string
	Observation descriptor.Observation
	Judged      queue.Judged
}

// grace is how long it may take to file an observation whose time was over.
const grace = 5 * time.Second

// Effect asks observers about the newest attempt of an effect, by its id or a
// prefix of it, and files what each saw, an answer that says nothing too. They
// are those of the tool's descriptor that are named, in that order; where none
// is, all of them, or with auto those that run by themselves. p may read and
// observe (queue.RoleObserver). A *queue.Refusal says why nobody was asked; with
// any error comes what was filed before it. Who did not answer before ctx's
// deadline is filed so; a ctx that is called off files nothing more.
func Effect(ctx context.Context, p queue.Port, tools *descriptor.Set, id string, names []string, auto bool) ([]Seen, error) {
	d, err := queue.Get[queue.Desk](ctx, p, queue.QEffect{ID: id})
	if err != nil {
		return nil, err
	}
	asked, err := chosen(tools.Tool(d.Effect.Tool), names, auto)
	if err != nil || len(asked) == 0 {
		return nil, err
	}
	if len(d.Attempts) == 0 {
		return nil, &queue.Refusal{Code: queue.CodeNothingOpen, Sentence: "nothing of this effect began, so there is nothing to look for"}
	}
	if len(d.Arguments) == 0 {
		return nil, &queue.Refusal{Code: queue.CodeContentMissing, Sentence: "what this attempt sent is pruned, so nothing says what to look for"}
	}
	attempt := d.Attempts[len(d.Attempts)-1].ID
	var seen []Seen
	for i := range asked {
		if ctx.Err() != nil {
			return seen, context.Cause(ctx)
		}
		v := Run(ctx, asked[i], digest.JSON(d.Arguments), before(&asked[i], &d))
		if errors.Is(ctx.Err(), context.Canceled) {
			return seen, context.Cause(ctx)
		}
		j, err := keep(ctx, p, attempt, asked[i].Name, &v)
		if err != nil {
			return seen, err
		}
		seen = append(seen, Seen{Observer: asked[i].Name, Observation: v, Judged: j})
	}
	return seen, nil
}

func keep(ctx context.Context, p queue.Port, attempt, observer string, v *descriptor.Observation) (queue.Judged, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	return queue.As[queue.Judged](ctx, p, queue.Observe{
		Attempt: attempt, Observer: observer, Outcome: queue.AttemptState(v.Says), Durable: v.Durable, Divergent: v.Divergent,
		Why: v.Why, Observed: v.Observed, Seen: v.Seen, Ref: v.Ref, Allowed: v.Allowed, Content: v.Content,
	})
}

// chosen are the observers to ask. That a tool has none is an error only to
// whoever wanted one.
func chosen(d *descriptor.Descriptor, names []string, auto bool) ([]descriptor.Observer, error) {
	var all, out []descriptor.Observer
	if d != nil {
		all = d.Observers()
	}
	for _, name := range names {
		o := (*descriptor.Observer)(nil)
		if d != nil {
			o = d.Observer(name)
		}
		if o == nil {
			return nil, &queue.Refusal{Code: queue.CodeBadInput, Sentence: "the tool's descriptor has no observer of this name",
				Hint: "nod effects show names them"}
		}
		out = append(out, *o)
	}
	if len(names) > 0 {
		return out, nil
	}
	for _, o := range all {
		if o.Auto || !auto {
			out = append(out, o)
		}
	}
	if len(out) == 0 && !auto {
		return nil, &queue.Refusal{Code: queue.CodeBadInput, Sentence: "the tool's descriptor has no observer", Hint: "docs/spec/descriptor.md says how one is written"}
	}
	return out, nil
}

// before is the digest that a file observer's file had when the call was
// allowed; "" where no operand is of it.
func before(o *descriptor.Observer, sent *queue.Desk) digest.Digest {
	if o.Kind != descriptor.KindFile {
		return ""
	}
	path, err := o.File(digest.JSON(sent.Arguments))
	if err != nil {
		return ""
	}
	for _, at := range sent.Operands {
		if names(at.Name, digest.JSON(sent.Arguments), path) {
			return at.Digest
		}
	}
	return ""
}

// names reports whether an operand's name stands for the file at path. The hook
// calls what a call changes file or no file, where links lead elsewhere with
// the place they lead to; nod run names an operand by where its path stands in
// the arguments.
func names(operand string, args digest.JSON, path string) bool {
	what, place, elsewhere := strings.Cut(operand, " at ")
	if what == "file" || what == "no file" {
		if elsewhere {
			return place == path
		}
		return textAt(args, "/file_path") == path || textAt(args, "/notebook_path") == path
	}
	if option, ok := strings.CutSuffix(operand, "/value"); ok {
		_, value, _ := strings.Cut(textAt(args, "/"+option), "=")
		return value == path
	}
	return textAt(args, "/"+operand) == path
}

// textAt is the text at a pointer; "" for none.
func textAt(args digest.JSON, pointer string) string {
	v, there := digest.Lookup(args, pointer)
	var s string
	if !there || json.Unmarshal(v, &s) != nil {
		return ""
	}
	return filepath.Clean(s)
}
