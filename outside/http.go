// Package outside is how Nod speaks to what is not Nod: over HTTP, and to
// programs that it starts.
//
// The rules it keeps: a request goes to the address that the operator wrote and
// to no other, a program gets no terminal and is stopped with what it started,
// and both end in bounded time.
package outside

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// maxHeader bounds the head of an answer.
const maxHeader = 64 << 10

// Client is for one address. It follows no redirect, uses no proxy, keeps no
// cookie and no connection, unpacks nothing, and by http goes nowhere but to
// this machine, whatever its name resolves to (ErrElsewhere). limit is for the
// whole exchange, its body too; roots nil are the system's.
func Client(encrypted bool, roots *x509.CertPool, limit time.Duration) *http.Client {
	dialer := &net.Dialer{Timeout: limit}
	if !encrypted {
		dialer.Control = onlyHere
	}
	return &http.Client{
		Timeout:       limit,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: noSwitch{&http.Transport{
			DialContext: dialer.DialContext, TLSHandshakeTimeout: limit,
			TLSClientConfig:        &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
			DisableKeepAlives:      true,
			DisableCompression:     true,
			MaxResponseHeaderBytes: maxHeader,
		}},
	}
}

// errSwitched is an answer that leaves HTTP for another protocol.
var errSwitched = errors.New("the protocol was switched")

// noSwitch refuses such answers: nothing bounds the reading of what follows.
type noSwitch struct{ http.RoundTripper }

func (t noSwitch) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.RoundTripper.RoundTrip(r)
	if err == nil && resp.StatusCode == http.StatusSwitchingProtocols {
		return nil, errors.Join(errSwitched, resp.Body.Close())
	}
	return resp, err
}

// ErrElsewhere is http to another machine.
var ErrElsewhere = errors.New("not an address of this machine")

func onlyHere(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !at.Addr().Unmap().IsLoopback() {
		return ErrElsewhere
	}
	return nil
}

// NoAnswer says in a few words of ours why there was none; late where time ran
// out. The error's own text holds the address.
func NoAnswer(err error) (why string, late bool) {
	var (
		cert *tls.CertificateVerificationError
		wait net.Error
	)
	switch {
	case errors.Is(err, ErrElsewhere):
		return "its name leads to another machine, and that needs https", false
	case errors.As(err, &cert):
		return "its certificate is not one to trust", false
	case errors.As(err, &wait) && wait.Timeout():
		return "did not answer in time", true
	default:
		return "could not be reached", false
	}
}
