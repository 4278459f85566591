package client

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"nod/ambiguity"
	"nod/digest"
	"nod/digest/visible"
	"nod/queue"
)

// Outcome is what a tool says of the effect that it caused, in Nod's field
// names. A caller's word is checked against the action that was begun: what is
// said of another effect or action is nothing said of this one.
type Outcome struct {
	Says         queue.AttemptState `json:"effect_outcome,omitzero"` // absent: nothing is said
	Durable      bool               `json:"durable,omitzero"`        // it can be looked up by Ref
	Ref          string             `json:"ref,omitzero"`
	EffectID     jsontext.Value     `json:"effect_id,omitempty"`
	ActionDigest digest.Digest      `json:"action_digest,omitzero"`
}

// ErrOutcome is why the word of a tool does not count.
var ErrOutcome = errors.New("what the tool says of its outcome does not count, so it stays unknown")

// ToSay is what a tool is told of the effect that it is to speak of.
func ToSay(action jsontext.Value) Outcome {
	o := Outcome{EffectID: EffectID(action)}
	if a, err := digest.ParseAction(action, digest.NoLimits()); err == nil {
		o.ActionDigest, _ = a.Digest() // without one it is not told
	}
	return o
}

// maxOutcome bounds what a tool says, in bytes.
const maxOutcome = 64 << 10

// ReadOutcome reads one strict JSON object of no other members, and checks it
// against the action that was begun. An error is ErrOutcome with its cause.
func ReadOutcome(raw []byte, action jsontext.Value) (Outcome, error) {
	var o Outcome
	doc, err := digest.Canonical(raw, digest.Limits{MaxBytes: maxOutcome})
	if err == nil && json.Unmarshal(doc, &o, json.RejectUnknownMembers(true)) != nil {
		err = errors.New("it is no object of effect_outcome, durable, ref, effect_id and action_digest")
	}
	if err == nil {
		err = o.check(action)
	}
	if err != nil {
		return Outcome{}, fmt.Errorf("%w: %w", ErrOutcome, err)
	}
	return o, nil
}

func (o *Outcome) check(action jsontext.Value) error {
	told := ToSay(action)
	switch {
	case o.Says != "" && !o.Says.Outcome():
		return errors.New("effect_outcome is none of committed, not_executed, unknown")
	case o.ActionDigest != "" && o.ActionDigest != told.ActionDigest:
		return errors.New("action_digest is another action's")
	case len(o.EffectID) > 0 && !bytes.Equal(o.EffectID, told.EffectID):
		return errors.New("effect_id is another effect's")
	case o.Durable && (o.Ref == "" || o.Says == ""):
		return errors.New("durable evidence is an effect_outcome with a ref to look it up by")
	}
	return nil
}

// EffectID is the last part of the effect key of an action (canonical): the id
// that a caller gave, or the last value that the descriptor's template took. nil
// for an effect without a key.
func EffectID(action jsontext.Value) jsontext.Value {
	key, there := digest.Lookup(digest.JSON(action), "/effect/key")
	if !there {
		return nil
	}
	return jsontext.Value(ambiguity.LastValue(key))
}

// KnownOf is what a refusal's code says of the effect that the call ran into;
// "" where it says nothing.
func KnownOf(code string) queue.AttemptState {
	switch code {
	case queue.CodeAmbiguousEffect:
		return queue.AttemptUnknown
	case queue.CodeDuplicateEffect:
		return queue.AttemptCommitted
	default:
		return ""
	}
}

// LastLine is the last line of a text that is not blank, cut to at most most
// bytes: what a call gave back, for the desk. It is untrusted, and valid UTF-8.
func LastLine(text string, most int) string {
	text = strings.TrimRightFunc(text, unicode.IsSpace)
	if i := strings.LastIndexAny(text, "\r\n"); i >= 0 {
		text = text[i+1:]
	}
	return visible.Clip(strings.TrimSpace(text), most)
}
