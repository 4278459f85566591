package lens

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest/visible"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/say"
)

// jsonSheet shows one JSON document, a member or element a row, in the order
// of its canonical bytes. A string stands drawn in quotes of ours, a row for
// each of its lines.
type jsonSheet struct {
	what  string // our words for the document
	lines []jsonLine
	bad   bool // not JSON: nothing after lines was read
}

// jsonLine is one row: name (where first is set), then text, then tail.
type jsonLine struct {
	depth int
	named bool
	name  string
	str   bool   // text is of a string
	open  bool   // the string begins here: a quote before text
	shut  bool   // it ends here: a quote after text
	text  string // of the string without its line end, else a bare value or bracket
	end   string // the line end that follows in the string: "", "\n" or "\r\n"
	comma bool
}

func newJSON(in In) sheet {
	if args, ok := arguments(in.Ask); ok {
		return jsonOf("the arguments", args)
	}
	if in.Ask != nil && in.Ask.Question != nil {
		return jsonOf("the answer's schema", in.Ask.Question.Schema)
	}
	return jsonOf("the arguments", nil)
}

func jsonOf(what string, doc []byte) *jsonSheet {
	s := &jsonSheet{what: what}
	dec := jsontext.NewDecoder(bytes.NewReader(doc))
	s.bad = !s.value(dec, 0, jsonLine{})
	return s
}

// value reads one value behind what begin says of its row.
func (s *jsonSheet) value(dec *jsontext.Decoder, depth int, begin jsonLine) bool {
	tok, err := dec.ReadToken()
	if err != nil {
		return false
	}
	begin.depth = depth
	switch k := tok.Kind(); k {
	case '"':
		s.str(begin, tok.String())
		return true
	case '{', '[':
		return s.container(dec, depth, begin, k)
	default:
		begin.text = tok.String()
		s.lines = append(s.lines, begin)
		return true
	}
}

func (s *jsonSheet) container(dec *jsontext.Decoder, depth int, begin jsonLine, k jsontext.Kind) bool {
	end := "}"
	if k == '[' {
		end = "]"
	}
	begin.text = string(rune(k))
	if dec.PeekKind() == jsontext.Kind(end[0]) {
		begin.text += end
		s.lines = append(s.lines, begin)
		_, err := dec.ReadToken()
		return err == nil
	}
	s.lines = append(s.lines, begin)
	for dec.PeekKind() != jsontext.Kind(end[0]) {
		var next jsonLine
		if k == '{' {
			tok, err := dec.ReadToken()
			if err != nil {
				return false
			}
			next.named, next.name = true, tok.String()
		}
		if !s.value(dec, depth+1, next) {
			return false
		}
		s.lines[len(s.lines)-1].comma = dec.PeekKind() != jsontext.Kind(end[0])
	}
	_, err := dec.ReadToken()
	s.lines = append(s.lines, jsonLine{depth: depth, text: end})
	return err == nil
}

// str appends a string, a row for each of its lines.
func (s *jsonSheet) str(row jsonLine, str string) {
	row.str, row.open = true, true
	for {
		n := strings.IndexByte(str, '\n')
		if n < 0 {
			row.text, row.end, row.shut = str, "", true
			s.lines = append(s.lines, row)
			return
		}
		row.text, row.end = cutEnd(str[:n+1])
		s.lines = append(s.lines, row)
		str = str[n+1:]
		row = jsonLine{depth: row.depth, str: true}
	}
}

// cutEnd parts a line from its line end.
func cutEnd(line string) (text, end string) {
	text = strings.TrimSuffix(line, "\n")
	if len(text) == len(line) {
		return line, ""
	}
	text = strings.TrimSuffix(text, "\r")
	return text, line[len(text):]
}

func (s *jsonSheet) heads(p pen, _ frame.Look) []frame.Line {
	return []frame.Line{p.head("json", s.what)}
}

func (s *jsonSheet) foot(pen) frame.Line {
	if s.bad {
		return frame.Line{frame.S(themes.Warn, "The rest is no JSON and is not shown here; the card shows it.")}
	}
	return frame.Line{frame.S(themes.Muted, say.Count(int64(len(s.lines)), "row", "rows"))}
}

func (s *jsonSheet) rows(int) int { return len(s.lines) }

// indent is the cells before a row: margin and two a level, at most half.
func indent(depth, w int) int { return 1 + min(2*depth, w/2-2) }

// around draws what stands before a row's value, its name and a quote of ours,
// and what stands after it.
func (s *jsonSheet) around(i int, p pen) (before [2]visible.Text, after visible.Text) {
	r := &s.lines[i]
	if r.named {
		before[0] = visible.Concat(visible.Own(`"`), p.label(r.name), visible.Own(`": `))
	}
	if r.open {
		before[1] = visible.Own(`"`)
	}
	switch {
	case r.shut && r.comma:
		after = visible.Own(`",`)
	case r.shut:
		after = visible.Own(`"`)
	case r.comma:
		after = visible.Own(`,`)
	}
	return before, after
}

func (s *jsonSheet) text(i int, p pen, w int) (visible.Text, int) {
	before, after := s.around(i, p)
	r := &s.lines[i]
	value := visible.Drawn(r.text)
	if r.str {
		value = p.line(r.text, r.end)
	}
	return visible.Concat(before[0], before[1], value, after), s.cells(i, w)
}

// cells is the room before a row. A later line of a string stands behind a dot
// that no text can hold, so that it is no member.
func (s *jsonSheet) cells(i, w int) int {
	if s.goesOn(i) {
		return indent(s.lines[i].depth+1, w) + goesOnCells
	}
	return indent(s.lines[i].depth, w)
}

func (s *jsonSheet) goesOn(i int) bool { return s.lines[i].str && !s.lines[i].open }

// goesOnCells is the dot before a later line of a string, and a blank.
const goesOnCells = 2

func (s *jsonSheet) dress(i int, p pen, w int, t visible.Text) dressed {
	d := dressed{head: frame.Line{frame.Gap(s.cells(i, w))}, role: themes.Text}
	if s.goesOn(i) {
		d.head = p.goesOn(indent(s.lines[i].depth+1, w))
	}
	before, after := s.around(i, p)
	name, from, to := before[0].Len(), before[0].Len()+before[1].Len(), t.Len()-after.Len()
	add := func(from, to int, role themes.Role) {
		if from < to {
			d.marks = append(d.marks, mark{from: from, to: to, role: role})
		}
	}
	add(0, name, themes.Muted)
	add(name, from, themes.Faint)
	if s.lines[i].str { // it is not drawn anew: it may be long
		d.marks = appendEscapes(d.marks, t.Slice(from, to), from, p)
	}
	add(to, t.Len(), themes.Faint)
	return d
}

// appendEscapes marks the escapes and counts of a drawn text that stands at
// byte at of its row: there what stands is not what the text holds.
func appendEscapes(marks []mark, t visible.Text, at int, p pen) []mark {
	if p.glyphs.ASCII {
		return marks // its twin writes all marks alike
	}
	for _, s := range t.Spans() {
		switch s.Kind {
		case visible.KindEscape, visible.KindCount, visible.KindPoint:
			marks = append(marks, mark{from: at + s.Start, to: at + s.End, role: themes.Warn})
		case visible.KindMark:
			marks = append(marks, mark{from: at + s.Start, to: at + s.End, role: themes.Faint})
		}
	}
	return marks
}
