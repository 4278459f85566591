//go:build unix

package cli_test

import (
	"strings"
	"testing"

	"nod/queue"
)

// TestArgumentsFromStandardInput: the new arguments come through a pipe, and the
// person reads and types at the terminal all the same.
func TestArgumentsFromStandardInput(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	sub := bash("ls")
	sub.Edits = true
	ask := s.submit(sub)
	line := `printf '{"command":"ls -l"}' | nod edit ` + ask + " --arguments - " + strings.Join(s.flags(), " ")
	c := onTerminal(t, 80, 50, nil, "sh", "-c", line)
	c.until("in brackets:")
	s.mustBe(ask, queue.StatePending)
	c.press(s.code(ask) + "\r")
	c.gone()
	c.until("and the new call waits for your answer")
	s.mustBe(ask, queue.StateDenied)
	next := s.view(s.row(ask).EditedTo)
	if next.Row.State != queue.StatePending || !strings.Contains(next.Card, `"ls -l"`) {
		t.Errorf("in its place: %+v\n%s", next.Row, next.Card)
	}
}
