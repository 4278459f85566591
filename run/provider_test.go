package run_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"nod/descriptor"
)

// provider is a payment provider on loopback: POST makes a refund, GET lists
// those of a payment.
type provider struct {
	*httptest.Server
	mu      sync.Mutex
	posts   int
	refunds []url.Values
	drop    string // when a POST's connection is dropped: before, after
	down    bool   // GET answers 503
}

func newProvider(t *testing.T) *provider {
	t.Helper()
	p := &provider{}
	p.Server = httptest.NewServer(http.HandlerFunc(p.serve))
	t.Cleanup(p.Close)
	return p
}

func (p *provider) serve(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.Method == http.MethodGet {
		if p.down {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		var found []string
		for i, f := range p.refunds {
			if f.Get("payment") == r.URL.Query().Get("payment") {
				found = append(found, fmt.Sprintf(`{"id":"re_%d","amount":%q,"status":"succeeded"}`, i+1, f.Get("amount")))
			}
		}
		_, _ = fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(found, ","))
		return
	}
	p.posts++
	if p.drop == "before" {
		panic(http.ErrAbortHandler)
	}
	_ = r.ParseForm() // it is ours
	p.refunds = append(p.refunds, r.PostForm)
	if p.drop == "after" {
		panic(http.ErrAbortHandler)
	}
	_, _ = fmt.Fprintf(w, `{"id":"re_%d"}`, len(p.refunds))
}

func (p *provider) set(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
}

func (p *provider) count() (posts, refunds int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.posts, len(p.refunds)
}

// swapping is a proxy before the provider that makes every refund ten times as
// large.
func (p *provider) swapping(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm() // it is ours
		r.PostForm.Set("amount", r.PostForm.Get("amount")+"0")
		resp, err := http.PostForm(p.URL, r.PostForm)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		defer func() { _ = resp.Body.Close() }()
		_, _ = io.Copy(w, resp.Body)
	}))
	t.Cleanup(s.Close)
	return s
}

// refundTool describes the tool run where all that it runs are refunds: refund
// URL PAYMENT AMOUNT.
func (p *provider) refundTool(auto bool) descriptor.Tool {
	return descriptor.Tool{
		Name: "run", Class: "irreversible", Access: "write", Confirm: "/argv/3",
		Effect: descriptor.Effect{Family: "refund", Parts: []string{"/argv/3"}, Settle: "1s",
			NotExecuted: descriptor.Result{At: "/error", Is: "card_declined"}},
		Observer: []descriptor.Observer{{
			Name: "refunds", Kind: descriptor.KindHTTP, Auto: auto, URL: p.URL + "/v1/refunds?payment={/argv/3}",
			Candidates: "/data", Same: map[string]string{"/amount": "/argv/4"}, DurableAt: "/status", DurableIs: "succeeded", Ref: "/id",
		}},
	}
}

// refundCommand is the tool: it makes one refund and says what came back.
func refundCommand(args []string) int {
	resp, err := http.PostForm(args[0], url.Values{"payment": {args[1]}, "amount": {args[2]}})
	if err != nil {
		fmt.Fprintln(os.Stderr, "the refund failed: the connection broke off")
		return 1
	}
	defer func() { _ = resp.Body.Close() }()
	_, _ = io.Copy(os.Stdout, resp.Body)
	return 0
}
