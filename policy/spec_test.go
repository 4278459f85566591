package policy_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"nod/digest"
	"nod/policy"
	"nod/policy/clamp"
	"nod/policy/screen"
	"nod/policy/transaction"
)

const page = "../docs/spec/policy.md"

// line is one line of an example.
type line struct{ key, value string }

func spec(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// examples runs the page's examples of one kind.
func examples(t *testing.T, kind string, atLeast int, run func(t *testing.T, e example)) {
	t.Helper()
	found := regexp.MustCompile("(?s)```"+kind+"\n(.*?)\n```").FindAllStringSubmatch(spec(t), -1)
	if len(found) < atLeast {
		t.Fatalf("the page has %d examples of a %s", len(found), kind)
	}
	for _, m := range found {
		var e example
		for l := range strings.SplitSeq(m[1], "\n") {
			key, value, ok := strings.Cut(l, ": ")
			if !ok {
				t.Fatalf("%q is no line of a %s", l, kind)
			}
			e = append(e, line{key, value})
		}
		run(t, e)
	}
}

type example []line

func (e example) get(key string) string {
	for _, l := range e {
		if l.key == key {
			return l.value
		}
	}
	return ""
}

func code(err error) string {
	var e *digest.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func TestThePageOnPolicies(t *testing.T) {
	examples(t, "policy", 3, func(t *testing.T, e example) {
		p, err := policy.ReadPolicy([]byte(e.get("document")))
		got := string(p.Facts().Mode)
		if err != nil {
			got = code(err)
		}
		if got != e.get("gives") {
			t.Errorf("%v: %s", e, got)
		}
	})
	examples(t, "effect", 6, func(t *testing.T, e example) {
		p, err := policy.ReadPolicy([]byte(e.get("policy")))
		if err != nil {
			t.Fatal(err)
		}
		var s *policy.Scope
		if state := e.get("scope"); state != "none" {
			made, err := policy.ReadScope([]byte(`{"type":"nod.scope/v1","component":"c","attempted":true,"state":"` + state + `"` +
				map[bool]string{true: `,"cleanups":[{"tool":"x","arguments":1,"state":"owed"}]`}[state == "unloading"] + `}`))
			if err != nil {
				t.Fatal(err)
			}
			s = &made
		}
		got, _, err := p.Judge([]byte(e.get("declaration")), s)
		if err != nil {
			got = code(err)
		}
		if got != e.get("gives") {
			t.Errorf("%v: %s", e, got)
		}
	})
}

func TestThePageOnScopes(t *testing.T) {
	examples(t, "scope", 3, func(t *testing.T, e example) {
		s, err := policy.ReadScope([]byte(e.get("document")))
		if err != nil {
			t.Fatal(err)
		}
		s = s.Recover()
		if doc, err := s.Canonical(); err != nil || string(doc) != e.get("recovers") {
			t.Errorf("%s, %v", doc, err)
		}
		next := "none"
		if i, ok := s.Next(); ok {
			next = strconv.Itoa(i)
		}
		if next != e.get("next") {
			t.Errorf("%v: next is %s", e, next)
		}
	})
	examples(t, "record", 2, func(t *testing.T, e example) {
		declaration := []byte(e.get("declaration"))
		_, err := policy.ReadDeclaration(declaration)
		r := policy.Audit(policy.Call{Name: "publish", Cwd: "/srv", Declaration: declaration, Arguments: []byte(`{}`)}, policy.Outcome(e.get("outcome")), err)
		if doc, err := json.Marshal(r); err != nil || string(doc) != e.get("record") {
			t.Errorf("%s, %v", doc, err)
		}
	})
}

func TestThePageOnTransactions(t *testing.T) {
	examples(t, "transaction", 3, func(t *testing.T, e example) {
		q, err := transaction.ReadRequest([]byte(e.get("request")))
		if err != nil {
			t.Fatal(err)
		}
		r, _, err := transaction.Submit(q, e.get("serves"), nil, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		var refused error
		for _, l := range e[2:] {
			if refused != nil && l.key != "refused" {
				t.Errorf("%v: %v", e, refused)
			}
			switch l.key {
			case "step":
				var s transaction.Step
				if err := digest.Read([]byte(l.value), &s, digest.Limits{}); err != nil {
					t.Fatalf("%s: %v", l.value, err)
				}
				r, refused = r.Report(s, 2)
			case "refused":
				if code(refused) != l.value {
					t.Errorf("%v: %v", e, refused)
				}
				refused = nil
			case "recovered":
				o := new(transaction.Observed)
				if err := digest.Read([]byte(l.value), o, digest.Limits{}); err != nil {
					t.Fatal(err)
				}
				if r, err = r.Recover(3); err != nil {
					t.Fatal(err)
				}
				r, refused = r.Restored(o, 4)
			case "is":
				why := string(r.FailureCode)
				if why == "" {
					why = "none"
				}
				if got := string(r.Stage) + " " + string(r.Outcome) + " " + why; got != l.value {
					t.Errorf("%v: it is %s", e, got)
				}
			case "again":
				if _, answer, err := transaction.Submit(q, "other", &r, nil, 5); err != nil || string(answer) != l.value {
					t.Errorf("%v: %s, %v", e, answer, err)
				}
			default:
				t.Fatalf("%q", l.key)
			}
		}
	})
}

func TestThePageOnDecisions(t *testing.T) {
	examples(t, "decision", 5, func(t *testing.T, e example) {
		d := screen.Contract{}.Screen([]byte(e.get("document")))
		got := string(d.Action)
		if d.Refused != nil {
			got += ", names " + d.Refused.Pointer
		}
		if got != e.get("gives") {
			t.Errorf("%v: %s", e, got)
		}
		if want := e.get("mandated"); want != "" && string(d.Mandate().Document) != want {
			t.Errorf("%s", d.Mandate().Document)
		}
	})
	text := spec(t)
	for _, word := range append(append(screen.Reasons(), screen.Everywhere()...), screen.OnAsk()...) {
		if !strings.Contains(text, "`"+word+"`") {
			t.Errorf("the page does not name %s", word)
		}
	}
}

func TestThePageOnClamps(t *testing.T) {
	examples(t, "clamps", 3, func(t *testing.T, e example) {
		var levels []clamp.Declaration
		var refused error
		for _, l := range e {
			if l.key == "level" {
				d, err := clamp.Read([]byte(l.value))
				levels, refused = append(levels, d), errors.Join(refused, err)
			}
		}
		if code(refused) != e.get("refused") {
			t.Errorf("%v: %v", e, refused)
		}
		if refused != nil {
			return
		}
		all := clamp.Compose(levels...)
		if string(all.JSON()) != e.get("is") || string(all.Project().JSON()) != e.get("travels") {
			t.Errorf("%s, travels as %s", all.JSON(), all.Project().JSON())
		}
		if l := strings.Join(clamp.Loosened(levels[0], levels[1]), " "); l != e.get("loosens") {
			t.Errorf("%v: loosens %s", e, l)
		}
	})
}

func TestThePageOnCompliance(t *testing.T) {
	examples(t, "compliance", 3, func(t *testing.T, e example) {
		var list []any
		if err := json.Unmarshal([]byte(e.get("deny")), &list); err != nil {
			t.Fatal(err)
		}
		d, err := policy.Deny(e.get("regime"), list)
		var refusal *digest.Error
		if errors.As(err, &refusal) != (e.get("refused") != "") || refusal != nil && refusal.Sentence != e.get("refused") {
			t.Errorf("%v: %v", e, err)
		}
		var words []string
		for _, c := range d.All() {
			words = append(words, string(c))
		}
		if got := strings.Join(words, " "); got != e.get("denies") {
			t.Errorf("%v: %s", e, got)
		}
	})
}

// TestThePageNamesEveryWord: every code and every word of a closed set that the
// packages have is on the page.
func TestThePageNamesEveryWord(t *testing.T) {
	text, words := spec(t), 0
	for _, dir := range []string{".", "transaction", "screen", "clamp"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			source, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range regexp.MustCompile(`(?m)^\t?(?:const )?([A-Z]\w+)(?: +\w+)? += "([A-Za-z_./0-9]+)"`).FindAllStringSubmatch(string(source), -1) {
				words++
				if !strings.Contains(text, "`"+c[2]+"`") && !strings.Contains(text, `"`+c[2]+`"`) {
					t.Errorf("the page does not name %s (%s in %s)", c[2], c[1], f)
				}
			}
		}
	}
	if words < 80 {
		t.Errorf("%d words", words)
	}
}
