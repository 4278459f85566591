package lens_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"nod/digest/visible"
	"nod/tui/frame"
	"nod/tui/lens"
)

// wide is a pane on which no line is wrapped.
const wide = 1 << 16

// sides reads the two texts back off a drawn diff.
func sides(t testingTB, l *lens.Lens, lk frame.Look) (before, after string) {
	t.Helper()
	var b, a strings.Builder
	rows := l.Render(lk, wide, 1<<20)
	for _, row := range rows[2 : len(rows)-1] {
		s := row.Plain()
		if len(s) < 12 {
			t.Fatalf("short row %q", s)
		}
		sign, text := s[9:10], s[12:]
		if row[0].Role == 0 && strings.TrimSpace(s[:9]) == "" && sign == " " {
			t.Fatalf("a row of no line: %q", s)
		}
		line := undraw(t, text, lk.Split)
		if sign != "+" {
			b.WriteString(line + "\n")
		}
		if sign != "-" {
			a.WriteString(line + "\n")
		}
	}
	return b.String(), a.String()
}

// undraw reads one drawn line back.
func undraw(t testingTB, s string, split bool) string {
	t.Helper()
	text, cr := strings.CutSuffix(s, "␍")
	var out string
	if split {
		parts := strings.Split(text, "⇥   ")
		for i, part := range parts {
			p, err := visible.Undraw(visible.Strict, part)
			if err != nil {
				t.Fatalf("%q: %v", part, err)
			}
			parts[i] = p
		}
		out = strings.Join(parts, "\t")
	} else {
		var err error
		if out, err = visible.Undraw(visible.Value, text); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
	}
	if cr {
		out += "\r"
	}
	return out
}

// TestDiffHoldsBothSides: the rows of the old side and of both give the file
// back, those of the new side and of both what is written.
func TestDiffHoldsBothSides(t *testing.T) {
	line := rapid.OneOf(
		rapid.SampledFrom([]string{"a b c", "a b d", "", "\tx := 1", "\tx := 2", `\u{41}`, `\\u{41} \n`, "}", "x\r", "e\u0301", "\u0301", "a  \u200B b", strings.Repeat(" ", 40), "界 ⏎ │", `\<9>`, "u{41}"}),
		rapid.StringN(0, 12, -1).Filter(func(s string) bool { return !strings.Contains(s, "\n") }),
	)
	text := rapid.Custom(func(t *rapid.T) string {
		lines := rapid.SliceOfN(line, 0, 12).Draw(t, "lines")
		if len(lines) == 0 {
			return ""
		}
		return strings.Join(lines, "\n") + "\n"
	})
	rapid.Check(t, func(rt *rapid.T) {
		old, new := text.Draw(rt, "old"), text.Draw(rt, "new")
		if strings.ContainsRune(old+new, 0) {
			rt.Skip() // has a note of its own
		}
		i := in(t, ask(t, "Write", write{"/f", new}, bound(old)))
		i.File = file(old)
		for _, split := range []bool{false, true} {
			b, a := sides(rt, lens.New(lens.Diff, i), look(split))
			if b != old || a != new {
				rt.Fatalf("old %q read back as %q, new %q as %q", old, b, new, a)
			}
		}
	})
}

// testingTB is what a test, a fuzz and a property have in common.
type testingTB interface {
	Helper()
	Fatalf(format string, args ...any)
}
