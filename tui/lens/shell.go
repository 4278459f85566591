package lens

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"nod/digest/visible"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/say"
)

// shellSheet lays a command out, a simple command a row. The rows are the
// source itself: what is left out is white space and line continuations
// between the pieces, nothing else.
type shellSheet struct {
	pointer  string
	lines    []shellLine
	commands int
	bad      bool
	argv     bool
}

// shellLine is a piece of the source, or what we say of the row above.
type shellLine struct {
	depth   int
	text    string
	end     string // the line end inside a piece
	comment bool
	body    bool // text for a command, no command
	open    bool // a word of a list begins: a quote of ours before it
	shut    bool // it ends
	note    string
	about   string // source or value that the note names, in quotes after it
	calm    bool   // the note only explains
}

// Bounds of what is parsed: a script of 256 KiB with 16,000 brackets, which
// keeps the parser's time and depth small whatever the script is.
const (
	maxScript   = 256 << 10
	maxBrackets = 16_000
)

func newShell(in In) sheet {
	args, _ := arguments(in.Ask)
	cmd, ok := commandOf(args)
	s := &shellSheet{pointer: cmd.pointer}
	switch {
	case !ok:
		s.note("No command was found in the arguments.")
	case cmd.argv != nil:
		s.words(cmd.argv)
	default:
		s.script(cmd.script)
	}
	return s
}

func (s *shellSheet) note(text string) { s.lines = append(s.lines, shellLine{note: text}) }

// words shows a list that no shell reads.
func (s *shellSheet) words(argv []string) {
	s.argv = true
	for i, w := range argv {
		first := len(s.lines)
		s.source(shellLine{depth: min(i, 1)}, w)
		s.lines[first].open, s.lines[len(s.lines)-1].shut = true, true
	}
}

func (s *shellSheet) script(src string) {
	file, why := parse(src)
	if file == nil {
		s.bad = true
		s.note(why)
		s.source(shellLine{}, src)
		return
	}
	c := &cutter{}
	c.list(file.Stmts, file.Last, 0, false)
	s.commands = countCalls(file)
	s.pieces(src, c.cuts, notes(file))
}

// parse reads a script as bash does. The sentence says why it could not.
func parse(src string) (file *syntax.File, why string) {
	brackets := 0
	for i := range len(src) {
		if strings.IndexByte("([{`", src[i]) >= 0 {
			brackets++
		}
	}
	switch {
	case len(src) > maxScript:
		return nil, "Not laid out: it has " + say.Number(int64(len(src))) + " bytes, and at most 256 KiB are parsed."
	case brackets > maxBrackets:
		return nil, "Not laid out: it has more than 16,000 brackets."
	}
	defer func() {
		if r := recover(); r != nil { // a fault of the parser must not end the console
			file, why = nil, "Not laid out: the parser failed on it."
		}
	}()
	file, err := syntax.NewParser(syntax.KeepComments(true), syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(src), "")
	if err == nil {
		return file, ""
	}
	var bad syntax.ParseError
	if errors.As(err, &bad) {
		return nil, fmt.Sprintf("Not laid out: it does not parse as bash at line %d, column %d.", bad.Pos.Line(), bad.Pos.Col())
	}
	var other syntax.LangError
	if errors.As(err, &other) {
		return nil, fmt.Sprintf("Not laid out: it does not parse as bash at line %d, column %d.", other.Pos.Line(), other.Pos.Col())
	}
	return nil, "Not laid out: it does not parse as bash."
}

func countCalls(file *syntax.File) int {
	n := 0
	syntax.Walk(file, func(node syntax.Node) bool {
		switch node.(type) {
		case *syntax.CallExpr, *syntax.DeclClause, *syntax.TestClause, *syntax.ArithmCmd, *syntax.LetClause:
			n++
		}
		return true
	})
	return n
}

// pieces parts the source at the cuts and puts the notes below their rows.
func (s *shellSheet) pieces(src string, cuts []cut, notes []remark) {
	slices.SortStableFunc(cuts, func(a, b cut) int { return a.at - b.at })
	cuts = merged(cuts)
	if len(cuts) == 0 || strings.Trim(src[:cuts[0].at], " \t\n") != "" {
		cuts = append([]cut{{}}, cuts...)
	}
	slices.SortStableFunc(notes, func(a, b remark) int { return a.at - b.at })
	row := shellLine{depth: -1}
	var parts []string
	flush := func(upTo int) {
		if row.depth >= 0 {
			s.source(row, strings.Join(parts, " "))
		}
		for len(notes) > 0 && notes[0].at < upTo {
			n := notes[0]
			s.lines = append(s.lines, shellLine{depth: max(row.depth, 0), note: n.text, about: n.about, calm: n.calm})
			notes = notes[1:]
		}
	}
	for i, c := range cuts {
		end := len(src)
		if i+1 < len(cuts) {
			end = cuts[i+1].at
		}
		part := trimPiece(src[c.at:end], c.sort)
		if part == "" {
			continue
		}
		if c.sort == cutJoin && row.depth >= 0 && !row.comment && !row.body {
			parts = append(parts, part)
			continue
		}
		flush(c.at)
		row = shellLine{depth: c.depth, comment: c.sort == cutComment, body: c.sort == cutBody}
		parts = append(parts[:0], part)
	}
	flush(len(src) + 1)
}

// merged leaves one cut a place: the first row that begins there, or the
// deepest join.
func merged(cuts []cut) []cut {
	var out []cut
	for _, c := range cuts {
		n := len(out)
		switch {
		case n == 0 || out[n-1].at != c.at:
			out = append(out, c)
		case out[n-1].sort == cutJoin && c.sort != cutJoin:
			out[n-1] = c
		}
	}
	return out
}

// trimPiece takes white space, and line continuations, off the ends of a
// piece; a body loses nothing but its last line feed.
func trimPiece(s string, sort cutSort) string {
	if sort == cutBody {
		return strings.TrimSuffix(s, "\n")
	}
	for {
		t := strings.TrimLeft(s, " \t\n")
		if rest, ok := strings.CutPrefix(t, "\\\n"); ok && sort != cutComment {
			t = rest
		}
		if len(t) == len(s) {
			break
		}
		s = t
	}
	for {
		t := strings.TrimRight(s, " \t\n")
		if sort == cutComment || len(t) == len(s) {
			return t
		}
		slashes := len(t) - len(strings.TrimRight(t, `\`))
		if slashes%2 == 1 {
			if s[len(t)] != '\n' {
				return s[:len(t)+1] // an escaped blank is a character
			}
			t = t[:len(t)-1]
		}
		s = t
	}
}

// source appends a piece, a row for each of its lines.
func (s *shellSheet) source(row shellLine, text string) {
	for {
		n := strings.IndexByte(text, '\n')
		if n < 0 {
			row.text, row.end = text, ""
			s.lines = append(s.lines, row)
			return
		}
		row.text, row.end = cutEnd(text[:n+1])
		s.lines = append(s.lines, row)
		text = text[n+1:]
	}
}

func (s *shellSheet) heads(p pen, _ frame.Look) []frame.Line {
	how := "a command a row"
	switch {
	case s.bad:
		how = "as it stands"
	case s.argv:
		how = "no shell reads it"
	}
	return []frame.Line{p.head("shell", how)}
}

func (s *shellSheet) foot(p pen) frame.Line {
	if s.bad || s.argv {
		return frame.Line{frame.S(themes.Muted, "of "), frame.T(themes.Muted, p.label(s.pointer))}
	}
	return frame.Line{
		frame.S(themes.Muted, say.Count(int64(s.commands), "command", "commands")+" of "), frame.T(themes.Muted, p.label(s.pointer)),
		frame.S(themes.Muted, p.dots("", "not everything is named")),
	}
}

func (s *shellSheet) rows(int) int { return len(s.lines) }

// stop says which rows a jump goes to.
func (s *shellSheet) stop(i int) bool { return s.lines[i].note != "" && !s.lines[i].calm }

// noteCells is the mark before what we say of a row, and a blank.
const noteCells = 2

func (s *shellSheet) text(i int, p pen, w int) (visible.Text, int) {
	l := &s.lines[i]
	if l.note != "" {
		t := visible.Drawn(l.note)
		if l.about != "" {
			t = visible.Concat(t, visible.Own(" "), p.quoted(l.about))
		}
		return t, indent(l.depth+1, w) + noteCells
	}
	t := p.line(l.text, l.end)
	if l.open {
		t = visible.Concat(visible.Own(`"`), t)
	}
	if l.shut {
		t = visible.Concat(t, visible.Own(`"`))
	}
	return t, indent(l.depth, w)
}

func (s *shellSheet) dress(i int, p pen, w int, t visible.Text) dressed {
	l := &s.lines[i]
	if l.note != "" {
		role, sign := themes.Warn, p.glyphs.Notice
		if l.calm {
			role, sign = themes.Muted, p.glyphs.Over
		}
		return dressed{head: frame.Line{frame.Gap(indent(l.depth+1, w)), frame.S(role, sign), frame.Gap(1)}, role: role}
	}
	d := dressed{head: frame.Line{frame.Gap(indent(l.depth, w))}, role: themes.Text}
	if l.comment || l.body {
		d.role = themes.Muted
	}
	d.marks = appendEscapes(nil, t, 0, p)
	return d
}
