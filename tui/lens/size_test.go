package lens_test

import (
	"strings"
	"testing"
	"time"

	"nod/digest"
	"nod/digest/card"
	"nod/tui/lens"
)

// TestHostileSizes: the largest and most nested inputs that a queue takes are
// laid out in seconds, whatever they are made of. Each took minutes, or more
// memory than there is, without its bound.
func TestHostileSizes(t *testing.T) {
	const size = 250 << 10
	name := strings.Repeat("n", size)
	many := map[string]int{}
	for i := range 3000 {
		many[strings.Repeat("m", i%7)+string(rune('a'+i%26))+time.Duration(i).String()] = i
	}
	var edits []replace
	for range 9000 {
		edits = append(edits, replace{Old: "a", New: "a"})
	}
	for what, c := range map[string]struct {
		tool string
		args any
	}{
		"one word":          {"Bash", bash{strings.Repeat("w", size)}},
		"quoted words":      {"Bash", bash{strings.Repeat(`\w"w"`, size/5)}},
		"brackets":          {"Bash", bash{strings.Repeat(`{a`, 15_000)}},
		"one row":           {"Bash", bash{strings.Repeat("time ", size/5) + "x"}},
		"nested shells":     {"Bash", bash{strings.Repeat("bash <(", 15_000) + strings.Repeat(")", 15_000)}},
		"nested functions":  {"Bash", bash{strings.Repeat("f(){ ", 7_000) + "x" + strings.Repeat(";}", 7_000)}},
		"nested texts":      {"Bash", bash{strings.Repeat("eval ", size/5)}},
		"continued":         {"Bash", bash{"a " + strings.Repeat("\\\n", size/2)}},
		"a long name":       {"t", map[string]any{name: many}},
		"a name of blanks":  {"t", map[string]any{strings.Repeat(" ", size/2): 1}},
		"many edits":        {"MultiEdit", several{"/f", edits}},
		"another script":    {"t", map[string]string{"x": strings.Repeat("аbв世", size/8)}},
		"nothing to see":    {"t", map[string]string{"x": strings.Repeat("\u200B", size/3)}},
		"line feeds":        {"t", map[string]string{"x": strings.Repeat("\n \n", size/3)}},
		"changed long line": {"Write", write{"/f", strings.Repeat("a b ", size/4)}},
	} {
		i := lens.In{Ask: ask(t, c.tool, c.args)}
		if text, err := card.Render(i.Ask); err == nil { // the queue refuses what is larger, a lens need not rely on it
			i.Card = card.Lines(text)
		}
		i.Raw, _ = i.Ask.Canonical()
		i.Before = []lens.Case{{Ask: ask(t, c.tool, c.args, func(a *digest.Ask) { a.Session = "other" })}}
		i.File = file("a" + strings.Repeat("b c\n", lens.MaxLines-1))
		for _, k := range lens.Kinds(i) {
			begin := time.Now()
			l := lens.New(k, i)
			holds(t, l.Render(look(true), 59, 30), look(true), 59, 30)
			l.Scroll(look(true), 1<<30, 59, 30)
			holds(t, l.Render(look(true), 59, 30), look(true), 59, 30)
			if d := time.Since(begin); d > time.Minute {
				t.Errorf("%s in %s took %v", what, k, d)
			} else if d > time.Second {
				t.Logf("%s in %s took %v", what, k, d)
			}
		}
	}
}
