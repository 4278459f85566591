package client

import (
	"strings"
	"testing"

	"nod/queue"
)

// What a carrier takes is counted as the agent gets it: characters that are
// written out do not go over the limit unseen, and the console says so first.
func TestWordsAreCountedAsTheyAreRead(t *testing.T) {
	const most = 60
	for words, carried := range map[string]bool{
		strings.Repeat("x", most):              true,
		strings.Repeat("x", most+1):            false,
		strings.Repeat("\x1b", most/6):         true,
		strings.Repeat("\x1b", most/6+1):       false,
		strings.Repeat("\u202e", most/8+1):     false,
		strings.Repeat("a\\\n\t", most/4):      true,
		strings.Repeat("\u00e4", most/2):       true,
		strings.Repeat("\u00e4", most/2) + ".": false,
	} {
		st := queue.Standing{Decision: &queue.Decision{By: queue.ByPerson, Words: words}}
		l := Pack(&st, "a", "t", most)
		if got := l.Receipts[0].Refused == "" && st.Decision.Words == words; got != carried {
			t.Errorf("%q: carried %v, want %v", words, got, carried)
		}
		st = queue.Standing{Resent: []queue.ResentWords{{Ask: "b", Words: words}}}
		if l = Pack(&st, "a", "t", most); len(l.Receipts) != 1 || (l.Receipts[0].Refused == "") != carried {
			t.Errorf("%q sent again: %+v", words, l.Receipts)
		}
		v := queue.AskView{WordsMax: most}
		if err := v.CarryWords(words); (err == nil) != carried {
			t.Errorf("%q: the console says %v", words, err)
		}
		if err := (&queue.AskView{}).CarryWords(words); err != nil {
			t.Error(err)
		}
	}
	all := queue.Standing{Resent: []queue.ResentWords{{Ask: "b", Words: strings.Repeat("\x1b", queue.MaxWords)}}}
	if l := Pack(&all, "a", "t", 0); len(l.Receipts) != 1 || l.Receipts[0].Refused != "" {
		t.Error("where there is no limit, words wait for ever")
	}
}
