package main

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"

	"nod/themes"
)

// Sizes in SVG units.
const (
	cellW, cellH = 8.4, 19.0
	margin, bar  = 16.0, 34.0
	baseline     = 14.0
)

// theme is what the pictures are drawn in.
const theme = "dark"

// surroundings are the theme's colours of what no cell of the screen has.
type surroundings struct{ paper, plain, faint, edge string }

func around() (surroundings, error) {
	t, err := themes.Builtin(theme)
	if err != nil {
		return surroundings{}, err
	}
	return surroundings{
		paper: t.Background.String(), plain: t.Style(themes.Text).FG.String(),
		faint: t.Style(themes.Faint).FG.String(), edge: t.Style(themes.Selection).BG.String(),
	}, nil
}

// fonts are what systems have; nothing is loaded.
const fonts = `ui-monospace,'SF Mono','JetBrains Mono','DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace`

// piece is a part of a row in one style.
type piece struct {
	x, width int
	text     string
	style    uv.Style
}

// render draws a screen of w by h cells, rows parted by LF.
func render(screen string, w, h int, title string) ([]byte, error) {
	emu := vt.NewEmulator(w, h)
	defer func() { _ = emu.Close() }() // it holds nothing
	if _, err := emu.WriteString(strings.ReplaceAll(screen, "\n", "\r\n")); err != nil {
		return nil, err
	}
	own, err := around()
	if err != nil {
		return nil, err
	}
	width, height := 2*margin+float64(w)*cellW, bar+margin+float64(h)*cellH
	var b bytes.Buffer
	put := func(format string, args ...any) { _, _ = fmt.Fprintf(&b, format+"\n", args...) } // a buffer does not fail
	put(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.1f %.1f" role="img">`, width, height, width, height)
	put(`<title>%s</title>`, html.EscapeString(title))
	put(`<rect x="0.5" y="0.5" width="%.1f" height="%.1f" rx="9" fill="%s" stroke="%s"/>`, width-1, height-1, own.paper, own.edge)
	for i := range 3 {
		put(`<circle cx="%.1f" cy="%.1f" r="5" fill="%s"/>`, margin+6+float64(i)*17, bar/2, own.edge)
	}
	put(`<text x="%.1f" y="%.1f" text-anchor="middle" font-family="%s" font-size="12" fill="%s">%s</text>`, width/2, bar/2+4, fonts, own.faint, html.EscapeString(title))
	put(`<g font-family="%s" font-size="14" xml:space="preserve">`, fonts)
	for y := range h {
		for _, p := range pieces(emu, w, y) {
			p.draw(put, y, &own)
		}
	}
	put(`</g>`)
	put(`</svg>`)
	return b.Bytes(), nil
}

// pieces joins the cells of a row that have one style.
func pieces(emu *vt.Emulator, w, y int) []piece {
	var out []piece
	for x := 0; x < w; {
		c := emu.CellAt(x, y)
		text, width, style := " ", 1, uv.Style{}
		if c != nil {
			text, width, style = c.Content, max(c.Width, 1), c.Style
		}
		if text == "" {
			text = " "
		}
		if n := len(out) - 1; n >= 0 && out[n].style.Equal(&style) {
			out[n].text += text
			out[n].width += width
		} else {
			out = append(out, piece{x, width, text, style})
		}
		x += width
	}
	return out
}

func (p *piece) draw(put func(string, ...any), y int, own *surroundings) {
	fg, bg := name(p.style.Fg, own.plain), name(p.style.Bg, "")
	if p.style.Attrs&uv.AttrReverse != 0 {
		fg, bg = name(p.style.Bg, own.paper), fg
	}
	left, top := margin+float64(p.x)*cellW, bar+float64(y)*cellH
	if bg != "" {
		put(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`, left, top, float64(p.width)*cellW, cellH, bg)
	}
	body := strings.TrimRight(p.text, " ")
	if body == "" {
		return
	}
	// Each piece has its length in cells, so that no font moves a column.
	indent := len(body) - len(strings.TrimLeft(body, " "))
	body = body[indent:]
	cells := p.width - indent - (len(p.text) - indent - len(body))
	more := ""
	if p.style.Attrs&uv.AttrBold != 0 {
		more += ` font-weight="bold"`
	}
	if p.style.Attrs&uv.AttrFaint != 0 {
		more += ` fill-opacity="0.65"`
	}
	if p.style.Underline != uv.UnderlineNone {
		more += ` text-decoration="underline"`
	}
	length := float64(cells) * cellW
	put(`<text x="%.1f" y="%.1f" textLength="%.1f" lengthAdjust="spacingAndGlyphs" fill="%s"%s>%s</text>`,
		left+float64(indent)*cellW, top+baseline, length, fg, more, html.EscapeString(body))
}

// name is a colour as SVG writes it, or what stands for the terminal's own.
func name(c color.Color, unset string) string {
	if c == nil {
		return unset
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
