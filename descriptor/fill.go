package descriptor

import (
	"errors"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"nod/digest"
)

// What an observer takes of the arguments. An agent chose these values, so each
// is one whole segment, value or argument, and what could be read as more than
// that is not asked with at all.

// maxValue bounds a value of the arguments that an observer is asked with.
const maxValue = 1024

// placeholder reports whether s is one pointer in braces.
func placeholder(s string) (pointer string, whole bool) {
	inner, opens := strings.CutPrefix(s, "{/")
	inner, closes := strings.CutSuffix(inner, "}")
	if !opens || !closes || strings.ContainsAny(inner, "{}") {
		return "", false
	}
	return "/" + inner, true
}

// isLiteral reports whether s is printable text without a pointer in it: a
// value inside of a longer text is never filled in.
func isLiteral(s string) bool {
	return s != "" && len(s) <= maxLiteral && utf8.ValidString(s) && !strings.Contains(s, "{/") &&
		!strings.ContainsFunc(s, func(c rune) bool { return !unicode.IsPrint(c) })
}

// value is the text at a pointer, or the digits of the whole number there.
func value(args digest.JSON, pointer string) (string, error) {
	v, there := digest.Lookup(args, pointer)
	if !there {
		return "", errors.New("the arguments have no " + pointer)
	}
	s, ok := v.Text()
	if !ok && whole(v) {
		s, ok = string(v), true
	}
	switch {
	case !ok:
		return "", errors.New("the arguments' " + pointer + " is neither a text nor a whole number")
	case s == "" || len(s) > maxValue:
		return "", errors.New("the arguments' " + pointer + " is empty or too long to ask with")
	case strings.ContainsFunc(s, unicode.IsControl):
		return "", errors.New("the arguments' " + pointer + " holds a control character")
	}
	return s, nil
}

// address is a URL with places for values: literal text and pointers in turn.
type address struct {
	origin string // scheme and authority
	rest   []piece
}

type piece struct {
	text  string
	at    string // pointer; "" for text
	query bool
}

var (
	authority = regexp.MustCompile(`^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$`)
	urlText   = regexp.MustCompile(`^(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*$`)
)

// parseURL takes a URL apart; why says what is wrong with it.
func parseURL(s string) (a *address, why string) {
	scheme, after, _ := strings.Cut(s, "://")
	if len(s) > maxURL || scheme != "https" && scheme != "http" {
		return nil, "does not begin with https:// (or, of this machine, http://)"
	}
	end := strings.IndexAny(after, "/?")
	if end < 0 {
		end = len(after)
	}
	if _, err := url.Parse(scheme + "://" + after[:end]); err != nil || !authority.MatchString(after[:end]) { // Parse: "[0]" is no address
		return nil, "does not name its host literally, without a user"
	}
	a = &address{origin: scheme + "://" + after[:end]}
	rest, query := after[end:], false
	if !strings.HasPrefix(rest, "/") {
		rest = "/" + rest
	}
	for rest != "" {
		open := strings.IndexByte(rest, '{')
		if open < 0 {
			open = len(rest)
		}
		literal := rest[:open]
		if !urlText.MatchString(literal) {
			return nil, "holds a character that no path or query has"
		}
		query = query || strings.Contains(literal, "?")
		if literal != "" {
			a.rest = append(a.rest, piece{text: literal, query: query})
		}
		if rest = rest[open:]; rest == "" {
			break
		}
		shut := strings.IndexByte(rest, '}')
		if shut < 0 {
			return nil, "opens a brace and does not close it"
		}
		at := rest[1:shut]
		if rest = rest[shut+1:]; !isPlace(at) {
			return nil, "has braces around what is not the pointer of one value"
		}
		if !stands(a.text(), rest, query) {
			return nil, "has a pointer that is not a whole segment of the path or a whole value of the query"
		}
		a.rest = append(a.rest, piece{at: at, query: query})
	}
	return a, ""
}

// stands reports whether a value between before and after is a whole segment,
// or a whole value of the query.
func stands(before, after string, query bool) bool {
	if !query {
		return strings.HasSuffix(before, "/") && (after == "" || after[0] == '/' || after[0] == '?')
	}
	pair := before[strings.IndexByte(before, '?')+1:] // a second ? is a character of the query
	pair = pair[strings.LastIndexByte(pair, '&')+1:]
	return len(pair) > 1 && strings.IndexByte(pair, '=') == len(pair)-1 && (after == "" || after[0] == '&')
}

func (a *address) text() string {
	var b strings.Builder
	for _, p := range a.rest {
		b.WriteString(p.text)
	}
	return b.String()
}

// fill writes the values in. A segment that a server could take for a way
// through its paths is refused.
func (a *address) fill(args digest.JSON) (string, error) {
	var b strings.Builder
	for _, p := range a.rest {
		if p.at == "" {
			b.WriteString(p.text)
			continue
		}
		v, err := value(args, p.at)
		if err != nil {
			return "", err
		}
		if !p.query && (v == "." || v == ".." || strings.ContainsAny(v, `/\`)) {
			return "", errors.New("the arguments' " + p.at + " would be a way through the provider's paths")
		}
		escape(&b, v)
	}
	return b.String(), nil
}

// escape writes v so that only unreserved characters (RFC 3986 §2.3) stand as
// they are.
func escape(b *strings.Builder, v string) {
	const hex = "0123456789ABCDEF"
	for i := range len(v) {
		switch c := v[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '.', c == '_', c == '~':
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
	}
}

// Address gives what an http observer asks for: the origin that the descriptor
// names, and path and query with the values of the arguments. An error says why
// it is not asked, without the value.
func (o *Observer) Address(args digest.JSON) (origin, path string, err error) {
	a, why := parseURL(o.URL)
	if why != "" {
		return "", "", errors.New("the observer's url " + why)
	}
	path, err = a.fill(args)
	return a.origin, path, err
}

// Command gives the argument vector of a command observer. A value that the
// program could take for an option is refused.
func (o *Observer) Command(args digest.JSON) ([]string, error) {
	if len(o.Argv) == 0 {
		return nil, errors.New("the observer has no program")
	}
	argv := []string{o.Argv[0]}
	for _, a := range o.Argv[1:] {
		at, whole := placeholder(a)
		if !whole {
			argv = append(argv, a)
			continue
		}
		v, err := value(args, at)
		if err != nil {
			return nil, err
		}
		if v[0] == '-' {
			return nil, errors.New("the arguments' " + at + " begins with -, which a program takes for an option")
		}
		argv = append(argv, v)
	}
	return argv, nil
}

// File gives the path of a file observer, absolute and without detours.
func (o *Observer) File(args digest.JSON) (string, error) {
	at, whole := placeholder(o.Path)
	if !whole {
		return o.Path, nil
	}
	v, err := value(args, at)
	if err != nil {
		return "", err
	}
	if !filepath.IsAbs(v) || filepath.Clean(v) != v {
		return "", errors.New("the arguments' " + at + " is not an absolute path, or takes detours")
	}
	return v, nil
}
