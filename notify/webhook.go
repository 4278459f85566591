package notify

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"syscall"
	"time"
)

// webhook gets a POST. It is never sent elsewhere: no redirect is followed, no
// proxy used, and http goes nowhere but to this machine, whatever its name
// resolves to. The answer's body is not read.
type webhook struct {
	called string
	url    string
	client *http.Client
}

// maxHeader bounds the head of an answer.
const maxHeader = 64 << 10

func newWebhook(called, address string, roots *x509.CertPool, limit time.Duration) *webhook {
	dialer := &net.Dialer{Timeout: limit}
	if u, err := url.Parse(address); err != nil || u.Scheme != "https" {
		dialer.Control = onlyHere
	}
	return &webhook{called: called, url: address, client: &http.Client{
		Timeout:       limit,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: dialer.DialContext, TLSHandshakeTimeout: limit,
			TLSClientConfig:        &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
			DisableKeepAlives:      true,
			DisableCompression:     true,
			MaxResponseHeaderBytes: maxHeader,
		},
	}}
}

var errElsewhere = errors.New("not an address of this machine")

func onlyHere(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !at.Addr().Unmap().IsLoopback() {
		return errElsewhere
	}
	return nil
}

func (w *webhook) name() string { return w.called }

func (w *webhook) mark() string { return mark("webhook", w.url) }

func (w *webhook) send(ctx context.Context, a *attempt) outcome {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url, bytes.NewReader(a.body))
	if err != nil {
		return outcome{why: "its address does not read"}
	}
	req.Header = http.Header{
		"Content-Type": {"application/json"}, "User-Agent": {"nod"},
		"Webhook-Id":        {a.id},
		"Webhook-Timestamp": {strconv.FormatInt(a.seconds, 10)},
		"Webhook-Signature": {a.signature},
	}
	resp, err := w.client.Do(req)
	if err != nil {
		return failed(err) // its text holds the address
	}
	_ = resp.Body.Close() // nothing of it is of use
	switch code := resp.StatusCode; {
	case code >= 200 && code < 300:
		return outcome{done: true}
	case code >= 300 && code < 400:
		return outcome{why: "answered " + strconv.Itoa(code) + ", and redirects are not followed"}
	default:
		again := code >= 500 || code == http.StatusTooManyRequests || code == http.StatusRequestTimeout
		return outcome{again: again, why: "answered " + strconv.Itoa(code)}
	}
}

// failed says why there was no answer.
func failed(err error) outcome {
	var (
		cert *tls.CertificateVerificationError
		wait net.Error
	)
	switch {
	case errors.Is(err, errElsewhere):
		return outcome{why: "its name leads to another machine, and that needs https"}
	case errors.As(err, &cert):
		return outcome{again: true, why: "its certificate is not one to trust"}
	case errors.As(err, &wait) && wait.Timeout():
		return outcome{again: true, why: "did not answer in time"}
	default:
		return outcome{again: true, why: "could not be reached"}
	}
}
