package visible

//go:generate go test -run TestTable -update .

// Classes of characters. classTable holds them for all of Unicode.
const (
	classEscape = iota // drawn as an escape
	classSymbol        // P, S and U+0020, drawn as itself
	classBase          // L and N, drawn as itself; combining characters may follow
	classMark          // M, drawn as itself after a base in Value mode
)

// classOf returns the class of r. An entry of classTable is the first code
// point of a range shifted left by two, and the class of the range.
func classOf(r rune) uint8 {
	if r < 0x80 {
		switch {
		case 'a' <= r|0x20 && r|0x20 <= 'z', '0' <= r && r <= '9':
			return classBase
		case ' ' <= r && r <= '~':
			return classSymbol
		}
		return classEscape
	}
	key := uint32(r)<<2 | 3
	lo, hi := 0, len(classTable)
	for lo < hi {
		if m := int(uint(lo+hi) >> 1); classTable[m] <= key {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return uint8(classTable[lo-1] & 3)
}
