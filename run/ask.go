package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"nod/client"
	"nod/digest"
	"nod/queue"
)

// Request is what Ask asks: a call or a question, not both.
type Request struct {
	Call     *queue.Call
	Question *queue.Question
	CallID   string   // the caller's id of this ask; a repeat finds the first
	Raise    []string // reasons that only make it stricter
	// Begin spends an allowed call in the moment before Ask answers, so that an
	// approval is good for one run; the result then carries the attempt's id
	// and token for the caller's report. Without it the ask stays allowed until
	// its time to use is over.
	Begin bool
	// Edits says that the caller runs the action of the result, also when a
	// person changed its arguments. It needs Begin.
	Edits bool
	// Commit says that the call commits a boundary (queue.Submit, kind commit).
	Commit bool
	JSON   bool // the result as one JSON object on Stdout, not as text
}

// Result is what Ask found, as it prints it. Times are Unix milliseconds.
type Result struct {
	Ask          string          `json:"ask"`
	State        queue.State     `json:"state"`
	ActionDigest digest.Digest   `json:"action_digest"`
	EffectID     jsontext.Value  `json:"effect_id,omitempty"` // what repeats share; absent where nothing names the effect
	ShownDigest  digest.Digest   `json:"shown_digest"`
	Decision     *queue.Decision `json:"decision,omitempty"`
	Attempt      string          `json:"attempt,omitzero"`
	AttemptToken string          `json:"attempt_token,omitzero"`
	Action       jsontext.Value  `json:"action,omitempty"`
	Sentence     string          `json:"sentence"`
}

// ParseCall reads a call from strict JSON with the members of queue.Call;
// unknown ones are refused. Numbers that a double cannot keep are refused: the
// caller can send them as strings.
func ParseCall(raw []byte, lim digest.Limits) (*queue.Call, error) {
	doc, err := digest.Canonical(raw, lim)
	if err != nil {
		return nil, fmt.Errorf("read the call: %w", err)
	}
	call := new(queue.Call)
	err = json.Unmarshal(doc, call, json.RejectUnknownMembers(true))
	switch {
	case err != nil:
		err = misread(err)
	case call.Tool == "" && !has(doc, "tool"):
		err = missing("/tool")
	case len(call.Arguments) == 0:
		err = missing("/arguments")
	default:
		return call, nil
	}
	return nil, fmt.Errorf("read the call: %w", err)
}

// has reports whether an object has a member.
func has(doc digest.JSON, name string) bool {
	_, ok := digest.Lookup(doc, "/"+name)
	return ok
}

func missing(pointer string) error {
	return &digest.Error{Code: digest.CodeMissingMember, Pointer: pointer, Sentence: "the call misses a member that it has to have",
		Hint: `a call has tool and arguments, {"tool":"Bash","arguments":{"command":"ls"}}`}
}

// misread says which member of a call is none, or of another type.
func misread(err error) error {
	e := &digest.Error{Code: digest.CodeWrongType, Sentence: "the call has another JSON type here than a call has",
		Hint: "a call is an object of tool, operation, arguments, cwd, vars, effect, operands, lifted"}
	at, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		return e
	}
	e.Pointer = string(at.JSONPointer)
	if errors.Is(at.Err, json.ErrUnknownName) {
		e.Code, e.Sentence = digest.CodeUnknownMember, "a call has no such member"
	}
	return e
}

// Ask submits, waits and prints how it ended; it runs nothing. It returns the
// exit status of the process.
func Ask(ctx context.Context, d Deps, r Request) int {
	if d.Session == "" {
		d.Session = "ask-" + d.NewID()
	}
	kind := digest.KindCall
	if r.Question != nil {
		kind = digest.KindQuestion
	}
	if r.Commit {
		kind = digest.KindCommit
	}
	submit := queue.Submit{
		Kind: kind, Session: d.Session, CallID: r.CallID, Call: r.Call, Question: r.Question, AgentWords: d.Words,
		Raise: r.Raise, AnswerInMS: d.Within.Milliseconds(), HostRuns: r.Begin, Begin: r.Begin, Executor: "nod ask",
		Edits:    r.Edits && r.Begin, // whoever runs changed arguments must be told them
		Receipts: queue.StageHandedOver,
	}
	d.Stated.into(&submit)
	sub, err := queue.As[queue.Submitted](ctx, d.Port, submit)
	if err != nil {
		return d.fail(err)
	}
	st, err := client.Await(ctx, d.Port, sub)
	if err != nil {
		return d.fail(err)
	}
	load := client.Pack(&st, cmp.Or(st.Ask, sub.Ask), sub.Token, 0)
	out := Result{
		Ask: sub.Ask, State: st.State, ActionDigest: sub.ActionDigest, ShownDigest: sub.ShownDigest, Decision: st.Decision,
	}
	action := sub.Action
	if e := st.EditedTo; e != nil {
		out.Ask, out.ActionDigest, out.ShownDigest, action = e.Ask, e.ActionDigest, e.ShownDigest, e.Action
	}
	out.EffectID = client.EffectID(action)
	begun := sub.Begun
	if r.Begin && begun == nil && st.State == queue.StateAllowed {
		b, err := queue.As[queue.Begun](ctx, d.Port, queue.Begin{
			Ask: out.Ask, Token: sub.Token, Action: action, Executor: "nod ask", HostRuns: true,
		})
		if err != nil {
			return d.fail(err)
		}
		begun = &b
	}
	exit := exitOf(st.State)
	if begun != nil {
		out.State, out.Attempt, out.AttemptToken, out.Action = queue.StateSpent, begun.Attempt, begun.Token, action
		exit = ExitAllowed
	}
	out.Sentence = sentence(&st, exit)
	if st.EditedTo != nil && begun != nil {
		out.Sentence += " " + client.ToldEdited(st.EditedTo)
	}
	out.Sentence = load.With(out.Sentence)
	if err := d.print(r, &out, exit); err != nil {
		return d.fail(err)
	}
	client.Deliver(ctx, d.Port, load)
	return exit
}

func sentence(st *queue.Standing, exit int) string {
	switch {
	case st.State == queue.StateAnswered:
		return strings.TrimSpace("A person answered this question. " + answeredWith(st.Decision))
	case exit != ExitAllowed:
		return client.Refused(st)
	}
	reason, words := client.Allowed(st.Decision, wordsOf(st.Decision))
	if words != "" {
		reason += " " + words
	}
	return reason
}

// answeredWith are the words that came with an answer.
func answeredWith(d *queue.Decision) string {
	if wordsOf(d) == "" {
		return ""
	}
	return client.Said("answered this question", d.Words)
}

func wordsOf(d *queue.Decision) string {
	if d == nil {
		return ""
	}
	return d.Words
}

// print writes the result: as JSON on Stdout, or as a sentence on Stderr with a
// question's answer alone on Stdout.
func (d *Deps) print(r Request, out *Result, exit int) error {
	if r.JSON && d.JSON != nil {
		return d.JSON(out)
	}
	if r.JSON {
		b, err := json.Marshal(out)
		if err != nil {
			return fmt.Errorf("write the result: %w", err)
		}
		_, err = d.Stdout.Write(append(b, '\n'))
		return err
	}
	if !d.say(out.Sentence) {
		return errors.New("write the answer: nobody reads it")
	}
	if exit == ExitAllowed && out.State == queue.StateAnswered && out.Decision != nil {
		if _, err := fmt.Fprintln(d.Stdout, string(out.Decision.Answer)); err != nil {
			return fmt.Errorf("write the answer: %w", err)
		}
	}
	return nil
}
