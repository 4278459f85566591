package run_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"nod/client/clienttest"
	"nod/digest"
	"nod/queue"
	"nod/run"
)

// asked runs Ask beside an operator who answers.
func asked(t *testing.T, q *clienttest.Queue, r run.Request, answer func(queue.Row)) (code int, out, errw string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	done := make(chan int)
	go func() {
		done <- run.Ask(t.Context(), run.Deps{Port: q.Requester, NewID: newID, Stdout: &stdout, Stderr: &stderr}, r)
	}()
	if answer != nil {
		answer(q.Pending(t, 1)[0])
	}
	code = <-done
	return code, stdout.String(), stderr.String()
}

func refund(t *testing.T) *queue.Call {
	t.Helper()
	call, err := run.ParseCall([]byte(`{"tool":"refund","arguments":{"payment_id":"p_1","cents":1250}}`), digest.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return call
}

func TestAskCall(t *testing.T) {
	q := clienttest.New(t, clienttest.Options{})
	code, out, errw := asked(t, q, run.Request{Call: refund(t), JSON: true, Begin: true}, func(row queue.Row) {
		q.Decide(t, row, queue.Decide{Verdict: queue.VerdictAllow, Words: "ok"})
	})
	var r run.Result
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 || errw != "" {
		t.Fatalf("exit %d, %v, %q, %q", code, err, out, errw)
	}
	v := q.Ask(t, r.Ask)
	if r.State != queue.StateSpent || r.Attempt == "" || r.AttemptToken == "" || len(v.Attempts) != 1 || r.Decision.Words != "ok" {
		t.Errorf("result %+v, ask %+v", r, v.Row)
	}
	if r.ShownDigest != digest.Of([]byte(v.Card)) {
		t.Errorf("shown digest %s is not the card's", r.ShownDigest)
	}
}

func TestAskLeavesItAllowed(t *testing.T) {
	q := clienttest.New(t, clienttest.Options{})
	var id string
	code, out, errw := asked(t, q, run.Request{Call: refund(t)}, func(row queue.Row) {
		id = row.ID
		q.Decide(t, row, queue.Decide{Verdict: queue.VerdictAllow})
	})
	if code != 0 || out != "" || errw != "nod: A person allowed this call.\n" || q.Ask(t, id).Row.State != queue.StateAllowed {
		t.Errorf("exit %d, %q, %q, %s", code, out, errw, q.Ask(t, id).Row.State)
	}
}

func TestAskDenied(t *testing.T) {
	q := clienttest.New(t, clienttest.Options{})
	code, _, errw := asked(t, q, run.Request{Call: refund(t), Begin: true}, func(row queue.Row) {
		q.Decide(t, row, queue.Decide{Verdict: queue.VerdictDeny, Words: "too much"})
	})
	if code != 1 || !strings.Contains(errw, `"too much"`) {
		t.Errorf("exit %d, %q", code, errw)
	}
}

func TestAskNobody(t *testing.T) {
	q := clienttest.New(t, clienttest.Options{})
	var stderr bytes.Buffer
	code := run.Ask(t.Context(), run.Deps{Port: q.Requester, NewID: newID, Stderr: &stderr, Within: 1500_000_000}, run.Request{Call: refund(t)})
	if code != 3 || !strings.Contains(stderr.String(), "No person answered") {
		t.Errorf("exit %d, %q", code, stderr.String())
	}
}

func TestAskQuestion(t *testing.T) {
	q := clienttest.New(t, clienttest.Options{})
	r := run.Request{Question: &queue.Question{Text: "Which one?", Schema: jsontext.Value(`{"enum":["a","b"]}`)}}
	code, out, _ := asked(t, q, r, func(row queue.Row) {
		q.Decide(t, row, queue.Decide{Verdict: queue.VerdictAnswer, Answer: jsontext.Value(`"b"`)})
	})
	if code != 0 || out != "\"b\"\n" {
		t.Errorf("exit %d, %q; want the answer alone on stdout", code, out)
	}
}

func TestAskRefused(t *testing.T) {
	q := clienttest.New(t, clienttest.Options{})
	code, out, errw := asked(t, q, run.Request{Call: &queue.Call{Tool: " ", Arguments: jsontext.Value("1")}}, nil)
	if code != 2 || out != "" || !strings.Contains(errw, queue.CodeBlankTool) {
		t.Errorf("exit %d, %q, %q", code, out, errw)
	}
}

func TestParseCall(t *testing.T) {
	for _, bad := range []string{
		"", "[]", "1", `{"tool":"x","arguments":1,"extra":1}`, `{"tool":"x","tool":"y","arguments":1}`,
		`{"tool":"x","arguments":9007199254740993}`, `{"tool":7,"arguments":1}`, `{"tool":"x","arguments":1}x`, `{"TOOL":"x","arguments":1}`,
	} {
		if call, err := run.ParseCall([]byte(bad), digest.Limits{}); err == nil {
			t.Errorf("ParseCall(%q) = %+v", bad, call)
		}
	}
}
