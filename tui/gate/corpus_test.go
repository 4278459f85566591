package gate_test

import (
	"bufio"
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"nod/tui/gate"
)

type row struct {
	ID    string `json:"id"`
	Class string `json:"class"`
	Input string `json:"input"`
	Rule  string `json:"rule"`
	Note  string `json:"note"`
}

func corpus(t *testing.T) []row {
	data, err := os.ReadFile("testdata/keyboard-input.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		var r row
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	if len(rows) != 31 {
		t.Fatalf("%d rows", len(rows))
	}
	return rows
}

// parsed turns the bytes a terminal sends into events, as the console does.
func parsed(in string) []gate.Event {
	var out []gate.Event
	for in != "" {
		n := 1
		switch {
		case strings.HasPrefix(in, "\x1b[200~"):
			n = len(in)
			if end := strings.Index(in, "\x1b[201~"); end >= 0 {
				n = end + 6
			}
			out = append(out, gate.Paste{})
		case strings.HasPrefix(in, "\x1b[I"):
			n, out = 3, append(out, gate.Focus{})
		case strings.HasPrefix(in, "\x1b[O"):
			n, out = 3, append(out, gate.Blur{})
		case strings.HasPrefix(in, "\x1b[<"):
			n, out = len(in), append(out, gate.Mouse{})
		case strings.HasPrefix(in, "\x1b[") || strings.HasPrefix(in, "\x1b]"):
			n = len(in) // an answer of the terminal is no event of the gate
			if end := strings.Index(in, "~"); end >= 0 {
				n = end + 1
			}
		case in[0] == 0x1b && len(in) > 1:
			n, out = 2, append(out, gate.Key{Name: "alt+" + in[1:2]})
		default:
			names := map[byte]string{0x1b: "esc", '\r': "enter", ' ': "space", 0x7f: "backspace", 3: "ctrl+c", 4: "ctrl+d", 0x1a: "ctrl+z"}
			if name, ok := names[in[0]]; ok {
				out = append(out, gate.Key{Name: name})
				break
			}
			r := []rune(in)[0]
			n = len(string(r))
			out = append(out, key(string(r)))
		}
		in = in[n:]
	}
	return out
}

func TestCorpusNeverDecides(t *testing.T) {
	for _, r := range corpus(t) {
		events := parsed(r.Input)
		for _, gap := range []int64{0, 2, 120, 500} {
			desks := map[string]*desk{
				"just opened": newDesk(t, call()).at(0, gate.Painted{Frame: 1}).at(0, gate.Confirmed{Frame: 1}).at(0, gate.Read{Seen: 35, All: 35}),
				"armed":       opened(t, call()),
				"mandated":    opened(t, mandated()).press(0, "a"),
			}
			if len(events) > 0 && gap < gate.RestMS {
				desks["denying"] = opened(t, call()).press(0, "x") // later x has counted
			}
			for name, d := range desks {
				for _, ev := range events {
					d.at(gap, ev)
				}
				d.rest(2000)
				if len(d.made) > 0 {
					t.Errorf("%s, %s, %d ms apart: %+v", r.ID, name, gap, d.made)
				}
			}
		}
	}
}

// TestCorpusRules holds the rows whose rule asks for more than no decision.
func TestCorpusRules(t *testing.T) {
	for class, check := range map[string]func(t *testing.T, in []gate.Event){
		"keys/double": func(t *testing.T, in []gate.Event) {
			d := opened(t, call()).press(0, "a").types("7f3a").rest(50)
			for _, ev := range in {
				d.at(500, ev)
			}
			d.decided(gate.VerdictAllow)
			d.says("Sent: your answer is being recorded, so keys do nothing; wait.")
		},
		"keys/caps": func(t *testing.T, in []gate.Event) { // a capital is another key
			if d := opened(t, call()).press(0, "A"); d.out.Mode != gate.ModeRest || d.out.Consumed {
				t.Error("a capital opens the line")
			}
			d := opened(t, call()).press(0, "a").types("7F")
			d.says("Not a code: only 0-9 and a-f are in it, so the field is empty; type the four.")
			if d = opened(t, call()).press(0, "X").rest(500); len(d.made) > 0 {
				t.Error("a capital denies")
			}
		},
		"keys/slow-typist": func(t *testing.T, in []gate.Event) {
			if d := opened(t, call()).rest(gate.IdleMS).at(0, in[0]); !d.out.Redraw || d.out.Mode != gate.ModeRest {
				t.Errorf("after 30 min: redraw %v, mode %d", d.out.Redraw, d.out.Mode)
			}
			if d := opened(t, call()).rest(gate.IdleMS-2000).at(0, in[0]); d.out.Redraw || d.out.Mode != gate.ModeCode {
				t.Errorf("before 30 min: redraw %v, mode %d", d.out.Redraw, d.out.Mode)
			}
		},
		"keys/focus-in": func(t *testing.T, in []gate.Event) {
			d := opened(t, call()).at(0, in[0]).press(300, "a")
			d.says("New focus: this window just got the keys, so none counts yet; read, then a.")
		},
		"keys/focus-out": func(t *testing.T, in []gate.Event) {
			d := opened(t, call()).at(0, in[0]).press(3000, "a").types("7f3a").press(3000, "x").rest(1000)
			d.decided()
		},
		"keys/ctrl-c": func(t *testing.T, in []gate.Event) {
			d := opened(t, call()).press(0, "a").types("7f3").at(120, in[0])
			if d.out.Consumed || d.out.Mode != gate.ModeRest {
				t.Error("the open line swallows the key that leaves")
			}
		},
	} {
		found := false
		for _, r := range corpus(t) {
			if r.Class == class {
				found = true
				t.Run(class, func(t *testing.T) { check(t, parsed(r.Input)) })
			}
		}
		if !found {
			t.Errorf("no row of class %s", class)
		}
	}
}
