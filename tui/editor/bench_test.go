package editor

import (
	"strings"
	"testing"
)

// BenchmarkKey is one key and one frame in a text of 1 MiB.
func BenchmarkKey(b *testing.B) {
	for name, text := range map[string]string{
		"lines":    strings.Repeat("    \"key\": \"value\",\n", 1<<20/20),
		"one line": `"` + strings.Repeat("x", 1<<20) + `"`,
		"one wide": `"` + strings.Repeat("界", 1<<20/3) + `"`,
		"escapes":  `"` + strings.Repeat(`\u202e`, 1<<20/6) + `"`,
		"breaks":   strings.Repeat("\n", 1<<20),
	} {
		for _, key := range []string{"x", "down", "enter", "backspace"} {
			b.Run(name+"/"+key, func(b *testing.B) {
				e := New(text, false)
				e.Size(120, 36)
				e.Goto(len(e.lines)/2+1, len([]rune(e.lines[len(e.lines)/2]))/2+1)
				letter := ""
				if key == "x" {
					letter = key
				}
				for b.Loop() {
					e.Key(key, letter)
					e.Render(look(false), 120, 36)
				}
			})
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	e := New(JSON([]byte(`["`+strings.Repeat(`value \n`, 1<<20/8)+`"]`)), false)
	for b.Loop() {
		if _, problem, _, _ := e.Check(); problem.Len() > 0 {
			b.Fatal(problem)
		}
	}
}
