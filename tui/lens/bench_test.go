package lens_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"nod/tui/lens"
)

// source is a program of n lines; every step-th line says something else.
func source(n, step, salt int) string {
	var b strings.Builder
	for i := range n {
		if i%step == 0 {
			fmt.Fprintf(&b, "\tif x%d > %d {\n", i, i*salt)
		} else {
			fmt.Fprintf(&b, "\treturn fmt.Sprint(%d)\n", i%997)
		}
	}
	return b.String()
}

// shuffled has the same lines in another order.
func shuffled(s string) string {
	lines := strings.SplitAfter(s, "\n")
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return strings.Join(lines, "")
}

// sidesOf are pairs of files that cost most.
func sidesOf(n int) map[string][2]string {
	a := source(n, 10, 1)
	return map[string][2]string{
		"one line in ten": {a, source(n, 10, 2)},
		"every line":      {source(n, 1, 1), source(n, 1, 2)},
		"nothing alike":   {source(n, 1, 1), strings.ReplaceAll(source(n, 1, 3), "x", "yy")},
		"another order":   {a, shuffled(a)},
		"two lines only":  {strings.Repeat("a\nb\n", n/2), strings.Repeat("b\nb\na\n", n/3)},
	}
}

func diffIn(t testing.TB, before, after string) lens.In {
	t.Helper()
	a := ask(t, "Write", write{"/f", after})
	return lens.In{Ask: a, File: file(before)}
}

// BenchmarkNew is what a console waits for beside its event loop.
func BenchmarkNew(b *testing.B) {
	for name, s := range sidesOf(lens.MaxLines) {
		i := diffIn(b, s[0], s[1])
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				lens.New(lens.Diff, i)
			}
		})
	}
}

// BenchmarkLay is the first frame at a width.
func BenchmarkLay(b *testing.B) {
	s := sidesOf(lens.MaxLines)["one line in ten"]
	l := lens.New(lens.Diff, diffIn(b, s[0], s[1]))
	for w := 60; b.Loop(); w ^= 1 {
		l.Lay(look(true), w)
	}
}

// BenchmarkRender is a frame while the lens is scrolled: it must not depend on
// the length.
func BenchmarkRender(b *testing.B) {
	for _, n := range []int{1000, lens.MaxLines} {
		s := sidesOf(n)["one line in ten"]
		l := lens.New(lens.Diff, diffIn(b, s[0], s[1]))
		l.Lay(look(true), 59)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				l.Scroll(look(true), 3, 59, 40)
				l.Render(look(true), 59, 40)
			}
		})
	}
}

// BenchmarkLongLine is a frame within one line of 4 MiB.
func BenchmarkLongLine(b *testing.B) {
	l := lens.New(lens.Diff, diffIn(b, "", strings.Repeat("tab\tand \u200B word ", 180_000)))
	l.Lay(look(true), 59)
	for b.Loop() {
		l.Scroll(look(true), 1000, 59, 40)
		l.Render(look(true), 59, 40)
	}
}
