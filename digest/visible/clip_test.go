package visible_test

import (
	"testing"

	"nod/digest/visible"
)

func TestClip(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"", 4, ""}, {"four", 4, "four"}, {"fives", 4, "f…"}, {"aéé", 5, "aéé"}, {"aééé", 5, "a…"}, {"aééé", 6, "aé…"},
		{"a\xffb", 9, "a\uFFFDb"}, {"日本語", 8, "日…"}, {"日本語", 5, "…"},
	} {
		if got := visible.Clip(c.text, c.most); got != c.want || len(got) > c.most {
			t.Errorf("%q in %d: %q", c.text, c.most, got)
		}
	}
}
