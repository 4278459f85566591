package main

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"nod/config"
	"nod/tui/keys"
)

var update = flag.Bool("update", false, "write the README's key table anew")

const (
	keysBegin = "<!-- keys -->\n"
	keysEnd   = "<!-- /keys -->"
)

// keyTable is the bindings as the README shows them.
func keyTable() string {
	var b strings.Builder
	b.WriteString("| where | key | does |\n|---|---|---|\n")
	for _, row := range keys.Table() {
		b.WriteString("| " + places(row.In) + " | `" + strings.ReplaceAll(row.Shown, " ", "` `") + "` | " + row.Does + " |\n")
	}
	return b.String()
}

func places(p keys.Place) string {
	if p&keys.Everywhere == keys.Everywhere {
		return "everywhere"
	}
	var names []string
	for _, n := range []struct {
		place keys.Place
		name  string
	}{{keys.Inbox, "inbox"}, {keys.Detail, "detail"}, {keys.History, "history"}, {keys.Replay, "replay"}, {keys.Help, "help"}, {keys.Confirm, "yes or no"}, {keys.Line, "a field"},
		{keys.Sessions, "sessions"}, {keys.Stats, "stats"}, {keys.Batch, "batch"}, {keys.Editor, "editor"}, {keys.Form, "form"}, {keys.Choose, "palette"}, {keys.Effects, "effects"}, {keys.Desk, "desk"}} {
		if p&n.place != 0 {
			names = append(names, n.name)
		}
	}
	return strings.Join(names, ", ")
}

func TestTheReadmesKeysAreTheBindings(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), keysBegin)
	got, after, ok2 := strings.Cut(rest, keysEnd)
	if !ok || !ok2 {
		t.Fatal("the README has no place for the key table")
	}
	want := keyTable()
	if *update {
		if err := os.WriteFile("README.md", []byte(before+keysBegin+want+keysEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != want {
		t.Errorf("the README's key table is not the bindings' (go test . -update writes it):\n%s", want)
	}
}

func TestTheReadmesRulesLoad(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, block := range strings.Split(string(text), "```toml\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		if c, fault := config.Parse(block); fault != nil {
			t.Errorf("%v (%s)", fault, fault.Hint)
		} else {
			n += c.Rules().Len()
		}
	}
	if n == 0 {
		t.Error("the README shows no rule")
	}
}

// links are the local targets of the documents' links.
var links = regexp.MustCompile(`\]\(([^)#:]+)\)`)

func TestEveryLinkOfTheDocumentsLeadsSomewhere(t *testing.T) {
	for _, doc := range []string{"README.md", "VISION.md", "CONTRIBUTING.md"} {
		text, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range links.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(m[1]); err != nil {
				t.Errorf("%s: %s leads nowhere", doc, m[1])
			}
		}
	}
}
