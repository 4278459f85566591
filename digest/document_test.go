package digest

import (
	"bytes"
	"strings"
	"testing"
)

const (
	someDigest = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	someID     = "0198e7a0-1111-7abc-8abc-0123456789ab"
	otherID    = "0198e7a0-2222-7abc-9abc-0123456789ab"
)

// fullAction states every member; it is canonical.
const fullAction = `{"arguments":{"a/b":["-0",1,{"n":"9007199254740993"}],"command":"rm -rf ./dist\ngit push","ok":true},` +
	`"effect":{"access":"write","class":"irreversible","commit_boundary":"release-7","key":["local","refund","txn_1",42]},` +
	`"environment":{"cwd":"/home/mia/shop","machine":"box","name":"local","vars":{"LANG":"C","PATH":"","é":"ü"}},` +
	`"lifted":["/a~1b/0","/a~1b/2/n"],` +
	`"operands":[{"digest":"` + someDigest + `","name":"/bin/sh"},{"digest":"` + someDigest + `","name":"script"}],` +
	`"operation":"push","principal":{"agent":"claude-code","host":"box","user":"mia"},"tool":"Bash","type":"nod.action/v1"}`

func sampleAction(t testing.TB) *Action {
	t.Helper()
	a, err := ParseAction([]byte(fullAction), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	a.Lifted = nil
	return a
}

// fullAsk states every member a call can have; it is canonical.
func fullAsk() string {
	return `{"action":` + fullAction + `,"action_digest":"` + string(Of([]byte(fullAction))) + `","agent_words":"please",` +
		`"answer_by":"2026-12-01T14:30:12Z","derived_from":{"ask":"` + otherID + `","by":"mia"},` +
		`"descriptor":{"digest":"` + someDigest + `","readings":[{"pointer":"/command","text":"a shell script"},{"pointer":"/a~1b/1","text":"one"}]},` +
		`"id":"` + someID + `","kind":"call","parents":["s2","s3"],"reasons":["cross_boundary","default"],"replaces":"` + otherID + `",` +
		`"session":"s1","type":"nod.ask/v1","use_within":600,"why":["no rule matches this call"]}`
}

const (
	askedQuestion  = `{"schema":{"type":"string"},"text":"Which tag?"}`
	askedPrincipal = `{"agent":"claude-code"}`
	questionText   = `{"principal":` + askedPrincipal + `,"question":` + askedQuestion + `,"type":"nod.question/v1"}`
)

func questionAsk() string {
	return `{"action_digest":"` + string(Of([]byte(questionText))) + `","answer_by":"2026-12-01T14:30:12Z","id":"` + someID +
		`","kind":"question","parents":[],"principal":` + askedPrincipal + `,"question":` + askedQuestion +
		`,"reasons":["default"],"session":"s1","type":"nod.ask/v1","use_within":600,"why":["the agent asks"]}`
}

func commitAsk() string {
	return strings.Replace(fullAsk(), `"kind":"call"`, `"kind":"commit"`, 1)
}

func TestDocumentsComeBack(t *testing.T) {
	a, err := ParseAction([]byte(fullAction), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := a.Canonical()
	if err != nil || string(doc) != fullAction {
		t.Errorf("action: %v\n%s", err, doc)
	}
	d, err := a.Digest()
	if err != nil || d != Of([]byte(fullAction)) {
		t.Errorf("digest: %s, %v", d, err)
	}
	for _, text := range []string{fullAsk(), questionAsk(), commitAsk()} {
		k, err := ParseAsk([]byte(text), Limits{})
		if err != nil {
			t.Errorf("%v: %s", err, text)
			continue
		}
		doc, err := k.Canonical()
		if err != nil || string(doc) != text {
			t.Errorf("ask: %v\n%s\n%s", err, doc, text)
		}
		if d, err := k.Digest(); err != nil || d != Of([]byte(text)) {
			t.Errorf("ask digest: %s, %v", d, err)
		}
		if d, err := k.SubjectDigest(); err != nil || d != k.ActionDigest {
			t.Errorf("subject digest: %s, %v", d, err)
		}
	}
}

// TestOrderAndSpaceDoNotMatter: the sender's layout is not part of the digest.
func TestOrderAndSpaceDoNotMatter(t *testing.T) {
	raw := "\n{ \"type\":\"nod.action/v1\", \"tool\":\"B\\u0061sh\",\r\"principal\":{\"agent\":\"x\"},\t\"environment\":{\"name\":\"local\"},\"arguments\":[1.0,1e2]} "
	a, err := ParseAction([]byte(raw), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"arguments":[1,100],"environment":{"name":"local"},"principal":{"agent":"x"},"tool":"Bash","type":"nod.action/v1"}`
	if doc, err := a.Canonical(); err != nil || string(doc) != want {
		t.Errorf("got %s, %v", doc, err)
	}
}

// edit is one change of a canonical text and the refusal it must meet.
type edit struct{ old, new, code, pointer string }

func (e edit) apply(t *testing.T, text string) []byte {
	t.Helper()
	if strings.Count(text, e.old) < 1 {
		t.Fatalf("%q is not in the text", e.old)
	}
	return []byte(strings.Replace(text, e.old, e.new, 1))
}

func (e edit) check(t *testing.T, err error) {
	t.Helper()
	f, ok := err.(*Error) //nolint:errorlint // the contract is *Error itself
	if !ok {
		t.Errorf("%q -> %q: got %v, want %s", e.old, e.new, err, e.code)
		return
	}
	if f.Code != e.code || f.Pointer != e.pointer {
		t.Errorf("%q -> %q: got %s at %q, want %s at %q", e.old, e.new, f.Code, f.Pointer, e.code, e.pointer)
	}
	if f.Sentence == "" || f.Hint == "" {
		t.Errorf("%s has no sentence or hint", f.Code)
	}
}

func TestActionRefusals(t *testing.T) {
	for _, e := range []edit{
		{`"tool":"Bash"`, `"tool":""`, CodeBlankTool, "/tool"},
		{`"tool":"Bash"`, `"tool":" \t\u2003\u00a0"`, CodeBlankTool, "/tool"},
		{`"tool":"Bash",`, ``, CodeBlankTool, "/tool"},
		{`"tool":"Bash"`, `"tool":7`, CodeWrongType, "/tool"},
		{`"tool":"Bash"`, `"Tool":"Bash"`, CodeUnknownMember, "/Tool"},
		{`"tool":"Bash"`, `"tool":"Bash","x/y":1`, CodeUnknownMember, "/x~1y"},
		{`,"type":"nod.action/v1"`, ``, CodeMissingMember, "/type"},
		{`nod.action/v1`, `nod.action/v2`, CodeUnknownType, "/type"},
		{`"operation":"push"`, `"operation":""`, CodeEmptyMember, "/operation"},
		{`"operation":"push"`, `"operation":null`, CodeWrongType, "/operation"},
		{`"agent":"claude-code",`, ``, CodeMissingMember, "/principal/agent"},
		{`"agent":"claude-code"`, `"agent":""`, CodeEmptyMember, "/principal/agent"},
		{`"user":"mia"`, `"uid":"mia"`, CodeUnknownMember, "/principal/uid"},
		{`"name":"local",`, ``, CodeMissingMember, "/environment/name"},
		{`"cwd":"/home/mia/shop"`, `"cwd":[]`, CodeWrongType, "/environment/cwd"},
		{`{"LANG":"C","PATH":"","é":"ü"}`, `{}`, CodeEmptyMember, "/environment/vars"},
		{`"LANG":"C"`, `"LANG":1`, CodeWrongType, "/environment/vars/LANG"},
		{`"LANG":"C"`, `"":"C"`, CodeEmptyMember, "/environment/vars/"},
		{`"class":"irreversible"`, `"class":"Irreversible"`, CodeBadValue, "/effect/class"},
		{`"access":"write"`, `"access":"reversible"`, CodeBadValue, "/effect/access"},
		{`["local","refund","txn_1",42]`, `"local"`, CodeWrongType, "/effect/key"},
		{`["local","refund","txn_1",42]`, `["local"]`, CodeBadValue, "/effect/key"},
		{`["local","refund","txn_1",42]`, `["local",42]`, CodeBadValue, "/effect/key/1"},
		{`["local","refund","txn_1",42]`, `["local","refund",1.5]`, CodeBadValue, "/effect/key/2"},
		{`["local","refund","txn_1",42]`, `["local","refund",""]`, CodeBadValue, "/effect/key/2"},
		{`["local","refund","txn_1",42]`, `["local","refund",null]`, CodeBadValue, "/effect/key/2"},
		{`{"access":"write","class":"irreversible","commit_boundary":"release-7","key":["local","refund","txn_1",42]}`, `{}`, CodeEmptyMember, "/effect"},
		{`"name":"script"`, `"name":"/bin/sh"`, CodeNotSorted, "/operands/1"},
		{`"name":"script"`, `"name":"!"`, CodeNotSorted, "/operands/1"},
		{`sha256:e3`, `sha256:E3`, CodeBadValue, "/operands/0/digest"},
		{`sha256:e3`, `sha512:e3`, CodeBadValue, "/operands/0/digest"},
		{`"digest":"` + someDigest + `",`, ``, CodeMissingMember, "/operands/0/digest"},
		{`["/a~1b/0","/a~1b/2/n"]`, `[]`, CodeEmptyMember, "/lifted"},
		{`["/a~1b/0","/a~1b/2/n"]`, `["/a~1b/2/n","/a~1b/0"]`, CodeNotSorted, "/lifted/1"},
		{`["/a~1b/0","/a~1b/2/n"]`, `["/a~1b/0","/a~1b/0"]`, CodeNotSorted, "/lifted/1"},
		{`["/a~1b/0","/a~1b/2/n"]`, `["/a~1b/1"]`, CodeBadLift, "/lifted/0"},
		{`["/a~1b/0","/a~1b/2/n"]`, `["/command"]`, CodeBadLift, "/lifted/0"},
		{`["/a~1b/0","/a~1b/2/n"]`, `["/a~1b/3"]`, CodeBadLift, "/lifted/0"},
		{`["/a~1b/0","/a~1b/2/n"]`, `["/a~1b/00"]`, CodeBadLift, "/lifted/0"},
		{`["/a~1b/0","/a~1b/2/n"]`, `["/a~2b/0"]`, CodeBadLift, "/lifted/0"},
		{`["/a~1b/0","/a~1b/2/n"]`, `["a~1b/0"]`, CodeBadLift, "/lifted/0"},
		{`"n":"9007199254740993"`, `"n":"9007199254740992"`, CodeBadLift, "/lifted/1"},
		{`"arguments":{`, `"arguments":{"command":"x",`, CodeDuplicateMember, "/arguments/command"},
	} {
		_, err := ParseAction(e.apply(t, fullAction), Limits{})
		e.check(t, err)
	}
	if _, err := ParseAction([]byte(`[]`), Limits{}); codeOf(err) != CodeWrongType {
		t.Errorf("an array is no action: %v", err)
	}
	if _, err := ParseAction([]byte(`{"type":"nod.action/v1","tool":"x","principal":{"agent":"a"},"environment":{"name":"e"}}`), Limits{}); codeOf(err) != CodeMissingMember {
		t.Errorf("arguments are required: %v", err)
	}
}

func TestAskRefusals(t *testing.T) {
	for _, e := range []edit{
		{`"kind":"call"`, `"kind":"Call"`, CodeUnknownKind, "/kind"},
		{`"kind":"call"`, `"kind":""`, CodeUnknownKind, "/kind"},
		{`"kind":"call",`, ``, CodeMissingMember, "/kind"},
		{`"kind":"call"`, `"kind":"question"`, CodeMisplacedMember, "/action"},
		{`,"type":"nod.ask/v1"`, ``, CodeMissingMember, "/type"},
		{`"parents":["s2","s3"],`, ``, CodeMissingMember, "/parents"},
		{`["s2","s3"]`, `["s2","s2"]`, CodeBadValue, "/parents/1"},
		{`["s2","s3"]`, `["s2",""]`, CodeEmptyMember, "/parents/1"},
		{`["cross_boundary","default"]`, `["default","cross_boundary"]`, CodeNotSorted, "/reasons/1"},
		{`["cross_boundary","default"]`, `["default","default"]`, CodeNotSorted, "/reasons/1"},
		{`["cross_boundary","default"]`, `["Default"]`, CodeBadValue, "/reasons/0"},
		{`["cross_boundary","default"]`, `[]`, CodeEmptyMember, "/reasons"},
		{`["no rule matches this call"]`, `[]`, CodeEmptyMember, "/why"},
		{`["no rule matches this call"]`, `[""]`, CodeEmptyMember, "/why/0"},
		{`"session":"s1",`, ``, CodeMissingMember, "/session"},
		{`12Z`, `12z`, CodeBadValue, "/answer_by"},
		{`12Z`, `12.5Z`, CodeBadValue, "/answer_by"},
		{`12Z`, `12+00:00`, CodeBadValue, "/answer_by"},
		{`12-01T`, `13-01T`, CodeBadValue, "/answer_by"},
		{`12-01T`, `02-30T`, CodeBadValue, "/answer_by"},
		{`"use_within":600`, `"use_within":0`, CodeBadValue, "/use_within"},
		{`"use_within":600`, `"use_within":-1`, CodeBadValue, "/use_within"},
		{`"use_within":600`, `"use_within":1.5`, CodeBadValue, "/use_within"},
		{`"use_within":600`, `"use_within":9007199254740992`, CodeBadValue, "/use_within"},
		{`"use_within":600`, `"use_within":"600"`, CodeWrongType, "/use_within"},
		{`"use_within":600,`, ``, CodeMissingMember, "/use_within"},
		{`-7abc-8abc-0123456789ab","kind"`, `-4abc-8abc-0123456789ab","kind"`, CodeBadValue, "/id"},
		{`-7abc-8abc-0123456789ab","kind"`, `-7abc-7abc-0123456789ab","kind"`, CodeBadValue, "/id"},
		{`-7abc-8abc-0123456789ab","kind"`, `-7abc-8ABC-0123456789ab","kind"`, CodeBadValue, "/id"},
		{`"replaces":"0198`, `"replaces":"198`, CodeBadValue, "/replaces"},
		{`{"ask":"0198`, `{"ask":"x198`, CodeBadValue, "/derived_from/ask"},
		{`,"by":"mia"`, ``, CodeMissingMember, "/derived_from/by"},
		{`"pointer":"/command"`, `"pointer":"/comman"`, CodeBadValue, "/descriptor/readings/0/pointer"},
		{`"pointer":"/command",`, ``, CodeMissingMember, "/descriptor/readings/0/pointer"},
		{`"text":"one"`, `"text":""`, CodeEmptyMember, "/descriptor/readings/1/text"},
		{`"tool":"Bash"`, `"tool":"bash"`, CodeDigestMismatch, "/action_digest"},
		{`"tool":"Bash"`, `"tool":"\t"`, CodeBlankTool, "/action/tool"},
		{`"agent_words":"please"`, `"agent_words":""`, CodeEmptyMember, "/agent_words"},
		{`"id":`, `"principal":{"agent":"x"},"id":`, CodeMisplacedMember, "/principal"},
		{`"id":`, `"question":{"text":"x","schema":true},"id":`, CodeMisplacedMember, "/question"},
		{`"id":`, `"extra":1,"id":`, CodeUnknownMember, "/extra"},
	} {
		_, err := ParseAsk(e.apply(t, fullAsk()), Limits{})
		e.check(t, err)
	}
	for _, e := range []edit{
		{`"operation":"push",`, ``, CodeMissingMember, "/action/operation"},
		{`"commit_boundary":"release-7",`, ``, CodeMissingMember, "/action/effect/commit_boundary"},
	} {
		_, err := ParseAsk(e.apply(t, commitAsk()), Limits{})
		e.check(t, err)
	}
	for _, e := range []edit{
		{`"principal":` + askedPrincipal + `,`, ``, CodeMissingMember, "/principal"},
		{`"question":` + askedQuestion + `,`, ``, CodeMissingMember, "/question"},
		{`"agent":"claude-code"`, `"agent":"claude-cod"`, CodeDigestMismatch, "/action_digest"},
		{`Which tag?`, `Which tag!`, CodeDigestMismatch, "/action_digest"},
		{`,"text":"Which tag?"`, ``, CodeMissingMember, "/question/text"},
		{`{"type":"string"}`, `"string"`, CodeWrongType, "/question/schema"},
		{`"id":`, `"descriptor":{"digest":"` + someDigest + `","readings":[{"pointer":"","text":"x"}]},"id":`, CodeBadValue, "/descriptor/readings/0/pointer"},
	} {
		_, err := ParseAsk(e.apply(t, questionAsk()), Limits{})
		e.check(t, err)
	}
}

// TestBuiltDocumentsAreChecked: what code builds meets the same rules.
func TestBuiltDocumentsAreChecked(t *testing.T) {
	a := sampleAction(t)
	a.Environment.Vars = []Var{{"b", ""}, {"a", ""}}
	if _, err := a.Canonical(); codeOf(err) != CodeNotSorted {
		t.Errorf("vars: %v", err)
	}
	a = sampleAction(t)
	a.Tool = "a\xffb"
	if _, err := a.Digest(); codeOf(err) != CodeBadUTF8 {
		t.Errorf("utf-8: %v", err)
	}
	k, err := ParseAsk([]byte(fullAsk()), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	k.Action.Operation = "pull"
	if _, err := k.Canonical(); codeOf(err) != CodeDigestMismatch {
		t.Errorf("digest: %v", err)
	}
	if k.ActionDigest, err = k.SubjectDigest(); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Canonical(); err != nil {
		t.Errorf("after binding it again: %v", err)
	}
	if d, err := QuestionDigest(Question{"Which tag?", JSON(`{"type":"string"}`)}, Principal{Agent: "claude-code"}); err != nil || d != Of([]byte(questionText)) {
		t.Errorf("question: %s, %v", d, err)
	}
	if _, err := QuestionDigest(Question{"a\xff", JSON(`true`)}, Principal{Agent: "x"}); codeOf(err) != CodeBadUTF8 {
		t.Errorf("question utf-8: %v", err)
	}
}

// TestOneByte changes every byte of the canonical documents, one at a time: by
// each single bit, and to each character that JSON gives a meaning. Each change
// is refused, or is another document with another digest.
func TestOneByte(t *testing.T) {
	try := func(name, text string, digest func([]byte) (Digest, error)) {
		want := Of([]byte(text))
		raw := []byte(text)
		taken := 0
		for i := range raw {
			was := raw[i]
			others := []byte("\"\\{}[],:/019-+.eEunz \t\n\x00\x7f\x80\xff")
			if testing.Short() { // the single bits still reach every position
				others = nil
			}
			for bit := range 8 {
				others = append(others, was^1<<bit)
			}
			for _, c := range others {
				if c == was {
					continue
				}
				raw[i] = c
				got, err := digest(raw)
				if err == nil {
					taken++
					if got == want {
						t.Errorf("%s: byte %d as %#x keeps the digest", name, i, c)
					}
				} else if codeOf(err) == "" || strings.HasPrefix(codeOf(err), "not an") {
					t.Errorf("%s: byte %d as %#x: %v", name, i, c, err)
				}
			}
			raw[i] = was
		}
		t.Logf("%s: %d positions, %d changes read as another document", name, len(raw), taken)
		if !bytes.Equal(raw, []byte(text)) {
			t.Error("the text was not put back")
		}
	}
	action := func(raw []byte) (Digest, error) {
		a, err := ParseAction(raw, Limits{})
		if err != nil {
			return "", err
		}
		return a.Digest()
	}
	ask := func(raw []byte) (Digest, error) {
		k, err := ParseAsk(raw, Limits{})
		if err != nil {
			return "", err
		}
		return k.Digest()
	}
	try("action", fullAction, action)
	try("call", fullAsk(), ask)
	try("question", questionAsk(), ask)
}
