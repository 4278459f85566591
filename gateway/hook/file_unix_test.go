//go:build unix

package hook_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
)

// TestChangedFile holds: a change of a file is approved for the file as it was,
// at the place where it was, or for none.
func TestChangedFile(t *testing.T) {
	write := func(path, text string) error { return os.WriteFile(path, []byte(text), 0o600) }
	relink := func(path, target string) error { return errors.Join(os.Remove(path), os.Symlink(target, path)) }
	before, nothing := string(digest.Of([]byte("before"))), string(digest.Of(nil))
	for name, c := range map[string]struct {
		path   string // below the directory: file, link (to file), dir/inner, away (a link to nothing), new, pipe
		card   []string
		change func(dir string) error
		runs   bool
	}{
		"unchanged":          {"file", []string{`"file"`, before}, func(string) error { return nil }, true},
		"written the same":   {"file", nil, func(d string) error { return write(d+"/file", "before") }, true},
		"changed":            {"file", nil, func(d string) error { return write(d+"/file", "other") }, false},
		"gone":               {"file", nil, func(d string) error { return os.Remove(d + "/file") }, false},
		"a directory now":    {"file", nil, func(d string) error { return errors.Join(os.Remove(d+"/file"), os.Mkdir(d+"/file", 0o700)) }, false},
		"a pipe now":         {"file", nil, func(d string) error { return errors.Join(os.Remove(d+"/file"), syscall.Mkfifo(d+"/file", 0o600)) }, false},
		"a link now":         {"file", nil, func(d string) error { return relink(d+"/file", d+"/twin") }, false},
		"still none":         {"new", []string{`"no file"`, nothing}, func(string) error { return nil }, true},
		"made":               {"new", nil, func(d string) error { return write(d+"/new", "x") }, false},
		"made empty":         {"new", nil, func(d string) error { return write(d+"/new", "") }, false},
		"through a link":     {"link", []string{"file at ", "/file\"", before}, func(string) error { return nil }, true},
		"link turned":        {"link", nil, func(d string) error { return relink(d+"/link", d+"/twin") }, false},
		"directory turned":   {"dir/inner", []string{"file at ", "/real/inner\""}, func(d string) error { return relink(d+"/dir", d+"/real2") }, false},
		"to nothing":         {"away", []string{"no file at ", "/nowhere\""}, func(string) error { return nil }, true},
		"to other nothing":   {"away", nil, func(d string) error { return relink(d+"/away", d+"/elsewhere") }, false},
		"still a pipe":       {"pipe", []string{", operands,"}, func(string) error { return nil }, true},
		"the pipe is a file": {"pipe", nil, func(d string) error { return errors.Join(os.Remove(d+"/pipe"), write(d+"/pipe", "x")) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGate(t)
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(write(dir+"/file", "before"), write(dir+"/twin", "before"), os.Symlink(dir+"/file", dir+"/link"),
				os.Mkdir(dir+"/real", 0o700), os.Mkdir(dir+"/real2", 0o700), write(dir+"/real/inner", "same"), write(dir+"/real2/inner", "same"),
				os.Symlink("real", dir+"/dir"), os.Symlink("nowhere", dir+"/away"), syscall.Mkfifo(dir+"/pipe", 0o600)); err != nil {
				t.Fatal(err)
			}
			in, _ := jsontext.AppendQuote(nil, dir+"/"+c.path)
			p := g.start(t, pre("Write", "toolu_1", `{"file_path":`+string(in)+`,"content":"after"}`), "100")
			card := g.Ask(t, g.Pending(t, 1)[0].ID).Card
			for _, want := range c.card {
				if !strings.Contains(card, want) {
					t.Errorf("the card lacks %q:\n%s", want, card)
				}
			}
			if err := c.change(dir); err != nil {
				t.Fatal(err)
			}
			g.Allow(t, "")
			want := map[bool]string{true: "allow", false: "deny"}[c.runs]
			r := p.wait(t)
			if r.exit != 0 || r.decision != want {
				t.Errorf("got %+v, want %s", r, want)
			}
			if !c.runs && !strings.Contains(r.reason, "changed after it was approved") {
				t.Errorf("it is refused with %q", r.reason)
			}
		})
	}
}
