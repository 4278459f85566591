package config

import (
	"slices"
	"testing"

	"nod/tui/alert"
)

// The words that the configuration takes are those that the console knows.
func TestAlertWordsAreTheConsoles(t *testing.T) {
	var want []string
	for _, k := range alert.Kinds() {
		want = append(want, string(k))
	}
	if !slices.Equal(alerts(), want) {
		t.Errorf("configuration %v, console %v", alerts(), want)
	}
}

func TestOn(t *testing.T) {
	for _, c := range []struct {
		n    Notify
		want bool
	}{{Default().Notify, false}, {Notify{Webhooks: []string{"https://a/"}}, true}, {Notify{Command: []string{"/bin/x"}}, true}} {
		if c.n.On() != c.want {
			t.Errorf("%+v: %v", c.n, c.n.On())
		}
	}
}
