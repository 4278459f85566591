package lens

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// reading is what a word of a script says before it runs.
type reading struct {
	text    string // as far as it stands in the source, quotes taken off
	dynamic bool   // part of it is computed when it runs
	glob    bool   // it is matched against file names
	masked  bool   // quotes or backslashes stand inside it
}

// read takes the quotes off a word.
func read(w *syntax.Word) reading {
	var r reader
	for _, p := range w.Parts {
		r.part(p, false, len(w.Parts) > 1)
	}
	r.reading.text = r.text.String()
	return r.reading
}

// reader builds a reading.
type reader struct {
	reading
	text strings.Builder
}

func (r *reader) part(p syntax.WordPart, quoted, several bool) {
	switch x := p.(type) {
	case *syntax.Lit:
		r.lit(x.Value, quoted)
	case *syntax.SglQuoted:
		text := x.Value
		if x.Dollar {
			text = ansiC(text)
			r.masked = r.masked || text != x.Value
		}
		r.text.WriteString(text)
		r.masked = r.masked || several
	case *syntax.DblQuoted:
		for _, in := range x.Parts {
			r.part(in, true, false)
		}
		r.masked = r.masked || several
	default:
		r.dynamic = true
	}
}

// lit reads literal text: backslashes quote, and unquoted * ? [ match.
func (r *reader) lit(s string, quoted bool) {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && i+1 < len(s) && (!quoted || strings.IndexByte("$`\"\\\n", s[i+1]) >= 0):
			i++
			if s[i] != '\n' {
				r.text.WriteByte(s[i])
				r.masked = r.masked || !quoted
			}
			continue
		case !quoted && strings.IndexByte("*?[", c) >= 0:
			r.glob = true
		case !quoted && c == '{':
			r.dynamic = r.dynamic || braces(s[i:])
		}
		r.text.WriteByte(c)
	}
}

// braces reports whether s begins with what the shell may expand: {a,b}, {1..9}.
func braces(s string) bool {
	s = s[:min(len(s), nearby)]
	end := strings.IndexByte(s, '}')
	return end > 0 && (strings.Contains(s[:end], ",") || strings.Contains(s[:end], ".."))
}
