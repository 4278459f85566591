package lens

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
	"nod/digest/visible"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/say"
)

// diffSheet shows two texts line by line, whole: every line of both is on it
// once, lines that both have on one row, changed ones on two.
type diffSheet struct {
	against        func(p pen, look frame.Look) frame.Line // the second row
	notes          []string                                // our sentences before the lines
	before, after  []string
	list           []diffRow
	bytes          bool // no UTF-8: drawn byte by byte
	changed        int
	added, removed int
	long           int // changed lines whose words are not compared
	what           string
	about          string // the first row, where it is no lens on a call
	nothing        bool   // there are no two sides to compare
	digits         int
}

// diffRow is one row: a note, a line end that is missing, or a line.
type diffRow struct {
	old, new int32 // line on either side, or none
	partner  int32 // of a changed line: the line on the other side, or none
	note     int32 // index of a note, or none
	open     bool  // says that the line before has no line feed
}

// operand is the name of the operand that a changed file has.
const operand = "file"

// newDiff compares the file on disk with what the call makes of it.
func newDiff(in In) sheet {
	c, _ := changeOf(in.Ask)
	s := &diffSheet{what: "whole file", against: against(in, &c)}
	before, after, whole := s.sides(in, &c)
	if !whole {
		s.what = "not the whole file"
	}
	s.compare(before, after)
	return s
}

// sides gives what is compared; whole is false when it is not all of the file.
func (s *diffSheet) sides(in In, c *change) (before, after string, whole bool) {
	f := in.File
	fragment := func() (string, string, bool) {
		a, b := c.fragments()
		return a, b, c.content != nil
	}
	switch {
	case c.fragment != nil:
		s.note("This is the text that goes into one cell; the notebook was not read.")
		return fragment()
	case f == nil:
		if home(c.path) {
			s.note("The path begins with ~, which each tool reads in its own way.")
		} else if _, ok := Wants(in.Ask); !ok {
			s.note("The path is relative to a directory that is not stated.")
		}
		return fragment()
	case f.Size > MaxFile || len(f.Bytes) > MaxFile:
		s.note("The file has " + say.Number(max(f.Size, int64(len(f.Bytes)))) + " bytes, and at most 4 MiB are compared.")
		return fragment()
	case f.Err != "":
		return fragment()
	}
	if changedSince(in) {
		s.note("The file is not the one that was asked about: it changed since.")
	}
	before = string(f.Bytes)
	after, why := c.apply(before)
	if why != "" {
		s.note(why + " What follows is the call's own old and new text.")
		return fragment()
	}
	return before, after, true
}

func (s *diffSheet) note(sentence string) { s.notes = append(s.notes, sentence) }

// changedSince reports whether the operand of the ask is of other bytes than
// the file that was read.
func changedSince(in In) bool {
	d, ok := operandOf(in.Ask)
	return ok && in.File != nil && in.File.Err == "" && (in.File.Missing || in.File.Digest != d)
}

func operandOf(ask *digest.Ask) (digest.Digest, bool) {
	if ask == nil || ask.Action == nil {
		return "", false
	}
	for _, o := range ask.Action.Operands {
		if o.Name == operand {
			return o.Digest, true
		}
	}
	return "", false
}

// against says what the call was held against.
func against(in In, c *change) func(pen, frame.Look) frame.Line {
	return func(p pen, look frame.Look) frame.Line {
		role, text := themes.Faint, ""
		_, bound := operandOf(in.Ask)
		f := in.File
		switch {
		case c.fragment != nil, f == nil:
			text = "against nothing: no file was read"
		case f.Err != "":
			role, text = themes.Warn, "against nothing: "+f.Err
		case f.Size > MaxFile || len(f.Bytes) > MaxFile:
			role, text = themes.Warn, "against nothing: the file is too large"
		case f.Missing && bound:
			role, text = themes.Warn, "gone at "+say.ClockSec(f.At, look.Now, look.Loc)+": the file that was asked about"
		case f.Missing:
			text = "new file: nothing is there at " + say.ClockSec(f.At, look.Now, look.Loc)
		default:
			text = "against the file on disk at " + say.ClockSec(f.At, look.Now, look.Loc)
			switch {
			case !bound:
				role, text = themes.Warn, text+", no operand binds it"
			case changedSince(in):
				role, text = themes.Warn, text+", operand differs"
			default:
				text += ", operand digest equal"
			}
		}
		return frame.Line{frame.S(role, text)}
	}
}

// newEdited compares the arguments of an edited ask with those of the original.
func newEdited(in In) sheet {
	s := &diffSheet{what: "all arguments", against: func(p pen, _ frame.Look) frame.Line {
		line := frame.Line{frame.S(themes.Faint, "against the ask that was edited")}
		if in.Ask != nil && in.Ask.DerivedFrom != nil && in.Ask.DerivedFrom.By != "" {
			line = append(line, frame.S(themes.Faint, ", by "), frame.T(themes.Muted, p.name(in.Ask.DerivedFrom.By)))
		}
		return line
	}}
	if in.Original == nil {
		s.note("The original was not read.")
		s.nothing = true
		return s
	}
	before, ok := indented(in.Original)
	after, good := indented(in.Ask)
	if !ok || !good {
		s.note("One of the two asks has no arguments.")
	}
	s.compare(before, after)
	return s
}

// indented writes the arguments of an ask, a member a line.
func indented(ask *digest.Ask) (string, bool) {
	args, ok := arguments(ask)
	if !ok {
		return "", false
	}
	v := jsontext.Value(bytes.Clone(args))
	if err := v.Indent(jsontext.WithIndent("  ")); err != nil {
		return "", false
	}
	return string(v) + "\n", true
}

// compare aligns the two sides and lays out the rows.
func (s *diffSheet) compare(before, after string) {
	if !utf8Both(before, after) {
		s.bytes = true
		s.note(`Not UTF-8: every byte beyond ASCII is drawn \xHH, every backslash twice.`)
		before, after = escapeBytes(before), escapeBytes(after)
	}
	if strings.ContainsRune(before, 0) || strings.ContainsRune(after, 0) {
		s.note("It holds NUL bytes, so it is no text file.")
	}
	s.before, s.after = splitLines(before), splitLines(after)
	s.digits = max(3, len(strconv.Itoa(max(len(s.before), len(s.after)))))
	if n := max(len(s.before), len(s.after)); n > MaxLines {
		s.note("It has " + say.Number(int64(n)) + " lines, and at most 100,000 are compared; the card shows all.")
		s.before, s.after, s.nothing = nil, nil, true
	}
	for i := range s.notes {
		s.list = append(s.list, diffRow{old: none, new: none, partner: none, note: int32(i)})
	}
	for _, p := range compareLines(s.before, s.after) {
		s.add(p)
	}
}

// add appends the rows of a pair of lines.
func (s *diffSheet) add(p pair) {
	one := func(r diffRow) {
		r.note = none
		s.list = append(s.list, r)
		if r.old >= 0 && open(s.before[r.old]) || r.new >= 0 && open(s.after[r.new]) {
			s.list = append(s.list, diffRow{old: none, new: none, partner: none, note: none, open: true})
		}
	}
	switch {
	case p.changed:
		s.changed++
		if len(s.before[p.old]) > maxWordLine || len(s.after[p.new]) > maxWordLine {
			s.long++
		}
		one(diffRow{old: p.old, new: none, partner: p.new})
		one(diffRow{old: none, new: p.new, partner: p.old})
	case p.old == none:
		s.added++
		one(diffRow{old: none, new: p.new, partner: none})
	case p.new == none:
		s.removed++
		one(diffRow{old: p.old, new: none, partner: none})
	default:
		one(diffRow{old: p.old, new: p.new, partner: none})
	}
}

// open reports whether a line, the last of its text, has no line feed.
func open(line string) bool { return !strings.HasSuffix(line, "\n") }

func (s *diffSheet) heads(p pen, look frame.Look) []frame.Line {
	if s.about != "" {
		return []frame.Line{{frame.S(themes.Faint, s.about)}, s.against(p, look)}
	}
	return []frame.Line{p.head("word diff"), s.against(p, look)}
}

func (s *diffSheet) foot(p pen) frame.Line {
	if s.nothing {
		return frame.Line{frame.S(themes.Muted, "nothing compared")}
	}
	sum := say.Number(int64(s.changed)) + " of " + say.Count(int64(len(s.before)), "line", "lines") + " changed, " +
		say.Number(int64(s.added)) + " added, " + say.Number(int64(s.removed)) + " removed"
	parts := []string{sum, s.what}
	if coarse(s.before, s.after) {
		parts = append(parts, "compared coarsely")
	}
	if s.long > 0 {
		parts = append(parts, "no words compared in "+say.Count(int64(s.long), "long line", "long lines"))
	}
	return frame.Line{frame.S(themes.Muted, p.dots(parts...))}
}

func (s *diffSheet) rows(int) int { return len(s.list) }

// gutter is the cells before a line: two numbers, the sign, two blanks.
func (s *diffSheet) gutter() int { return 2*(s.digits+1) + 2 + 2 }

// narrowDiff is the width below which the numbers give way to the text.
const narrowDiff = 36

func (s *diffSheet) head(w int) int {
	if w < narrowDiff {
		return 4
	}
	return s.gutter()
}

// lineOf gives the line that a row shows.
func (s *diffSheet) lineOf(r diffRow) string {
	if r.new >= 0 {
		return s.after[r.new]
	}
	return s.before[r.old]
}

func (s *diffSheet) text(i int, p pen, w int) (visible.Text, int) {
	r := s.list[i]
	switch {
	case r.note >= 0:
		return visible.Drawn(s.notes[r.note]), 1
	case r.open:
		return visible.Own("no line feed at the end"), s.head(w)
	}
	return s.draw(s.lineOf(r), p), s.head(w)
}

// draw draws a line; its line feed is the end of the row.
func (s *diffSheet) draw(line string, p pen) visible.Text {
	text, end := cutEnd(line)
	if s.bytes { // every carriage return is escaped
		return visible.Drawn(text)
	}
	if end == "\r\n" {
		return p.returned(text)
	}
	return p.line(text, "")
}

func (s *diffSheet) dress(i int, p pen, w int, t visible.Text) dressed {
	r := s.list[i]
	switch {
	case r.note >= 0:
		return dressed{head: frame.Line{frame.Gap(1)}, role: themes.Warn}
	case r.open:
		return dressed{head: frame.Line{frame.Gap(s.head(w))}, role: themes.Faint}
	}
	sign, role := " ", themes.Muted
	switch {
	case r.old == none:
		sign, role = "+", themes.OK
	case r.new == none:
		sign, role = "-", themes.Danger
	}
	d := dressed{role: themes.Text}
	if w < narrowDiff {
		d.head = frame.Line{frame.Gap(1), frame.S(role, sign), frame.Gap(2)}
	} else {
		d.head = frame.Line{
			s.number(r.old), s.number(r.new), frame.Gap(1), frame.S(role, sign), frame.Gap(2),
		}
	}
	if r.partner == none {
		if !s.bytes {
			d.marks = appendEscapes(nil, t, 0, p)
		}
		return d
	}
	for _, at := range s.changes(r, p, t) {
		d.marks = append(d.marks, mark{from: at.from, to: at.to, role: role, under: true})
	}
	return d
}

// stop says which rows a jump goes to.
func (s *diffSheet) stop(i int) bool {
	r := s.list[i]
	return r.note < 0 && !r.open && (r.old == none || r.new == none)
}

// number is a line's number in its column, from 1.
func (s *diffSheet) number(i int32) frame.Span {
	if i < 0 {
		return frame.Gap(s.digits + 1)
	}
	return frame.Right(themes.Faint, strconv.Itoa(int(i)+1), s.digits+1)
}

// changes gives where the changed words of a changed line stand in its drawing.
func (s *diffSheet) changes(r diffRow, p pen, t visible.Text) []span {
	all := []span{{0, t.Len()}}
	mine, theirs := s.lineOf(r), ""
	if r.new >= 0 {
		theirs = s.before[r.partner]
	} else {
		theirs = s.after[r.partner]
	}
	if len(mine) > maxWordLine || len(theirs) > maxWordLine || s.bytes {
		return all
	}
	mine, end := cutEnd(mine)
	theirs, other := cutEnd(theirs)
	a, b := words(mine), words(theirs)
	gone, _ := compareWords(a, b)
	out, ok := placed(t, a, gone, p)
	if !ok {
		return all
	}
	if end == "\r\n" && other != end {
		mark := p.returned("").Len()
		out = append(out, span{t.Len() - mark, t.Len()})
	}
	return out
}
