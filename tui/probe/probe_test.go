package probe

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		in    string
		cols  []int
		typed int
		half  bool
		quit  bool
	}{
		{"", nil, 0, false, false},
		{"\x1b[12;1R\x1b[12;3R", []int{1, 3}, 0, false, false},
		{"y\x1b[1;1Rapprove\r\x1b[1;2R\x1b", []int{1, 2}, 10, true, false},
		{"\x1b[A\x1b[12;", nil, 8, true, false},
		{"\x1b[R\x1b[;R\x1b[1R\x1b[1;R", nil, 16, false, false},
		{"\x03\x1b[1;1R", []int{1}, 1, false, true},
		{"\x1b[1;99999999999999999999R", nil, 0, false, false},
	} {
		p := parse([]byte(c.in))
		if len(p.cols) != len(c.cols) || p.half != c.half || p.quit != c.quit {
			t.Errorf("%q: %+v", c.in, p)
			continue
		}
		for i := range c.cols {
			if p.cols[i] != c.cols[i] {
				t.Errorf("%q: %+v", c.in, p)
			}
		}
		if c.typed > 0 && p.typed != c.typed {
			t.Errorf("%q: %d typed, want %d", c.in, p.typed, c.typed)
		}
	}
}

func TestWide(t *testing.T) {
	if !Wide(1, 3) || Wide(1, 2) || Wide(1, 1) || Wide(3, 1) || Wide(1, 80) {
		t.Error("two cells are two cells")
	}
}

func TestWanted(t *testing.T) {
	if !Wanted(false, "xterm-256color") || Wanted(true, "xterm") || Wanted(false, "dumb") || Wanted(false, "") {
		t.Error("asked where nothing can be learned")
	}
}

func TestSentences(t *testing.T) {
	for _, r := range []Result{{Wide: true}, {Typed: 3}, {Wide: true, Typed: 3}} {
		head, rest := r.Says()
		if head == "" || len(head+": "+rest) > 78 || !strings.HasSuffix(rest, ".") {
			t.Errorf("%+v: %q, %q", r, head, rest)
		}
	}
	if head, rest := (Result{Owed: 2}).Says(); head+rest != "" {
		t.Errorf("a silent terminal is spoken of: %q", rest)
	}
}
