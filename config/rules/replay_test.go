package rules

import (
	"errors"
	"iter"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nod/digest"
	"nod/queue"
)

// past builds one ask of history.
func past(t *testing.T, n string, command string, change func(*queue.AskView)) queue.AskView {
	t.Helper()
	a := action(t, "Bash", `{"command":"`+command+`"}`)
	d, err := a.Digest()
	if err != nil {
		t.Fatal(err)
	}
	id := "01900000-0000-7000-8000-00000000000" + n
	ask := digest.Ask{
		ID: id, Kind: digest.KindCall, Action: a, ActionDigest: d, Reasons: []string{"default"}, Why: []string{"none"},
		Session: "s-0123456789abcdef", AnswerBy: "2026-12-01T14:30:12Z", UseWithin: 600,
	}
	doc, err := ask.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	v := queue.AskView{Row: queue.Row{ID: id, Kind: digest.KindCall}, Ask: []byte(doc)}
	if change != nil {
		change(&v)
	}
	return v
}

func decided(by queue.DecidedBy, v queue.Verdict) func(*queue.AskView) {
	return func(a *queue.AskView) { a.Decision = &queue.Decision{By: by, Verdict: v} }
}

func each(list ...queue.AskView) iter.Seq2[queue.AskView, error] {
	return func(yield func(queue.AskView, error) bool) {
		for _, v := range list {
			if !yield(v, nil) {
				return
			}
		}
	}
}

func TestReplay(t *testing.T) {
	s := mustCompile(t,
		rule("git", "allow", `args.command startsWith "git"`),
		rule("force", "deny", `args.command contains "--force"`),
		rule("deep", "ask", `args.command == "rm" && args.absent.deeper == 1`))
	list := []queue.AskView{
		past(t, "1", "git status", decided(queue.ByPerson, queue.VerdictAllow)),
		past(t, "2", "git push", decided(queue.ByPerson, queue.VerdictDeny)),
		past(t, "3", "git push --force", decided(queue.ByPerson, queue.VerdictDeny)),
		past(t, "4", "git tag", decided(queue.ByRule, queue.VerdictDeny)),
		past(t, "5", "git commit", func(a *queue.AskView) { a.Row.Mandated = true }),
		past(t, "6", "git merge", func(a *queue.AskView) { a.Row.Reasons = []string{queue.ReasonRealApproval} }),
		past(t, "7", "rm", func(a *queue.AskView) { a.Row.DecidedBy, a.Row.Verdict = queue.ByPerson, queue.VerdictAllow }),
		past(t, "8", "ls", nil),
		past(t, "9", "x", func(a *queue.AskView) { a.Ask = nil }),
		{Row: queue.Row{Kind: digest.KindQuestion}},
	}
	got, err := s.Replay(each(list...))
	if err != nil {
		t.Fatal(err)
	}
	id := func(i int) string { return list[i-1].Row.ID }
	want := Replay{
		Asks: 10, Calls: 8, Left: 1, Missing: 1, Nothing: 1,
		Rules: []Past{
			{Rule: "git", Verdict: "allow", Matched: 6, Answered: 3, Withheld: 2, PersonAllowed: []string{id(1)}, PersonDenied: []string{id(2)}},
			{Rule: "force", Verdict: "deny", Matched: 1, Answered: 1, PersonDenied: []string{id(3)}},
			{Rule: "deep", Verdict: "ask", Answered: 1, Errors: 1, PersonAllowed: []string{id(7)}},
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestReplayStopsAtAnError(t *testing.T) {
	gone := errors.New("gone")
	_, err := mustCompile(t).Replay(func(yield func(queue.AskView, error) bool) {
		if yield(queue.AskView{}, nil) && yield(queue.AskView{}, gone) {
			t.Error("went on after the error")
		}
	})
	if !errors.Is(err, gone) {
		t.Errorf("%v, want the error of the asks", err)
	}
}

// What a replay says of a call is what Judge says of it.
func TestReplayAgreesWithJudge(t *testing.T) {
	verdicts := []string{"deny", "ask", "allow"}
	whens := []string{yes, no, broken}
	v := past(t, "1", "ls", nil)
	a := action(t, "Bash", `{"command":"ls"}`)
	for n := range 9 * 9 {
		s := mustCompile(t, rule("x", verdicts[n%3], whens[n/3%3]), rule("y", verdicts[n/9%3], whens[n/27]))
		r := s.Judge(a)
		got, err := s.Replay(each(v))
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(got.Rules, func(p Past) bool { return p.Answered > 0 })
		if r.Verdict == "" != (i < 0) || i >= 0 && got.Rules[i].Rule != r.Rule {
			t.Errorf("case %d: ruling %+v, replay %+v", n, r, got)
		}
	}
}
