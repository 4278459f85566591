package lens

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// remark is what we say of a piece of a script: what its text holds, never
// what to think of it.
type remark struct {
	at    int // byte of the source that it is about
	text  string
	about string // a piece of the source or a value, quoted after the text
	calm  bool
}

// remarks collects them.
type remarks struct {
	list  []remark
	depth int // how many scripts this one stands inside
	steps int // taken to look into words; a script may nest them without end
}

// maxSteps bounds steps.
const maxSteps = 200_000

// maxInside is how many scripts inside scripts are looked into.
const maxInside = 3

func (r *remarks) say(at syntax.Pos, text string) {
	if text != "" {
		r.list = append(r.list, remark{at: int(at.Offset()), text: text})
	}
}

func (r *remarks) explain(at syntax.Pos, text, about string) {
	r.list = append(r.list, remark{at: int(at.Offset()), text: text, about: about, calm: true})
}

// notes walks a script and says what stands in it.
func notes(file *syntax.File) []remark {
	r := &remarks{}
	r.file(file)
	return once(r.list)
}

// inside says what stands in a text that a shell is given to run.
func (r *remarks) inside(at syntax.Pos, text string) {
	file, _ := parse(text)
	if file == nil {
		return
	}
	in := &remarks{depth: r.depth + 1}
	in.file(file)
	slices.SortStableFunc(in.list, func(a, b remark) int { return a.at - b.at })
	for _, m := range once(in.list) {
		if !m.calm {
			r.say(at, "in that text: "+strings.TrimPrefix(m.text, "in that text: "))
		}
	}
}

// scriptOf is the text that a shell, or eval, is given to run, where all of it
// stands in the source.
func scriptOf(argv []reading) (string, bool) {
	if path.Base(argv[0].text) == "eval" {
		var parts []string
		for _, a := range argv[1:] {
			if a.dynamic {
				return "", false
			}
			parts = append(parts, a.text)
		}
		return strings.Join(parts, " "), len(parts) > 0
	}
	words := make([]string, len(argv))
	for i, a := range argv {
		words[i] = a.text
	}
	i := scriptAt(words)
	return words[i], i > 0 && !argv[i].dynamic
}

func (r *remarks) file(file *syntax.File) {
	inner := map[*syntax.BinaryCmd]bool{} // pipes that are part of a longer one
	syntax.Walk(file, func(n syntax.Node) bool {
		switch x := n.(type) {
		case *syntax.BinaryCmd:
			if (x.Op == syntax.Pipe || x.Op == syntax.PipeAll) && !inner[x] {
				r.pipe(x, inner)
			}
		case *syntax.CallExpr:
			r.call(x)
		case *syntax.DeclClause:
			for _, a := range x.Args {
				r.assign(a)
			}
		case *syntax.Stmt:
			r.stmt(x)
		case *syntax.FuncDecl:
			r.function(x)
		case *syntax.SglQuoted:
			if x.Dollar && ansiC(x.Value) != x.Value {
				r.explain(x.Left, "$'' with its escapes read is", ansiC(x.Value))
			}
		case *syntax.CmdSubst:
			r.explain(x.Left, "the output of a command becomes part of this one", "")
		case *syntax.ProcSubst:
			r.explain(x.OpPos, "a command stands in for a file here", "")
		}
		return true
	})
}

// once leaves out what is said twice of one command.
func once(list []remark) []remark {
	seen := map[remark]bool{}
	out := list[:0]
	for _, m := range list {
		if !seen[m] {
			seen[m] = true
			out = append(out, m)
		}
	}
	return out
}

func (r *remarks) stmt(s *syntax.Stmt) {
	if s.Background || s.Disown {
		at := s.Position
		if s.Semicolon.IsValid() {
			at = s.Semicolon // the ampersand
		}
		r.say(at, "goes on in the background")
	}
	for _, d := range s.Redirs {
		r.redirect(d)
	}
}

func (r *remarks) redirect(d *syntax.Redirect) {
	to := read(d.Word)
	switch {
	case d.Hdoc != nil:
		r.explain(d.OpPos, "its input is the text that follows, up to", to.text)
	case strings.HasPrefix(to.text, "/dev/tcp/"), strings.HasPrefix(to.text, "/dev/udp/"):
		r.say(d.OpPos, "talks to the network through "+d.Op.String()+" /dev")
	case harmless(to):
	case d.Op == syntax.RdrOut, d.Op == syntax.RdrClob, d.Op == syntax.RdrAll:
		r.say(d.OpPos, "writes to a file with "+d.Op.String())
	case d.Op == syntax.AppOut, d.Op == syntax.AppAll:
		r.say(d.OpPos, "appends to a file with "+d.Op.String())
	case d.Op == syntax.RdrInOut:
		r.say(d.OpPos, "opens a file for writing with <>")
	}
}

// harmless reports whether a redirection goes to no file.
func harmless(to reading) bool {
	return !to.dynamic && !to.glob && (to.text == "/dev/null" || to.text == "/dev/stdout" || to.text == "/dev/stderr" || to.text == "/dev/tty")
}

// function says that a name has another meaning from here on.
func (r *remarks) function(f *syntax.FuncDecl) {
	if f.Name == nil {
		return
	}
	itself := false
	syntax.Walk(f.Body, func(n syntax.Node) bool {
		if r.steps++; r.steps > maxSteps {
			return false
		}
		if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 && read(c.Args[0]).text == f.Name.Value {
			itself = true
		}
		return true
	})
	what := "defines a function: from here on its name means this"
	if itself {
		what = "defines a function that calls itself"
	}
	r.say(f.Position, what)
}

// assign names variables that change what runs.
func (r *remarks) assign(a *syntax.Assign) {
	if a.Name == nil {
		return
	}
	switch name := a.Name.Value; {
	case strings.HasPrefix(name, "LD_"), strings.HasPrefix(name, "DYLD_"), strings.HasPrefix(name, "GIT_"):
		r.say(a.Pos(), "sets a variable that changes what runs")
	default:
		switch name {
		case "PATH", "IFS", "ENV", "BASH_ENV", "SHELLOPTS", "PROMPT_COMMAND", "PYTHONPATH", "PYTHONSTARTUP", "NODE_OPTIONS",
			"PERL5LIB", "PERL5OPT", "RUBYOPT", "JAVA_TOOL_OPTIONS", "EDITOR", "VISUAL", "PAGER", "HOME", "SHELL":
			r.say(a.Pos(), "sets a variable that changes what runs")
		}
	}
}

// call says what a simple command's own words hold.
func (r *remarks) call(c *syntax.CallExpr) {
	for _, a := range c.Assigns {
		r.assign(a)
	}
	if len(c.Args) == 0 {
		return
	}
	at := c.Args[0].Pos()
	argv := make([]reading, len(c.Args))
	for i, w := range c.Args {
		argv[i] = read(w)
	}
	switch name := argv[0]; {
	case name.dynamic:
		r.say(at, "what runs is computed when it runs")
	case name.glob && name.text != "[":
		r.say(at, "what runs is matched against file names")
	case name.masked:
		r.explain(at, "the command's name reads", name.text)
	}
	all := carried(argv)
	if len(all) == maxCarried {
		r.say(at, "carries 16 commands or more, one inside the other; no more are named")
	}
	for _, v := range all {
		for _, text := range means(v) {
			r.say(at, text)
		}
		if text, ok := scriptOf(v); ok && r.depth < maxInside {
			r.inside(at, text)
		}
	}
	r.fed(c, argv)
}

// maxCarried is how many commands one command is looked at to carry.
const maxCarried = 16

// carried gives the command and the ones that it carries in its words: what
// sudo, env or xargs runs.
func carried(argv []reading) [][]reading {
	out := [][]reading{argv}
	for argv = carriedBy(argv); len(argv) > 0 && len(out) < maxCarried; argv = carriedBy(argv) {
		out = append(out, argv)
	}
	return out
}

// fed names what a shell or an interpreter is given to run by a substitution.
func (r *remarks) fed(c *syntax.CallExpr, argv []reading) {
	runs := false
	for _, v := range carried(argv) {
		name := path.Base(v[0].text)
		runs = runs || isInterpreter(name) || name == "eval" || name == "source" || name == "."
	}
	if !runs {
		return
	}
	for _, w := range c.Args[1:] {
		syntax.Walk(w, func(n syntax.Node) bool {
			if r.steps++; r.steps > maxSteps {
				return false
			}
			inner, ok := n.(*syntax.CallExpr)
			if !ok || len(inner.Args) == 0 {
				return true
			}
			v := make([]reading, len(inner.Args))
			for i, w := range inner.Args {
				v[i] = read(w)
			}
			switch {
			case downloads(v):
				r.say(c.Args[0].Pos(), "downloads and runs")
			case decodes(v) != "":
				r.say(c.Args[0].Pos(), "decodes "+decodes(v)+" and runs it")
			}
			return true
		})
	}
}

// pipe says what is poured into a shell.
func (r *remarks) pipe(x *syntax.BinaryCmd, inner map[*syntax.BinaryCmd]bool) {
	var stages []*syntax.Stmt
	var flat func(s *syntax.Stmt)
	flat = func(s *syntax.Stmt) {
		if b, ok := s.Cmd.(*syntax.BinaryCmd); ok && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll) {
			inner[b] = true
			flat(b.X)
			flat(b.Y)
			return
		}
		stages = append(stages, s)
	}
	flat(x.X)
	flat(x.Y)
	from := "" // what an earlier stage does
	for i, s := range stages {
		c, ok := s.Cmd.(*syntax.CallExpr)
		if !ok || len(c.Args) == 0 {
			continue
		}
		argv := make([]reading, len(c.Args))
		for i, w := range c.Args {
			argv[i] = read(w)
		}
		if i > 0 && readsCommands(argv) {
			switch {
			case from != "":
				r.say(s.Position, from)
			default:
				r.say(s.Position, "runs what comes out of the pipe")
			}
		}
		switch what := decodes(argv); {
		case downloads(argv):
			from = "downloads and runs"
		case what != "":
			from = "decodes " + what + " into a shell"
		}
	}
}

// readsCommands reports whether a command runs its input: a shell or
// interpreter without a script of its own.
func readsCommands(argv []reading) bool {
	for _, v := range carried(argv) {
		name := path.Base(v[0].text)
		if !isInterpreter(name) && name != "source" && name != "." {
			continue
		}
		for _, a := range v[1:] {
			switch {
			case a.text == "-" || a.text == "-s" || a.text == "/dev/stdin":
				return true
			case !strings.HasPrefix(a.text, "-") || strings.ContainsAny(a.text, "ce"):
				return false
			}
		}
		return true
	}
	return false
}

func downloads(argv []reading) bool {
	switch path.Base(argv[0].text) {
	case "curl", "wget", "fetch", "aria2c", "lynx":
		return true
	}
	return false
}

// decodes names the form that a command decodes, "" for none.
func decodes(argv []reading) string {
	name := path.Base(argv[0].text)
	for _, a := range argv[1:] {
		switch {
		case (name == "base64" || name == "base32") && (a.text == "--decode" || strings.HasPrefix(a.text, "-") && !strings.HasPrefix(a.text, "--") && strings.ContainsAny(a.text, "dD")):
			return name
		case name == "openssl" && a.text == "-d":
			return "base64"
		case name == "xxd" && strings.HasPrefix(a.text, "-") && strings.Contains(a.text, "r"):
			return "hex"
		}
	}
	return ""
}
