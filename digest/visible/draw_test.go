package visible_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"nod/digest/visible"
)

var modes = map[string]visible.Mode{
	"value": visible.Value, "label": visible.Label, "name": visible.Name, "strict": visible.Strict,
}

func TestDraw(t *testing.T) {
	tests := []struct {
		mode     visible.Mode
		in, want string
	}{
		{visible.Value, "", ""},
		{visible.Value, "set -e\nrm", "set -e⏎\nrm"},
		{visible.Value, "a\r\nb\rc", "a␍⏎\nb\\u{D}c"},
		{visible.Value, "\tif", "⇥   if"},
		{visible.Value, "\t    if", "⇥       if"},
		{visible.Value, strings.Repeat(" ", 32), strings.Repeat(" ", 32)},
		{visible.Value, strings.Repeat(" ", 33), "⟨33×space⟩"},
		{visible.Value, "a" + strings.Repeat(" ", 45) + "b", "a⟨45×space⟩b"},
		{visible.Value, strings.Repeat("\n", 8), strings.Repeat("⏎\n", 8)},
		{visible.Value, strings.Repeat("\n", 9) + "x", "⟨9×⏎⟩\nx"},
		{visible.Value, "\r" + strings.Repeat("\n", 13), "␍⟨13×⏎⟩\n"},
		{visible.Value, "\x1b[2J\u202Etxt\u200B", `\u{1B}[2J\u{202E}txt\u{200B}`},
		{visible.Value, `\u{41}`, `\\u{41}`},
		{visible.Value, `\\u{41}`, `\\\\u{41}`},
		{visible.Value, `u{41}`, `u{41}`},
		{visible.Value, `\u{}`, `\u{}`},
		{visible.Value, `\u{1234567}`, `\u{1234567}`},
		{visible.Value, `\u{1f}`, `\u{1f}`},
		{visible.Value, `\u0041 \n`, `\u0041 \n`},
		{visible.Value, "\\\x1b", `\\\u{1B}`},
		{visible.Value, "\\\n", "\\⏎\n"},
		{visible.Value, "\\\r\n", "\\␍⏎\n"},
		{visible.Value, "\\\rx", `\\\u{D}x`},
		{visible.Value, "⏎⇥␍│·⟨⟩", `\u{23CE}\u{21E5}\u{240D}\u{2502}\u{B7}\u{27E8}\u{27E9}`},
		{visible.Value, "\u2800\u3164\uFFA0\u115F\u1160\U0001D159\U00013441\U00013442\uFFFC\u0387", `\u{2800}\u{3164}\u{FFA0}\u{115F}\u{1160}\u{1D159}\u{13441}\u{13442}\u{FFFC}\u{387}`},
		{visible.Value, "e\u0301", "e\u0301"},
		{visible.Value, "\u0301e", `\u{301}e`},
		{visible.Value, "-\u0301", `-\u{301}`},
		{visible.Value, "e\u0301\u0301\u0301\u0301\u0301", "e\u0301\u0301\u0301\u0301" + `\u{301}`},
		{visible.Value, "e\u0301\u0301\u0301\u0301\u0301\u0301", "e\u0301\u0301\u0301\u0301" + `\u{301}\u{301}`},
		{visible.Value, "e\u034F\u0301", `e\u{34F}\u{301}`}, // a grapheme joiner is no mark that shows
		{visible.Value, "e\uFE0F", `e\u{FE0F}`},
		{visible.Value, "\u200B\u0301", `\u{200B}\u{301}`},
		{visible.Value, "naïve 日本", "naïve 日本"},
		{visible.Value, "\u00A0\u3000\u2028", `\u{A0}\u{3000}\u{2028}`},
		{visible.Value, "\uE000\U0010FFFD\u0378", `\u{E000}\u{10FFFD}\u{378}`},
		{visible.Label, "a b\n\tc", `a\u{20}b\u{A}\u{9}c`},
		{visible.Label, "e\u0301", `e\u{301}`},
		{visible.Label, `\ `, `\\\u{20}`},
		{visible.Name, "Bаsh", "Bа⟨U+0430⟩sh"},
		{visible.Name, "a b", "a b"},
		{visible.Name, "a\nb\tc\r\n", `a\u{A}b\u{9}c\u{D}\u{A}`},
		{visible.Name, "e\u0301", `e\u{301}`},
		{visible.Name, "\U0001F600", "\U0001F600⟨U+1F600⟩"},
		{visible.Name, strings.Repeat(" ", 40), "⟨40×space⟩"},
		{visible.Strict, "é a\n", `\u{E9} a\u{A}`},
		{visible.Strict, strings.Repeat(" ", 40), strings.Repeat(" ", 40)},
	}
	for _, tt := range tests {
		if got := visible.Draw(tt.mode, tt.in); got != tt.want {
			t.Errorf("mode %d: draw(%q) = %q, want %q", tt.mode, tt.in, got, tt.want)
		}
		if back, err := visible.Undraw(tt.mode, tt.want); err != nil || back != tt.in {
			t.Errorf("mode %d: undraw(%q) = %q, %v, want %q", tt.mode, tt.want, back, err, tt.in)
		}
	}
}

func TestUndrawRefuses(t *testing.T) {
	tests := []struct {
		mode visible.Mode
		in   string
	}{
		{visible.Value, "\n"}, {visible.Value, "⏎"}, {visible.Value, "⏎x"}, {visible.Value, "\t"}, {visible.Value, "\x1b"},
		{visible.Value, `\u{041}`}, {visible.Value, `\u{41}`}, {visible.Value, `\u{D800}`}, {visible.Value, `\u{110000}`},
		{visible.Value, `\u{A}`}, {visible.Value, `\\\u{41}`}, {visible.Value, "⇥  x"}, {visible.Value, "␍"}, {visible.Value, "␍x"},
		{visible.Value, "⟨32×space⟩"}, {visible.Value, "⟨033×space⟩"}, {visible.Value, "⟨33×space⟩ "}, {visible.Value, " ⟨33×space⟩"},
		{visible.Value, "⟨9×⏎⟩"}, {visible.Value, "⟨8×⏎⟩\n"}, {visible.Value, "⟨×space⟩"}, {visible.Value, "⟨"}, {visible.Value, "⟩"},
		{visible.Value, strings.Repeat(" ", 33)}, {visible.Value, strings.Repeat("⏎\n", 9)}, {visible.Value, "│"}, {visible.Value, "·"},
		{visible.Value, "⟨99999999×space⟩"}, {visible.Value, "⟨99999999999999999999×space⟩"}, {visible.Value, "\u0301"},
		{visible.Value, "\u200B"}, {visible.Value, "\xff"}, {visible.Value, `e\u{301}`}, {visible.Value, "a⟨U+0041⟩"},
		{visible.Label, " "}, {visible.Label, "⏎\n"}, {visible.Label, "e\u0301"},
		{visible.Name, "а"}, {visible.Name, "а⟨U+0431⟩"}, {visible.Name, "а⟨U+430⟩"}, {visible.Name, "⏎\n"}, {visible.Name, "⇥   "},
		{visible.Strict, "é"}, {visible.Strict, "⏎\n"}, {visible.Strict, "⟨33×space⟩"},
	}
	for _, tt := range tests {
		if got, err := visible.Undraw(tt.mode, tt.in); err == nil {
			t.Errorf("mode %d: undraw(%q) = %q, want a refusal", tt.mode, tt.in, got)
		}
	}
}

// TestEveryScalar draws every Unicode scalar in five contexts and every mode.
func TestEveryScalar(t *testing.T) {
	contexts := [][2]string{{"", ""}, {"a", "b"}, {`\`, "u{41}"}, {"e\u0301", "\u0301"}, {"\r", "\n "}}
	for name, mode := range modes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for ci, c := range contexts {
				seen := make(map[string]rune, 0x3000)
				for r := rune(0); r <= utf8.MaxRune; r++ {
					if !utf8.ValidRune(r) {
						continue
					}
					s := c[0] + string(r) + c[1]
					d := visible.Draw(mode, s)
					checkDrawing(t, mode, d)
					if back, err := visible.Undraw(mode, d); err != nil || back != s {
						t.Fatalf("context %d, U+%04X: drawn %q, back %q, %v", ci, r, d, back, err)
					}
					if r < 0x3000 { // distinct drawings, on the crowded part
						if o, ok := seen[d]; ok {
							t.Fatalf("U+%04X and U+%04X are drawn alike: %q", r, o, d)
						}
						seen[d] = r
					}
				}
			}
		})
	}
}

// checkDrawing fails when a drawing holds what no screen may be sent.
func checkDrawing(t *testing.T, mode visible.Mode, d string) {
	t.Helper()
	feeds := 0
	for i, r := range d {
		switch {
		case r == 0x0A && mode == visible.Value && (strings.HasSuffix(d[:i], "⏎") || strings.HasSuffix(d[:i], "⏎⟩")):
			feeds++
		case r < ' ', r >= 0x7F && r <= 0xA0, r >= 0x80 && mode == visible.Strict:
			t.Fatalf("raw character %q in %q", r, d)
		case r < 0x300 && r != 0xAD:
		case r == 0xAD, r == 0x34F, r == 0x61C, r == 0x180E, r >= 0x200B && r <= 0x200F, r >= 0x2028 && r <= 0x202F,
			r >= 0x2060 && r <= 0x206F, r >= 0xFE00 && r <= 0xFE0F, r == 0xFEFF, r >= 0xE000 && r <= 0xF8FF, r >= 0xE0000:
			t.Fatalf("raw format character %q in %q", r, d)
		}
	}
	if feeds != strings.Count(d, "\n") {
		t.Fatalf("line break without its mark in %q", d)
	}
}

func FuzzDraw(f *testing.F) {
	for _, s := range []string{"", `\\u{41}`, "e\u0301\u0301\u0301\u0301\u0301", strings.Repeat(" ", 70), strings.Repeat("\r\n", 12), "⟨9×⏎⟩\n", "Bа⟨U+0430⟩sh"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, mode := range modes {
			if back, err := visible.Undraw(mode, s); err == nil && visible.Draw(mode, back) != s {
				t.Fatalf("mode %d: %q undrawn to %q", mode, s, back)
			}
			if !utf8.ValidString(s) {
				checkDrawing(t, mode, visible.Draw(mode, s))
				continue
			}
			d := visible.Draw(mode, s)
			checkDrawing(t, mode, d)
			if back, err := visible.Undraw(mode, d); err != nil || back != s {
				t.Fatalf("mode %d: draw(%q) = %q, undrawn %q, %v", mode, s, d, back, err)
			}
		}
	})
}

func BenchmarkDrawASCII(b *testing.B) {
	line := "git fetch origin && git switch -c hotfix/cart-total origin/main; npm ci --ignore-scripts 2>&1 | tee ci.log "
	for _, bb := range []struct{ name, s string }{
		{"plain", strings.Repeat(line, 600)},
		{"script", strings.Repeat(line+"\n\tif test -f \"a\\b\"; then\n        rm -rf ./build\n", 400)},
		{"spaces", strings.Repeat("x"+strings.Repeat(" ", 40), 1500)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			dst := make([]byte, 0, 2*len(bb.s))
			b.SetBytes(int64(len(bb.s)))
			for b.Loop() {
				dst = visible.AppendDraw(dst[:0], visible.Value, bb.s)
			}
		})
	}
}

func BenchmarkDrawMixed(b *testing.B) {
	s := strings.Repeat("Überweisung an 東京支店, 48,00 €\u200b — привет ", 1000)
	dst := make([]byte, 0, 2*len(s))
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		dst = visible.AppendDraw(dst[:0], visible.Value, s)
	}
}
