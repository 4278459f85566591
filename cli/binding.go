package cli

import (
	"os"

	"github.com/spf13/cobra"

	"nod/digest"
	"nod/queue"
)

// binding are the flags that say which card an act of a person is for.
type binding struct {
	app   *app
	code  string
	shown string
}

func (b *binding) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&b.code, "code", "", "the first four characters of the shown digest, instead of the prompt")
	cmd.Flags().StringVar(&b.shown, "shown", "", "the whole shown digest, without a terminal; only where the configuration allows scripts to decide")
	takes(cmd, "code", "CODE")
	takes(cmd, "shown", "DIGEST")
}

// bound is an ask and who acts on it.
type bound struct {
	decider
	view queue.AskView
}

// decider acts for a person: at a terminal, or a script where the configuration
// lets it.
type decider struct {
	port  queue.Port
	in    *os.File // the person's terminal; nil for a script
	close func()
}

func (b *binding) open(cmd *cobra.Command, id string) (*bound, error) {
	d, err := b.app.decider(cmd)
	if err != nil {
		return nil, err
	}
	v, err := askView(cmd.Context(), d.port, id)
	if err != nil {
		d.close()
		return nil, err
	}
	return &bound{decider: *d, view: v}, nil
}

// decider opens the store for a person at a terminal, or for a script where the
// configuration lets one decide.
func (a *app) decider(cmd *cobra.Command) (*decider, error) {
	c, paths, err := a.load(false)
	if err != nil {
		return nil, err
	}
	in, interactive := a.terminal()
	way := "command"
	if !interactive {
		in, way = nil, queue.WayScript
		if !c.Commands.DecideWithoutTerminal {
			return nil, &fault{Code: "needs_terminal", Sentence: "a decision from a command needs a terminal",
				Hint: "open nod, or set commands.decide_without_terminal for what no rule protects"}
		}
	}
	st, err := a.open(cmd.Context(), c, paths)
	if err != nil {
		return nil, err
	}
	return &decider{port: st.Port(a.person(way)), in: in, close: func() { _ = st.Close() }}, nil
}

// script takes the shown digest from the flag, whole.
func (b *binding) script() (proof, error) {
	shown := digest.Digest(b.shown)
	if !shown.Valid() {
		return proof{}, &fault{Code: queue.CodeWrongDigest, Sentence: "without a terminal a decision names the shown digest",
			Hint: "give --shown sha256:… as nod show prints it"}
	}
	return proof{shown: shown}, nil
}
