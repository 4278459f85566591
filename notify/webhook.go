package notify

import (
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"nod/outside"
)

// webhook gets a POST. It is never sent elsewhere: no redirect is followed, no
// proxy used, and http goes nowhere but to this machine, whatever its name
// resolves to. The answer's body is not read.
type webhook struct {
	called string
	url    string
	client *http.Client
}

func newWebhook(called, address string, roots *x509.CertPool, limit time.Duration) *webhook {
	u, err := url.Parse(address)
	return &webhook{called: called, url: address, client: outside.Client(err == nil && u.Scheme == "https", roots, limit)}
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

// failed says why there was no answer; it may come another time, unless the
// address itself is at fault.
func failed(err error) outcome {
	why, _ := outside.NoAnswer(err)
	return outcome{again: !errors.Is(err, outside.ErrElsewhere), why: why}
}
