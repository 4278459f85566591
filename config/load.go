package config

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"

	"github.com/BurntSushi/toml"
)

// MaxBytes bounds a configuration file.
const MaxBytes = 1 << 20

// Load reads the file at path for the user uid (os.Getuid; -1 where a system
// has none). A file that is not there gives the defaults; every other fault is
// an *Error and gives nothing. path is absolute. A link may lead to the file,
// as in a collection of dotfiles; file and directory at its end are checked.
//
// The descriptors beside it, in descriptors/*.toml, are read too; a fault in
// one of them is a fault of the whole.
func Load(path string, uid int) (*Config, error) {
	if !filepath.IsAbs(path) {
		return nil, badPath("the configuration file", path)
	}
	c, err := load(path, uid)
	if err != nil {
		return nil, err
	}
	if err := c.describe(filepath.Join(filepath.Dir(path), descriptorsName), uid); err != nil {
		return nil, err
	}
	return c, nil
}

func load(path string, uid int) (*Config, error) {
	// Only a name that is not there means the defaults: with a link to nothing
	// somebody meant a configuration.
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		c := Default()
		c.Path = path
		return c, nil
	}
	text, err := read(path, uid)
	if err != nil {
		return nil, err
	}
	c, fault := Parse(text)
	if fault != nil {
		fault.File = path
		return nil, fault
	}
	c.Path, c.Found = path, true
	return c, nil
}

// Parse reads the text of a configuration file.
func Parse(text string) (*Config, *Error) {
	doc := map[string]any{}
	if _, err := toml.Decode(text, &doc); err != nil {
		return nil, syntax(err)
	}
	c := &Config{File: defaults()}
	f := filler{of: "the configuration", lines: lines(text)}
	c.lines = f.lines
	f.fill(reflect.ValueOf(&c.File).Elem(), doc, nil)
	if f.err == nil {
		f.check(&c.File)
	}
	if f.err == nil {
		c.rules = f.compile(c.Rule)
	}
	if f.err != nil {
		return nil, f.err
	}
	c.digest = c.File.digest(nil)
	return c, nil
}

func syntax(err error) *Error {
	e := &Error{Code: CodeSyntax, Sentence: "the configuration is not TOML", Hint: "see https://toml.io for the form", Err: err}
	var pe toml.ParseError
	if errors.As(err, &pe) {
		e.Line = pe.Position.Line
		if pe.Message != "" {
			e.Sentence += ": " + pe.Message
		}
	}
	return e
}

// read gives the text of the file; an error is an *Error.
func read(path string, uid int) (string, error) {
	f, err := open(path)
	if err == nil {
		var text string
		if text, err = readChecked(f, path, uid); err == nil {
			err = checkDirs(path, uid)
		}
		if closed := f.Close(); err == nil {
			err = closed
		}
		if err == nil {
			return text, nil
		}
	}
	var e *Error
	if errors.As(err, &e) {
		return "", e
	}
	return "", &Error{
		Code: CodeUnreadable, File: path, Err: err,
		Sentence: "the configuration cannot be read", Hint: "make it readable for you, or remove it to go on with the defaults",
	}
}

func readChecked(f *os.File, path string, uid int) (string, error) {
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", errors.New("not a regular file")
	}
	if err := checkOwn(path, info, uid); err != nil {
		return "", err
	}
	b, err := io.ReadAll(io.LimitReader(f, MaxBytes+1))
	if err != nil {
		return "", err
	}
	if len(b) > MaxBytes {
		return "", &Error{Code: CodeTooLarge, File: path, Sentence: "the configuration is larger than 1 MiB", Hint: "keep only what Nod reads in it"}
	}
	return string(b), nil
}

// checkDirs checks the directory that the name is in and, behind a link, the
// one that the file is in: who may write there may put another file in place.
func checkDirs(path string, uid int) error {
	dirs := []string{filepath.Dir(path)}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	if d := filepath.Dir(target); d != dirs[0] {
		dirs = append(dirs, d)
	}
	for _, d := range dirs {
		info, err := os.Stat(d)
		if err != nil {
			return err
		}
		if err := checkOwn(d, info, uid); err != nil {
			return err
		}
	}
	return nil
}

func loose(path, sentence, hint string) *Error {
	return &Error{Code: CodeLoose, File: path, Sentence: sentence, Hint: hint}
}
