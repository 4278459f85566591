package cli

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"nod/tui/lens"
)

func TestWhatTheDiffReadsIsWhatAToolWouldWrite(t *testing.T) {
	dir := t.TempDir()
	real := func(parts ...string) string { return filepath.Join(append([]string{dir}, parts...)...) }
	for _, d := range []string{"shop/deep", "other/deep"} {
		if err := os.MkdirAll(real(d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []string{"shop/a", "other/a"} {
		if err := os.WriteFile(real(f), []byte(f), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(real("other", "deep"), real("shop", "link")); err != nil {
		t.Skip("no links here")
	}
	for path, want := range map[string]lens.File{
		real("shop", "a"):            {Bytes: []byte("shop/a")},
		dir + "/shop/deep/../a":      {Bytes: []byte("shop/a")},
		dir + "/shop/deep/../new":    {Missing: true},
		dir + "/shop/link/../a":      {Err: "its .. passes a link or a missing directory, so tools read it in two ways"},
		dir + "/shop/link/../new":    {Err: "its .. passes a link or a missing directory, so tools read it in two ways"},
		dir + "/shop/none/../a":      {Err: "its .. passes a link or a missing directory, so tools read it in two ways"},
		real("shop", "none"):         {Missing: true},
		real("shop"):                 {Err: "the file cannot be read here"},
		"/dev/zero":                  {Err: "the file cannot be read here"},
		real("shop") + "/a\x00b":     {Err: "the file cannot be read here"},
		real("shop", "a") + "/below": {Err: "the file cannot be read here"},
	} {
		got := readFile(path, 1)
		if string(got.Bytes) != string(want.Bytes) || got.Missing != want.Missing || got.Err != want.Err {
			t.Errorf("%q: %q, missing %v, %q", path, got.Bytes, got.Missing, got.Err)
		}
	}
}

// TestADiskThatHangsHoldsNothingUp: the lenses come without the file.
func TestADiskThatHangsHoldsNothingUp(t *testing.T) {
	hang := make(chan struct{})
	defer close(hang)
	begin := time.Now()
	f := within(20*time.Millisecond, 7, func() *lens.File { <-hang; return &lens.File{} })
	if f.Err == "" || f.At != 7 || time.Since(begin) > 5*time.Second {
		t.Errorf("%+v after %v", f, time.Since(begin))
	}
}
