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
	var r reading
	for _, p := range w.Parts {
		r.part(p, false, len(w.Parts) > 1)
	}
	return r
}

func (r *reading) part(p syntax.WordPart, quoted, several bool) {
	switch x := p.(type) {
	case *syntax.Lit:
		r.lit(x.Value, quoted)
	case *syntax.SglQuoted:
		text := x.Value
		if x.Dollar {
			text = ansiC(text)
			r.masked = r.masked || text != x.Value
		}
		r.text += text
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
func (r *reading) lit(s string, quoted bool) {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && i+1 < len(s) && (!quoted || strings.IndexByte("$`\"\\\n", s[i+1]) >= 0):
			i++
			if s[i] != '\n' {
				r.text += s[i : i+1]
				r.masked = r.masked || !quoted
			}
			continue
		case !quoted && strings.IndexByte("*?[", c) >= 0:
			r.glob = true
		case !quoted && c == '{' && strings.Contains(s[i:], "}"):
			r.dynamic = r.dynamic || strings.ContainsAny(s[i:], ",.")
		}
		r.text += s[i : i+1]
	}
}
