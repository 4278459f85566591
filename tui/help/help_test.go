package help

import (
	"strings"
	"testing"

	"nod/tui/keys"
)

func TestEveryBindingOfAPlaceIsThereWithItsReason(t *testing.T) {
	m, err := keys.New(keys.Table())
	if err != nil {
		t.Fatal(err)
	}
	why := func(b keys.Binding) string {
		if b.Intent == keys.Approve {
			return "6 lines have not been on the screen"
		}
		return ""
	}
	for _, place := range []keys.Place{keys.Inbox, keys.Detail, keys.History, keys.Replay, keys.Help} {
		for _, w := range []int{60, 80, 120} {
			p := New(place)
			var text strings.Builder
			for range 60 {
				for _, l := range p.Render(m, why, w, 12) {
					text.WriteString(l.Plain() + "\n")
				}
				p.Scroll(m, why, w, 12, 12)
			}
			for _, b := range m.In(place) {
				want := b.Does
				if b.Intent == keys.Approve {
					want = "(approve…) 6 lines have not"
				}
				if !strings.Contains(text.String(), want) {
					t.Errorf("place %d at %d lacks %q:\n%s", place, w, want, text.String())
				}
			}
		}
	}
}
