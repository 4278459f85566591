package observe

import (
	"context"
	"crypto/x509"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"nod/descriptor"
	"nod/digest"
	"nod/outside"
	"nod/ownfile"
)

// Bounds of a file of headers.
const (
	maxHeaderFile = 8 << 10
	maxHeaders    = 16
)

func get(ctx context.Context, o *descriptor.Observer, args digest.JSON, roots *x509.CertPool) descriptor.Observation {
	origin, path, err := o.Address(args)
	if err != nil {
		return unavailable(err.Error())
	}
	asked := "GET " + path
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, origin+path, nil)
	// Whatever the values are: what was written is what is asked, of whom it was
	// to be asked.
	if err != nil || req.URL.Scheme+"://"+req.URL.Host != origin || req.URL.RequestURI() != path || req.URL.User != nil {
		return unavailable("its address does not read").After(asked)
	}
	req.Header = http.Header{"User-Agent": {"nod"}}
	for name, value := range o.Headers {
		req.Header.Set(name, value)
	}
	if o.HeaderFile != "" {
		if why := addHeaders(req.Header, o.HeaderFile); why != "" {
			return unavailable("its file of headers " + why).After(asked)
		}
	}
	req.Header.Set("Accept-Encoding", "identity") // the bound is of what is read
	resp, err := outside.Client(req.URL.Scheme == "https", roots, o.Limit()).Do(req)
	if err != nil {
		return noAnswer(ctx, err).After(asked)
	}
	defer func() { _ = resp.Body.Close() }() // read as far as it is of use
	asked += " gave " + strconv.Itoa(resp.StatusCode)
	body, err := io.ReadAll(io.LimitReader(resp.Body, descriptor.MaxDocument+1))
	switch {
	case len(body) > descriptor.MaxDocument, resp.ContentLength > descriptor.MaxDocument:
		return descriptor.Unseen(descriptor.WhyTooLarge, "more than "+strconv.Itoa(descriptor.MaxDocument)+" bytes").After(asked)
	case err != nil:
		v := noAnswer(ctx, err)
		if v.Why == descriptor.WhyUnavailable {
			v = unavailable("and its body broke off")
		}
		return v.After(asked)
	}
	return o.JudgeStatus(resp.StatusCode, body, args).After(asked)
}

func noAnswer(ctx context.Context, err error) descriptor.Observation {
	why, inTime := outside.NoAnswer(err)
	if inTime || ctx.Err() != nil {
		return late(ctx)
	}
	return unavailable(why)
}

// addHeaders adds the headers of a file that only this user can read: it holds
// a token. why says what is wrong with it, and nothing of what it holds.
func addHeaders(h http.Header, name string) (why string) {
	f, err := ownfile.Open(name, os.O_RDONLY, os.Getuid())
	if err != nil {
		return "is not there, or not one that only you can read and change"
	}
	text, err := io.ReadAll(io.LimitReader(f, maxHeaderFile+1))
	_ = f.Close() // opened for reading
	if err != nil || len(text) > maxHeaderFile {
		return "cannot be read, or is larger than 8 KiB"
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		key, value, found := strings.Cut(line, ":")
		if value = strings.TrimSpace(value); !found || !descriptor.IsHeader(key, value) {
			return "has a line that is no header, or one that Nod sets itself"
		}
		if n++; n > maxHeaders {
			return "has more than 16 headers"
		}
		h.Set(key, value)
	}
	return ""
}
