package editor

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
	"nod/digest/visible"
	"nod/tui/frame"
)

// maxIndent is how many levels are indented: more spaces than that are counted
// by a drawing and not shown.
const maxIndent = maxSpaces / 2

// pointerCells is how much of a place's pointer a sentence ends in.
const pointerCells = 40

// JSON writes a value for the editor: indented, members in canonical order,
// every character that is not drawn as itself as its escape. What is no strict
// JSON comes back as it is, cleaned.
func JSON(v jsontext.Value) string {
	doc, err := digest.Canonical(v, digest.NoLimits())
	if err != nil {
		return clean(string(v), false)
	}
	w := writer{dec: jsontext.NewDecoder(bytes.NewReader(doc))}
	if w.value(0) != nil {
		return clean(string(v), false)
	}
	return w.b.String()
}

type writer struct {
	dec *jsontext.Decoder
	b   strings.Builder
}

func (w *writer) value(depth int) error {
	t, err := w.dec.ReadToken()
	if err != nil {
		return err
	}
	switch t.Kind() {
	case '{', '[':
		return w.inside(t.Kind() == '{', depth+1)
	case '"':
		w.quote(t.String())
	default:
		w.b.WriteString(t.String())
	}
	return nil
}

// inside writes the members or elements and the end of what holds them.
func (w *writer) inside(object bool, depth int) error {
	open, shut := byte('['), byte(']')
	if object {
		open, shut = '{', '}'
	}
	w.b.WriteByte(open)
	n := 0
	for ; w.dec.PeekKind() != jsontext.Kind(shut); n++ {
		if n > 0 {
			w.b.WriteByte(',')
		}
		w.line(depth)
		if object {
			name, err := w.dec.ReadToken()
			if err != nil {
				return err
			}
			w.quote(name.String())
			w.b.WriteString(": ")
		}
		if err := w.value(depth); err != nil {
			return err
		}
	}
	if n > 0 {
		w.line(depth - 1)
	}
	w.b.WriteByte(shut)
	_, err := w.dec.ReadToken()
	return err
}

func (w *writer) line(depth int) {
	w.b.WriteByte('\n')
	for range min(depth, maxIndent) {
		w.b.WriteString("  ")
	}
}

func (w *writer) quote(s string) {
	w.b.WriteByte('"')
	writeWithin(&w.b, s, false)
	w.b.WriteByte('"')
}

// Check reads the text strictly. When it is one JSON document, value is its
// canonical bytes; else problem is a sentence, and line and col, from 1 and in
// characters, are where the first error is: Goto takes the cursor there.
func (e *Editor) Check() (value jsontext.Value, problem visible.Text, line, col int) {
	raw := []byte(e.Text())
	doc, err := digest.Canonical(raw, digest.Limits{MaxBytes: maxText})
	if err == nil {
		return jsontext.Value(doc), visible.Text{}, 0, 0
	}
	var bad *digest.Error
	if !errors.As(err, &bad) {
		return nil, visible.Own("Not read: the text is not JSON."), 1, 1
	}
	line, col = position(raw, locate(raw, bad.Code, bad.Pointer))
	problem = visible.Drawn("Not read: " + bad.Sentence + ", line " + strconv.Itoa(line) + ", column " + strconv.Itoa(col))
	if bad.Pointer != "" {
		problem = visible.Concat(problem, visible.Own(", in "), frame.Cut(visible.Row(strconv.Quote(bad.Pointer)), pointerCells, 0, "…"))
	}
	return nil, problem, line, col
}

// locate gives the byte at which the document was refused.
func locate(raw []byte, code, pointer string) int {
	dec := jsontext.NewDecoder(bytes.NewReader(raw))
	for {
		kind := dec.PeekKind()
		from := start(raw, int(dec.InputOffset()))
		_, err := dec.ReadToken()
		var at *jsontext.SyntacticError
		switch {
		case errors.As(err, &at):
			return min(int(at.ByteOffset), len(raw))
		case err != nil:
			return len(raw)
		}
		found := string(dec.StackPointer()) == pointer
		switch {
		case found && code == digest.CodeLossyNumber && kind == '0',
			found && code == digest.CodeTooDeep && (kind == '{' || kind == '['):
			return from
		case dec.StackDepth() == 0:
			return start(raw, int(dec.InputOffset()))
		}
	}
}

// start passes what stands between two tokens.
func start(raw []byte, i int) int {
	for i < len(raw) && strings.IndexByte(" \n\r\t,:", raw[i]) >= 0 {
		i++
	}
	return i
}

// position gives line and column, from 1, of a byte of the text.
func position(raw []byte, at int) (line, col int) {
	before := raw[:at]
	line = bytes.Count(before, []byte{'\n'}) + 1
	return line, len([]rune(string(before[bytes.LastIndexByte(before, '\n')+1:]))) + 1
}
