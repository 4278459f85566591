package cardview_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"nod/digest/visible"
	"nod/tui/cardview"
)

// screen writes a layout as the console does: gutter, then the row.
func screen(l *cardview.Layout, r *cardview.Reading) []string {
	var out []string
	for _, row := range l.Window(0, l.Rows()) {
		out = append(out, r.Gutter(l, row, -1).Text.String()+row.String())
	}
	return out
}

// undo takes gutter, padding, label rows and wrap glyphs away and pads the
// labels as CARD.md says. It knows nothing but what is on the screen and where
// the label field is.
func undo(rows []string, indent, field int, ascii bool) (string, error) {
	bar, wrap, more := "│", "↳", "·"
	if ascii {
		bar, wrap, more = "|", ">", "."
	}
	type line struct {
		label, text string
		own         bool // the label was on its own row
	}
	var lines []line
	labelOpen := false
	for i, row := range rows {
		rs := []rune(row)
		if len(rs) < 1+indent || strings.TrimSpace(string(rs[1:])) == "" {
			continue
		}
		body := rs[1+indent:]
		if i == 0 {
			lines = append(lines, line{text: string(body)})
			continue
		}
		if len(body) < field+3 || string(body[field:field+3]) != " "+bar+" " {
			s := string(body)
			if tail, ok := strings.CutPrefix(s, wrap+" "); ok && labelOpen {
				lines[len(lines)-1].label += tail
				continue
			}
			lines = append(lines, line{label: s, own: true})
			labelOpen = true
			continue
		}
		head, text := strings.TrimLeft(string(body[:field]), " "), string(body[field+3:])
		switch {
		case labelOpen:
			if head != "" {
				return "", fmt.Errorf("row %d: a label before the text of a label", i)
			}
			lines[len(lines)-1].text = text
		case head == wrap:
			lines[len(lines)-1].text += text
		case head == more:
			lines = append(lines, line{label: "·", text: text})
		case head == "":
			return "", fmt.Errorf("row %d has no label", i)
		default:
			lines = append(lines, line{label: head, text: text})
		}
		labelOpen = false
	}
	column, name := 0, false
	for i := range lines {
		ln := &lines[i]
		if ascii && i > 0 {
			if ln.label != "·" {
				ln.label = untwin(ln.label, true)
				name = nameStem.MatchString(ln.label)
			}
			if strings.HasPrefix(ln.text, ". ") && (ln.label != "·") {
				ln.text = "·" + ln.text[1:]
			} else {
				ln.text = untwin(ln.text, name)
			}
		}
		if n := utf8.RuneCountInString(ln.label); n <= 28 && ln.label != "·" {
			column = max(column, n)
		}
	}
	var b strings.Builder
	b.WriteString(lines[0].text)
	for _, ln := range lines[1:] {
		pad := strings.Repeat(" ", max(0, column-utf8.RuneCountInString(ln.label)))
		if ln.label == "·" {
			b.WriteString("\n" + pad + ln.label + " │ " + ln.text)
		} else {
			b.WriteString("\n" + ln.label + pad + " │ " + ln.text)
		}
	}
	return b.String(), nil
}

// nameStem are labels whose texts are names, in which marks are escaped.
var nameStem = regexp.MustCompile(`^(tool|operation|environment|cwd|machine|agent|user|host|operands/.*|edited by)$`)

var twinToken = regexp.MustCompile(`^(n|t|r|<[^>]{1,22}>|u\{[0-9A-F]{1,6}\})`)

// tail is what of s decides how the next character is drawn.
func tail(s string) string {
	i := max(0, len(s)-64)
	for i > 0 {
		if r, _ := utf8.DecodeRuneInString(s[i:]); utf8.RuneStart(s[i]) && !unicode.Is(unicode.M, r) {
			break
		}
		i--
	}
	return s[i:]
}

// untwin reads an ASCII twin back.
func untwin(s string, noMarks bool) string {
	var out strings.Builder
	for s != "" {
		k := len(s) - len(strings.TrimLeft(s, `\`))
		if k == 0 {
			out.WriteByte(s[0])
			s = s[1:]
			continue
		}
		s = s[k:]
		tok := twinToken.FindString(s)
		switch {
		case tok == "":
			out.WriteString(strings.Repeat(`\`, k))
		case tok[0] == 'u':
			n, _ := strconv.ParseUint(tok[2:len(tok)-1], 16, 32)
			c, so := string(rune(n)), tail(out.String())+strings.Repeat(`\`, k/2)
			own := k%2 == 0 || n < 0x80 || strings.ContainsAny(c, "⏎⇥␍│·⟨⟩") || noMarks && unicode.Is(unicode.M, rune(n)) ||
				visible.Drawn(so+c).String() != so+c
			if own { // the card's own escape, or text that the card has doubled
				out.WriteString(strings.Repeat(`\`, k) + tok)
			} else {
				out.WriteString(strings.Repeat(`\`, k/2) + c)
			}
			s = s[len(tok):]
		case k%2 == 0:
			out.WriteString(strings.Repeat(`\`, k/2) + tok)
			s = s[len(tok):]
		default:
			out.WriteString(strings.Repeat(`\`, k/2))
			switch tok[0] {
			case 'n':
				out.WriteString("⏎")
			case 't':
				out.WriteString("⇥")
			case 'r':
				out.WriteString("␍")
			default:
				out.WriteString("⟨" + strings.NewReplacer("x", "×", `\n`, "⏎").Replace(tok[1:len(tok)-1]) + "⟩")
			}
			s = s[len(tok):]
		}
	}
	return out.String()
}
