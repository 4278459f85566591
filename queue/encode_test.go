package queue_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nod/queue"
)

func TestActsAreReadAsTheyWereWritten(t *testing.T) {
	for _, act := range []queue.Act{
		call("ls"),
		queue.Submit{Kind: "question", Session: "s", Question: &queue.Question{Text: "?", Schema: []byte(`{"enum":[1]}`)}},
		queue.Decide{Ask: "a", Verdict: queue.VerdictAnswer, ActionDigest: "x", ShownDigest: "y", Words: "w", Answer: []byte(`{"a":[1,2]}`), HoldMS: 1},
		queue.Withdraw{Ask: "a", Token: "t"}, queue.Revoke{Ask: "a"}, queue.Wait{Ask: "a", Token: "t"},
		queue.Adopt{Ask: "a", Session: "s", ActionDigest: "d"},
		queue.Begin{Ask: "a", Token: "t", Action: []byte(`{"b":1}`), Executor: "e", HostRuns: true},
		queue.Report{Attempt: "a", Token: "t", Exit: queue.ExitTimeout}, queue.Renew{Attempt: "a", Token: "t"},
		queue.GrantDigest{Ask: "a", ShownDigest: "d", Times: 2, ForMS: 3}, queue.Freeze{Session: "s"}, queue.Unfreeze{},
		queue.EndSession{Session: "s"}, queue.Unasked{Session: "s", Tool: "t"}, queue.AckNotice{Notice: 3}, queue.ConfirmClock{},
	} {
		b, err := queue.EncodeAct(act)
		if err != nil {
			t.Fatal(err)
		}
		got, err := queue.DecodeAct(b)
		if err != nil {
			t.Fatalf("%s: %v", b, err)
		}
		if d := cmp.Diff(act, got); d != "" {
			t.Errorf("%T: %s", act, d)
		}
	}
}

func TestResultsQueriesAndAnswersAreReadAsTheyWereWritten(t *testing.T) {
	w := newWorld(t)
	s := w.allowed(call("ls"))
	b, err := queue.EncodeResult(s)
	if err != nil {
		t.Fatal(err)
	}
	r, err := queue.DecodeResult(b)
	if err != nil || !reflect.DeepEqual(r, queue.Result(s)) {
		t.Errorf("%v\n%s", err, cmp.Diff(queue.Result(s), r))
	}
	for _, q := range []queue.Query{
		queue.QInbox{Limit: 3}, queue.QHistory{Limit: 3}, queue.QAsk{ID: s.Ask}, queue.QEvents{Limit: 2}, queue.QStatus{},
		queue.QNotices{}, queue.QSessions{}, queue.QRecords{Session: w.see(s.Ask).Row.Session}, queue.QGrants{},
	} {
		b, err := queue.EncodeQuery(q)
		if err != nil {
			t.Fatal(err)
		}
		back, err := queue.DecodeQuery(b)
		if err != nil || !reflect.DeepEqual(back, q) {
			t.Errorf("%T: %v %+v", q, err, back)
		}
		a := must[queue.Answer](t)(w.operator.Read(t.Context(), q))
		if b, err = queue.EncodeAnswer(a); err != nil {
			t.Fatal(err)
		}
		got, err := queue.DecodeAnswer(b)
		if err != nil {
			t.Fatalf("%T: %v\n%s", a, err, b)
		}
		if again, _ := queue.EncodeAnswer(got); string(again) != string(b) {
			t.Errorf("%T: written again\n%s\n%s", a, b, again)
		}
	}
}

func TestAnActThatDoesNotReadIsRefused(t *testing.T) {
	for text, code := range map[string]string{
		`{"name":"revoke","body":{"ask":"a"},"name":"decide"}`:     "duplicate_member",
		`{"name":"revoke","body":{"ask":"a","ask":"b"}}`:           "duplicate_member",
		`{"name":"revoke","body":{"ask":"a","\u0061sk":"b"}}`:      "duplicate_member",
		`{"name":"revoke","body":{"Ask":"a"}}`:                     queue.CodeBadAct,
		`{"name":"revoke","body":{"ask":"a","force":true}}`:        queue.CodeBadAct,
		`{"name":"revoke","body":{"ask":1}}`:                       queue.CodeBadAct,
		`{"name":"freeze","body":null}`:                            queue.CodeBadAct,
		`{"name":"unfreeze","body":{"session":null}}`:              queue.CodeBadAct,
		`{"name":"decide","body":{"ask":"a","verdict":null}}`:      queue.CodeBadAct,
		`{"name":"claim","body":{"ask":"a","for_ms":null}}`:        queue.CodeBadAct,
		`{"name":"decide_batch","body":{"items":[null,null]}}`:     queue.CodeBadAct,
		`{"name":"submit","body":{"kind":"call","call":null}}`:     queue.CodeBadAct,
		`{"name":"REVOKE","body":{"ask":"a"}}`:                     queue.CodeBadAct,
		`{"name":"revoke","body":{"ask":"a"},"as":"mia"}`:          queue.CodeBadAct,
		`{"name":"revoke","body":{"ask":"a"}} ` + "x":              "trailing_bytes",
		`{"name":"ack_notice","body":{"notice":9007199254740993}}`: "lossy_number",
		"\xff":                   "bad_utf8",
		strings.Repeat("[", 200): "too_deep",
	} {
		_, err := queue.DecodeAct([]byte(text))
		r, ok := err.(*queue.Refusal)
		if !ok || r.Code != code {
			t.Errorf("%s: %v, want %s", text, err, code)
		}
	}
}

func FuzzDecodeAct(f *testing.F) {
	for _, a := range []queue.Act{call("ls"), queue.Decide{Ask: "a"}, queue.Begin{Ask: "a", Action: []byte("1")}} {
		b, err := queue.EncodeAct(a)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := queue.DecodeAct(b)
		if err != nil {
			return
		}
		again, err := queue.EncodeAct(a)
		if err != nil {
			t.Fatal(err)
		}
		back, err := queue.DecodeAct(again)
		if err != nil {
			t.Fatalf("%s: %v", again, err)
		}
		if third, err := queue.EncodeAct(back); err != nil || string(third) != string(again) {
			t.Fatalf("%v\n%s\n%s", err, again, third)
		}
	})
}
