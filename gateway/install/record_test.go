package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRecordEach: each settings file has its own record, so that taking the
// gate out of one leaves what is remembered of the other.
func TestRecordEach(t *testing.T) {
	const first, second = "{\n  \"model\": \"opus\"\n}\n", `{"permissions":{"disableAutoMode":"disable"},"hooks":{}}`
	s := newClaude(t, first)
	u := s
	u.Settings = filepath.Join(filepath.Dir(s.Settings), "managed.json")
	put(t, u.Settings, second)
	do(t, s.Install)
	do(t, u.Install)
	put(t, s.Settings, strings.Replace(read(t, s.Settings), "opus", "haiku", 1)) // so that the record's parts count
	if p := do(t, s.Uninstall); len(p.Left) != 0 {
		t.Errorf("these stay: %v", p.Left)
	}
	do(t, u.Uninstall)
	if got, want := read(t, s.Settings), strings.Replace(first, "opus", "haiku", 1); got != want {
		t.Errorf("the first is\n%s\nwant\n%s", got, want)
	}
	if got := read(t, u.Settings); got != second {
		t.Errorf("the second is\n%s\nwant\n%s", got, second)
	}
	if left, err := os.ReadDir(filepath.Dir(s.Record)); err != nil || len(left) != 0 {
		t.Errorf("records are left: %v, %v", left, err)
	}
}

// TestOlderRecord: the one record of an older version counts for its settings
// and goes with them; another's stays where it is.
func TestOlderRecord(t *testing.T) {
	for _, again := range []bool{false, true} {
		c := newClaude(t, texts["two"])
		do(t, c.Install)
		if err := os.Rename(recordOf(c.Record, c.Settings), c.Record); err != nil {
			t.Fatal(err)
		}
		other := c
		other.Settings = filepath.Join(t.TempDir(), "other.json")
		put(t, other.Settings, "{}")
		do(t, other.Install)
		do(t, other.Uninstall)
		if read(t, c.Record) == absent {
			t.Fatal("the other's uninstall took the record")
		}
		if again {
			c.Timeout = 7200
			do(t, c.Install)
			if read(t, c.Record) != absent {
				t.Error("the older record is left beside the new one")
			}
		}
		do(t, c.Uninstall)
		if got := read(t, c.Settings); got != texts["two"] {
			t.Errorf("again %v: the settings are\n%s", again, got)
		}
		if read(t, c.Record) != absent {
			t.Error("the older record is left")
		}
	}
}

// TestNoRecord: what cannot be put back is named.
func TestNoRecord(t *testing.T) {
	c := newClaude(t, "{}")
	do(t, c.Install)
	if err := os.Remove(recordOf(c.Record, c.Settings)); err != nil {
		t.Fatal(err)
	}
	want := []string{"/permissions/ask", "/permissions/denyInsteadOfPrompting", "/permissions/disableBypassPermissionsMode", "/permissions/disableAutoMode"}
	if p := do(t, c.Uninstall); !slices.Equal(p.Left, want) {
		t.Errorf("left: %v, want %v", p.Left, want)
	}
	if p := do(t, c.Uninstall); p.Changed() || len(p.Left) != 0 {
		t.Errorf("a second uninstall: changed %v, left %v; these are the owner's now", p.Changed(), p.Left)
	}
}
