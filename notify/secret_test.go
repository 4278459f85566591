//go:build unix

package notify

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"nod/notify/ladder"
	"nod/queue"
)

// A secret in every member that anybody can fill: none is in anything that is
// sent, given to a command, printed or kept.
func TestNoTextOfAnybodysIsSent(t *testing.T) {
	w := newWorld(t)
	path, dir := script(t, "cat >>\"$1/got\"\nenv >>\"$1/got\"\necho \"$@\" >>\"$1/got\"\n")
	both := func(o *Options) {
		o.Webhooks = []string{w.hook.URL + "/SECRET-path?SECRET-query"}
		o.Command, o.Env = []string{path, dir}, []string{"PATH=/usr/bin:/bin"}
		o.Plan.Always = true
	}
	first := w.submit(func(s *queue.Submit) {
		s.Session, s.Parent, s.CallID, s.AgentWords = "SECRET-session", "SECRET-parent", "SECRET-callid", "SECRET-words"
		s.Raise = []string{"cross_boundary", "irreversible", "requires_real_approval"}
		s.Call = &queue.Call{
			Tool: "SECRET-tool", Operation: "SECRET-operation", Arguments: []byte(`{"SECRET-member":"SECRET-value"}`), Cwd: "/SECRET-cwd",
			Vars: map[string]string{"SECRET_VAR": "SECRET-var"},
			Effect: &queue.Effect{ID: []byte(`"SECRET-part"`), Class: "irreversible", Access: "write",
				CommitBoundary: "SECRET-boundary"},
			Operands: []queue.Operand{{Name: "SECRET-operand", Digest: "sha256:" + queueDigest}},
		}
		s.AnswerInMS = 100 * second
	})
	w.submit(func(s *queue.Submit) {
		s.Session, s.Kind, s.Call = "SECRET-session2", "question", nil
		s.Question = &queue.Question{Text: "SECRET-question?", Schema: []byte(`{"type":"object","properties":{"SECRET-property":{"type":"string","description":"SECRET-description"}}}`)}
	})
	if _, err := w.operator.Do(t.Context(), queue.Freeze{Reason: "SECRET-freeze"}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.agent.Do(t.Context(), queue.Unasked{Session: "SECRET-other", Tool: "SECRET-unasked"}); err != nil {
		t.Fatal(err)
	}
	var printed []Report
	kept := ""
	for _, pass := range []int64{0, minute, 35 * second, 60 * minute} {
		w.pass(pass)
		w.once(both)
		kept += file(t, w.dir, "nod.db.notified")
	}
	o := w.options()
	both(&o)
	o.Told = func(r Report) { printed = append(printed, r) }
	if err := Try(t.Context(), w.operator, o); err != nil {
		t.Fatal(err)
	}
	stand, err := Stand(w.store(), w.storeID(), os.Getuid())
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	events := map[ladder.Kind]bool{}
	for _, r := range w.hook.all() {
		all.WriteString(r.body)
		for name, values := range r.header {
			all.WriteString(name + strings.Join(values, " "))
		}
		events[r.payload.Event] = true
	}
	for _, kind := range []ladder.Kind{ladder.Mandated, ladder.Waiting, ladder.Expiring, ladder.Unwatched, ladder.Test} {
		if !events[kind] {
			t.Errorf("no %s was sent, so it was not looked at", kind)
		}
	}
	seen := all.String()
	if !strings.Contains(seen, first) {
		t.Fatal("the ask was not told of")
	}
	reports, err := json.Marshal([]any{printed, w.told, stand})
	if err != nil {
		t.Fatal(err)
	}
	got := file(t, dir, "got")
	if !strings.Contains(got, first) || !strings.Contains(kept, first) {
		t.Fatal("the command or the state know nothing of it")
	}
	for name, text := range map[string]string{"requests": seen, "command": got, "state": kept, "reports": string(reports)} {
		for _, hit := range []string{"SECRET", "shop-fixer", "claude-code", "mia"} {
			if at := strings.Index(text, hit); at >= 0 {
				t.Errorf("%s hold %q: …%s…", name, hit, text[max(at-60, 0):min(at+60, len(text))])
			}
		}
		secret := strings.TrimSpace(strings.TrimPrefix(file(t, w.dir, "notify.key"), "whsec_"))
		if strings.Contains(text, secret) {
			t.Errorf("%s hold the key", name)
		}
	}
}

const queueDigest = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// A store that was changed beside Nod cannot send words either.
func TestARowHoldsOnlyOurWords(t *testing.T) {
	r := queue.Row{ID: "SECRET", Kind: "SECRET", Reasons: []string{"SECRET", "rule", "SECRET"}, Tool: "SECRET", Gist: "SECRET"}
	i := item(&r, 1)
	if i.ID != "" || i.Kind != "" || !slices.Equal(i.Reasons, []string{"rule"}) {
		t.Errorf("%+v", i)
	}
}

// The reasons that are sent are those that the queue has.
func TestTheReasonsAreTheQueues(t *testing.T) {
	files, err := filepath.Glob("../queue/*.go")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(node ast.Node) bool {
			spec, ok := node.(*ast.ValueSpec)
			if !ok || !strings.HasPrefix(spec.Names[0].Name, "Reason") || len(spec.Values) != 1 {
				return true
			}
			lit, ok := spec.Values[0].(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			n++
			if w, err := strconv.Unquote(lit.Value); err != nil || !slices.Contains(reasons(), w) {
				t.Errorf("%s is not sent", lit.Value)
			}
			return true
		})
	}
	if n < 10 {
		t.Errorf("%d reasons found", n)
	}
}

func TestManyAtOnceAreOneTelling(t *testing.T) {
	w := newWorld(t)
	for range 25 {
		w.submit()
	}
	w.once()
	all := w.hook.all()
	if len(all) != 1 {
		t.Fatalf("%d tellings", len(all))
	}
	p := all[0].payload
	if len(p.Asks) != maxItems || p.More != 5 || p.Counts.Pending != 25 || p.Type != Type || p.Text != "nod: 25 wait" || len(all[0].body) > 20<<10 {
		t.Errorf("%+v, %d bytes", p, len(all[0].body))
	}
}

func TestSentences(t *testing.T) {
	c := Counts{Pending: 3, Mandated: 1, Unknown: 1}
	for _, x := range []struct {
		p    Payload
		due  int64
		want string
	}{
		{Payload{Event: ladder.Waiting, Counts: c}, 1, "nod: 3 wait"},
		{Payload{Event: ladder.Waiting, Counts: Counts{Pending: 1}, OldestMS: 12 * minute}, 1, "nod: 1 waits, the oldest 12 min"},
		{Payload{Event: ladder.Mandated, Counts: c, OldestMS: 5 * 60 * minute}, 1, "nod: 3 wait, the oldest 5 h; 1 mandated"},
		{Payload{Event: ladder.Expiring, Counts: c, OldestMS: 50 * 60 * minute}, 2, "nod: 2 expire soon, and no answer is a no; 3 wait, the oldest 2 d"},
		{Payload{Event: ladder.Unknown, Counts: c}, 0, "nod: 1 outcome is unknown"},
		{Payload{Event: ladder.Unwatched, Counts: c, OldestMS: 3 * minute}, 0, "nod: nobody watches; 3 wait, the oldest 3 min"},
		{Payload{Event: ladder.Test}, 0, "nod: this is a test; 0 wait"},
	} {
		if got := text(&x.p, x.due); got != x.want {
			t.Errorf("%q, want %q", got, x.want)
		}
	}
}
