package cli

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"nod/config"
	"nod/descriptor"
	"nod/digest"
)

func (a *app) descriptorsCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use: "descriptors", Short: "List what the operator says of tools: class, access, digest and file",
		Long: `Lists the descriptors in force: what descriptors/*.toml beside the configuration
file say of tools. docs/spec/descriptor.md has an example and every key.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.descriptors() },
	}
	cmd.AddCommand(a.descriptorsCheckCmd(), a.descriptorsShowCmd())
	return cmd
}

// toolView is one descriptor, for a list.
type toolView struct {
	Tool     string        `json:"tool"`
	Class    string        `json:"class,omitzero"`
	Access   string        `json:"access,omitzero"`
	Confirm  string        `json:"confirm,omitzero"`
	Readings int           `json:"readings"`
	Effect   *effectView   `json:"effect,omitempty"`
	Observes []string      `json:"observers,omitempty"` // names
	Digest   digest.Digest `json:"digest"`
	File     string        `json:"file"`
}

// effectView is the template of an effect key.
type effectView struct {
	Family string     `json:"family"`
	Parts  []partView `json:"parts"`
}

type partView struct {
	At   string `json:"at"`
	Type string `json:"type"`
}

func viewOf(d *descriptor.Descriptor, file string) toolView {
	v := toolView{Tool: d.Name(), Confirm: d.ConfirmAt(), Readings: d.Readings(), Digest: d.Digest(), File: file}
	v.Class, v.Access = d.Effect()
	if family, parts := d.Template(); family != "" {
		v.Effect = &effectView{Family: family}
		for _, p := range parts {
			v.Effect.Parts = append(v.Effect.Parts, partView(p))
		}
	}
	for _, o := range d.Observers() {
		v.Observes = append(v.Observes, o.Name)
	}
	return v
}

func (a *app) descriptors() error {
	c, _, err := a.load(false)
	if err != nil {
		return err
	}
	views := []toolView{}
	for _, d := range c.Descriptors().All() {
		views = append(views, viewOf(d, c.DescribedIn(d.Name())))
	}
	if a.json {
		return a.printJSON(views)
	}
	if len(views) == 0 {
		return a.row("No tool is described. Descriptors are read from %s/*.toml.", oneLine(c.DescriptorDir()))
	}
	for i := range views {
		v := &views[i]
		if err := a.row("%-24s %-13s %-10s %s  %s", oneLine(v.Tool), orDash(v.Class), orDash(v.Access), v.Digest.Short(),
			oneLine(filepath.Base(v.File))); err != nil {
			return err
		}
	}
	return nil
}

func orDash(word string) string {
	if word == "" {
		return "-"
	}
	return word
}

func (a *app) descriptorsCheckCmd() *cobra.Command {
	return &cobra.Command{
		Use: "check FILE", Short: "Try a file of descriptors before it is put in its place", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := a.input(args)
			if err != nil {
				return err
			}
			set, _, bad := config.ParseDescriptors(config.Source{Path: args[0], Text: string(text)})
			if bad != nil {
				return bad
			}
			views := []toolView{}
			for _, d := range set.All() {
				views = append(views, viewOf(d, args[0]))
			}
			if a.json {
				return a.printJSON(views)
			}
			for i := range views {
				if err := a.row("%s: %d readings, %d observers, %s", oneLine(views[i].Tool), views[i].Readings, len(views[i].Observes), views[i].Digest); err != nil {
					return err
				}
			}
			return a.row("nothing wrong; tools described: %d", len(views))
		},
	}
}

func (a *app) descriptorsShowCmd() *cobra.Command {
	var arguments string
	var document bool
	cmd := &cobra.Command{
		Use: "show TOOL", Short: "Print one descriptor, and what it reads of a call's arguments",
		Long: `Prints what the descriptor of one tool says. With --arguments, a JSON file or - for
standard input, it prints what would stand on the card, and how its observers
would look whether the effect happened; nobody is asked. With --document it
prints the bytes whose SHA-256 is the descriptor's digest, and nothing else.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.descriptor(args[0], arguments, document) },
	}
	cmd.Flags().StringVar(&arguments, "arguments", "", "read this call's arguments")
	cmd.Flags().BoolVar(&document, "document", false, "print the digested document only")
	takes(cmd, "arguments", "FILE")
	return cmd
}

// readingView is one reading beside the raw value.
type readingView struct {
	Pointer string      `json:"pointer"`
	Raw     digest.JSON `json:"-"`
	Text    string      `json:"text"`
}

func (a *app) descriptor(tool, arguments string, document bool) error {
	c, _, err := a.load(false)
	if err != nil {
		return err
	}
	d := c.Descriptors().Tool(tool)
	if d == nil {
		return &fault{Code: "no_descriptor", Sentence: "no descriptor is of the tool " + oneLine(tool), Hint: "nod descriptors lists those in force"}
	}
	doc, err := d.Document()
	if err != nil {
		return err
	}
	if document {
		if _, _, ok := a.size(); ok {
			return a.row("%s", oneLine(string(doc)))
		}
		return a.printf("%s", doc)
	}
	out := struct {
		toolView
		Document string        `json:"document"`
		Reads    []readingView `json:"reads,omitempty"`
		Types    string        `json:"types,omitzero"` // what an approver types
		Asks     []asksView    `json:"asks,omitempty"`
	}{toolView: viewOf(d, c.DescribedIn(tool)), Document: string(doc)}
	if arguments != "" {
		raw, err := a.input([]string{arguments})
		if err != nil {
			return err
		}
		args, err := digest.Canonical(raw, c.Settings().Limits)
		if err != nil {
			return err
		}
		for _, r := range d.Read(args) {
			value, _ := digest.Lookup(args, r.Pointer)
			out.Reads = append(out.Reads, readingView{Pointer: r.Pointer, Raw: value, Text: r.Text})
		}
		out.Types, _ = d.Confirm(args)
		for _, o := range d.Observers() {
			out.Asks = append(out.Asks, asks(&o, args))
		}
	}
	if a.json {
		return a.printJSON(out)
	}
	rows := [][2]string{{"tool", out.Tool}, {"class", orDash(out.Class)}, {"access", orDash(out.Access)}, {"confirm", orDash(out.Confirm)},
		{"digest", string(out.Digest)}, {"file", out.File}}
	rows = append(rows, outcomeRows(d)...)
	for _, r := range out.Reads {
		rows = append(rows, [2]string{"arguments" + r.Pointer, string(r.Raw)}, [2]string{"reading" + r.Pointer, `"` + r.Text + `"`})
	}
	if out.Types != "" {
		rows = append(rows, [2]string{"typed", out.Types})
	}
	for _, v := range out.Asks {
		rows = append(rows, [2]string{"asks/" + v.Observer, v.line()})
	}
	for _, r := range rows {
		if err := a.row("%-20s %s", oneLine(r[0]), oneLine(r[1])); err != nil {
			return err
		}
	}
	return nil
}
