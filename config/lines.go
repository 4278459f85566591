package config

import (
	"strconv"
	"strings"
)

// lines finds the line on which each key of a TOML document stands. The parser
// has proved the document before, so that finding strings, comments and
// brackets is enough; what it does not keep is where a key of the second
// [[table]] of one name is. Keys are paths joined by "\x00"; an element of an
// array of tables is its number in the path.
func lines(doc string) map[string]int {
	s := scanner{text: doc, line: 1, at: map[string]int{}, count: map[string]int{}}
	s.document()
	return s.at
}

// path joins the steps to a key in the result of lines.
func path(steps ...string) string { return strings.Join(steps, "\x00") }

type scanner struct {
	text  string
	i     int
	line  int
	table []string // of the last header, with numbers
	at    map[string]int
	count map[string]int // elements seen of each array of tables
}

func (s *scanner) document() {
	for {
		s.space(true)
		if s.i >= len(s.text) {
			return
		}
		from := s.i
		if s.text[s.i] == '[' {
			s.header()
		} else {
			s.assignment(s.table)
		}
		if s.i == from { // cannot be in proved TOML; never hang
			return
		}
	}
}

func (s *scanner) header() {
	list := strings.HasPrefix(s.text[s.i:], "[[")
	s.i++
	if list {
		s.i++
	}
	line := s.line
	steps := s.key()
	s.table = s.numbered(nil, steps, list)
	s.mark(s.table, line)
	for s.i < len(s.text) && s.text[s.i] == ']' {
		s.i++
	}
}

// numbered puts the number of the newest element behind each step that names
// an array of tables; with list, the last step starts a new element.
func (s *scanner) numbered(base, steps []string, list bool) []string {
	out := append([]string(nil), base...)
	for i, step := range steps {
		out = append(out, step)
		p := path(out...)
		if list && i == len(steps)-1 {
			s.count[p]++
		}
		if n := s.count[p]; n > 0 {
			out = append(out, strconv.Itoa(n-1))
		}
	}
	return out
}

func (s *scanner) mark(steps []string, line int) {
	for n := 1; n <= len(steps); n++ {
		if p := path(steps[:n]...); s.at[p] == 0 {
			s.at[p] = line
		}
	}
}

// assignment reads key = value below base.
func (s *scanner) assignment(base []string) {
	line := s.line
	full := append(append([]string(nil), base...), s.key()...)
	s.mark(full, line)
	if s.i < len(s.text) && s.text[s.i] == '=' {
		s.i++
		s.value(full)
	}
}

// key reads a dotted key and the space around it.
func (s *scanner) key() []string {
	var steps []string
	for s.i < len(s.text) {
		s.space(false)
		if s.i >= len(s.text) {
			break
		}
		switch c := s.text[s.i]; c {
		case '"', '\'':
			from := s.i
			s.str()
			quoted := s.text[from:s.i]
			step := strings.Trim(quoted, quoted[:1])
			if c == '"' {
				if plain, err := strconv.Unquote(quoted); err == nil {
					step = plain
				}
			}
			steps = append(steps, step)
		default:
			from := s.i
			for s.i < len(s.text) && bare(s.text[s.i]) {
				s.i++
			}
			if s.i == from {
				return steps
			}
			steps = append(steps, s.text[from:s.i])
		}
		s.space(false)
		if s.i >= len(s.text) || s.text[s.i] != '.' {
			break
		}
		s.i++
	}
	return steps
}

func bare(c byte) bool {
	return c >= 0x80 || c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// value reads one value; tables inside arrays get numbers.
func (s *scanner) value(at []string) {
	s.space(false)
	if s.i >= len(s.text) {
		return
	}
	switch s.text[s.i] {
	case '"', '\'':
		s.str()
	case '[':
		s.i++
		for n := 0; ; n++ {
			s.space(true)
			if s.i >= len(s.text) || s.text[s.i] == ']' {
				break
			}
			element := append(append([]string(nil), at...), strconv.Itoa(n))
			s.mark(element, s.line)
			if !s.inside(func() { s.value(element) }) {
				return
			}
		}
		s.i = min(s.i+1, len(s.text))
	case '{':
		s.i++
		for {
			s.space(true)
			if s.i >= len(s.text) || s.text[s.i] == '}' {
				break
			}
			if !s.inside(func() { s.assignment(at) }) {
				return
			}
		}
		s.i = min(s.i+1, len(s.text))
	default:
		for s.i < len(s.text) && !strings.ContainsRune(",]}#\n", rune(s.text[s.i])) {
			s.i++
		}
	}
}

// inside reads one member of a bracket and the comma behind it; false when
// nothing was read.
func (s *scanner) inside(read func()) bool {
	from := s.i
	read()
	s.space(true)
	if s.i < len(s.text) && s.text[s.i] == ',' {
		s.i++
	}
	return s.i > from
}

// str passes over a string of any of the four kinds.
func (s *scanner) str() {
	q := s.text[s.i]
	end := string(q)
	if strings.HasPrefix(s.text[s.i:], strings.Repeat(end, 3)) {
		end = strings.Repeat(end, 3)
	}
	s.i += len(end)
	for s.i < len(s.text) {
		switch {
		case q == '"' && s.text[s.i] == '\\':
			s.i++ // what is escaped is passed below
		case strings.HasPrefix(s.text[s.i:], end):
			s.i += len(end)
			for n := 0; len(end) == 3 && n < 2 && s.i < len(s.text) && s.text[s.i] == q; n++ {
				s.i++ // up to two quotes may stand before the closing three
			}
			return
		}
		if s.i < len(s.text) {
			if s.text[s.i] == '\n' {
				s.line++
			}
			s.i++
		}
	}
}

// space passes over blanks, and with breaks also over comments and lines.
func (s *scanner) space(breaks bool) {
	for s.i < len(s.text) {
		switch c := s.text[s.i]; {
		case c == ' ', c == '\t', c == '\r':
			s.i++
		case breaks && c == '\n':
			s.line++
			s.i++
		case breaks && c == '#':
			for s.i < len(s.text) && s.text[s.i] != '\n' {
				s.i++
			}
		default:
			return
		}
	}
}
