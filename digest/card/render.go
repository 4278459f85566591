package card

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"nod/digest"
	"nod/digest/visible"
)

// Render writes the card of a valid ask. The error is a *digest.Error:
// card_too_large, or card_bad_ask for an ask that digest.ParseAsk would refuse
// (not every such ask is noticed). The card's size is known before a label is
// built, so that long names in deep values cost nothing.
func Render(ask *digest.Ask) ([]byte, error) {
	size := 512
	if ask.Action != nil {
		size += len(ask.Action.Arguments)
	}
	p := plan{
		head:  Head,
		most:  MaxSize,
		texts: make([]byte, 0, size+size/8),
		names: make([]byte, 0, 512),
		rows:  make([]row, 0, 48),
	}
	p.ask(ask)
	if p.err != nil {
		return nil, p.err
	}
	if n := p.size(); n <= MaxSize {
		return p.write(n), nil
	}
	return nil, tooLarge()
}

// plan holds what the lines of a card or a desk page will say. A label is kept as the part
// that it adds to the label above it.
type plan struct {
	head  string // the first line
	most  int    // bytes that the lines, and the strings that were drawn, may have
	texts []byte // the drawn values, one after the other
	names []byte // the drawn parts of labels
	rows  []row

	raw    int // bytes of the strings that were drawn
	column int // code points of the longest label that moves the bar
	fixed  int // bytes of the lines but for padding and continuations
	short  int // lines that are padded to the column
	feeds  int // continuation lines
	absent []byte
	err    error
}

// row is a label, and the line it begins when it has a text. Label and text end
// where the next row's begin.
type row struct {
	keep  int32 // bytes kept of the label before
	names int32 // end of the added part in plan.names
	texts int32 // end of the text in plan.texts
	count int32 // the text is the length of a list, which follows it
	line  bool
}

// label is the length of a label that is not built.
type label struct{ bytes, runes int }

// size is the exact length of the card.
func (p *plan) size() int {
	return len(p.head) + p.fixed + p.short*p.column + p.feeds*(p.column-1+len(contMark)+len(bar))
}

// stem begins a label.
func (p *plan) stem(stem string) label {
	p.names = append(p.names, stem...)
	p.rows = append(p.rows, row{names: int32(len(p.names)), texts: int32(len(p.texts))})
	return label{len(stem), len(stem)}
}

// step extends a label by one step of a pointer.
func (p *plan) step(l label, name string) label {
	if p.take(name) {
		return l
	}
	from := len(p.names)
	p.names = append(p.names, '/')
	p.names = appendStep(p.names, name)
	added := p.names[from:]
	p.rows = append(p.rows, row{keep: int32(l.bytes), names: int32(len(p.names)), texts: int32(len(p.texts))})
	return label{l.bytes + len(added), l.runes + utf8.RuneCount(added)}
}

// index extends a label by a place in a list.
func (p *plan) index(l label, i int) label {
	from := len(p.names)
	p.names = append(p.names, '/')
	p.names = strconv.AppendInt(p.names, int64(i), 10)
	n := len(p.names) - from
	p.rows = append(p.rows, row{keep: int32(l.bytes), names: int32(len(p.names)), texts: int32(len(p.texts))})
	return label{l.bytes + n, l.runes + n}
}

// take counts a string that will be drawn; true means that nothing more is.
func (p *plan) take(s string) bool {
	if p.err == nil {
		if p.raw += len(s); p.raw > p.most || len(s) > visible.MaxText {
			p.err = tooLarge()
		} else if !utf8.ValidString(s) {
			p.err = badAsk()
		}
	}
	return p.err != nil
}

// end makes a line of the last label and the text since from.
func (p *plan) end(l label, from int) {
	r := &p.rows[len(p.rows)-1]
	r.line, r.texts = true, int32(len(p.texts))
	p.fixed += len("\n") + len(bar) + len(p.texts) - from
	p.feeds += bytes.Count(p.texts[from:], []byte{'\n'})
	if l.runes <= maxColumn {
		p.short++
		p.fixed += l.bytes - l.runes
		p.column = max(p.column, l.runes)
	} else {
		p.fixed += l.bytes
	}
	if p.err == nil && p.fixed > p.most {
		p.err = tooLarge()
	}
}

// text ends a line with a free string.
func (p *plan) text(l label, mode visible.Mode, s string) {
	if p.take(s) {
		return
	}
	from := len(p.texts)
	p.texts = append(p.texts, '"')
	p.texts = visible.AppendDraw(p.texts, mode, s)
	p.texts = append(p.texts, '"')
	p.end(l, from)
}

// bare ends a line with a word that is drawn by no mode.
func (p *plan) bare(l label, word string) {
	if p.err == nil && !isBare(word) {
		p.err = badAsk()
	}
	from := len(p.texts)
	p.texts = append(p.texts, word...)
	p.end(l, from)
}

// count ends a line with the length of a list.
func (p *plan) count(l label, n int) {
	from := len(p.texts)
	if n == 0 {
		p.texts = append(p.texts, "[]"...)
	} else {
		p.texts = append(p.texts, listOf...)
		p.texts = strconv.AppendInt(p.texts, int64(n), 10)
	}
	p.end(l, from)
}

// own ends a line with a list of bare words.
func (p *plan) own(l label, words []string) {
	from := len(p.texts)
	for i, w := range words {
		if p.err == nil && !isBare(w) {
			p.err = badAsk()
		}
		if i == 0 {
			p.texts = append(p.texts, owns...)
		} else {
			p.texts = append(p.texts, ", "...)
		}
		p.texts = append(p.texts, w...)
	}
	p.end(l, from)
}

// isBare says whether a word may stand without quotes.
func isBare(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= ':', c == '_', c == '.', c == '+', c == '-':
		default:
			return false
		}
	}
	return s != ""
}

// appendStep appends a member name as it stands in a label: escaped as in
// RFC 6901, then drawn.
func appendStep(dst []byte, name string) []byte {
	return visible.AppendDraw(dst, visible.Label, digest.EscapePointer(name))
}

// write builds the labels and the card of size bytes.
func (p *plan) write(size int) []byte {
	out := append(make([]byte, 0, size), p.head...)
	var lab []byte
	names, texts := int32(0), int32(0)
	for _, r := range p.rows {
		lab = append(lab[:r.keep], p.names[names:r.names]...)
		names = r.names
		if !r.line {
			continue
		}
		out = append(append(out, '\n'), lab...)
		out = appendSpaces(out, p.column-utf8.RuneCount(lab))
		out = append(out, bar...)
		if r.count > 0 {
			out = append(out, listOf...)
			out = strconv.AppendInt(out, int64(r.count), 10)
		}
		text := p.texts[texts:r.texts]
		texts = r.texts
		for {
			i := bytes.IndexByte(text, '\n')
			if i < 0 {
				out = append(out, text...)
				break
			}
			out = append(out, text[:i+1]...)
			out = appendSpaces(out, p.column-1)
			out = append(out, contMark+bar...)
			text = text[i+1:]
		}
	}
	return out
}

func appendSpaces(dst []byte, n int) []byte {
	for n > 0 {
		const blank = "                            "
		k := min(n, len(blank))
		dst = append(dst, blank[:k]...)
		n -= k
	}
	return dst
}
