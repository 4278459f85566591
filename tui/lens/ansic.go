package lens

import (
	"strings"
	"unicode/utf8"
)

// ansiC decodes the inside of $'…' as bash does. The result may hold any byte.
func ansiC(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b []byte
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 == len(s) {
			b = append(b, s[i])
			i++
			continue
		}
		c := s[i+1]
		i += 2
		switch c {
		case 'a', 'b', 'f', 'n', 'r', 't', 'v':
			b = append(b, "\a\b\f\n\r\t\v"[strings.IndexByte("abfnrtv", c)])
		case 'e', 'E':
			b = append(b, 0x1B)
		case '\\', '\'', '"', '?':
			b = append(b, c)
		case 'x':
			n, v := base(s[i:], 2, 16)
			if n == 0 {
				b = append(b, `\x`...)
				continue
			}
			b = append(b, byte(v))
			i += n
		case 'u', 'U':
			most := 4
			if c == 'U' {
				most = 8
			}
			n, v := base(s[i:], most, 16)
			if n == 0 {
				b = append(b, '\\', c)
				continue
			}
			b = utf8.AppendRune(b, rune(v))
			i += n
		case 'c':
			if i < len(s) {
				b = append(b, s[i]&0x1F)
				i++
			}
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n, v := base(s[i-1:], 3, 8)
			b = append(b, byte(v))
			i += n - 1
		default:
			b = append(b, '\\', c)
		}
	}
	return string(b)
}

// base reads at most most digits of a base: how many there are, and the value.
func base(s string, most int, base int64) (n int, v int64) {
	for n < len(s) && n < most {
		d := int64(strings.IndexByte("0123456789abcdef", s[n]|0x20))
		if s[n] >= '0' && s[n] <= '9' {
			d = int64(s[n] - '0')
		}
		if d < 0 || d >= base {
			break
		}
		v = v*base + d
		n++
	}
	return n, v
}
