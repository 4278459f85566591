package lens

import (
	"strings"

	"nod/digest/visible"
	"nod/themes"
	"nod/tui/cardview"
	"nod/tui/frame"
)

// pen draws text for the pane that a lens stands in. Two equal pens draw the
// same.
type pen struct {
	split  bool // a divider stands right of the lens
	glyphs frame.Glyphs
}

func penOf(look frame.Look) pen { return pen{look.Split, look.Glyphs} }

// tab is a tab as the card draws it.
const tab = "⇥   "

// line draws one line of untrusted text and its line end, which is "", "\n" or
// "\r\n".
func (p pen) line(text, end string) visible.Text {
	var t visible.Text
	switch {
	case !p.split:
		t = visible.Row(text)
	case !strings.Contains(text, "\t"):
		t = visible.Of(visible.Strict, text)
	default:
		var b strings.Builder
		for i, part := range strings.Split(text, "\t") {
			if i > 0 {
				b.WriteString(tab)
			}
			b.WriteString(visible.ASCII(part))
		}
		t = visible.Drawn(b.String())
	}
	switch end {
	case "\n":
		t = visible.Concat(t, visible.Own("⏎"))
	case "\r\n":
		t = visible.Concat(t, visible.Own("␍⏎"))
	}
	return p.twin(t)
}

// returned draws a line and the carriage return before its line feed.
func (p pen) returned(text string) visible.Text {
	plain := pen{split: p.split}
	return p.twin(visible.Concat(plain.line(text, ""), visible.Own("␍")))
}

// name draws an identity.
func (p pen) name(s string) visible.Text {
	if p.split {
		return p.twin(visible.Of(visible.Strict, s))
	}
	return p.twin(visible.Of(visible.Name, s))
}

// label draws a pointer or a member's name. It holds no space, so that it
// cannot read as words of ours.
func (p pen) label(s string) visible.Text {
	if !p.split {
		return p.twin(visible.Of(visible.Label, s))
	}
	var b strings.Builder
	parts := strings.Split(s, " ")
	for i, part := range parts {
		b.WriteString(visible.ASCII(part))
		if i < len(parts)-1 {
			b.WriteString(part[len(strings.TrimRight(part, `\`)):]) // doubled before an escape
			b.WriteString(`\u{20}`)
		}
	}
	return p.twin(visible.Drawn(b.String()))
}

// twin is t as this pen's screen can show it.
func (p pen) twin(t visible.Text) visible.Text {
	if p.glyphs.ASCII {
		return cardview.ASCII(t)
	}
	return t
}

// dots joins parts of our own words by the console's dot.
func (p pen) dots(parts ...string) string {
	dot := " " + p.glyphs.Dot + " "
	return strings.Join(parts, dot)
}

// goesOn is n cells and the dot before a row that goes on with the text of the
// row above: no drawing holds the dot, so the text cannot pass for a row of ours.
func (p pen) goesOn(n int) frame.Line {
	return frame.Line{frame.Gap(n), frame.S(themes.Faint, p.glyphs.Over), frame.Gap(1)}
}

// notApproved is said by the first row of every lens.
const notApproved = "not part of what you approve"

// head is the first row of a lens: what it is, and what it is not.
func (p pen) head(what string, more ...string) frame.Line {
	return frame.Line{frame.S(themes.Faint, p.dots(append([]string{what, notApproved}, more...)...))}
}

// quoted draws untrusted text that may hold line feeds, on one row and in quotes
// of ours.
func (p pen) quoted(s string) visible.Text {
	t := visible.Row(s)
	if p.split {
		t = visible.Of(visible.Strict, s)
	}
	return visible.Concat(visible.Own(`"`), p.twin(t), visible.Own(`"`))
}
