package plain

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"nod/digest/visible"
	"nod/queue"
	"nod/tui/frame/frametest"
	"nod/tui/pace"
)

// TestNothingButDrawnTextIsPrinted reads every input of the corpora out, in
// every place where an agent's text can stand, and as what the operator types.
func TestNothingButDrawnTextIsPrinted(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the corpora through, in one goroutine")
	}
	w := newWorld(t)
	type made struct{ ask, text string }
	var asks []made
	for _, text := range frametest.Hostile(t, "../testdata") {
		args, err := json.Marshal(map[string]string{"command": text, text: text})
		if err != nil {
			t.Fatal(err)
		}
		got, err := queue.As[queue.Submitted](t.Context(), w.as("a"+text), queue.Submit{Kind: "call", Session: text, AgentWords: text, Raise: []string{"cross_boundary"},
			Call: &queue.Call{Tool: "T" + text, Arguments: jsontext.Value(args), Cwd: "/" + text}})
		if err == nil {
			asks = append(asks, made{got.Ask, text})
		}
	}
	if len(asks) < 150 {
		t.Fatalf("only %d asks", len(asks))
	}
	oneLine := func(text string) string { return strings.NewReplacer("\n", " ", "\r", " ").Replace(text) }
	for _, ascii := range []bool{false, true} {
		bytes := 0
		for i, a := range asks {
			if ascii && i%4 > 0 {
				continue
			}
			text := oneLine(a.text)
			if verb, _ := words(text); verb == "deny" {
				text = "x" + text // typed by hand it is a denial
			}
			out := w.read(a.ask, ascii, lines("more", "more", "approve", text, "approve", "T", text, "words "+text, "words", "line 3", text, "answer "+text, "find "+text, "digest")...)
			bytes += len(out)
			for _, row := range strings.Split(out, "\n") {
				if visible.Drawn(row).String() != row {
					t.Fatalf("%q is not drawn text", row)
				}
				if ascii && strings.ContainsFunc(row, func(r rune) bool { return r > '~' }) {
					t.Fatalf("%q is not ASCII", row)
				}
			}
			w.mustBe(a.ask, queue.StatePending)
		}
		if bytes < 50_000 {
			t.Errorf("only %d bytes were read out", bytes)
		}
	}
	out := w.talkTo(nil, lines("more", "more", "more", "find a", "history", "notices")...)
	for _, row := range strings.Split(out, "\n") {
		if visible.Drawn(row).String() != row {
			t.Fatalf("%q is not drawn text", row)
		}
	}
}

// read opens an ask and runs a script in it; what is typed is not echoed.
func (w *world) read(ask string, ascii bool, script ...typed) string {
	w.t.Helper()
	var out strings.Builder
	s := &session{port: w.mia, pace: pace.New(pace.Limits{}), out: &out, o: w.options(), kb: &person{w: w, out: &strings.Builder{}, script: script}}
	s.o.ASCII, s.list.at = ascii, w.now+1
	err := s.openAsk(w.t.Context(), ask)
	for err == nil {
		err = s.turn(w.t.Context())
	}
	if !errors.Is(err, io.EOF) {
		w.t.Fatal(err)
	}
	return out.String()
}
