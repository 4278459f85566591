//go:build unix

package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestThemeFiles(t *testing.T) {
	p := place(t, "")
	uid := os.Getuid()
	if files, err := ThemeFiles(p, uid); err != nil || len(files) != 0 {
		t.Fatalf("no directory: %v, %v", files, err)
	}
	t.Run("working directory", func(t *testing.T) {
		t.Chdir(t.TempDir())
		if err := os.MkdirAll("themes", 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("themes/x.toml", nil, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, p := range []string{"", "config.toml"} {
			if files, err := ThemeFiles(p, uid); err != nil || len(files) != 0 {
				t.Errorf("%q reads the working directory: %v, %v", p, files, err)
			}
		}
	})
	dir := filepath.Join(filepath.Dir(p), "themes")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]os.FileMode{"b.toml": 0o600, "a-1.toml": 0o600, "open.toml": 0o666, "A.toml": 0o600, "notes.txt": 0o600, ".x.toml": 0o600} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("name = \""+name+"\""), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.toml"), 0o700); err != nil {
		t.Fatal(err)
	}
	files, err := ThemeFiles(p, uid)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, f := range files {
		code := string(f.Text)
		var e *Error
		if errors.As(f.Err, &e) {
			code = e.Code
		}
		got += f.Name + " " + code + "\n"
	}
	want := "A config_bad_path\na-1 name = \"a-1.toml\"\nb name = \"b.toml\"\nfolder config_unreadable\nopen config_loose\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	files, err = ThemeFiles(p, uid)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Err == nil {
			t.Errorf("%s is read from a directory that everybody writes to", f.Name)
		}
	}
}

func TestFaultsOfTheConsoleNameTheLine(t *testing.T) {
	p := place(t, "[ui]\ntheme = \"pink\"\n\n[keys]\napprove = \"1\"\ndetail.deny = \"2\"\n")
	c, err := Load(p, os.Getuid())
	if err != nil {
		t.Fatal(err)
	}
	for line, e := range map[int]*Error{
		2: c.ThemeFault("theme_error", "no", "h"), 5: c.KeyFault("approve", "keys_refused", "no", "h"), 6: c.KeyFault("detail.deny", "keys_refused", "no", "h"),
	} {
		if e.Line != line || e.File != p || !strings.HasSuffix(e.Error(), "no") {
			t.Errorf("%v: line %d, want %d", e, e.Line, line)
		}
	}
}
