package lens

import (
	"bytes"
	"path"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
)

// change is what a call says it does to one file.
type change struct {
	path    string
	content *string // the whole new content
	edits   []edit  // else these, one after another
	// fragment is text that goes somewhere into the file, where Nod does not
	// know the tool well enough to say where.
	fragment *string
}

// edit replaces one text by another.
type edit struct {
	old, new string
	all      bool
}

// changeOf reads what a call does to a file: the writing tools of Claude Code,
// and any tool whose arguments are exactly a path and a content. A tool with
// more members than those may write elsewhere than on this disk.
func changeOf(ask *digest.Ask) (change, bool) {
	args, ok := arguments(ask)
	if !ok {
		return change{}, false
	}
	switch ask.Action.Tool {
	case "Write":
		return written(args, "/file_path")
	case "Edit":
		p, ok := textAt(args, "/file_path")
		e, good := editAt(args, "")
		return change{path: p, edits: []edit{e}}, ok && good
	case "MultiEdit":
		return edited(args)
	case "NotebookEdit":
		p, ok := textAt(args, "/notebook_path")
		s, good := textAt(args, "/new_source")
		return change{path: p, fragment: &s}, ok && good
	}
	if members(args) != 2 {
		return change{}, false
	}
	for _, name := range []string{"/path", "/file_path", "/filepath", "/filename"} {
		if c, ok := written(args, name); ok {
			return c, true
		}
	}
	return change{}, false
}

func written(args digest.JSON, name string) (change, bool) {
	p, ok := textAt(args, name)
	s, good := textAt(args, "/content")
	return change{path: p, content: &s}, ok && good
}

func edited(args digest.JSON) (change, bool) {
	p, ok := textAt(args, "/file_path")
	list, good := digest.Lookup(args, "/edits")
	if !ok || !good || list[0] != '[' || len(list) == len("[]") {
		return change{}, false
	}
	c := change{path: p}
	dec := jsontext.NewDecoder(bytes.NewReader(list))
	if _, err := dec.ReadToken(); err != nil {
		return change{}, false
	}
	for dec.PeekKind() != ']' {
		v, err := dec.ReadValue()
		if err != nil {
			return change{}, false
		}
		e, ok := editAt(digest.JSON(v), "")
		if !ok {
			return change{}, false
		}
		c.edits = append(c.edits, e)
	}
	return c, true
}

func editAt(args digest.JSON, at string) (edit, bool) {
	before, ok := textAt(args, at+"/old_string")
	after, good := textAt(args, at+"/new_string")
	all, _ := digest.Lookup(args, at+"/replace_all")
	return edit{before, after, string(all) == "true"}, ok && good
}

// textAt gives the string at a pointer.
func textAt(args digest.JSON, pointer string) (string, bool) {
	v, ok := digest.Lookup(args, pointer)
	if !ok || v[0] != '"' {
		return "", false
	}
	s, err := jsontext.AppendUnquote(nil, v)
	return string(s), err == nil
}

// members is how many members an object has; -1 for another value.
func members(v digest.JSON) int {
	dec := jsontext.NewDecoder(bytes.NewReader(v))
	if dec.PeekKind() != '{' {
		return -1
	}
	n := 0
	for _, err := dec.ReadToken(); err == nil && dec.PeekKind() != '}'; n++ {
		if _, err = dec.ReadToken(); err == nil {
			err = dec.SkipValue()
		}
	}
	return n
}

// Wants says which file the diff lens of ask is held against, as an absolute
// path; ok is false when it wants none, or when a relative path has no
// directory that it begins at.
func Wants(ask *digest.Ask) (name string, ok bool) {
	c, ok := changeOf(ask)
	if !ok || c.path == "" || c.fragment != nil || home(c.path) {
		return "", false
	}
	if path.IsAbs(c.path) {
		return c.path, true
	}
	cwd := ask.Action.Environment.Cwd
	if !path.IsAbs(cwd) {
		return "", false
	}
	return strings.TrimSuffix(cwd, "/") + "/" + c.path, true // a .. after a link is the reader's
}

// home reports whether a path begins at a home directory, for the tools that
// know it so, and at a directory named ~ for the others.
func home(p string) bool { return strings.HasPrefix(p, "~") }

// maxScanned is how many bytes of the file all edits together may go through.
const maxScanned = 1 << 30

// apply makes the new content of a file. The sentence says why it cannot be
// made; then there is none.
func (c *change) apply(before string) (after, why string) {
	if c.content != nil {
		return *c.content, ""
	}
	after = before
	scanned := 0
	for i, e := range c.edits {
		which := "The old text"
		if len(c.edits) > 1 {
			which += " of edit " + strconv.Itoa(i+1)
		}
		if scanned += len(after); scanned > maxScanned {
			return "", "There are too many edits of too large a file to make them here."
		}
		n := 1
		if e.old != "" {
			n = strings.Count(after, e.old)
		} else if after != "" {
			return "", which + " is empty, but the file is not."
		}
		switch {
		case n == 0 && crlf(after, e.old):
			return "", which + " is in the file only with CR LF at the line ends."
		case n == 0:
			return "", which + " is not in the file."
		case n > 1 && !e.all:
			return "", which + " is in the file " + strconv.Itoa(n) + " times, and replace_all is not set."
		case len(after)+n*(len(e.new)-len(e.old)) > MaxFile:
			return "", "The new file would be larger than 4 MiB."
		}
		if e.old == "" {
			after = e.new
		} else {
			after = strings.Replace(after, e.old, e.new, n)
		}
	}
	return after, ""
}

// crlf reports whether s is in text when its line feeds become CR LF.
func crlf(text, s string) bool {
	return strings.Contains(s, "\n") && strings.Contains(text, strings.ReplaceAll(s, "\n", "\r\n"))
}

// fragments are the two sides of a change that is shown without its file.
func (c *change) fragments() (before, after string) {
	switch {
	case c.content != nil:
		return "", *c.content
	case c.fragment != nil:
		return "", *c.fragment
	}
	var a, b strings.Builder
	for _, e := range c.edits {
		addLines(&a, e.old)
		addLines(&b, e.new)
	}
	if len(c.edits) == 1 {
		return c.edits[0].old, c.edits[0].new
	}
	return a.String(), b.String()
}

func addLines(b *strings.Builder, s string) {
	b.WriteString(s)
	if s != "" && !strings.HasSuffix(s, "\n") {
		b.WriteByte('\n')
	}
}
