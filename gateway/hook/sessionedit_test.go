//go:build unix

package hook_test

import (
	"strings"
	"testing"

	"nod/digest"
	"nod/queue"
)

// arguments gives an ask's arguments with was changed to now.
func (h *host) arguments(t *testing.T, ask, was, now string) string {
	t.Helper()
	a, err := digest.ParseAsk(h.Ask(t, ask).Ask, digest.NoLimits())
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(string(a.Action.Arguments), was, now, 1)
}

// TestAPersonChangesARealCall: the host runs what a person made of the call,
// never the call itself, and reports it as what was approved.
func TestAPersonChangesARealCall(t *testing.T) {
	h := newHost(t)
	s, m := h.session(t, touch("original"))
	row := h.Pending(t, 1)[0]
	e := h.Edit(t, row, h.arguments(t, row.ID, "> original", "> changed"), "into changed")
	h.Allow(t, "")
	out := end(t, s)
	if h.ran("original") || !h.ran("changed") {
		t.Errorf("original ran: %v, changed ran: %v", h.ran("original"), h.ran("changed"))
	}
	if out.ExitCode != 0 || len(out.Result.Denials) != 0 {
		t.Errorf("exit %d, denials %v\n%v", out.ExitCode, out.Result.Denials, m.Results())
	}
	if !m.Heard("into changed") || !m.Heard("changed the arguments") {
		t.Error("the model was not told that another call ran")
	}
	v := h.Ask(t, e.Ask)
	if len(v.Attempts) != 1 || v.Attempts[0].Mismatch || v.Attempts[0].Exit != queue.ExitSuccess || v.Attempts[0].Observed != e.Action {
		t.Errorf("attempts %+v; want one success that ran %s", v.Attempts, e.Action)
	}
	if n := h.Notices(t); len(n) != 0 {
		t.Errorf("notices %+v", n)
	}
}

// TestAnotherHookRewritesAChangedCall: what lands on top of the person's change
// does not run.
func TestAnotherHookRewritesAChangedCall(t *testing.T) {
	h := newHost(t)
	h.rewrite(t, "echo ran > rewritten")
	s, _ := h.session(t, touch("original"))
	row := h.Pending(t, 1)[0]
	e := h.Edit(t, row, h.arguments(t, row.ID, "> original", "> changed"), "")
	h.Allow(t, "")
	end(t, s)
	v := h.Ask(t, e.Ask)
	if len(v.Attempts) != 1 || h.ran("original") {
		t.Fatalf("attempts %+v, original ran: %v", v.Attempts, h.ran("original"))
	}
	if a := v.Attempts[0]; h.ran("rewritten") || h.ran("changed") == a.Mismatch {
		t.Errorf("rewritten ran: %v, changed ran: %v, attempt %+v", h.ran("rewritten"), h.ran("changed"), a)
	}
}
