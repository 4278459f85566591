package outside

import (
	"net/http"
	"testing"
	"time"
)

// No proxy of the environment sees a request. The library reads the environment
// once a process, so what matters is that it is never asked.
func TestNoProxy(t *testing.T) {
	for _, encrypted := range []bool{false, true} {
		guarded, ok := Client(encrypted, nil, time.Second).Transport.(noSwitch)
		if !ok {
			t.Fatal("an answer that switches the protocol is let through")
		}
		if transport, ok := guarded.RoundTripper.(*http.Transport); !ok || transport.Proxy != nil {
			t.Fatal("a proxy is asked for")
		}
	}
}
