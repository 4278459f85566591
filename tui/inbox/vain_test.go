package inbox

import (
	"fmt"
	"strings"
	"testing"

	"nod/digest"
	"nod/queue"
	"nod/tui/frame"
)

// An agent asks the same thing ten thousand times: the console reads a few pages
// and rests, and goes on when the operator moves.
func TestAnEndlessFoldIsNotReadToItsEnd(t *testing.T) {
	row := func(seq int64) queue.Row {
		return queue.Row{Seq: seq, Urgency: 3, ID: fmt.Sprintf("ask-%06d", seq), Kind: "call", State: queue.StatePending,
			ActionDigest: digest.Of([]byte("the same")), AnswerBy: 1 << 50}
	}
	read := func(q queue.QInbox) queue.Inbox {
		out := queue.Inbox{More: true}
		for seq := q.After.Seq + 1; int64(len(out.Rows)) < q.Limit; seq++ {
			out.Rows = append(out.Rows, row(seq))
		}
		return out
	}
	l := &List{}
	l.Show(read(l.FromTop()), Lists{}, false, "")
	pages := func() int {
		for n := 0; ; n++ {
			q, up, ok := l.Wants()
			if !ok {
				return n
			}
			if n > 2*mostVain {
				t.Fatal("it reads on without end")
			}
			l.Extend(q, up, read(q))
		}
	}
	if n := pages(); n != mostVain {
		t.Errorf("%d pages", n)
	}
	if text := screen(l, look, 80, 21); !strings.Contains(text, "more wait behind these") {
		t.Errorf("it is not said:\n%s", text)
	}
	l.Move(1, frame.Look{Glyphs: frame.Unicode()}, 20)
	if n := pages(); n != mostVain {
		t.Errorf("after a move %d pages", n)
	}
}

// Two blanks are ours: what an agent sends cannot draw a column of its own.
func TestBlanksOfAnAgentDrawNoColumns(t *testing.T) {
	for in, want := range map[string]string{
		"Bash":                  "Bash",
		"Bash  ls  by mia":      `Bash \u{20}ls \u{20}by mia`,
		"a    b":                `a \u{20}\u{20}\u{20}b`,
		"a b c":                 "a b c",
		"trailing  ":            `trailing \u{20}`,
		`a \u{20} b` + "\u200B": `a \\u{20} b\u{200B}`,
	} {
		for _, look := range []frame.Look{{Glyphs: frame.Unicode()}, {Glyphs: frame.Unicode(), Split: true}, {Glyphs: frame.ASCII()}} {
			if got := Field(look, in).String(); got != want {
				t.Errorf("%q: %q, want %q", in, got, want)
			}
		}
	}
}
