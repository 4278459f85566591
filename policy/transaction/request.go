package transaction

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"nod/digest"
)

// TypeRequest names the document whose digest binds a transaction.
const TypeRequest = "nod.transaction_request/v1"

// maxID bounds a transaction's id, in characters.
const maxID = 160

// ID checks a transaction's id and gives it without the blanks at its ends: 1 to
// 160 characters, no control, no slash, no backslash.
func ID(id string) (string, error) {
	id = strings.TrimFunc(id, func(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' })
	if id == "" || utf8.RuneCountInString(id) > maxID || !utf8.ValidString(id) ||
		strings.ContainsFunc(id, func(r rune) bool { return unicode.IsControl(r) || r == '/' || r == '\\' }) {
		return "", refuse(CodeID, "/transactionId", "the transaction's id is empty, too long, or holds a control, a slash or a backslash")
	}
	return id, nil
}

// Request is what a host asks to be remembered. An artifact is named by the
// host's own id; "" is none.
type Request struct {
	ID        string
	Operation Operation
	Mode      Mode
	Candidate string // what is to serve, or to be taken back; of a repair what the pointer names
	Baseline  string // of a rollback: what is to serve after it
	Untrusted bool
	Sandbox   digest.JSON // as it was stated; the effect policy reads it

	digest digest.Digest
}

// ReadRequest reads a request strictly:
//
//	{"transactionId":…,"operation":"activate","targetMode":…,"candidateArtifactId":…,"untrustedComponent"?:…,"sandbox"?:{…}}
//	{"transactionId":…,"operation":"rollback","targetMode":…,"candidateArtifactId"?:…|null,"baselineArtifactId":…|null}
//	{"transactionId":…,"operation":"repair","targetMode":"active","candidateArtifactId":…|null}
//
// The transaction is bound to the digest of the whole of it. An error is a
// *digest.Error.
func ReadRequest(raw []byte) (Request, error) {
	doc, err := digest.Canonical(raw, digest.Limits{})
	if err != nil {
		return Request{}, err
	}
	if !doc.IsObject() {
		return Request{}, refuse(CodeRequest, "", "a request is an object")
	}
	q := Request{}
	stated := map[string]bool{}
	for name, v := range doc.Members() {
		stated[name] = true
		var ok bool
		switch name {
		case "transactionId":
			q.ID, ok = v.Text()
		case "operation":
			ok = word(&q.Operation, v) && q.Operation.known()
		case "targetMode":
			ok = word(&q.Mode, v) && q.Mode.known()
		case "candidateArtifactId":
			ok = artifact(&q.Candidate, v)
		case "baselineArtifactId":
			ok = artifact(&q.Baseline, v)
		case "untrustedComponent":
			q.Untrusted, ok = string(v) == "true", string(v) == "true" || string(v) == "false"
		case "sandbox":
			q.Sandbox, ok = v, v.IsObject()
		}
		if !ok {
			return Request{}, refuse(CodeRequest, "/"+digest.EscapePointer(name), "a request has no such member, or not with this value")
		}
	}
	if q.ID, err = ID(q.ID); err != nil {
		return Request{}, err
	}
	if err := q.check(stated); err != nil {
		return Request{}, err
	}
	// Names in canonical order, so that this is a canonical document too.
	q.digest = digest.Of([]byte(`{"request":` + string(doc) + `,"type":"` + TypeRequest + `"}`))
	return q, nil
}

// check says which members an operation has.
func (q *Request) check(stated map[string]bool) error {
	var need, may []string
	switch q.Operation {
	case Activate:
		need, may = []string{"targetMode", "candidateArtifactId"}, []string{"untrustedComponent", "sandbox"}
	case Rollback:
		need, may = []string{"targetMode", "baselineArtifactId"}, []string{"candidateArtifactId"}
	case Repair:
		need = []string{"targetMode", "candidateArtifactId"}
	default:
		return refuse(CodeRequest, "/operation", "the operation is none of activate, rollback, repair")
	}
	for _, name := range need {
		if !stated[name] {
			return refuse(CodeRequest, "/"+name, "the operation needs this member")
		}
	}
	may = append(append(may, need...), "transactionId", "operation")
	for _, name := range slices.Sorted(maps.Keys(stated)) {
		if !slices.Contains(may, name) {
			return refuse(CodeRequest, "/"+name, "the member belongs to another operation")
		}
	}
	switch {
	case q.Operation == Activate && q.Candidate == "":
		return refuse(CodeRequest, "/candidateArtifactId", "there is nothing to activate")
	case q.Operation == Repair && q.Mode != Active:
		return refuse(CodeRequest, "/targetMode", "a repair is of what serves in active mode")
	}
	return nil
}

// Digest is what the transaction is bound to: the digest of
// {"request":…,"type":"nod.transaction_request/v1"}, the whole of the request.
func (q Request) Digest() digest.Digest { return q.digest }

func word[S ~string](into *S, v digest.JSON) bool {
	s, ok := v.Text()
	*into = S(s)
	return ok
}

// artifact reads a name, or null for none. A name is not blank.
func artifact(into *string, v digest.JSON) bool {
	if string(v) == "null" {
		return true
	}
	s, ok := v.Text()
	*into = s
	return ok && strings.TrimSpace(s) != ""
}
