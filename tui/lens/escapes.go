package lens

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/runenames"

	"nod/digest/card"
	"nod/digest/visible"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/say"
)

// escapesSheet names what on the card is not the character it looks like: the
// escapes, the runs that are counted, the code points after a character of a
// name, and in values the letters that are easily read as ASCII ones.
type escapesSheet struct {
	card  []card.Line
	like  map[rune]bool // whether a character looks like ASCII, as far as it was asked
	found []oddity
	n     [oddities]int
}

// oddity is one of them: where it is drawn on the card.
type oddity struct {
	line     int32
	label    bool
	from, to int32
	kind     uint8
}

// Kinds of oddity.
const (
	oddEscape = iota // drawn as an escape
	oddCount         // a run, counted
	oddPoint         // of a name: followed by its code point
	oddAlike         // drawn as itself in a value, and easily misread
	oddities
)

// CountEscapes is how many escapes and counted runs a card holds, for the
// strip.
func CountEscapes(lines []card.Line) int {
	n := 0
	for i := range lines {
		n += visible.Escapes(lines[i].Label.String()) + visible.Escapes(lines[i].Text.String())
	}
	return n
}

func newEscapes(in In) sheet {
	s := &escapesSheet{card: in.Card, like: map[rune]bool{}}
	for i := range in.Card {
		s.find(i, true, in.Card[i].Label.String())
		s.find(i, false, in.Card[i].Text.String())
	}
	return s
}

func (s *escapesSheet) find(line int, label bool, drawn string) {
	if plainASCII(drawn) {
		return
	}
	add := func(from, to int, kind uint8) {
		s.found = append(s.found, oddity{int32(line), label, int32(from), int32(to), kind})
		s.n[kind]++
	}
	for _, sp := range visible.Spans(drawn) {
		switch sp.Kind {
		case visible.KindEscape:
			add(sp.Start, sp.End, oddEscape)
		case visible.KindCount:
			add(sp.Start, sp.End, oddCount)
		case visible.KindPoint:
			_, n := utf8.DecodeLastRuneInString(drawn[:sp.Start])
			add(sp.Start-n, sp.End, oddPoint)
		case visible.KindText:
			for i, r := range drawn[sp.Start:sp.End] {
				at := sp.Start + i
				if r < utf8.RuneSelf || !s.alike(r) || ownMark(&s.card[line], at, r) {
					continue
				}
				end := at + utf8.RuneLen(r)
				if !strings.HasPrefix(drawn[end:], "⟨U+") && s.misread(drawn, at, end, r) {
					add(at, end, oddAlike)
				}
			}
		}
	}
}

// nearby is how far, in bytes, a word is looked at around a character.
const nearby = 64

// misread reports whether the character at drawn[at:end] stands where it can be
// taken for the one it looks like. A letter or digit of a word in its own
// script cannot, unless the whole word reads as ASCII.
func (s *escapesSheet) misread(drawn string, at, end int, r rune) bool {
	if !inWord(r) {
		return true
	}
	from, to := at, end
	for from > 0 && at-from < nearby {
		c, n := utf8.DecodeLastRuneInString(drawn[:from])
		if !inName(c) {
			break
		}
		from -= n
	}
	for to < len(drawn) && to-end < nearby {
		c, n := utf8.DecodeRuneInString(drawn[to:])
		if !inName(c) {
			break
		}
		to += n
	}
	mixed, alike := false, true
	for _, c := range drawn[from:to] {
		mixed = mixed || c < utf8.RuneSelf && inWord(c) && !unicode.IsDigit(c) || c < utf8.RuneSelf && unicode.IsDigit(c) && unicode.IsDigit(r)
		alike = alike && (c < utf8.RuneSelf || s.alike(c))
	}
	return mixed || alike
}

// alike reports whether r looks like ASCII.
func (s *escapesSheet) alike(r rune) bool {
	is, ok := s.like[r]
	if !ok {
		is = looksLike(r) != ""
		s.like[r] = is
	}
	return is
}

// inName reports whether c can stand inside a name, host or path step.
func inName(c rune) bool { return inWord(c) || strings.ContainsRune(".-@:", c) }

// ownMark reports whether r is Nod's own dot before a list.
func ownMark(l *card.Line, at int, r rune) bool {
	return r == '·' && at == 0 && l.Form == card.FormOwn
}

// plainASCII reports whether a drawing holds nothing to name.
func plainASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || s[i] == '\\' {
			return false
		}
	}
	return true
}

func (s *escapesSheet) heads(p pen, _ frame.Look) []frame.Line {
	return []frame.Line{p.head("escapes", say.Number(int64(len(s.found)))+" named")}
}

func (s *escapesSheet) foot(p pen) frame.Line {
	if s.card == nil {
		return frame.Line{frame.S(themes.Warn, "The card was not read.")}
	}
	parts := []string{"escaped " + say.Number(int64(s.n[oddEscape])), "counted runs " + say.Number(int64(s.n[oddCount]))}
	if n := s.n[oddPoint]; n > 0 {
		parts = append(parts, "beyond ASCII in names "+say.Number(int64(n)))
	}
	if n := s.n[oddAlike]; n > 0 {
		parts = append(parts, "easily misread "+say.Number(int64(n)))
	}
	return frame.Line{frame.S(themes.Muted, p.dots(parts...))}
}

func (s *escapesSheet) rows(int) int { return len(s.found) }

// column is the cells before a row: margin, "line", number, two blanks.
func (s *escapesSheet) column() int { return 1 + len("line ") + max(3, digits(len(s.card))) + 2 }

// drawn is what stands on the card.
func (s *escapesSheet) drawn(o oddity) visible.Text {
	l := &s.card[o.line]
	if o.label {
		return l.Label.Slice(int(o.from), int(o.to))
	}
	return l.Text.Slice(int(o.from), int(o.to))
}

func (s *escapesSheet) text(i int, p pen, _ int) (visible.Text, int) {
	o := s.found[i]
	t := s.drawn(o)
	return visible.Concat(p.shown(t), visible.Own("  "), visible.Drawn(explain(o.kind, t.String()))), s.column()
}

// shown is a piece of the card as this pen may draw it.
func (p pen) shown(t visible.Text) visible.Text {
	if p.split {
		// The marks of a drawing are Nod's; its letters beyond ASCII are not.
		var b strings.Builder
		for _, r := range t.String() {
			if r < utf8.RuneSelf || strings.ContainsRune("⏎⇥␍⟨⟩×", r) {
				b.WriteRune(r)
			} else {
				b.WriteString(visible.ASCII(string(r)))
			}
		}
		t = visible.Drawn(b.String())
	}
	return p.twin(t)
}

func (s *escapesSheet) dress(i int, p pen, _ int, t visible.Text) dressed {
	o := s.found[i]
	w := s.column()
	number := frame.Right(themes.Faint, "line "+say.Number(int64(o.line)+1), w-2)
	role := themes.Warn
	if o.kind == oddAlike {
		role = themes.Text
	}
	return dressed{
		head: frame.Line{number, frame.Gap(2)}, role: themes.Muted,
		marks: []mark{{from: 0, to: p.shown(s.drawn(o)).Len(), role: role}},
	}
}

// explain says in our words what stands on the card.
func explain(kind uint8, drawn string) string {
	switch kind {
	case oddCount:
		n := strings.TrimLeft(drawn, "⟨")
		n = n[:len(n)-len(strings.TrimLeft(n, "0123456789"))]
		what := "line feeds in a row"
		if strings.Contains(drawn, "space") {
			what = "spaces in a row"
		}
		v, err := strconv.ParseInt(n, 10, 64)
		if err != nil {
			return what
		}
		return say.Number(v) + " " + what
	case oddEscape:
		hex := strings.TrimSuffix(strings.TrimPrefix(drawn, `\u{`), "}")
		v, err := strconv.ParseUint(hex, 16, 32)
		if err != nil {
			return "an escape"
		}
		return describe(rune(v))
	}
	r, _ := utf8.DecodeRuneInString(drawn)
	return describe(r)
}

// describe names a character: code point, Unicode name, what sort it is, and
// what it is easily read as.
func describe(r rune) string {
	hex := strings.ToUpper(strconv.FormatInt(int64(r), 16))
	out := "U+" + strings.Repeat("0", max(4-len(hex), 0)) + hex + " " + nameOf(r)
	if sort := sortOf(r); sort != "" {
		out += ", " + sort
	}
	if like := looksLike(r); like != "" {
		out += ", looks like " + like
	}
	return out
}

func nameOf(r rune) string {
	if s := controlName(r); s != "" {
		return s
	}
	name := runenames.Name(r)
	if name == "" || name[0] == '<' {
		name = strings.Trim(name, "<>")
		if name == "" {
			name = "no character that Unicode names"
		}
	}
	return name
}

// sortOf says what a character does, where its name does not.
func sortOf(r rune) string {
	switch {
	case strings.ContainsRune("\u200E\u200F\u061C\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069", r):
		return "turns the direction of text"
	case 0xE0000 <= r && r <= 0xE007F:
		return "invisible, spells " + tagged(r)
	case unicode.Is(unicode.Variation_Selector, r):
		return "invisible, changes the look of the character before"
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r), r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0:
		return "invisible"
	case unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
		return "breaks the line"
	case unicode.Is(unicode.Zs, r), r == 0x2800:
		return "blank"
	case unicode.Is(unicode.M, r):
		return "combines with the character before"
	case unicode.Is(unicode.Co, r):
		return "private use"
	}
	return ""
}

// tagged is the ASCII character that a tag character spells.
func tagged(r rune) string {
	if c := r - 0xE0000; c > ' ' && c <= '~' {
		return string(c)
	}
	return "nothing printable"
}

// controlName names the controls that a terminal acts on.
func controlName(r rune) string {
	switch r {
	case 0:
		return "NULL, control"
	case 0x07:
		return "BELL, control"
	case 0x08:
		return "BACKSPACE, control: moves the cursor back"
	case 0x09:
		return "TAB, control"
	case 0x0A:
		return "LINE FEED, control"
	case 0x0B:
		return "LINE TABULATION, control"
	case 0x0C:
		return "FORM FEED, control"
	case 0x0D:
		return "CARRIAGE RETURN, control: moves the cursor to the line's start"
	case 0x0E, 0x0F:
		return "SHIFT, control: switches the character set"
	case 0x1B:
		return "ESCAPE, control: begins a terminal sequence"
	case 0x7F:
		return "DELETE, control"
	case 0x85:
		return "NEXT LINE, control"
	case 0x90:
		return "DEVICE CONTROL STRING, control: begins a terminal sequence"
	case 0x9B:
		return "CONTROL SEQUENCE INTRODUCER, control: begins a terminal sequence"
	case 0x9C:
		return "STRING TERMINATOR, control: ends a terminal sequence"
	case 0x9D:
		return "OPERATING SYSTEM COMMAND, control: begins a terminal sequence"
	}
	if r < 0x20 || 0x80 <= r && r < 0xA0 {
		return "control character"
	}
	return ""
}
