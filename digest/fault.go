package digest

import (
	"strconv"
	"strings"
)

// Stable codes of an Error. They are part of the wire and of the screens.
const (
	CodeTooLarge        = "too_large"        // more bytes than Limits.MaxBytes
	CodeTooDeep         = "too_deep"         // more nesting than Limits.MaxDepth
	CodeBadJSON         = "bad_json"         // not JSON (RFC 8259)
	CodeBadUTF8         = "bad_utf8"         // a string or name is not UTF-8
	CodeLoneSurrogate   = "lone_surrogate"   // \ud800 without its partner
	CodeDuplicateMember = "duplicate_member" // one name twice in one object
	CodeTrailingBytes   = "trailing_bytes"   // something follows the document
	CodeLossyNumber     = "lossy_number"     // a double would print another decimal value
	CodeUnknownMember   = "unknown_member"   // the document is closed
	CodeMissingMember   = "missing_member"   // a required member is absent
	CodeEmptyMember     = "empty_member"     // a member is present and empty
	CodeWrongType       = "wrong_type"       // another JSON type was expected
	CodeUnknownType     = "unknown_type"     // the type word is another document's
	CodeUnknownKind     = "unknown_kind"     // not call, question or commit
	CodeBlankTool       = "blank_tool"       // no tool, or white space only
	CodeBadValue        = "bad_value"        // outside the closed words or format
	CodeNotSorted       = "not_sorted"       // a set out of order or with repeats
	CodeBadLift         = "bad_lift"         // a lifted pointer names no lifted number
	CodeMisplacedMember = "misplaced_member" // a member of another kind of ask
	CodeDigestMismatch  = "digest_mismatch"  // action_digest is not the action's
)

// Error is a refusal. Pointer is the RFC 6901 pointer of the offending place
// ("" is the whole document); it may hold hostile member names and is to be
// drawn before it is shown, which Error() does.
type Error struct {
	Code     string
	Pointer  string
	Sentence string // what is wrong, without any value
	Hint     string // what to do about it
}

// maxShownPointer bounds the pointer inside Error(); Pointer stays whole.
const maxShownPointer = 160

// Error gives code, place and sentence on one line of ASCII.
func (e *Error) Error() string {
	if e.Pointer == "" {
		return e.Code + ": " + e.Sentence
	}
	return e.Code + " at " + shown(e.Pointer) + ": " + e.Sentence
}

func shown(pointer string) string {
	cut := ""
	if len(pointer) > maxShownPointer {
		cut = " (" + strconv.Itoa(len(pointer)) + " bytes)"
		pointer = strings.ToValidUTF8(pointer[:maxShownPointer], "") + "..."
	}
	return strconv.QuoteToASCII(pointer) + cut
}

// sentences holds, for each code, the operator's sentence and hint.
func sentences(code string) (sentence, hint string) {
	switch code {
	case CodeTooLarge:
		return "the document is larger than the limit", "send less, or raise the size limit in the configuration"
	case CodeTooDeep:
		return "the document is nested deeper than the limit", "send a flatter value"
	case CodeBadJSON:
		return "the text is not JSON", "send one JSON document as RFC 8259 defines it"
	case CodeBadUTF8:
		return "a string is not UTF-8", "send UTF-8; carry other bytes as base64"
	case CodeLoneSurrogate:
		return "a string escapes half of a surrogate pair", "send whole characters; carry other data as base64"
	case CodeDuplicateMember:
		return "one object has this member name twice", "send each member once"
	case CodeTrailingBytes:
		return "something follows the document", "send exactly one JSON document"
	case CodeLossyNumber:
		return "the number cannot be kept exactly as a double", "send the number as a string"
	case CodeUnknownMember:
		return "the document has no such member", "remove the member, or use a version that knows it"
	case CodeMissingMember:
		return "a required member is missing", "state the member"
	case CodeEmptyMember:
		return "the member is present and empty", "leave the member out, or give it a value"
	case CodeWrongType:
		return "the member has another JSON type than the document asks for", "see docs/spec/digest.md for the type"
	case CodeUnknownType:
		return "the type word names another document or version", "see docs/spec/digest.md for the type words"
	case CodeUnknownKind:
		return "the kind is none of call, question, commit", "use one of the three words"
	case CodeBlankTool:
		return "the tool has no name", "name the tool"
	case CodeBadValue:
		return "the value is outside the words or the format of this member", "see docs/spec/digest.md for the format"
	case CodeNotSorted:
		return "the list is not sorted or holds an entry twice", "sort by UTF-16 code units and state each entry once"
	case CodeBadLift:
		return "a lifted pointer does not name a lifted number", "list only pointers to strings that hold a number a double cannot keep"
	case CodeMisplacedMember:
		return "the member belongs to another kind of ask", "see docs/spec/digest.md for the members of each kind"
	case CodeDigestMismatch:
		return "the stated action digest is not the digest of the action", "compute the digest from the action that is sent"
	}
	return "the document is refused", "see docs/spec/digest.md"
}

// fault makes an Error whose pointer is the given unescaped steps.
func fault(code string, steps ...string) *Error {
	sentence, hint := sentences(code)
	e := &Error{Code: code, Sentence: sentence, Hint: hint}
	for _, s := range steps {
		e.Pointer += "/" + EscapePointer(s)
	}
	return e
}

// faultAt makes an Error at a ready pointer.
func faultAt(code, pointer string) *Error {
	e := fault(code)
	e.Pointer = pointer
	return e
}

// within moves a fault found inside a member or element out by one step. Steps
// are added only on the way out, so that a good document costs no pointer.
func within(err error, step string) error {
	if e, ok := err.(*Error); ok { //nolint:errorlint // made in this package, never wrapped
		e.Pointer = "/" + EscapePointer(step) + e.Pointer
		return e
	}
	return err
}

func withinIndex(err error, i int) error {
	return within(err, strconv.Itoa(i))
}
