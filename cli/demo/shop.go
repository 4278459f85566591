package demo

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"nod/descriptor"
	"nod/digest"
)

// Shop is what the demo's agent works in: a payment provider on loopback that
// is not real, and what the operator says of the tools.
type Shop struct {
	Tools *descriptor.Set

	server  *http.Server
	mu      sync.Mutex
	refunds []refunded
	reads   int
}

// refunded is one refund that the provider made, of values as they were sent.
type refunded struct{ payment, amount, currency digest.JSON }

// Open starts the provider and describes the tools. settle is how long its
// reads may lag, as a descriptor states it. Where no port can be had, the
// descriptors come without an observer.
func Open(settle string) (*Shop, error) {
	s := &Shop{}
	address := ""
	if l, err := net.Listen("tcp", "127.0.0.1:0"); err == nil {
		address = l.Addr().String()
		s.server = &http.Server{Handler: http.HandlerFunc(s.list), ReadHeaderTimeout: 5 * time.Second}
		go func() { _ = s.server.Serve(l) }() // until Close
	}
	var err error
	if s.Tools, err = tools(settle, address); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Close ends the provider.
func (s *Shop) Close() {
	if s.server != nil {
		_ = s.server.Close() // nothing of it is worth waiting for
	}
}

// tools are what the demo's operator says: a refund cannot be taken back, its
// amount is in minor units, and whoever allows one types the payment's id.
// Refunds of one payment are repeats, and the provider lists them. The agent
// states nothing of it.
func tools(settle, address string) (*descriptor.Set, error) {
	refund := descriptor.Tool{
		Name: refundTool, Class: "irreversible", Access: "write", Confirm: "/payment_id",
		Reading: []descriptor.Reading{
			{At: "/amount", As: descriptor.AsMoney, Currency: "/currency"},
			{At: "/customer", As: descriptor.AsName, Names: map[string]string{"C-20417": "Example Ltd"}},
		},
		Effect: descriptor.Effect{Family: "refund", Parts: []string{"/payment_id"}, Settle: settle,
			Provider: descriptor.Provider{KeyLifetime: "24 h", Changed: "refused", Cached: "its first answer"}},
	}
	if address != "" {
		refund.Observer = []descriptor.Observer{{
			Name: "refunds", Kind: descriptor.KindHTTP, Auto: true, URL: "http://" + address + "/v1/refunds?payment={/payment_id}",
			Candidates: "/data", Same: map[string]string{"/amount": "/amount", "/currency": "/currency"},
			DurableAt: "/status", DurableIs: "succeeded", Ref: "/id",
		}}
	}
	return descriptor.Compile([]descriptor.Tool{refund})
}

// refund makes the refund that an action asks for, and gives how many of its
// payment there are.
func (s *Shop) refund(action jsontext.Value) int {
	at := func(name string) digest.JSON {
		v, _ := digest.Lookup(digest.JSON(action), "/arguments/"+name)
		return v
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r := refunded{at("payment_id"), at("amount"), at("currency")}
	s.refunds = append(s.refunds, r)
	n := 0
	for _, other := range s.refunds {
		if string(other.payment) == string(r.payment) {
			n++
		}
	}
	return n
}

// ids are the provider's names of its refunds.
var ids = [...]string{"re_19c", "re_20d", "re_21a", "re_22b"}

// list answers whoever asks for the refunds of a payment. The provider takes its
// time: who reads first sees them pending.
func (s *Shop) list(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet || r.URL.Path != "/v1/refunds" || !strings.HasPrefix(r.Host, "127.0.0.1:") {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	status := "succeeded"
	if s.reads++; s.reads == 1 {
		status = "pending"
	}
	payment, _ := jsontext.AppendQuote(nil, r.URL.Query().Get("payment")) //nolint:errcheck // reports only replaced bytes
	var found []string
	for i, f := range s.refunds {
		if string(f.payment) == string(payment) {
			found = append(found, fmt.Sprintf(`{"id":%q,"amount":%s,"currency":%s,"status":%q}`, ids[i%len(ids)], f.amount, f.currency, status))
		}
	}
	_, _ = fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(found, ",")) // whoever asked is gone
}
