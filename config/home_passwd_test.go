//go:build unix && !darwin

package config

import (
	"strings"
	"testing"
)

func TestHomeIn(t *testing.T) {
	const passwd = "root:x:0:0:root:/root:/bin/sh\nshort:x:1000\nmia:x:1000:1000::/home/mia/:/bin/sh\nmia2:x:1000:1000::/other:/bin/sh\nodd:x:7:7::nowhere:/bin/sh\n"
	for uid, want := range map[int]string{0: "/root", 1000: "/home/mia", 7: "", 9: ""} {
		if _, got, err := accountIn(strings.NewReader(passwd), uid); err != nil || got != want {
			t.Errorf("home of %d is %q (%v), want %q", uid, got, err, want)
		}
	}
}
