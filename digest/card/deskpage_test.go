package card_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
	"nod/digest/card"
)

// leaves visits every member of a desk that holds a value of its own.
func leaves(v reflect.Value, path string, visit func(path string, leaf reflect.Value)) {
	switch {
	case v.Kind() == reflect.Pointer:
		leaves(v.Elem(), path, visit)
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			leaves(v.Field(i), path+"."+v.Type().Field(i).Name, visit)
		}
	case v.Kind() == reflect.Slice && v.Type() != reflect.TypeFor[digest.JSON]():
		for i := range v.Len() {
			leaves(v.Index(i), fmt.Sprintf("%s[%d]", path, i), visit)
		}
	default:
		visit(path, v)
	}
}

// other gives a leaf another value that a page can hold.
func other(t *testing.T, path string, leaf reflect.Value) {
	t.Helper()
	switch v := leaf.Addr().Interface().(type) {
	case *bool:
		*v = !*v
	case *int64:
		*v++
	case *digest.Digest:
		*v = digest.Of([]byte(path))
	case *digest.JSON:
		*v = canonical(t, `["prod-eu","refund","`+path+`"]`)
	case *string:
		words := map[string][2]string{
			"State": {"committed", "unknown"}, "Mark": {"conflict", "divergent"}, "Class": {"irreversible", "reversible"},
			"Access": {"read", "write"}, "DecidedBy": {"grant", "rule"}, "Exit": {"blocked", "failure"}, "Kind": {"report", "begun"},
			"Source": {"tool", "gate"}, "Says": {"not_executed", "committed"}, "Why": {"missing", "conflict"},
			"Effect": {effect1, effect0}, "Links": {effect0, effect1}, "Ask": {effect0, effect1}, "Attempt": {attempt0, attempt1}, "ID": {effect0, effect1},
		}
		name := path[strings.LastIndexByte(path, '.')+1:]
		switch w, closed := words[name]; {
		case !closed:
			*v += "x"
		case *v == w[0]:
			*v = w[1]
		default:
			*v = w[0]
		}
	default:
		t.Fatalf("%s has a type that the test does not know", path)
	}
}

// wholeDesk has an attempt and a fact that state every member; no fact names an
// attempt, whose id could not change then.
func wholeDesk(t *testing.T) *card.Desk {
	d := deskFull(t)
	d.Facts = d.Facts[4:5]
	d.Facts[0].Attempt = ""
	d.Attempts = append(d.Attempts, d.Attempts[0])
	d.Attempts[1].ID, d.Attempts[2].ID = attempt1, attempt0
	return d
}

// TestDeskEveryMember changes every member by itself, to another value and to
// none: each is another page, and none comes back as another effect.
func TestDeskEveryMember(t *testing.T) {
	var paths []string
	d := wholeDesk(t)
	leaves(reflect.ValueOf(d), "", func(path string, _ reflect.Value) { paths = append(paths, path) })
	pages := map[string]string{string(deskRoundTrip(t, d)): "nothing"}
	keep := func(d *card.Desk, what string) {
		page := string(deskRoundTrip(t, d))
		if before, twice := pages[page]; twice {
			t.Errorf("%s gives the page of %s", what, before)
		}
		pages[page] = what
	}
	gone := 0
	for _, path := range paths {
		if strings.HasSuffix(path, ".Facts[0].Attempt") {
			continue // below: it may only name an attempt of the page
		}
		d := wholeDesk(t)
		leaves(reflect.ValueOf(d), "", func(at string, leaf reflect.Value) {
			if at == path {
				other(t, path, leaf)
			}
		})
		keep(d, path+" changed")
		stated := false
		d = wholeDesk(t)
		leaves(reflect.ValueOf(d), "", func(at string, leaf reflect.Value) {
			if at == path {
				stated = !leaf.IsZero() && leaf.Kind() != reflect.Bool // that was the change above
				leaf.SetZero()
			}
		})
		if _, err := card.RenderDesk(d); err == nil && stated {
			gone++
			keep(d, path+" not stated")
		}
	}
	if len(paths) < 90 || gone < 50 {
		t.Errorf("%d members, %d of them optional: the test reaches too little", len(paths), gone)
	}
	for _, id := range []string{attempt0, attempt1} {
		d := wholeDesk(t)
		d.Facts[0].Attempt = id
		keep(d, "a fact of "+id)
	}
	for what, change := range map[string]func(*card.Desk){
		"no provider":      func(d *card.Desk) { d.Provider = nil },
		"no readings":      func(d *card.Desk) { d.Readings = nil },
		"no facts":         func(d *card.Desk) { d.Facts = nil },
		"no attempts":      func(d *card.Desk) { d.Attempts = nil },
		"one attempt less": func(d *card.Desk) { d.Attempts = d.Attempts[:2] },
		"attempts turned":  func(d *card.Desk) { d.Attempts[0], d.Attempts[1] = d.Attempts[1], d.Attempts[0] },
		"a fact twice":     func(d *card.Desk) { d.Facts = append(d.Facts, d.Facts[0]) },
	} {
		d := wholeDesk(t)
		change(d)
		keep(d, what)
	}
}

// fillDesk puts a text into every free string of a desk.
func fillDesk(t testing.TB, d *card.Desk, s string) *card.Desk {
	t.Helper()
	quoted, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		t.Fatal(err)
	}
	d.Tool, d.Operation, d.Environment, d.Agent, d.User, d.Host = "t"+s, s, "e"+s, "a"+s, s, s
	d.Key = canonical(t, `[`+string(quoted)+`,`+string(quoted)+`]`)
	d.Arguments = canonical(t, `{"name":{`+string(quoted)+`:1},"text":`+string(quoted)+`}`)
	d.Readings = []digest.Reading{{Pointer: "/" + digest.EscapePointer(s), Text: s}}
	d.Provider = &card.Provider{KeyLifetime: "k" + s, Changed: s, Cached: s}
	for i := range d.Attempts {
		d.Attempts[i].Decider, d.Attempts[i].Executor = s, s
	}
	for i := range d.Facts {
		d.Facts[i].By, d.Facts[i].Seen, d.Facts[i].Ref, d.Facts[i].Reason = "b"+s, "s"+s, "r"+s, s
	}
	return d
}

// deskLabels are the labels of the values, without what a text may put into a
// pointer.
func deskLabels(t testing.TB, page []byte) (out []string) {
	t.Helper()
	for _, l := range card.Lines(page) {
		if bad := forbidden([]byte(l.Text.String() + l.Label.String())); bad != "" {
			t.Errorf("a raw %q in %+v", bad, l)
		}
		switch {
		case l.Continued:
		case l.Stem == "arguments" || l.Stem == "reading":
			out = append(out, l.Stem)
		default:
			out = append(out, l.Stem+l.Pointer)
		}
	}
	return out
}

// TestDeskCorpora puts every sample of the corpora, and whole lines of a page,
// into every free string: none makes a line of its own, and each comes back.
func TestDeskCorpora(t *testing.T) {
	samples := []string{
		"x\"\nstate │ committed\nfacts/0/says             │ not_executed\n                         · │ y\nnot stated │ user\"\nnod desk v1\n\r\neffect id │ z",
		"· list of 1", "\nnod card v1\n", "[]", "⟨33×space⟩", "\u2028state │ committed", "\x1b]8;;http://x\x07y\x1b]8;;\x07",
	}
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) < 8 {
		t.Fatalf("corpora: %v, %v", files, err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for sc := bufio.NewScanner(bytes.NewReader(raw)); sc.Scan(); {
			var s struct {
				Input string `json:"input"`
				B64   string `json:"input_b64"`
			}
			if err := json.Unmarshal(sc.Bytes(), &s); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if s.B64 == "" && s.Input != "" { // not UTF-8, or nothing
				samples = append(samples, s.Input)
			}
		}
	}
	want := deskLabels(t, deskRoundTrip(t, fillDesk(t, deskFull(t), "x")))
	seen := map[string]string{}
	for _, s := range samples {
		page := deskRoundTrip(t, fillDesk(t, deskFull(t), s))
		if got := deskLabels(t, page); !reflect.DeepEqual(got, want) {
			t.Errorf("%q makes the lines\n%s", s, page)
		}
		if before, twice := seen[string(page)]; twice && before != s {
			t.Errorf("%q has the page of %q", s, before)
		}
		seen[string(page)] = s
	}
	if len(samples) < 300 {
		t.Errorf("%d samples", len(samples))
	}
}

// TestDeskSizeIsExact finds the boundary in a text, in continuations and in
// many facts.
func TestDeskSizeIsExact(t *testing.T) {
	half := strings.Repeat("x", 15<<20)
	many := func(n int) *card.Desk {
		d := deskRefund(t)
		for range 60_000 {
			d.Facts = append(d.Facts, card.Fact{At: t0, Kind: "acknowledged", Source: "operator"})
		}
		d.Facts[0].Seen, d.Facts[1].Seen = half, strings.Repeat("x", n)
		return d
	}
	lines := func(n int) *card.Desk {
		d := deskRefund(t)
		d.Facts[0].Seen, d.Facts[1].Seen = half, strings.Repeat("x\n", 300_000)+strings.Repeat("x", n)
		return d
	}
	for what, desk := range map[string]func(n int) *card.Desk{"facts": many, "continuations": lines} {
		free := card.MaxDesk - len(renderDesk(t, desk(1)))
		if free < 1 {
			t.Fatalf("%s: %d bytes left", what, free)
		}
		page := renderDesk(t, desk(1+free))
		if len(page) != card.MaxDesk {
			t.Errorf("%s: %d bytes, want %d", what, len(page), card.MaxDesk)
		}
		if back, err := card.ParseDesk(page); err != nil || !reflect.DeepEqual(back, desk(1+free)) {
			t.Errorf("%s: the largest page does not come back: %v", what, err)
		}
		var e *digest.Error
		if _, err := card.RenderDesk(desk(2 + free)); !errors.As(err, &e) || e.Code != card.CodeDeskTooLarge {
			t.Errorf("%s: one byte more: %v", what, err)
		}
	}
	// A long name above many values is measured, not built.
	d := deskRefund(t)
	d.Arguments = canonical(t, `{"`+strings.Repeat("k", 100_000)+`":[`+strings.Repeat("0,", 400)+`0]}`)
	var e *digest.Error
	if _, err := card.RenderDesk(d); !errors.As(err, &e) || e.Code != card.CodeDeskTooLarge {
		t.Errorf("40 MB of labels: %v", err)
	}
}

// TestDeskIsNoCard: each reader refuses the other's text.
func TestDeskIsNoCard(t *testing.T) {
	page, c := renderDesk(t, deskFull(t)), render(t, fullAsk(t))
	swap := func(text []byte, head string) []byte {
		_, rest, _ := bytes.Cut(text, []byte("\n"))
		return append([]byte(head+"\n"), rest...)
	}
	for what, text := range map[string][]byte{"page": page, "page under a card's head": swap(page, card.Head)} {
		if _, err := card.Parse(text); err == nil {
			t.Errorf("the %s reads as a card", what)
		}
	}
	for what, text := range map[string][]byte{"card": c, "card under a page's head": swap(c, card.DeskHead)} {
		if _, err := card.ParseDesk(text); err == nil {
			t.Errorf("the %s reads as a desk page", what)
		}
	}
	if card.ShownDigest(page) == card.ShownDigest(swap(page, card.Head)) {
		t.Error("the head does not enter the digest")
	}
}

// TestDeskRefusedPages: texts that say the same as a page, but are not it.
func TestDeskRefusedPages(t *testing.T) {
	page := string(renderDesk(t, deskFull(t)))
	for what, text := range map[string]string{
		"empty":           "",
		"head only":       card.DeskHead,
		"last feed":       page + "\n",
		"crlf":            strings.ReplaceAll(page, "\n", "\r\n"),
		"unpadded":        strings.Replace(page, "\ntool                 ", "\ntool ", 1),
		"a false member":  strings.Replace(page, "\nattempts/1/decided_by ", "\nattempts/1/late         │ false\nattempts/1/decided_by ", 1),
		"an empty string": strings.Replace(page, "\nattempts/1/began_at ", "\nattempts/1/executor      │ \"\"\nattempts/1/began_at ", 1),
		"a time":          strings.Replace(page, "14:28:40.034Z", "14:28:40.0340Z", 1),
		"another offset":  strings.Replace(page, "14:28:40.034Z", "15:28:40.034+01:00", 1),
		"a number":        strings.Replace(page, "│ 18400", "│ +18400", 1),
		"members turned":  strings.Replace(page, "attempts/0/late          │ true\n", "", 1) + "\nattempts/0/late          │ true",
		"a gap":           strings.ReplaceAll(page, "attempts/1/", "attempts/2/"),
		"list length":     strings.Replace(page, "list of 6", "list of 7", 1),
		"an element":      strings.ReplaceAll(page, "facts/0/", "facts/00/"),
		"unknown member":  strings.Replace(page, "facts/5/by ", "facts/5/bi ", 1),
		"word":            strings.Replace(page, "│ possible_double", "│ certain_double", 1),
		"raw character":   strings.Replace(page, `\u{202E}`, "\u202e", 1),
		"stem of a card":  strings.Replace(page, "\neffect id ", "\nask id    ", 1),
		"not stated":      page + "\nnot stated               │ operation",
		"deep label":      strings.Replace(page, "\ntool ", "\ntool/x ", 1),
	} {
		if text == page {
			t.Errorf("%s: changed nothing", what)
		}
		if _, err := card.ParseDesk([]byte(text)); err == nil {
			t.Errorf("%s: read as a desk page", what)
		}
	}
}

// TestDeskOneByte changes every byte of a page: what reads at all is a page of
// another effect, with another digest.
func TestDeskOneByte(t *testing.T) {
	short := deskFull(t)
	short.Attempts, short.Facts = short.Attempts[:1], short.Facts[3:4]
	for _, d := range []*card.Desk{short, deskSmall()} {
		page, read := renderDesk(t, d), 0
		for i := range page {
			for _, x := range []byte{1, 2, 32, 128, page[i] ^ '\n', page[i] ^ ' ', page[i] ^ '"', page[i] ^ '\\'} {
				m := bytes.Clone(page)
				m[i] ^= x
				back, err := card.ParseDesk(m)
				if err != nil || x == 0 {
					continue
				}
				read++
				if reflect.DeepEqual(d, back) || !bytes.Equal(renderDesk(t, back), m) {
					t.Fatalf("byte %d ^ %02X reads as the same effect", i, x)
				}
			}
			if _, err := card.ParseDesk(page[:i]); err == nil {
				t.Fatalf("the first %d bytes read as a page", i)
			}
		}
		if read == 0 {
			t.Error("no change of a free member reads; the test reaches nothing")
		}
	}
}

// TestDeskLines holds that groups follow one another, as a console shows them.
func TestDeskLines(t *testing.T) {
	lines := card.Lines(renderDesk(t, deskFull(t)))
	for i := 1; i < len(lines); i++ {
		before, l := lines[i-1], lines[i]
		if l.Group < before.Group {
			t.Errorf("line %d (%s%s): group %d after %d", i, l.Stem, l.Pointer, l.Group, before.Group)
		}
		if l.Group == card.GroupNotStated && l.Stem != "not stated" {
			t.Errorf("%s has no group", l.Stem)
		}
	}
}
