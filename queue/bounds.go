package queue

import (
	"strings"
	"unicode/utf8"

	"nod/digest"
)

// Bounds of what a caller states besides arguments, in bytes. Arguments have
// the limits of the configuration; a begin gets room for everything together.
const (
	maxName       = 4 << 10  // tool, operation, directory, session, call id, names
	maxAgentWords = 64 << 10 // the agent's words, a question's text
	maxVars       = 256 << 10
	maxOperands   = 1024
	maxReason     = 1 << 10 // an operator's reason for a freeze
)

// beginLimits are the limits of a complete action: an accepted submit can
// always be begun.
func beginLimits(lim digest.Limits) digest.Limits {
	whole := digest.Limits{MaxDepth: digest.DefaultAskMaxDepth, MaxBytes: digest.DefaultAskMaxBytes}
	if lim.MaxDepth > 0 {
		whole.MaxDepth = max(whole.MaxDepth, lim.MaxDepth+1)
	}
	return whole
}

func tooLong(what string) *Refusal {
	return refuse(digest.CodeTooLarge, "%s is longer than Nod takes", what).hint("send less of it")
}

// hostSession refuses what is no host's session id.
func hostSession(id string) error {
	switch {
	case !utf8.ValidString(id):
		return refuse(digest.CodeBadUTF8, "the session is not UTF-8").hint("send UTF-8")
	case strings.TrimSpace(id) == "":
		return refuse(CodeBadInput, "the act names no session").hint("send the host's session id")
	case len(id) > maxName:
		return tooLong("the session")
	}
	return nil
}

// artifacts refuses names of artifacts that are not kept.
func artifacts(names ...string) error {
	for _, n := range names {
		switch {
		case !utf8.ValidString(n):
			return refuse(digest.CodeBadUTF8, "an artifact's name is not UTF-8").hint("send UTF-8")
		case len(n) > maxName:
			return tooLong("an artifact's name")
		}
	}
	return nil
}

func (a *Submit) bounds() error {
	for _, t := range [...]struct{ what, text string }{
		{"the session", a.Session}, {"the parent session", a.Parent}, {"the call id", a.CallID}, {"the executor", a.Executor},
	} {
		if len(t.text) > maxName {
			return tooLong(t.what)
		}
	}
	if len(a.AgentWords) > maxAgentWords {
		return tooLong("the agent's words")
	}
	if a.Question != nil && len(a.Question.Text) > maxAgentWords {
		return tooLong("the question")
	}
	if a.Call == nil {
		return nil
	}
	for _, t := range [...]struct{ what, text string }{
		{"the tool's name", a.Call.Tool}, {"the operation", a.Call.Operation}, {"the directory", a.Call.Cwd},
	} {
		if len(t.text) > maxName {
			return tooLong(t.what)
		}
	}
	size := 0
	for name, value := range a.Call.Vars {
		size += len(name) + len(value)
	}
	if size > maxVars {
		return tooLong("the environment")
	}
	if len(a.Call.Operands) > maxOperands {
		return tooLong("the list of operands")
	}
	for i := range a.Call.Operands {
		if len(a.Call.Operands[i].Name) > maxName {
			return tooLong("an operand's name")
		}
	}
	return nil
}
