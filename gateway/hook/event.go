package hook

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
)

// Names of the host's events.
const (
	PreToolUse         = "PreToolUse"
	PermissionRequest  = "PermissionRequest"
	PostToolUse        = "PostToolUse"
	PostToolUseFailure = "PostToolUseFailure"
	SessionStart       = "SessionStart"
	SessionEnd         = "SessionEnd"
)

// maxEvent bounds what is read from stdin: a result may be far larger than a
// call may be.
const maxEvent = 64 << 20

// event is what the host says on stdin; members that nothing reads are left
// out. Texts are empty when absent.
type event struct {
	Name      string
	Session   string
	Agent     string // the subagent's id
	Cwd       string
	Tool      string
	CallID    string
	Reason    string
	Interrupt bool
	Input     jsontext.Value // tool_input as sent
	Response  jsontext.Value // tool_response as sent; of any shape
	Error     jsontext.Value // error as sent
}

// readEvent reads one event. A call that waits for an answer is read strictly
// as a whole (DESIGN §3); of a report on what already happened only the members
// that are used are, because a strange result must not hide what ran.
func readEvent(raw []byte) (*event, error) {
	members, err := topMembers(raw)
	if err != nil {
		return nil, err
	}
	e := new(event)
	for _, m := range []struct {
		name string
		into *string
	}{
		{"hook_event_name", &e.Name}, {"session_id", &e.Session}, {"agent_id", &e.Agent}, {"cwd", &e.Cwd},
		{"tool_name", &e.Tool}, {"tool_use_id", &e.CallID}, {"reason", &e.Reason},
	} {
		if err := readMember(members, m.name, m.into); err != nil {
			return nil, err
		}
	}
	if err := readMember(members, "is_interrupt", &e.Interrupt); err != nil {
		return nil, err
	}
	e.Input, e.Response, e.Error = members["tool_input"], members["tool_response"], members["error"]
	if e.Name == "" || e.Session == "" {
		return nil, missing("hook_event_name or no session_id")
	}
	if e.Name == PreToolUse || e.Name == PermissionRequest {
		if _, _, err := digest.Lift(raw, digest.Limits{MaxDepth: 1 + digest.DefaultMaxDepth, MaxBytes: maxEvent}); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// topMembers gives the raw value of each member of the one object in raw.
func topMembers(raw []byte) (map[string]jsontext.Value, error) {
	bad := func(err error) error {
		if _, known := errors.AsType[*digest.Error](err); !known {
			err = &digest.Error{Code: digest.CodeBadJSON, Sentence: "the event is not JSON, or ends early"}
		}
		return fmt.Errorf("read the event: %w", err)
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	switch kind := dec.PeekKind(); kind {
	case '{':
	case jsontext.KindInvalid:
		return nil, bad(io.ErrUnexpectedEOF)
	default:
		return nil, bad(&digest.Error{Code: digest.CodeWrongType, Sentence: "the event is not a JSON object"})
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, bad(err)
	}
	members := map[string]jsontext.Value{}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, bad(err)
		}
		key := name.String()
		if _, twice := members[key]; twice {
			return nil, bad(&digest.Error{Code: digest.CodeDuplicateMember, Sentence: "the event has a member twice"})
		}
		value, err := dec.ReadValue()
		if err != nil {
			return nil, bad(err)
		}
		members[key] = value.Clone()
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, bad(err)
	}
	if rest := bytes.TrimLeft(raw[dec.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return nil, bad(&digest.Error{Code: digest.CodeTrailingBytes, Sentence: "something follows the event"})
	}
	return members, nil
}

// readMember reads one member strictly; absent leaves into alone.
func readMember[T any](members map[string]jsontext.Value, name string, into *T) error {
	v, there := members[name]
	if !there || string(v) == "null" {
		return nil
	}
	doc, err := digest.Canonical(v, digest.Limits{})
	if err == nil && json.Unmarshal(doc, into) != nil {
		err = &digest.Error{Code: digest.CodeWrongType, Pointer: "/" + name, Sentence: "another JSON type was expected"}
	}
	if err != nil {
		return fmt.Errorf("read the event's %s: %w", name, err)
	}
	return nil
}

// session is the host session that e belongs to, with its parent: a subagent
// has a session of its own below the conversation's.
func (e *event) session() (id, parent string) {
	if e.Agent == "" {
		return e.Session, ""
	}
	return e.Session + "/" + e.Agent, e.Session
}
