package observe

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"nod/descriptor"
	"nod/digest"
)

var sent = digest.JSON(`{"amount":4800,"currency":"EUR","payment_id":"pay_1"}`)

// observer takes o through a descriptor's checks.
func observer(t *testing.T, o descriptor.Observer) descriptor.Observer {
	t.Helper()
	o.Name = "o"
	set, err := descriptor.Compile([]descriptor.Tool{{Name: "x", Observer: []descriptor.Observer{o}}})
	if err != nil {
		t.Fatal(err)
	}
	return *set.Tool("x").Observer("o")
}

// says writes what an observation says of the effect.
func says(v *descriptor.Observation) string {
	out := v.Says
	for _, w := range []struct {
		is   bool
		word string
	}{{v.Divergent, " divergent"}, {v.Durable, " durable"}, {v.Why != "", ": " + v.Why}} {
		if w.is {
			out += w.word
		}
	}
	return out
}

// provider keeps refunds as a provider does, and counts what it is asked.
type provider struct {
	*httptest.Server
	mu      sync.Mutex
	asked   []*http.Request
	refunds []string
}

func newProvider(t *testing.T) *provider {
	t.Helper()
	p := &provider{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.asked = append(p.asked, r)
		if r.Method == http.MethodPost { // commits, and the answer is lost
			p.refunds = append(p.refunds, `{"id":"re_1","amount":`+r.FormValue("amount")+`,"currency":"EUR","status":"succeeded"}`)
			panic(http.ErrAbortHandler)
		}
		_, _ = w.Write([]byte(`{"data":[` + strings.Join(p.refunds, ",") + `]}`))
	}))
	t.Cleanup(p.Close)
	return p
}

func (p *provider) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.asked)
}

// ofRefunds is an observer of a provider's list.
func ofRefunds(t *testing.T, origin string) descriptor.Observer {
	t.Helper()
	return observer(t, descriptor.Observer{
		Kind: descriptor.KindHTTP, URL: origin + "/v1/refunds?payment={/payment_id}", Absent: []int64{404},
		Candidates: "/data", Same: map[string]string{"/amount": "/amount", "/currency": "/currency"},
		DurableAt: "/status", DurableIs: "succeeded", Ref: "/id",
	})
}
