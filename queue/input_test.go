package queue_test

import (
	"fmt"
	"strings"
	"testing"

	"nod/digest"
	"nod/queue"
)

func TestBadInputIsRefusedByNameAndChangesNothing(t *testing.T) {
	alone(t)
	deep := strings.Repeat("[", 200) + strings.Repeat("]", 200)
	args := func(a string) func(*queue.Submit) {
		return func(s *queue.Submit) { s.Call.Arguments = []byte(a) }
	}
	for name, c := range map[string]struct {
		change func(*queue.Submit)
		code   string
	}{
		"duplicate member":         {args(`{"a":1,"a":2}`), "duplicate_member"},
		"duplicate after unescape": {args(`{"a":1,"\u0061":2}`), "duplicate_member"},
		"bad UTF-8":                {args("{\"a\":\"\xff\"}"), "bad_utf8"},
		"lone surrogate":           {args(`{"a":"\ud800"}`), "lone_surrogate"},
		"lossy number":             {args(`{"a":9007199254740993}`), "lossy_number"},
		"too deep":                 {args(deep), "too_deep"},
		"too large":                {args(`"` + strings.Repeat("x", 1<<20) + `"`), "too_large"},
		"trailing bytes":           {args(`{} {}`), "trailing_bytes"},
		"no JSON":                  {args(`{`), "bad_json"},
		"blank tool":               {func(s *queue.Submit) { s.Call.Tool = " \t" }, queue.CodeBlankTool},
		"invisible tool":           {func(s *queue.Submit) { s.Call.Tool = "\u200b\u00ad" }, queue.CodeBlankTool},
		"unknown kind":             {func(s *queue.Submit) { s.Kind = "order" }, queue.CodeUnknownKind},
		"no session":               {func(s *queue.Submit) { s.Session = " " }, queue.CodeBadInput},
		"no call":                  {func(s *queue.Submit) { s.Call = nil }, queue.CodeBadInput},
		"call and question":        {func(s *queue.Submit) { s.Question = &queue.Question{Text: "?", Schema: []byte(`{}`)} }, queue.CodeBadInput},
		"raised word":              {func(s *queue.Submit) { s.Raise = []string{"default"} }, queue.CodeBadInput},
		"class":                    {func(s *queue.Submit) { s.Call.Effect = &queue.Effect{Class: "fine"} }, "bad_value"},
		"commit without boundary":  {func(s *queue.Submit) { s.Kind = "commit" }, queue.CodeBadInput},
		"words not UTF-8":          {func(s *queue.Submit) { s.AgentWords = "\xff" }, "bad_utf8"},
		"operand twice": {func(s *queue.Submit) {
			d := []queue.Operand{{Name: "a", Digest: "sha256:" + "00"}}
			s.Call.Operands = d
		}, "bad_value"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			s := call("ls")
			c.change(&s)
			r := w.refused(w.agent, s, c.code, 0)
			if r.Hint == "" {
				t.Errorf("%s has no hint", c.code)
			}
		})
	}
}

func TestAnIDIsFoundByAPrefixThatNamesOneOnly(t *testing.T) {
	w := newWorld(t)
	a := w.submit(call("ls"))
	w.submit(call("pwd"))
	for prefix, code := range map[string]string{
		"":                          queue.CodeShortID,
		"019":                       queue.CodeShortID,
		"019a":                      queue.CodeAmbiguousID,
		"ffff":                      queue.CodeUnknownID,
		a.Ask[:len(a.Ask)-1] + "zz": queue.CodeUnknownID,
		"019a%":                     queue.CodeUnknownID,
	} {
		_, err := w.operator.Read(t.Context(), queue.QAsk{ID: prefix})
		r, ok := err.(*queue.Refusal)
		if !ok || r.Code != code {
			t.Errorf("%q: %v, want %s", prefix, err, code)
		}
	}
	if v := w.see(a.Ask); v.Row.ID != a.Ask {
		t.Errorf("whole id: %s", v.Row.ID)
	}
}

func TestAQuestionIsAnsweredByItsSchema(t *testing.T) {
	w := newWorld(t)
	ask := queue.Submit{Kind: "question", Session: "s1", Question: &queue.Question{Text: "Which region?", Schema: []byte(`{"enum":["eu","us"]}`)}}
	s := w.submit(ask)
	w.refused(w.operator, w.decision(s.Ask, queue.VerdictAllow), queue.CodeBadInput, 0)
	d := w.decision(s.Ask, queue.VerdictAnswer)
	for _, bad := range []string{`"mars"`, `1`} {
		d.Answer = []byte(bad)
		w.refused(w.operator, d, queue.CodeBadAnswer, 0)
	}
	d.Answer = []byte(`{"a":1,"a":2}`)
	w.refused(w.operator, d, "duplicate_member", 0)
	d.Answer = []byte(` "eu" `)
	w.ok(w.operator, d, 1)
	st := w.ok(w.agent, queue.Wait{Ask: s.Ask, Token: s.Token}, 0).(queue.Standing)
	if st.State != queue.StateAnswered || string(st.Decision.Answer) != `"eu"` {
		t.Errorf("standing: %+v", st)
	}
	ask.Question.Schema = []byte(`{"$ref":"https://evil.example/schema.json"}`)
	w.refused(w.agent, ask, queue.CodeBadInput, 0)
}

func TestSchemasThatAreNoneAreRefusedAndOthersHold(t *testing.T) {
	w := newWorld(t)
	question := func(schema string) queue.Submit {
		return queue.Submit{Kind: "question", Session: "s1", Question: &queue.Question{Text: "?", Schema: []byte(schema)}}
	}
	for _, bad := range []string{`1`, `"string"`, `{"type":5}`, `{"properties":3}`, `{"$ref":"#/nowhere"}`, `{"$ref":"file:///etc/passwd"}`, `{"pattern":"("}`, `[]`} {
		w.refused(w.agent, question(bad), queue.CodeBadInput, 0)
	}
	for schema, c := range map[string]struct{ good, bad []string }{
		`true`:               {good: []string{`1`, `null`}},
		`false`:              {bad: []string{`1`, `null`}},
		`{"type":"integer"}`: {good: []string{`3`, `3.0`}, bad: []string{`3.5`, `"3"`}},
		`{"type":"object","properties":{"n":{"type":"number","minimum":1}},"required":["n"],"additionalProperties":false}`: {good: []string{`{"n":1}`}, bad: []string{`{"n":0}`, `{}`, `{"n":1,"m":2}`}},
		`{"type":"array","items":{"enum":["a","b"]},"uniqueItems":true,"maxItems":2}`:                                      {good: []string{`["a","b"]`, `[]`}, bad: []string{`["a","a"]`, `["c"]`, `["a","b","a"]`}},
		`{"anyOf":[{"const":1},{"type":"string","pattern":"^x"}]}`:                                                         {good: []string{`1`, `"xy"`}, bad: []string{`2`, `"yx"`}},
		`{"properties":{"$id":{"type":"string"},"$ref":true,"Type":{"const":{"$ref":"x"}}}}`:                               {good: []string{`{"$id":"a","$ref":3,"Type":{"$ref":"x"}}`}, bad: []string{`{"$id":1}`, `{"Type":1}`}},
		`{"items":[{"type":"string"},true],"$schema":"http://json-schema.org/draft-07/schema#"}`:                           {good: []string{`["a",1]`}, bad: []string{`[1]`}},
		`{"$defs":{"r":{"enum":["eu"]}},"$ref":"#/$defs/r"}`:                                                               {good: []string{`"eu"`}, bad: []string{`"us"`}},
	} {
		for _, a := range c.bad {
			d := w.decision(w.submit(question(schema)).Ask, queue.VerdictAnswer)
			d.Answer = []byte(a)
			w.refused(w.operator, d, queue.CodeBadAnswer, 0)
		}
		for _, a := range c.good {
			d := w.decision(w.submit(question(schema)).Ask, queue.VerdictAnswer)
			d.Answer = []byte(a)
			w.ok(w.operator, d, 1)
		}
	}
}

func TestASchemaCannotKeepAProcessBusy(t *testing.T) {
	alone(t)
	wide := `{"$defs":{`
	for i := range 28 {
		wide += fmt.Sprintf(`"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	wide += `"d28":true},"$ref":"#/$defs/d0"}`
	for name, schema := range map[string]string{
		"itself":               `{"$ref":"#"}`,
		"itself by way":        `{"allOf":[{"$ref":"#"}]}`,
		"in a circle":          `{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"not":{"$ref":"#/$defs/a"}}},"$ref":"#/$defs/a"}`,
		"through properties":   `{"properties":{"x":{"$ref":"#/properties/x"}}}`,
		"dynamic":              `{"$dynamicAnchor":"a","$dynamicRef":"#a"}`,
		"by name":              `{"$id":"https://x.example/s","$ref":"https://x.example/s"}`,
		"anchor":               `{"$anchor":"a","$ref":"#a"}`,
		"doubling":             wide,
		"large":                `{"enum":[` + strings.TrimSuffix(strings.Repeat("1,", 5000), ",") + `]}`,
		"another case":         `{"$REF":"#"}`,
		"another case below":   `{"AllOf":[{"$Ref":"#"}]}`,
		"another case, anchor": `{"$DynamicAnchor":"a","$DynamicRef":"#a"}`,
		"long s":               `{"item\u017f":true}`,
		"two cases":            `{"type":"string","Type":"number"}`,
		"patterns":             `{"pattern":"` + strings.Repeat("a", 5000) + `"}`,
		"classes in patterns":  `{"pattern":"(?i)^(\\pL{300}){3}$"}`,
		"repeats in patterns":  `{"pattern":"(` + strings.Repeat("ab|", 300) + `){1000}"}`,
		"many small patterns":  `{"allOf":[` + strings.TrimSuffix(strings.Repeat(`{"pattern":"(?i)\\pL{9}\\pN{9}"},`, 20), ",") + `]}`,
		"no pattern":           `{"pattern":"("}`,
		"escaped":              `{"$defs":{"a/b":true},"$ref":"#/$defs/a~1b"}`,
	} {
		w := newWorld(t)
		t.Run(name, func(t *testing.T) {
			w.refused(w.agent, queue.Submit{Kind: "question", Session: "s1", Question: &queue.Question{Text: "?", Schema: []byte(schema)}}, queue.CodeBadInput, 0)
		})
	}
}

func TestPatternsThatPeopleWriteAreTaken(t *testing.T) {
	alone(t)
	for _, pattern := range []string{
		`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`, `^\\pL{1,50}$`, `(?i)^\\p{Lu}[\\pL\\pN .-]{0,60}$`,
		`^[a-z0-9._%+-]{1,64}@([a-z0-9-]{1,63}\\.){1,8}[a-z]{2,63}$`, `^https?://[^\\s/]{1,253}(/\\S{0,1000})?$`, `^v?\\d+\\.\\d+\\.\\d+$`,
	} {
		w := newWorld(t)
		w.submit(queue.Submit{Kind: "question", Session: "s1", Question: &queue.Question{Text: "?", Schema: []byte(`{"type":"string","pattern":"` + pattern + `"}`)}})
	}
}

func TestWhatIsAcceptedCanBeBegunAndNothingIsHuge(t *testing.T) {
	w := newWorld(t)
	deep := call("x")
	deep.Call.Arguments = []byte(strings.Repeat("[", 128) + strings.Repeat("]", 128))
	large := call("x")
	large.Call.Arguments = []byte(`"` + strings.Repeat("x", 1<<20-2) + `"`)
	large.Call.Vars = map[string]string{"A": strings.Repeat("v", 200<<10)}
	for _, s := range []queue.Submit{deep, large} {
		w.ok(w.agent, begin(w.allowed(s)), 1)
	}
	long := strings.Repeat("x", 5<<10)
	for name, change := range map[string]func(*queue.Submit){
		"tool": func(s *queue.Submit) { s.Call.Tool = long }, "cwd": func(s *queue.Submit) { s.Call.Cwd = long },
		"operation": func(s *queue.Submit) { s.Call.Operation = long }, "session": func(s *queue.Submit) { s.Session = long },
		"parent": func(s *queue.Submit) { s.Parent = long }, "call id": func(s *queue.Submit) { s.CallID = long },
		"executor": func(s *queue.Submit) { s.Executor = long },
		"words":    func(s *queue.Submit) { s.AgentWords = strings.Repeat(long, 20) },
		"vars":     func(s *queue.Submit) { s.Call.Vars = map[string]string{"A": strings.Repeat(long, 60)} },
		"operand":  func(s *queue.Submit) { s.Call.Operands = []queue.Operand{{Name: long, Digest: digest.Of(nil)}} },
		"operands": func(s *queue.Submit) { s.Call.Operands = make([]queue.Operand, 2000) },
	} {
		s := call("x")
		change(&s)
		if r := w.refused(w.agent, s, digest.CodeTooLarge, 0); r.Hint == "" {
			t.Errorf("%s: no hint", name)
		}
	}
	w.refused(w.operator, queue.Freeze{Reason: long}, digest.CodeTooLarge, 0)
}
