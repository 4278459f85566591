// Package frametest holds what every view of the console is tested for: its
// rows are as many and as wide as it was told, and hold drawn text only.
package frametest

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/go-json-experiment/json"

	"nod/digest/visible"
	"nod/tui/frame"
)

// TB is the part of testing.TB that a property test has as well.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Hostile reads the inputs of the corpora in dir that are valid text.
func Hostile(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) < 5 {
		t.Fatalf("the corpora are not in %s: %v", dir, err)
	}
	var out []string
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(raw) {
			var row struct {
				Input string `json:"input"`
				B64   string `json:"input_b64"`
			}
			if err := json.Unmarshal(line, &row); err != nil {
				t.Fatalf("%s: %v", f, err)
			}
			if b, err := base64.StdEncoding.DecodeString(row.B64); err == nil && row.Input == "" {
				row.Input = string(b)
			}
			if row.Input != "" && utf8.ValidString(row.Input) {
				out = append(out, row.Input)
			}
		}
	}
	if len(out) < 200 {
		t.Fatalf("only %d inputs", len(out))
	}
	return out
}

// Sound fails when rows are not what a view may give for w by h cells, or when
// the cursor is on none of them.
func Sound(t TB, rows []frame.Line, cursor, w, h int) {
	t.Helper()
	if len(rows) > h {
		t.Fatalf("%d rows of %d", len(rows), h)
	}
	if cursor >= len(rows) || cursor < -1 {
		t.Fatalf("the cursor is on row %d of %d", cursor, len(rows))
	}
	for i, r := range rows {
		text := r.Plain()
		if n := ansi.StringWidth(text); n > w {
			t.Fatalf("row %d has %d cells of %d: %q", i, n, w, text)
		}
		if visible.Drawn(text).String() != text {
			t.Fatalf("row %d holds what no drawing holds: %q", i, text)
		}
	}
}

// Strict fails when a row holds anything but ASCII and our own marks: what may
// stand left of a divider.
func Strict(t TB, rows []frame.Line, marks string) {
	t.Helper()
	for i, r := range rows {
		for _, c := range r.Plain() {
			if c > '~' && !strings.ContainsRune(marks, c) {
				t.Fatalf("%q in row %d: %q", c, i, r.Plain())
			}
		}
	}
}

// Case is one way in which a view is drawn.
type Case struct {
	Name string
	Look frame.Look
	W, H int // of the view
}

// Cases are the sizes, panes and glyphs that every view has a golden for. now
// is effective Unix ms.
func Cases(now int64) (out []Case) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}} {
		for _, split := range []bool{false, true} {
			for _, ascii := range []bool{false, true} {
				c := Case{W: size[0], H: size[1] - 3, Look: frame.Look{Glyphs: frame.Unicode(), W: size[0], H: size[1], Now: now, Loc: time.UTC, Split: split}}
				c.Name = fmt.Sprintf("%dx%d", size[0], size[1])
				if split {
					c.Name, c.W = c.Name+"-split", size[0]*7/15
				}
				if ascii {
					c.Name, c.Look.Glyphs = c.Name+"-ascii", frame.ASCII()
				}
				out = append(out, c)
			}
		}
	}
	return out
}

// Text is the view as the console shows it: as ASCII where that is asked for.
func (c *Case) Text(rows []frame.Line) string {
	if c.Look.Glyphs.ASCII {
		for i := range rows {
			rows[i] = rows[i].ASCII()
		}
	}
	lines := strings.Split(frame.New(c.W, len(rows), rows).Plain(), "\n")
	for i := range lines {
		lines[i] = "|" + lines[i] + "|"
	}
	return strings.Join(lines, "\n") + "\n"
}
