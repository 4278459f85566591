package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"nod/tui/keys"
)

const (
	bindingsBegin = "<!-- bindings -->\n"
	bindingsEnd   = "<!-- /bindings -->"
	bindingsPage  = "docs/configuration.md"
)

// bindingTable is the names of the bindings as the page on configuration shows
// them.
func bindingTable() string {
	var b strings.Builder
	b.WriteString("| name | where | does |\n|---|---|---|\n")
	table := keys.Table()
	for _, name := range keys.Names(table) {
		var in keys.Place
		var does []string
		for _, row := range table {
			if row.Intent.Name() != name || slices.Contains(row.Keys, "ctrl+c") {
				continue
			}
			in |= row.In
			if !slices.Contains(does, row.Does) {
				does = append(does, row.Does)
			}
		}
		b.WriteString("| `" + name + "` | " + places(in) + " | " + strings.Join(does, "; ") + " |\n")
	}
	return b.String()
}

func TestTheNamesOfBindingsAreDocumented(t *testing.T) {
	text, err := os.ReadFile(bindingsPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), bindingsBegin)
	got, after, ok2 := strings.Cut(rest, bindingsEnd)
	if !ok || !ok2 {
		t.Fatal("the page has no place for the names of bindings")
	}
	want := bindingTable()
	if *update {
		if err := os.WriteFile(bindingsPage, []byte(before+bindingsBegin+want+bindingsEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != want {
		t.Errorf("the names of bindings are not the table's (go test . -update writes them):\n%s", want)
	}
	var names []string
	for p := keys.Place(1); p != 0; p <<= 1 {
		if n := p.Name(); n != "" {
			names = append(names, n)
		}
	}
	if list := "`" + strings.Join(names, " ") + "`"; !strings.Contains(after, list) {
		t.Errorf("the page does not name the places: %s", list)
	}
}
