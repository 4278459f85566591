package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"nod/descriptor"
)

// descriptorsName is the directory of the descriptors, beside the
// configuration file.
const descriptorsName = "descriptors"

// maxFiles bounds the files of descriptors.
const maxFiles = 256

// Source is the text of one file of descriptors.
type Source struct{ Path, Text string }

// sheet is such a file as it is written.
type sheet struct {
	Tool []descriptor.Tool `toml:"tool"`
}

// Descriptors are those in force; nil for none.
func (c *Config) Descriptors() *descriptor.Set { return c.said }

// DescribedIn gives the file of a tool's descriptor; "" for none.
func (c *Config) DescribedIn(tool string) string { return c.saidIn[tool] }

// DescriptorDir is where Load looks for descriptors.
func (c *Config) DescriptorDir() string { return filepath.Join(filepath.Dir(c.Path), descriptorsName) }

// describe reads the files of dir into c.
func (c *Config) describe(dir string, uid int) error {
	sources, err := readSheets(dir, uid)
	if err != nil {
		var e *Error
		if errors.As(err, &e) {
			return e
		}
		return &Error{Code: CodeUnreadable, File: dir, Err: err, Sentence: "the descriptors cannot be read",
			Hint: "make them readable for you, or move them away to go on without"}
	}
	if len(sources) == 0 {
		return nil
	}
	said, in, legs, fault := parseDescriptors(sources...)
	if fault != nil {
		return fault
	}
	if said.Len() > 0 {
		c.said, c.saidIn, c.legs = said, in, legs
		c.digest = c.File.digest(said)
	}
	return nil
}

// readSheets gives the files *.toml of a directory, in the order of their
// names. No link is followed: what describes a tool lies where it is looked
// for. A name that begins with a point is an editor's, not the operator's.
func readSheets(dir string, uid int) ([]Source, error) {
	info, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, loose(dir, "the directory of the descriptors is a link or no directory", "put a directory in its place")
	}
	for _, d := range []string{dir, filepath.Dir(dir)} {
		info, err := os.Stat(d)
		if err != nil {
			return nil, err
		}
		if err := checkOwn(d, info, uid); err != nil {
			return nil, err
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []Source
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || filepath.Ext(e.Name()) != ".toml" {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if !e.Type().IsRegular() {
			return nil, loose(path, "a descriptor is a link or no file", "put the file itself there")
		}
		if len(out) == maxFiles {
			return nil, &Error{Code: CodeTooLarge, File: dir, Sentence: fmt.Sprintf("there are more than %d files of descriptors", maxFiles),
				Hint: "put several tools into one file"}
		}
		text, err := readSheet(path, uid)
		if err != nil {
			return nil, err
		}
		out = append(out, Source{Path: path, Text: text})
	}
	return out, nil
}

func readSheet(path string, uid int) (string, error) {
	f, err := open(path)
	if err != nil {
		return "", err
	}
	text, err := readChecked(f, path, uid)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return text, err
}

// ParseDescriptors reads files of descriptors as one set, and says which file
// each tool's is in.
func ParseDescriptors(sources ...Source) (*descriptor.Set, map[string]string, *Error) {
	set, in, _, fault := parseDescriptors(sources...)
	return set, in, fault
}

func parseDescriptors(sources ...Source) (*descriptor.Set, map[string]string, perCall, *Error) {
	var tools []descriptor.Tool
	var from []int // number of the first tool of each source
	lineOf := make([]map[string]int, len(sources))
	for i, s := range sources {
		doc := map[string]any{}
		if _, err := toml.Decode(s.Text, &doc); err != nil {
			e := syntax(err)
			e.File, e.Sentence = s.Path, strings.Replace(e.Sentence, "the configuration", "the descriptor", 1)
			return nil, nil, nil, e
		}
		lineOf[i] = lines(s.Text)
		f := filler{of: "a descriptor", lines: lineOf[i]}
		var read sheet
		f.fill(reflect.ValueOf(&read).Elem(), doc, nil)
		if f.err != nil {
			f.err.File, f.err.Hint = s.Path, strings.Replace(f.err.Hint, "configuration.md", "spec/descriptor.md", 1)
			return nil, nil, nil, f.err
		}
		from = append(from, len(tools))
		tools = append(tools, read.Tool...)
	}
	set, err := descriptor.Compile(tools)
	var legs perCall
	if err == nil {
		legs, err = crossings(tools)
	}
	if err == nil {
		err = capabilities(tools)
	}
	if err == nil {
		in := make(map[string]string, len(tools))
		for i, s := range sources {
			end := len(tools)
			if i+1 < len(from) {
				end = from[i+1]
			}
			for _, t := range tools[from[i]:end] {
				in[t.Name] = s.Path
			}
		}
		return set, in, legs, nil
	}
	fault := &Error{Code: CodeBadDescriptor, Sentence: err.Error(), Hint: "docs/spec/descriptor.md describes them"}
	if e, ok := err.(*descriptor.Error); ok { //nolint:errorlint // their own type
		fault.Hint = e.Hint
		n, _ := strconv.Atoi(e.Steps[0]) // made by Compile
		i := 0
		for i+1 < len(from) && from[i+1] <= n {
			i++
		}
		fault.File, fault.Line = sources[i].Path, lineIn(lineOf[i], append([]string{"tool", strconv.Itoa(n - from[i])}, e.Steps[1:]...))
	}
	return nil, nil, nil, fault
}

// lineIn is the line of a member, or of what should hold it.
func lineIn(at map[string]int, steps []string) int {
	for n := len(steps); n > 0; n-- {
		if line := at[path(steps[:n]...)]; line > 0 {
			return line
		}
	}
	return 0
}
