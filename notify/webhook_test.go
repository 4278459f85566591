//go:build unix

package notify

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"
)

func parcelled(body string) *attempt {
	return &attempt{id: "019ad5e2-0000", seconds: 1_800_000_000, signature: "v1,x", body: []byte(body), event: "test", text: "nod: this is a test"}
}

// The vector of the Standard Webhooks libraries.
func TestTheStandardsVector(t *testing.T) {
	k, err := parseKey("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "")
	if err != nil {
		t.Fatal(err)
	}
	got := k.Sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, []byte(`{"test": 2432232314}`))
	if got != "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" {
		t.Error(got)
	}
	if s := fmt.Sprintf("%v %+v %#v %s", k, k, k, k); strings.Contains(s, "31") || s != "Key Key Key Key" {
		t.Errorf("a key prints as %s", s)
	}
}

func TestAWebhookIsAPostThatVerifies(t *testing.T) {
	w := newWorld(t)
	w.submit()
	w.once()
	r := w.hook.all()[0]
	if r.method != "POST" || r.path != "/hook" || r.header.Get("Content-Type") != "application/json" || r.header.Get("Cookie") != "" {
		t.Errorf("%s %s %v", r.method, r.path, r.header)
	}
	// Verified as a receiver does, with the key's file and nothing of ours.
	text, err := os.ReadFile(KeyFile(w.dir))
	if err != nil {
		t.Fatal(err)
	}
	secret, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(strings.TrimPrefix(string(text), "whsec_"), "\n"))
	if err != nil || len(secret) != 32 {
		t.Fatalf("%d bytes, %v", len(secret), err)
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(r.header.Get("webhook-id") + "." + r.header.Get("webhook-timestamp") + "." + r.body))
	if want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)); r.header.Get("webhook-signature") != want {
		t.Errorf("signature %s, want %s", r.header.Get("webhook-signature"), want)
	}
	if want := fmt.Sprint(start / 1000); r.header.Get("webhook-timestamp") != want {
		t.Errorf("time %s, want %s", r.header.Get("webhook-timestamp"), want)
	}
	info, err := os.Stat(KeyFile(w.dir))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestAnswersOfAWebhook(t *testing.T) {
	elsewhere := newReceiver(t)
	for code, want := range map[int]outcome{
		200: {done: true}, 204: {done: true}, 299: {done: true},
		301: {why: "answered 301, and redirects are not followed"},
		307: {why: "answered 307, and redirects are not followed"},
		308: {why: "answered 308, and redirects are not followed"},
		400: {why: "answered 400"}, 401: {why: "answered 401"}, 404: {why: "answered 404"},
		408: {again: true, why: "answered 408"}, 429: {again: true, why: "answered 429"},
		500: {again: true, why: "answered 500"}, 503: {again: true, why: "answered 503"},
	} {
		hook := newReceiver(t)
		hook.answers(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", elsewhere.URL)
			w.WriteHeader(code)
			_, _ = w.Write([]byte("an answer that nobody reads"))
		})
		if got := newWebhook("w", hook.URL, nil, time.Second).send(t.Context(), parcelled("{}")); got != want {
			t.Errorf("%d: %+v, want %+v", code, got, want)
		}
	}
	if got := elsewhere.all(); len(got) != 0 {
		t.Errorf("a redirect was followed: %+v", got)
	}
}

// What goes wrong is said without the address, whose path is often a secret.
func TestNoAnswer(t *testing.T) {
	slow := newReceiver(t)
	stop := make(chan bool)
	slow.answers(func(http.ResponseWriter, *http.Request) { <-stop })
	endless := newReceiver(t)
	endless.answers(func(w http.ResponseWriter, _ *http.Request) {
		for i := range 4000 {
			w.Header().Set(fmt.Sprintf("X-%d", i), strings.Repeat("x", 100))
		}
	})
	trickle := newReceiver(t) // answers, and its body never ends
	trickle.answers(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		<-stop
	})
	t.Cleanup(func() { close(stop) }) // before the servers close, which wait for their handlers
	foreign := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(foreign.Close)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := "http://" + closed.Addr().String()
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, url string
		want      outcome
	}{
		{"slow", slow.URL, outcome{again: true, why: "did not answer in time"}},
		{"a head without end", endless.URL, outcome{again: true, why: "could not be reached"}},
		{"a body without end", trickle.URL, outcome{done: true}},
		{"a certificate of its own", foreign.URL, outcome{again: true, why: "its certificate is not one to trust"}},
		{"nobody", nobody, outcome{again: true, why: "could not be reached"}},
		{"another machine by http", "http://192.0.2.1:9", outcome{why: "its name leads to another machine, and that needs https"}},
	} {
		began := time.Now()
		got := newWebhook("w", c.url+"/SECRETPATH?token=SECRETTOKEN", nil, 300*time.Millisecond).send(t.Context(), parcelled("{}"))
		if got != c.want || strings.Contains(got.why, "SECRET") {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%s took %s", c.name, took)
		}
	}
}

func TestTLSThatIsTrusted(t *testing.T) {
	got := make(chan string, 1)
	server := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got <- r.Proto }))
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	if out := newWebhook("w", server.URL, roots, time.Second).send(t.Context(), parcelled("{}")); !out.done || <-got == "" {
		t.Errorf("%+v", out)
	}
}

// No proxy of the environment sees a payload.
func TestNoProxy(t *testing.T) {
	proxy := newReceiver(t)
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("HTTPS_PROXY", proxy.URL)
	out := newWebhook("w", "https://hooks.invalid/", nil, time.Second).send(t.Context(), parcelled("{}"))
	if out.done || len(proxy.all()) != 0 {
		t.Errorf("%+v, proxy got %d", out, len(proxy.all()))
	}
}

func TestTheMarkTellsNoAddress(t *testing.T) {
	a, b := newWebhook("w", "https://a/SECRET", nil, 0), newWebhook("w", "https://a/OTHER", nil, 0)
	if a.mark() == b.mark() || strings.Contains(a.mark(), "SECRET") || len(a.mark()) != 16 {
		t.Error(a.mark(), b.mark())
	}
	if _, err := url.Parse(a.url); err != nil {
		t.Error(err)
	}
}
