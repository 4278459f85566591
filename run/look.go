package run

import (
	"context"
	"os"
	"slices"

	"nod/ambiguity"
	"nod/client"
	"nod/digest"
	"nod/digest/visible"
	"nod/observe"
	"nod/queue"
)

// mayObserve refuses an observer that there will be nothing for: an operator's
// descriptor names observers, and only an effect that is kept is looked for.
func (d *Deps) mayObserve() error {
	tool := d.Tools.Tool(Tool)
	for _, name := range d.Observers {
		if tool == nil || tool.Observer(name) == nil {
			return &queue.Refusal{Code: queue.CodeBadInput, Sentence: "the descriptor of the tool run has no observer of this name",
				Hint: "the operator's configuration names them under [[tool]] with name = \"run\""}
		}
	}
	if len(d.Observers) == 0 {
		return nil
	}
	family, _ := tool.Template()
	class, _ := tool.Effect()
	classes := []string{class}
	if e := d.Effect; e != nil {
		classes = append(classes, e.Class)
		if len(e.ID) > 0 {
			return nil
		}
	}
	if family != "" || slices.Contains(classes, digest.ClassCompensatable) || slices.Contains(classes, digest.ClassIrreversible) {
		return nil
	}
	return &queue.Refusal{Code: queue.CodeBadInput, Sentence: "this command's effect has neither a key nor a class that is kept, so there is nothing to observe",
		Hint: "give --effect-key ID, or --class compensatable or irreversible"}
}

// look asks the observers about the effect of a command that was reported, and
// says what came of it. A signal ends the looking, not what is known.
func (d *Deps) look(ctx context.Context, b *begun, r *queue.Reported, sigs <-chan os.Signal) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	go func() {
		select {
		case s := <-sigs:
			stop(signalled{s})
		case <-ctx.Done():
		}
	}()
	names := slices.Clone(d.Observers)
	if tool := d.Tools.Tool(Tool); tool != nil && r.State == queue.AttemptUnknown {
		for _, o := range tool.Observers() {
			if o.Auto && !slices.Contains(names, o.Name) {
				names = append(names, o.Name)
			}
		}
	}
	state, mark, ref := r.State, ambiguity.Mark(""), b.Ask
	if len(names) > 0 {
		seen, err := observe.Effect(ctx, d.Port, d.Tools, r.Effect, names, false)
		for i := range seen {
			s := &seen[i]
			d.say("Observer " + visible.Draw(visible.Label, s.Observer) + " says " + s.Observation.Says + ": " + visible.ASCII(s.Observation.Seen))
			state, mark = s.Judged.State, s.Judged.Mark
			if s.Judged.Ref != "" {
				ref = s.Judged.Ref
			}
		}
		if err != nil {
			d.say("The effect could not be observed to the end: " + client.Told(err))
		}
	}
	if told := client.Happened(state, mark, ref); told != "" {
		d.say(told)
	}
}
