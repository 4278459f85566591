package digest

import (
	"bytes"
	"strconv"
)

// lossless reports whether a JSON number literal passes the guard of DESIGN §3:
// its shortest round-trip double prints the same decimal value. Negative zero
// does not pass, because RFC 8785 prints it as 0. lit must follow the number
// grammar of RFC 8259; anything else gets an answer without meaning.
func lossless(lit []byte) bool {
	if len(lit) <= 15 && shortInteger(lit) {
		return true
	}
	d, ok := decimalOf(lit)
	if !ok {
		return false
	}
	if d.n == 0 {
		return lit[0] != '-'
	}
	if d.n > 17 {
		return false // no shortest round-trip form has more digits
	}
	// Every decimal of 15 digits comes back from a normal double.
	if d.n <= 15 && -300 <= d.exp && d.exp <= 300 {
		return true
	}
	f, err := strconv.ParseFloat(string(lit), 64)
	if err != nil {
		return false
	}
	var buf [32]byte
	back, ok := decimalOf(strconv.AppendFloat(buf[:0], f, 'e', -1, 64))
	return ok && back == d
}

// shortInteger reports whether lit is digits only, and not negative zero.
func shortInteger(lit []byte) bool {
	digits := lit
	if len(lit) > 0 && lit[0] == '-' {
		digits = lit[1:]
		if len(digits) == 1 && digits[0] == '0' {
			return false
		}
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(digits) > 0
}

// decimal is the value 0.d1d2…dn × 10^exp, without leading or trailing zeros.
// The digits of values with n > 17 are not kept.
type decimal struct {
	digits [17]byte
	n      int
	exp    int
	minus  bool
}

// decimalOf normalises a literal; ok is false when its exponent is out of any
// range a double could have.
func decimalOf(lit []byte) (d decimal, ok bool) {
	if len(lit) > 0 && lit[0] == '-' {
		d.minus = true
		lit = lit[1:]
	}
	mantissa, exp := lit, 0
	if i := bytes.IndexAny(lit, "eE"); i >= 0 {
		mantissa = lit[:i]
		exp, ok = exponent(lit[i+1:])
	} else {
		ok = true
	}
	point, seen, zeros := -1, 0, 0 // seen counts digits after the first non-zero one
	lead := 0                      // zeros before it, after the point
	for i, c := range mantissa {
		switch {
		case c == '.':
			point = i
		case c == '0' && seen == 0:
			if point >= 0 {
				lead++
			}
		default:
			seen++
			if c == '0' {
				zeros++
			} else {
				zeros = 0
			}
			if seen <= len(d.digits) {
				d.digits[seen-1] = c
			}
			if point < 0 {
				d.exp++
			}
		}
	}
	d.n = seen - zeros
	if d.n == 0 {
		return decimal{minus: d.minus}, true // zero, whatever its exponent says
	}
	for i := d.n; i < min(seen, len(d.digits)); i++ {
		d.digits[i] = 0
	}
	d.exp += exp - lead
	return d, ok
}

// exponent reads the part after e; ok is false beyond ±2^30, where the longest
// mantissa a document can hold no longer brings the value back.
func exponent(b []byte) (exp int, ok bool) {
	minus := false
	if len(b) > 0 && (b[0] == '+' || b[0] == '-') {
		minus = b[0] == '-'
		b = b[1:]
	}
	for _, c := range b {
		exp = exp*10 + int(c-'0')
		if exp > 1<<30 {
			return 0, false
		}
	}
	if minus {
		exp = -exp
	}
	return exp, true
}

// numberLiteral reports whether s is exactly one JSON number (RFC 8259 §6).
func numberLiteral(s []byte) bool {
	i := 0
	if i < len(s) && s[i] == '-' {
		i++
	}
	whole := digitsAt(s, i)
	if whole == 0 || whole > 1 && s[i] == '0' {
		return false
	}
	i += whole
	if i < len(s) && s[i] == '.' {
		frac := digitsAt(s, i+1)
		if frac == 0 {
			return false
		}
		i += 1 + frac
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		n := digitsAt(s, i)
		if n == 0 {
			return false
		}
		i += n
	}
	return i == len(s)
}

func digitsAt(s []byte, i int) int {
	n := 0
	for i+n < len(s) && '0' <= s[i+n] && s[i+n] <= '9' {
		n++
	}
	return n
}
