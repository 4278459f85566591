package client

import (
	"errors"
	"fmt"
	"strings"

	"nod/ambiguity"
	"nod/digest/visible"
	"nod/notice"
	"nod/queue"
)

// Nobody is what a caller is told when no answer came. Silence is never called a
// denial.
const Nobody = "No person answered this call in time. It did not run. This is not a denial: ask again when somebody is there, or go on without it."

// NobodyToAsk is what a caller is told of a call that was refused because nobody
// could be asked, and what would have let it run.
func NobodyToAsk(cause notice.Nobody) string {
	sentence, remedy := cause.Refusal("")
	return strings.TrimSpace(sentence + " " + remedy)
}

// Held is what the agent is told when its call was allowed, and held for longer
// than whoever asked can wait.
const Held = "A person allowed this call, and the approval holds it back for longer than this wait could last. It did not run. Ask again to use the approval."

// sayEdited comes before how a call ended that a person changed first.
const sayEdited = "A person changed the arguments of this call first. "

// saidWith are the words of whoever changed a call, framed as such; "" for none.
func saidWith(e *queue.EditedCall) string {
	if e.Words == "" {
		return ""
	}
	return Said("changed it", e.Words)
}

// maxTold is how much of changed arguments the agent is told, in bytes.
const maxTold = 4 << 10

// Edited tells the agent that what runs is not what it asked for.
func Edited(e *queue.EditedCall, arguments []byte) string {
	text := "A person changed the arguments of this call before it was allowed. It runs with these, not with yours: "
	if len(arguments) > maxTold {
		text += strings.ToValidUTF8(string(arguments[:maxTold]), "") + fmt.Sprintf(" … and %d bytes more.", len(arguments)-maxTold)
	} else {
		text += string(arguments)
	}
	return strings.TrimSpace(text + " " + saidWith(e))
}

// ToldEdited tells a caller that runs what stands beside this sentence that it
// is another call than the one it asked for.
func ToldEdited(e *queue.EditedCall) string {
	return strings.TrimSpace("A person changed its arguments: run the action that stands here. " + saidWith(e))
}

const (
	sayGone  = "This call did not run: another copy of it waits for the answer now."
	sayRetry = " It did not run. Ask again if it is still needed."
)

// Refused is what a caller is told of an ask that ended without a begin: what
// happened, that the call did not run, and what to do next.
func Refused(st *queue.Standing) string {
	return AfterEdit(st.EditedTo, refused(st))
}

// AfterEdit says first that a person changed the call and what they said, then
// what became of it; only the latter where nobody changed it.
func AfterEdit(e *queue.EditedCall, became string) string {
	switch {
	case e == nil:
		return became
	case e.Words == "":
		return sayEdited + became
	default:
		return sayEdited + saidWith(e) + ". " + became
	}
}

func refused(st *queue.Standing) string {
	d := st.Decision
	switch st.State {
	case queue.StateDenied:
		return denied(d)
	case queue.StateExpired:
		return Nobody
	case queue.StateWithdrawn:
		return "This call was taken back before a person answered." + sayRetry
	case queue.StateRevoked:
		return "The approval of this call was taken back before it ran. It did not run; do not repeat it without asking why." + approvedWith(d)
	case queue.StateLapsed:
		return "The approval of this call was not used in time." + sayRetry + approvedWith(d)
	case queue.StateSpent:
		return "This call was already started once under its approval. It was not started again; an approval is good for one run."
	default:
		return fmt.Sprintf("This call is %s and may not run.", st.State)
	}
}

// approvedWith are the words of an approval that is no more: they are owed all
// the same.
func approvedWith(d *queue.Decision) string {
	if d == nil || d.By != queue.ByPerson || d.Words == "" {
		return ""
	}
	return " " + Said("had allowed it", d.Words) + "."
}

// denied frames the words as the decider's own, so that they are not taken for
// a fault of the tool.
func denied(d *queue.Decision) string {
	switch {
	case d == nil:
		return "This call was denied. It did not run; do not repeat it."
	case d.By == queue.ByRule && d.Who == queue.CodeCompliance:
		return d.Words + " It did not run; do not repeat it."
	case d.By == queue.ByRule && d.Words != "":
		return fmt.Sprintf("The operator's rule %q denied this call: %q. It did not run; do not repeat it.", d.Who, d.Words)
	case d.By == queue.ByRule:
		return fmt.Sprintf("The operator's rule %q denied this call. It did not run; do not repeat it.", d.Who)
	case d.Words != "":
		return "A person denied this call: \"" + queue.Spoken(d.Words) + "\". It did not run; do not repeat it."
	default:
		return "A person denied this call and gave no reason. It did not run; do not repeat it."
	}
}

// Allowed is the reason of an allow, and the person's words, framed as such, when
// there are any.
func Allowed(d *queue.Decision, words string) (reason, context string) {
	switch {
	case d == nil:
		reason = "Allowed by nod."
	case d.By == queue.ByPerson:
		reason = "A person allowed this call."
	case d.By == queue.ByGrant:
		reason = "A grant by a person allows this call."
	default:
		reason = fmt.Sprintf("The operator's rule %q allows this call.", d.Who)
	}
	if words != "" {
		context = Said("allowed this call", words)
	}
	return reason, context
}

// NoBegin is what a caller is told when the queue refuses a submit or a begin.
func NoBegin(r *queue.Refusal) string {
	switch r.Code {
	case queue.CodeFrozen:
		return "The operator has frozen the queue: nothing runs now. This call did not run and was not denied; wait until the freeze is lifted, then ask again."
	case queue.CodeWrongDigest, queue.CodeOperandsChanged:
		return "What this call reads changed after it was approved, so the approval does not fit it any more. It did not run; look at the file again and ask again."
	case queue.CodeDescriptorChanged:
		return "The operator changed what Nod knows of this tool after this call was approved, so the approval does not fit it any more. It did not run and was not denied; ask again."
	case queue.CodeNotYours:
		return sayGone
	case queue.CodeTooLate:
		return "The approval of this call was not used in time." + sayRetry
	case queue.CodeInProgress:
		return repeats(r, "wait for its outcome, and do not retry with a new key")
	case queue.CodeAmbiguousEffect:
		return repeats(r, "the first one may have happened, so do not retry, also not with a new key")
	case queue.CodeDuplicateEffect:
		return repeats(r, "do not do it again. If a second one is meant, a person has to open it first")
	case queue.CodeStaleDecision:
		return "The approval of this call is older than the last answer on its effect, so it does not count any more. It did not run and was not denied; ask again, so that a person sees what was answered."
	case queue.CodeEffectKey:
		return "Nod cannot tell repeats of this call from others: " + r.Sentence + " (" + r.Hint + "). It did not run; ask again with such a value."
	case queue.CodeMandateLost:
		return NobodyToAsk(notice.MandateUnreconstructible)
	case queue.CodeQuota:
		return "Too many calls of this agent are waiting for a person. This one was not queued and did not run; wait for answers before asking more."
	}
	text := "Nod refused this call (" + r.Code + "): " + r.Sentence + "."
	if r.Hint != "" {
		text += " Hint: " + r.Hint + "."
	}
	return text + " It did not run."
}

// repeats is what a caller is told whose call runs into an effect: what is known
// of the first one, that this call did not run, and what not to do.
func repeats(r *queue.Refusal, do string) string {
	text := upper(r.Sentence)
	if r.Ref != "" {
		text += " (reference " + visible.Draw(visible.Label, r.Ref) + ")"
	}
	return text + ". This call did not run; " + do + "."
}

func upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:] // our own sentences begin with ASCII
}

// Happened is what a caller is told of the effect of the call that it just made;
// "" where there is nothing to mind. ref is Nod's or the tool's own reference.
func Happened(state queue.AttemptState, mark ambiguity.Mark, ref string) string {
	switch {
	case state == queue.AttemptUnknown:
		return "It is not known whether the effect of this call happened, and a person is looking (reference " + visible.Draw(visible.Label, ref) +
			"). Do not repeat it, also not under another key."
	case mark == ambiguity.Divergent:
		return "The effect of this call happened, with other content than was allowed, and a person is looking (reference " +
			visible.Draw(visible.Label, ref) + "). Do not repeat or undo it."
	}
	return ""
}

// Told is an error as one line with its hint, where it has one.
func Told(err error) string {
	type told interface {
		error
		Told() (code, sentence, hint string)
	}
	line := err.Error()
	if t, ok := errors.AsType[told](err); ok {
		if _, _, hint := t.Told(); hint != "" {
			line += " (hint: " + hint + ")"
		}
	}
	return line
}
