package queue

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"nod/ambiguity"
	"nod/digest"
	"nod/policy"
)

// submission is a Submit, read, checked and digested: all that needs no store.
type submission struct {
	act          Submit
	id           string // of the ask, should it be new
	token        string // of its waiter
	tokenHash    string
	session      string
	parent       string // Nod's id
	key          string
	principal    digest.Principal
	action       *digest.Action
	actionBytes  digest.JSON
	question     *digest.Question
	actionDigest digest.Digest
	ruling       Ruling
	described    described
	crossing     crossing
	denying      denying
	capability   policy.Capability // that compliance denies; "" for none
	stated       Stated            // for an effect policy
	derived      *digest.Derived   // of an edit: the original, and who edited it
	gist         string
	gistMore     int64
}

// raisable are the reasons that a caller may state: they only raise.
var raisable = [...]string{ReasonCrossBoundary, ReasonIrreversible, ReasonRealApproval}

func (q *Queue) read(c *Conn, a Submit) (*submission, error) {
	s := &submission{act: a, id: q.edge.NewID(), token: q.edge.Token(), principal: c.Principal}
	s.tokenHash = tokenHash(s.token)
	for _, t := range []string{a.Session, a.Parent, a.CallID, a.AgentWords, a.Executor} {
		if !utf8.ValidString(t) {
			return nil, refuse(digest.CodeBadUTF8, "a text of the submit is not UTF-8").hint("send UTF-8")
		}
	}
	if a.Receipts != "" && a.Receipts != StageHandedOver && a.Receipts != StageAcknowledged || a.WordsMax < 0 || a.WordsMax > MaxWords {
		return nil, refuse(CodeBadInput, "what the gateway says of its receipts does not read").hint("handed_over, acknowledged or nothing")
	}
	if err := a.bounds(); err != nil {
		return nil, err
	}
	switch a.Kind {
	case digest.KindCall, digest.KindCommit, digest.KindQuestion:
	default:
		return nil, refuse(CodeUnknownKind, "the kind is none of call, question, commit").hint("use one of the three words")
	}
	if strings.TrimSpace(a.Session) == "" {
		return nil, refuse(CodeBadInput, "the submit names no session").hint("send the host's session id")
	}
	for _, r := range a.Raise {
		if !slices.Contains(raisable[:], r) {
			return nil, refuse(CodeBadInput, "a raised reason is not one a caller may state").
				hint("cross_boundary, irreversible and requires_real_approval may be raised")
		}
	}
	s.session = sessionID(&c.Principal, a.Session)
	if a.Parent != "" && a.Parent != a.Session {
		s.parent = sessionID(&c.Principal, a.Parent)
	}
	s.key = callKey(&c.Principal, a.Session, a.CallID)
	if a.Kind == digest.KindQuestion {
		return s, s.readQuestion(q, a)
	}
	return s, s.readCall(q, c, a)
}

func (s *submission) readCall(q *Queue, c *Conn, a Submit) error {
	if a.Call == nil || a.Question != nil {
		return refuse(CodeBadInput, "a call ask carries a call and nothing else").hint("send call, without question")
	}
	action, err := a.Call.action(c, q.settings.Limits)
	if err != nil {
		return err
	}
	if s.described, err = q.describe(action); err != nil {
		return err
	}
	if a.Kind == digest.KindCommit && (action.Effect == nil || action.Effect.CommitBoundary == "") {
		return refuse(CodeBadInput, "a commit ask names no commit boundary").hint("state effect.commit_boundary")
	}
	s.action = action
	if err := s.readStated(q, c, &a); err != nil {
		return err
	}
	if s.actionBytes, err = action.Canonical(); err != nil {
		return err
	}
	s.actionDigest = digest.Of(s.actionBytes)
	s.crossing = q.crossing(action)
	s.denying, s.capability = q.denying(action), q.denied(action)
	s.gist, s.gistMore = gist(action.Arguments)
	if q.settings.Rules != nil {
		s.ruling = q.settings.Rules.Judge(action)
	}
	return nil
}

func (s *submission) readQuestion(q *Queue, a Submit) error {
	if a.Question == nil || a.Call != nil {
		return refuse(CodeBadInput, "a question ask carries a question and nothing else").hint("send question, without call")
	}
	schema, err := digest.Canonical(a.Question.Schema, q.settings.Limits)
	if err != nil {
		return err
	}
	if _, err := compileSchema(schema); err != nil {
		return err
	}
	s.question = &digest.Question{Text: a.Question.Text, Schema: schema}
	s.actionDigest, err = digest.QuestionDigest(*s.question, s.principal)
	s.gist, s.gistMore = cutGist(a.Question.Text)
	return err
}

// visibly reports whether a character shows by itself: a tool named by spaces
// and invisible characters has no name.
func visibly(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) }

// action joins what the caller states with what the connection is.
func (call *Call) action(c *Conn, lim digest.Limits) (*digest.Action, error) {
	if !strings.ContainsFunc(call.Tool, visibly) {
		return nil, refuse(CodeBlankTool, "the call names no tool").hint("name the tool")
	}
	args, err := digest.Canonical(call.Arguments, lim)
	if err != nil {
		return nil, err
	}
	a := &digest.Action{
		Tool: call.Tool, Operation: call.Operation, Arguments: args, Principal: c.Principal,
		Environment: digest.Environment{Name: c.Environment, Cwd: call.Cwd, Machine: c.Machine},
		Lifted:      slices.Clone(call.Lifted),
	}
	for _, name := range slices.SortedFunc(maps.Keys(call.Vars), digest.Compare) {
		a.Environment.Vars = append(a.Environment.Vars, digest.Var{Name: name, Value: call.Vars[name]})
	}
	for _, o := range call.Operands {
		a.Operands = append(a.Operands, digest.Operand{Name: o.Name, Digest: o.Digest})
	}
	slices.SortFunc(a.Operands, func(x, y digest.Operand) int { return digest.Compare(x.Name, y.Name) })
	slices.SortFunc(a.Lifted, digest.Compare)
	if e := call.Effect; e != nil {
		a.Effect = &digest.Effect{Class: e.Class, Access: e.Access, CommitBoundary: e.CommitBoundary}
		if len(e.ID) > 0 {
			id, err := digest.Canonical(e.ID, lim)
			if err != nil {
				return nil, err
			}
			if a.Effect.Key, err = ambiguity.CallerKey(a.Environment.Name, a.Tool, id); err != nil {
				return nil, err
			}
		}
	}
	return a, nil
}

// maxGist is how much of the telling argument a list keeps, in bytes.
const maxGist = 240

// telling are the arguments that tell a call best, in this order.
var telling = [...]string{"command", "argv", "file_path", "path", "url", "query", "pattern", "prompt", "description"}

// gist is the first part of the argument that tells the call best.
func gist(args digest.JSON) (string, int64) {
	for _, name := range telling {
		v, ok := digest.Lookup(args, "/"+name)
		if !ok {
			continue
		}
		if t, ok := unescaped(v); ok && len(t) > maxGist {
			return cutGist(t)
		}
		if t, ok := plain(v); ok && t != "" {
			return cutGist(t)
		}
	}
	if t, ok := plain(args); ok {
		return cutGist(t)
	}
	if t := identifying(args); t != "" {
		return cutGist(t)
	}
	if string(args) == "{}" {
		return "", 0
	}
	return cutGist(string(args))
}

// identifying is the first string member that names a thing: id, payment_id, …
func identifying(args digest.JSON) string {
	if len(args) == 0 || args[0] != '{' {
		return ""
	}
	d := jsontext.NewDecoder(bytes.NewReader(args))
	if _, err := d.ReadToken(); err != nil {
		return ""
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return ""
		}
		names := name.String() == "id" || strings.HasSuffix(name.String(), "_id") || strings.HasSuffix(name.String(), "Id")
		v, err := d.ReadValue()
		if err != nil {
			return ""
		}
		if t, ok := plain(digest.JSON(v)); ok && names && v[0] == '"' {
			return t
		}
	}
	return ""
}

// unescaped is a canonical JSON string's text where that is what stands between
// the quotes: a long command is not copied to keep its beginning.
func unescaped(v digest.JSON) ([]byte, bool) {
	if len(v) < 2 || v[0] != '"' || bytes.IndexByte(v, '\\') >= 0 {
		return nil, false
	}
	return v[1 : len(v)-1], true
}

// plain is a JSON string's text, or a list of strings joined by spaces.
func plain(v digest.JSON) (string, bool) {
	switch {
	case len(v) > 0 && v[0] == '"':
		t, err := jsontext.AppendUnquote(nil, []byte(v))
		return string(t), err == nil
	case len(v) > 0 && v[0] == '[':
		var words []string
		d := jsontext.NewDecoder(strings.NewReader(string(v)))
		for {
			t, err := d.ReadToken()
			if err != nil {
				return strings.Join(words, " "), len(words) > 0
			}
			if t.Kind() == '"' {
				words = append(words, t.String())
			}
		}
	default:
		return "", false
	}
}

func cutGist[T string | []byte](t T) (string, int64) {
	if len(t) <= maxGist {
		return string(t), 0
	}
	cut := maxGist
	for cut > 0 && !utf8.RuneStart(t[cut]) {
		cut--
	}
	return string(t[:cut]), int64(len(t) - cut)
}
