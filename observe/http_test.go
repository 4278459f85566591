package observe

import (
	"context"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"nod/descriptor"
)

// A refund is made, its answer is lost; the observer finds it. The three cases
// of an observation: matched, content differs, observer unavailable.
func TestARefundWhoseAnswerWasLostIsFound(t *testing.T) {
	p := newProvider(t)
	o := ofRefunds(t, p.URL)
	if v := Run(t.Context(), o, sent, ""); says(&v) != "not_executed" || v.Seen != "GET /v1/refunds?payment=pay_1 gave 200, no candidate" {
		t.Errorf("before: %+v", v)
	}
	if _, err := http.PostForm(p.URL, map[string][]string{"amount": {"4800"}}); err == nil {
		t.Fatal("the answer came")
	}
	v := Run(t.Context(), o, sent, "")
	if says(&v) != "committed durable" || v.Ref != "re_1" || v.Observed == "" ||
		v.Seen != `GET /v1/refunds?payment=pay_1 gave 200, 1 candidate, /id "re_1", /status "succeeded", as allowed` {
		t.Errorf("after: %+v", v)
	}
	p.mu.Lock()
	p.refunds[0] = strings.Replace(p.refunds[0], "4800", "48000", 1) // swapped in transit
	p.mu.Unlock()
	if v := Run(t.Context(), o, sent, ""); says(&v) != "committed divergent durable" || !strings.Contains(v.Content, "48000") {
		t.Errorf("swapped: %+v", v)
	}
	_, _ = http.PostForm(p.URL, map[string][]string{"amount": {"4800"}})
	if v := Run(t.Context(), o, sent, ""); says(&v) != "unknown: several" {
		t.Errorf("two: %+v", v)
	}
	p.Close()
	if v := Run(t.Context(), o, sent, ""); says(&v) != "unknown: unavailable" || v.Seen != "GET /v1/refunds?payment=pay_1, could not be reached" {
		t.Errorf("away: %+v", v)
	}
}

// answers serves one answer to everybody, and is asked at most once by a run.
func answers(t *testing.T, f http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	return s
}

const found = `{"data":[{"id":"re_1","amount":4800,"currency":"EUR","status":"succeeded"}]}`

func TestAnswers(t *testing.T) {
	elsewhere := newProvider(t)
	stop := make(chan bool)
	asked := 0
	text := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}
	}
	raw := func(answer string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			c, b, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_, _ = b.WriteString(answer)
				_ = b.Flush()
				_ = c.Close()
			}
		}
	}
	big := strings.Repeat(" ", 2<<20)
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		want   string
	}{
		{"found", text(200, found), "committed durable"},
		{"not there", text(404, "<html>"), "not_executed"},
		{"created", text(201, found), "unknown: unavailable"},
		{"no content", text(204, ""), "unknown: unavailable"},
		{"refused", text(403, found), "unknown: unavailable"},
		{"a load balancer", text(502, `{"data":[]}`), "unknown: unavailable"},
		{"a fault that was saved", text(500, found), "unknown: unavailable"},
		{"the key still runs", text(409, `{"data":[]}`), "unknown: unavailable"},
		{"a key with another body", text(422, `{"data":[]}`), "unknown: unavailable"},
		{"an empty answer", text(200, ""), "unknown: malformed"},
		{"a page", text(200, "<html>"), "unknown: malformed"},
		{"a member twice", text(200, `{"data":[],"data":`+found[8:]), "unknown: malformed"},
		{"two", text(200, `{"data":[{"amount":4800,"currency":"EUR"},{"amount":4800,"currency":"EUR"}]}`), "unknown: several"},
		{"another amount", text(200, strings.Replace(found, "4800", "48000", 1)), "committed divergent durable"},
		{"pending", text(200, strings.Replace(found, "succeeded", "pending", 1)), "committed"},
		{"2 MiB", text(200, big+found), "unknown: too_large"},
		{"2 MiB behind it", text(200, found+big), "unknown: too_large"},
		{"2 MiB of what is not there", text(404, big), "unknown: too_large"},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere.URL, http.StatusFound) }, "unknown: redirected"},
		{"a redirect with the answer", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", elsewhere.URL)
			w.WriteHeader(307)
			_, _ = w.Write([]byte(found))
		}, "unknown: redirected"},
		{"dropped", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "unknown: unavailable"},
		{"dropped in the body", raw("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n" + found), "unknown: unavailable"},
		{"dropped in a body that says not there", raw("HTTP/1.1 404 Not Found\r\nContent-Length: 500\r\n\r\n{}"), "unknown: unavailable"},
		{"dropped in a chunk", raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x\r\n%s\r\n", len(found), found)), "unknown: unavailable"},
		{"no HTTP", raw(found), "unknown: unavailable"},
		{"a head without end", raw("HTTP/1.1 200 OK\r\n" + strings.Repeat("X: y\r\n", 40_000) + "\r\n"), "unknown: unavailable"},
		{"packed, though nobody asked", func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Accept-Encoding") != "identity" {
				t.Errorf("accepts %s", r.Header.Get("Accept-Encoding"))
			}
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write([]byte("\x1f\x8b\x08"))
		}, "unknown: malformed"},
		{"slow", func(http.ResponseWriter, *http.Request) { <-stop }, "unknown: timeout"},
		{"another protocol without end", func(w http.ResponseWriter, r *http.Request) {
			c, b, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_, _ = b.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n")
				_ = b.Flush()
				<-stop
				_ = c.Close()
			}
		}, "unknown: unavailable"},
		{"a body without end", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(found))
			_ = http.NewResponseController(w).Flush()
			<-stop
		}, "unknown: timeout"},
	} {
		asked = 0
		s := answers(t, func(w http.ResponseWriter, r *http.Request) {
			if asked++; r.Method != http.MethodGet {
				t.Errorf("%s: a %s", c.name, r.Method)
			}
			c.answer(w, r)
		})
		o := ofRefunds(t, s.URL)
		if c.want == "unknown: timeout" {
			o.Within = "100ms"
		}
		v := Run(t.Context(), o, sent, "")
		if says(&v) != c.want || asked != 1 || !strings.HasPrefix(v.Seen, "GET /v1/refunds?payment=pay_1") {
			t.Errorf("%s: %s, want %s; asked %d times; %s", c.name, says(&v), c.want, asked, v.Seen)
		}
	}
	close(stop)
	if elsewhere.count() != 0 {
		t.Error("a redirect was followed")
	}
}

// Whom is asked is the host of the descriptor, under its name; the path is the
// descriptor's, with the value as it is.
func TestWhomIsAsked(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	t.Setenv("http_proxy", "http://127.0.0.1:1")
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
	got := make(chan *http.Request, 1)
	s := answers(t, func(w http.ResponseWriter, r *http.Request) {
		got <- r.Clone(context.WithoutCancel(r.Context()))
		if r.Host != r.Context().Value(http.LocalAddrContextKey).(net.Addr).String() {
			http.Error(w, "no such host", http.StatusMisdirectedRequest)
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
		_, _ = w.Write([]byte(`{"amount":4800}`))
	})
	o := observer(t, descriptor.Observer{
		Kind: descriptor.KindHTTP, URL: s.URL + "/r/{/id}?p={/id}", Headers: map[string]string{"Accept": "application/json"},
		Same: map[string]string{"/amount": "/amount"},
	})
	for _, value := range []string{"pay_1", "@evil.example", "a?b#c&d=e", "%2e%2e%2f", "{amount}", "é"} {
		v := Run(t.Context(), o, []byte(fmt.Sprintf(`{"amount":4800,"id":%q}`, value)), "")
		if len(got) == 0 {
			t.Errorf("%s: nobody was asked: %+v", value, v)
			continue
		}
		r := <-got
		if says(&v) != "committed durable" || r.URL.Path != "/r/"+value || r.URL.Query().Get("p") != value || len(r.URL.Query()) != 1 ||
			r.Header.Get("Accept") != "application/json" || r.Header.Get("Cookie") != "" || r.ContentLength != 0 {
			t.Errorf("%s: %+v, asked %s %v", value, v, r.RequestURI, r.Header)
		}
	}
	for _, value := range []string{"..", "a/b", "", "a\r\nb"} {
		if v := Run(t.Context(), o, []byte(fmt.Sprintf(`{"amount":4800,"id":%q}`, value)), ""); says(&v) != "unknown: unavailable" || len(got) != 0 {
			t.Errorf("%q: %+v", value, v)
		}
	}
	// The provider answers only to its own name: another that leads there is not it.
	o.URL = strings.Replace(s.URL, "127.0.0.1", "localhost", 1) + "/r/{/id}"
	if v := Run(t.Context(), o, []byte(`{"amount":4800,"id":"x"}`), ""); says(&v) != "unknown: unavailable" {
		t.Errorf("another name: %+v", v)
	}
}

func TestOnlyTLSThatIsTrustedAndHTTPOnlyHere(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(found)) }))
	t.Cleanup(s.Close)
	o := ofRefunds(t, s.URL)
	if v := Run(t.Context(), o, sent, ""); says(&v) != "unknown: unavailable" || !strings.Contains(v.Seen, "certificate") {
		t.Errorf("a certificate of its own: %+v", v)
	}
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	if v := run(t.Context(), &o, sent, "", roots); says(&v) != "committed durable" {
		t.Errorf("trusted: %+v", v)
	}
	o = ofRefunds(t, "http://192.0.2.1:9")
	o.Within = "2s"
	if v := Run(t.Context(), o, sent, ""); says(&v) != "unknown: unavailable" || !strings.Contains(v.Seen, "needs https") {
		t.Errorf("another machine by http: %+v", v)
	}
}

// A token comes from a file that only the user can read, and is shown nowhere.
func TestAFileOfHeaders(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("file modes do not show who may change a file")
	}
	token := ""
	asked := 0
	s := answers(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		token = r.Header.Get("Authorization")
		_, _ = w.Write([]byte(found))
	})
	o := ofRefunds(t, s.URL)
	o.HeaderFile = filepath.Join(t.TempDir(), "header")
	for _, c := range []struct {
		name, text string
		mode       os.FileMode
		want       string
	}{
		{"a token", "Authorization: Bearer SECRET\n\nX-Account: 7\n", 0o600, "committed durable"},
		{"others may read it", "Authorization: Bearer SECRET\n", 0o640, "unknown: unavailable"},
		{"no header", "SECRET\n", 0o600, "unknown: unavailable"},
		{"a host", "Host: SECRET\n", 0o600, "unknown: unavailable"},
		{"a control", "A: SECRET\x00\n", 0o600, "unknown: unavailable"},
		{"long", strings.Repeat("A: SECRET\n", 1000), 0o600, "unknown: unavailable"},
		{"many", strings.Repeat("A: SECRET\n", 17), 0o600, "unknown: unavailable"},
	} {
		if err := os.WriteFile(o.HeaderFile, []byte(c.text), c.mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(o.HeaderFile, c.mode); err != nil {
			t.Fatal(err)
		}
		token, asked = "", 0
		v := Run(t.Context(), o, sent, "")
		good := c.want == "committed durable"
		if says(&v) != c.want || good != (token == "Bearer SECRET") || good != (asked == 1) || strings.Contains(fmt.Sprintf("%+v", v), "SECRET") {
			t.Errorf("%s: %+v, token %q", c.name, v, token)
		}
	}
	if err := os.Remove(o.HeaderFile); err != nil {
		t.Fatal(err)
	}
	if v := Run(t.Context(), o, sent, ""); says(&v) != "unknown: unavailable" {
		t.Errorf("no file: %+v", v)
	}
}

func TestCalledOff(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stop := make(chan bool)
	s := answers(t, func(http.ResponseWriter, *http.Request) { cancel(); <-stop })
	defer close(stop)
	o := ofRefunds(t, s.URL)
	began := time.Now()
	if v := Run(ctx, o, sent, ""); says(&v) != "unknown: unavailable" || time.Since(began) > 5*time.Second {
		t.Errorf("in the middle: %+v", v)
	}
	if v := Run(ctx, o, sent, ""); says(&v) != "unknown: not_asked" {
		t.Errorf("before: %+v", v)
	}
	if v := Run(t.Context(), descriptor.Observer{}, sent, ""); says(&v) != "unknown: not_asked" {
		t.Errorf("no observer: %+v", v)
	}
}
