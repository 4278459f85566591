//go:build unix

package claudetest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// verdict is a test that only remembers how it was ended.
type verdict struct {
	testing.TB
	failed, skipped bool
}

func (v *verdict) Helper()               {}
func (v *verdict) Fatalf(string, ...any) { v.failed = true }
func (v *verdict) Skipf(string, ...any)  { v.skipped = true }

func TestWithoutClaudeCIFailsAndOthersSkip(t *testing.T) {
	for ci, fails := range map[string]bool{"true": true, "1": true, "": false, "false": false} {
		v := &verdict{}
		absent(v, ci, errors.New("gone"))
		if v.failed != fails {
			t.Errorf("CI=%q: failed = %v, want %v", ci, v.failed, fails)
		}
		if !v.failed && !v.skipped {
			t.Errorf("CI=%q: neither failed nor skipped", ci)
		}
	}
}

func TestFindRefusesWhatIsNotClaude(t *testing.T) {
	other := filepath.Join(t.TempDir(), "claude")
	if err := os.WriteFile(other, []byte("#!/bin/sh\necho 1.0 '(Other)'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := find(t.Context(), other); err == nil || !strings.Contains(err.Error(), "not claude code") {
		t.Errorf("find = %v, want a refusal", err)
	}
	if _, err := find(t.Context(), other+".gone"); err == nil {
		t.Error("found what is not there")
	}
}
