package hook

import "github.com/go-json-experiment/json/jsontext"

// The answer's first and last bytes are fixed: the installed guard looks at
// both ends of it (install.Guard).
const (
	answerHead = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":`
	answerTail = `}}`

	permissionHead = `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":`
)

// nothing is the answer to an event that asks for no decision.
const nothing = `{}`

// allow tells the host to run the call, with input instead of its own when that
// is not nil; context, when not "", reaches the model.
func allow(reason string, input jsontext.Value, context string) []byte {
	b := append([]byte(answerHead), `"allow","permissionDecisionReason":`...)
	b = quote(b, reason)
	if input != nil {
		b = append(b, `,"updatedInput":`...)
		b = append(b, input...)
	}
	if context != "" {
		b = append(b, `,"additionalContext":`...)
		b = quote(b, context)
	}
	return append(b, answerTail...)
}

// deny tells the host not to run the call, and the model why.
func deny(reason string) []byte {
	b := append([]byte(answerHead), `"deny","permissionDecisionReason":`...)
	return append(quote(b, reason), answerTail...)
}

// permit grants what PreToolUse allowed.
func permit() []byte { return []byte(permissionHead + `"allow"}}}`) }

// forbid refuses at the last moment before the call would run.
func forbid(reason string) []byte {
	b := append([]byte(permissionHead), `"deny","message":`...)
	return append(quote(b, reason), `}}}`...)
}

// remark shows the person at the host's terminal a sentence.
func remark(sentence string) []byte {
	b := quote([]byte(`{"systemMessage":`), "nod: "+sentence)
	return append(b, '}')
}

// told answers the report on a call: sentence is for the person at the host,
// words for the model; "" is none.
func told(event, sentence, words string) []byte {
	if words == "" {
		return remark(sentence)
	}
	b := []byte{'{'}
	if sentence != "" {
		b = append(quote(append(b, `"systemMessage":`...), "nod: "+sentence), ',')
	}
	b = quote(append(b, `"hookSpecificOutput":{"hookEventName":`...), event)
	b = quote(append(b, `,"additionalContext":`...), "nod: "+words)
	return append(b, "}}"...)
}

func quote(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, s) //nolint:errcheck // reports only replaced bytes
	return b
}
