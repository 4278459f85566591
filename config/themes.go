package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ThemeFile is a theme file of the operator's, read under the same checks as
// the configuration: who can change a theme can hide text. Err says why the
// text is not there.
type ThemeFile struct {
	Name string // the file's name without .toml
	Path string
	Text []byte
	Err  error // an *Error
}

// themesName is the directory beside the configuration file, maxThemes how
// many files in it are looked at.
const (
	themesName = "themes"
	maxThemes  = 100
)

// ThemeName reports whether s can be a theme's name: a to z, 0 to 9 and "-",
// 1 to 40 of them.
func ThemeName(s string) bool {
	for i, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && (c != '-' || i == 0) {
			return false
		}
	}
	return s != "" && len(s) <= 40
}

// ThemeFiles reads the theme files beside the configuration file at path, by
// name. None is no fault, and neither is no path.
func ThemeFiles(path string, uid int) ([]ThemeFile, error) {
	if !filepath.IsAbs(path) {
		return nil, nil // the defaults of nobody's file; never the working directory
	}
	dir := filepath.Join(filepath.Dir(path), themesName)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &Error{Code: CodeUnreadable, File: dir, Err: err, Sentence: "the themes cannot be read", Hint: "make the directory readable for you, or remove it"}
	}
	var out []ThemeFile
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".toml")
		if !ok || strings.HasPrefix(name, ".") {
			continue
		}
		f := ThemeFile{Name: name, Path: filepath.Join(dir, e.Name())}
		if !ThemeName(name) {
			f.Err = &Error{Code: CodeBadPath, File: f.Path, Sentence: "the file's name is no theme's", Hint: "take 1 to 40 of a to z, 0 to 9 and -"}
		} else if text, err := read(f.Path, uid); err != nil {
			f.Err = err
		} else {
			f.Text = []byte(text)
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b ThemeFile) int { return strings.Compare(a.Name, b.Name) })
	return out[:min(len(out), maxThemes)], nil
}
