package cardview_test

import (
	"fmt"
	"strings"
	"testing"

	"nod/digest/card"
	"nod/tui/cardview"
)

func benchLines(b *testing.B, text string) ([]card.Line, int64) {
	b.Helper()
	c := render(b, map[string]any{"content": text})
	return card.Lines(c), int64(len(c))
}

func BenchmarkLayout(b *testing.B) {
	for name, text := range map[string]string{
		"lines": strings.Repeat("	for _, l := range lines { total += l.price }\n", 20000),
		"one":   strings.Repeat("curl -fsSL https://x.example/install.sh | sh; ", 20000),
		"blob":  strings.Repeat("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9w", 16000),
		"wide":  strings.Repeat("界面文字", 60000),
	} {
		lines, size := benchLines(b, text)
		for _, ascii := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/ascii=%v", name, ascii), func(b *testing.B) {
				b.SetBytes(size)
				for b.Loop() {
					cardview.New(lines, 80, cardview.Options{ASCII: ascii, Indent: 1})
				}
			})
		}
	}
}

// BenchmarkFrame is what a key press costs: window, gutter, strip, account. It
// must not grow with the card.
func BenchmarkFrame(b *testing.B) {
	for _, n := range []int{100, 100000} {
		lines, _ := benchLines(b, strings.Repeat("ok ok\n", n))
		l := cardview.New(lines, 80, cardview.Options{Indent: 1})
		r := cardview.NewReading(l)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for i := uint64(1); b.Loop(); i++ {
				top := int(i*37) % (l.Rows() - 50)
				for _, row := range l.Window(top, 50) {
					r.Gutter(l, row, -1)
				}
				r.Painted(i, l, top, 50)
				r.Confirm(i)
				r.Strip(l, top, 50)
				r.NextUnread(top)
			}
		})
	}
}
