package client

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"nod/ambiguity"
	"nod/notice"
	"nod/queue"
)

// TestWhoSaidNo holds: only a person's no is called a person's, silence is
// called no denial, and every sentence says that the call did not run.
func TestWhoSaidNo(t *testing.T) {
	person := &queue.Decision{Verdict: queue.VerdictDeny, By: queue.ByPerson, Who: "mia", Words: "wrong file"}
	rule := &queue.Decision{Verdict: queue.VerdictDeny, By: queue.ByRule, Who: "no-rm", Words: "no"}
	for _, c := range []struct {
		state queue.State
		d     *queue.Decision
		has   string
		hasnt string
	}{
		{queue.StateDenied, person, `A person denied this call: "wrong file".`, "rule"},
		{queue.StateDenied, &queue.Decision{By: queue.ByPerson}, "A person denied this call and gave no reason.", "rule"},
		{queue.StateDenied, rule, `rule "no-rm" denied this call: "no"`, "person"},
		{queue.StateDenied, &queue.Decision{By: queue.ByRule, Who: queue.CodeCompliance, Words: "The operator's compliance denies it."}, "The operator's compliance denies it. It did not run", "rule"},
		{queue.StateDenied, nil, "was denied", "person"},
		{queue.StateExpired, nil, "not a denial", "denied"},
		{queue.StateWithdrawn, nil, "taken back", "denied"},
		{queue.StateRevoked, nil, "taken back", "denied"},
		{queue.StateLapsed, nil, "not used in time", "denied"},
	} {
		got := Refused(&queue.Standing{State: c.state, Decision: c.d})
		if !strings.Contains(got, c.has) || strings.Contains(got, c.hasnt) || !strings.Contains(got, "did not run") {
			t.Errorf("%s: %q", c.state, got)
		}
	}
	for _, code := range []string{
		queue.CodeFrozen, queue.CodeWrongDigest, queue.CodeOperandsChanged, queue.CodeDescriptorChanged, queue.CodeNotYours, queue.CodeTooLate,
		queue.CodeQuota, queue.CodeKeyReused, queue.CodeDeniedByRule, queue.CodeInProgress, queue.CodeAmbiguousEffect, queue.CodeDuplicateEffect,
		queue.CodeStaleDecision, queue.CodeEffectKey,
	} {
		got := NoBegin(&queue.Refusal{Code: code, Sentence: "because", Hint: "do that"})
		if !strings.Contains(got, "not run") || strings.Contains(got, "A person denied") {
			t.Errorf("%s: %q", code, got)
		}
	}
}

// TestWordsOfAnEditAreTold: they are owed however the changed call ended.
func TestWordsOfAnEditAreTold(t *testing.T) {
	e := &queue.EditedCall{Words: "only the build"}
	for _, state := range []queue.State{queue.StateDenied, queue.StateExpired, queue.StateRevoked, queue.StateLapsed, queue.StateWithdrawn} {
		got := Refused(&queue.Standing{State: state, EditedTo: e})
		if !strings.Contains(got, "changed the arguments") || !strings.Contains(got, `"only the build"`) || !strings.Contains(got, "did not run") {
			t.Errorf("%s: %q", state, got)
		}
	}
	if got := ToldEdited(e); !strings.Contains(got, `"only the build"`) {
		t.Errorf("to run: %q", got)
	}
	if got := Refused(&queue.Standing{State: queue.StateDenied, EditedTo: &queue.EditedCall{}}); strings.Contains(got, "said") {
		t.Errorf("without words: %q", got)
	}
}

func TestAllowedBy(t *testing.T) {
	for by, has := range map[queue.DecidedBy]string{queue.ByPerson: "A person allowed", queue.ByGrant: "grant", queue.ByRule: "rule"} {
		reason, words := Allowed(&queue.Decision{By: by, Who: "x"}, "")
		if !strings.Contains(reason, has) || words != "" {
			t.Errorf("%s: %q, %q", by, reason, words)
		}
		if by != queue.ByPerson && strings.Contains(reason, "A person allowed") {
			t.Errorf("%s is called a person's: %q", by, reason)
		}
	}
	if _, words := Allowed(nil, "mind"); !strings.Contains(words, `said: "mind"`) {
		t.Errorf("the words are %q", words)
	}
}

type hinted struct{}

func (hinted) Error() string          { return "x_code: it broke" }
func (hinted) Told() (a, b, c string) { return "x_code", "it broke", "mend it" }

func TestTold(t *testing.T) {
	if got := Told(fmt.Errorf("open: %w", hinted{})); got != "open: x_code: it broke (hint: mend it)" {
		t.Errorf("got %q", got)
	}
	if got := Told(errors.New("plain")); got != "plain" {
		t.Errorf("got %q", got)
	}
}

// A call that runs into an effect is told what is known of the first one, its
// reference, and not to try under another name.
func TestRepeatsAreTold(t *testing.T) {
	for code, has := range map[string]string{
		queue.CodeInProgress:      "do not retry with a new key",
		queue.CodeAmbiguousEffect: "do not retry, also not with a new key",
		queue.CodeDuplicateEffect: "do not do it again",
	} {
		got := NoBegin(&queue.Refusal{Code: code, Sentence: "the first refund of this effect is so", Ref: "re_1\n\x1b[2J"})
		if !strings.HasPrefix(got, "The first refund of this effect is so (reference re_1") || !strings.Contains(got, has) {
			t.Errorf("%s: %q", code, got)
		}
		if strings.ContainsAny(got, "\n\x1b") {
			t.Errorf("%s: what a provider wrote is not drawn: %q", code, got)
		}
	}
}

func TestWhatHappened(t *testing.T) {
	for _, c := range []struct {
		state queue.AttemptState
		mark  ambiguity.Mark
		has   string
	}{
		{queue.AttemptUnknown, ambiguity.NotConfirmed, "not known whether"},
		{queue.AttemptUnknown, ambiguity.Conflict, "not known whether"},
		{queue.AttemptCommitted, ambiguity.Divergent, "other content"},
		{queue.AttemptCommitted, "", ""}, {queue.AttemptNotExecuted, "", ""},
	} {
		if got := Happened(c.state, c.mark, "re_1"); !strings.Contains(got, c.has) || (got == "") != (c.has == "") ||
			got != "" && !strings.Contains(got, "(reference re_1)") {
			t.Errorf("%s %s: %q", c.state, c.mark, got)
		}
	}
}

// A call that nobody could be asked for is told what would have let it run.
func TestNobodyToAskSaysTheRemedy(t *testing.T) {
	for cause, want := range map[notice.Nobody]string{
		notice.ApproverUnavailable: "A person must answer this call, and nobody can be asked now, so it does not run. It runs once a person can answer it: open nod, then send the call again.",
		notice.NoApproverWired:     "A person must answer this call, and this connection reaches nobody, so it does not run. It runs over a gateway that holds it for a person: connect the agent through nod, then send the call again.",
	} {
		if got := NobodyToAsk(cause); got != want {
			t.Errorf("%s: %q", cause, got)
		}
	}
	const lost = "A person must answer this call, and what mandated it cannot be put together again, so it does not run."
	if got := NoBegin(&queue.Refusal{Code: queue.CodeMandateLost, Sentence: "x", Hint: "y"}); got != lost {
		t.Errorf("%q", got)
	}
}
