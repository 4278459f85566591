package themes

import (
	"fmt"
	"math"
	"strconv"
)

// Color is a colour of a theme: the terminal's own default (the zero Color),
// one of its sixteen, or a fixed one.
type Color struct {
	kind    colorKind
	r, g, b uint8 // r is the index of one of the sixteen
}

type colorKind uint8

const (
	colorDefault colorKind = iota
	colorANSI
	colorRGB
)

// Default reports whether c is the terminal's own colour.
func (c Color) Default() bool { return c.kind == colorDefault }

// ANSI returns which of the terminal's sixteen colours c is.
func (c Color) ANSI() (index int, ok bool) { return int(c.r), c.kind == colorANSI }

// RGB returns the parts of a fixed colour.
func (c Color) RGB() (r, g, b uint8, ok bool) { return c.r, c.g, c.b, c.kind == colorRGB }

// String writes c for a terminal library: the index of one of the sixteen, or
// "#rrggbb"; "" for the terminal's own.
func (c Color) String() string {
	switch c.kind {
	case colorANSI:
		return strconv.Itoa(int(c.r))
	case colorRGB:
		return fmt.Sprintf("#%02x%02x%02x", c.r, c.g, c.b)
	default:
		return ""
	}
}

// ansiNames are the sixteen colours in their order.
func ansiNames() []string {
	return []string{
		"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
		"bright-black", "bright-red", "bright-green", "bright-yellow",
		"bright-blue", "bright-magenta", "bright-cyan", "bright-white",
	}
}

// parseColor reads "#rrggbb", the name of one of the sixteen, or "default".
func parseColor(s string) (Color, error) {
	if s == "default" {
		return Color{}, nil
	}
	for i, n := range ansiNames() {
		if s == n {
			return Color{kind: colorANSI, r: uint8(i)}, nil
		}
	}
	if len(s) == 7 && s[0] == '#' {
		if v, err := strconv.ParseUint(s[1:], 16, 24); err == nil {
			return Color{colorRGB, uint8(v >> 16), uint8(v >> 8), uint8(v)}, nil
		}
	}
	return Color{}, fmt.Errorf(`%q is no colour; write "#rrggbb", "default" or one of the sixteen such as "cyan"`, s)
}

// Contrast returns the contrast ratio of two fixed colours, 1 to 21 (WCAG 2.2,
// 1.4.3); ok is false when one of them is the terminal's.
func Contrast(a, b Color) (ratio float64, ok bool) {
	if a.kind != colorRGB || b.kind != colorRGB {
		return 0, false
	}
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05), true
}

func (c Color) luminance() float64 {
	lin := func(v uint8) float64 {
		if s := float64(v) / 255; s > 0.04045 {
			return math.Pow((s+0.055)/1.055, 2.4)
		}
		return float64(v) / 255 / 12.92
	}
	return 0.2126*lin(c.r) + 0.7152*lin(c.g) + 0.0722*lin(c.b)
}
