package queue

import (
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// The page on events lists the members that are written, and what each act is
// called.
func TestTheDocumentOfEventsIsTrue(t *testing.T) {
	const page, begins, ends = "../docs/spec/events.md", "<!-- members -->\n", "<!-- /members -->"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begins)
	got, after, ok2 := strings.Cut(rest, ends)
	if !ok || !ok2 {
		t.Fatal("the page has no place for the members")
	}
	whole := full(t)
	var names []string
	d := jsontext.NewDecoder(strings.NewReader(string(whole.chain(Head{StoreID: "s"}).Body)))
	if _, err := d.ReadToken(); err != nil {
		t.Fatal(err)
	}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, "`"+name.String()+"`")
		if err := d.SkipValue(); err != nil {
			t.Fatal(err)
		}
	}
	want := strings.Join(names, " ") + "\n"
	if *updateDoc {
		if err := os.WriteFile(page, []byte(before+begins+want+ends+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != want {
		t.Errorf("the members are not the event's (go test ./queue -run DocumentOfEvents -update-acts writes them):\n%s", want)
	}
	src, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	acts := 0
	for _, f := range src {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		code, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(string(code), `Event{Act: "`)[1:] {
			act, _, _ := strings.Cut(part, `"`)
			acts++
			if !strings.Contains(before, "`"+act+"`") {
				t.Errorf("the page does not name the act %s", act)
			}
		}
	}
	if acts < 15 {
		t.Errorf("only %d acts", acts)
	}
}
