package lens_test

import (
	"testing"

	"nod/tui/lens"
)

const before = `package cart

// Total adds the lines.
func Total(ls []Line) Money {
	var sum Money
	for _, l := range ls {
		sum += l.Price * Money(l.Count)
	}
	return sum
}
`

const after = `package cart

// Total adds the lines, then the tax.
func Total(ls []Line, tax Rate) Money {
	var sum Money
	for _, l := range ls {
		sum += l.Price * Money(l.Count)
	}
	return sum + tax.Of(sum)
}
`

type write struct {
	Path    string `json:"file_path"`
	Content string `json:"content"`
}

// TestDiffIsTheScreen: the lens of SCREENS §4, row by row.
func TestDiffIsTheScreen(t *testing.T) {
	i := in(t, ask(t, "Write", write{"/srv/shop/cart/total.go", after}, bound(before)))
	i.File = file(before)
	same(t, screen(lens.New(lens.Diff, i), look(true), 59, 16), `
 word diff · not part of what you approve
 against the file on disk at 14:30:12, operand digest equal
   1   1    package cart
   2   2
   3     -  // Total adds the lines.
       3 +  // Total adds the lines, then the tax.
   4     -  func Total(ls []Line) Money {
       4 +  func Total(ls []Line, tax Rate) Money {
   5   5    ⇥   var sum Money
   6   6    ⇥   for _, l := range ls {
   7   7    ⇥   ⇥   sum += l.Price * Money(l.Count)
   8   8    ⇥   }
   9     -  ⇥   return sum
       9 +  ⇥   return sum + tax.Of(sum)
  10  10    }
 3 of 10 lines changed, 0 added, 0 removed · whole file`)
}
