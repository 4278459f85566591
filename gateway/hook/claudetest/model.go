package claudetest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Model is a loopback server that speaks the Anthropic Messages API and says
// what its script says. It is also the session's only way out: it stands as
// the HTTP proxy, refuses every connection, and remembers who was asked for.
type Model struct {
	script Script
	server *httptest.Server

	mu       sync.Mutex
	requests []Request
	dials    []string
	failures []string
}

// NewModel starts a model that stops with the test. A request it could not
// understand fails the test then.
func NewModel(t testing.TB, script Script) *Model {
	t.Helper()
	m := &Model{script: script}
	m.server = httptest.NewServer(m)
	t.Cleanup(func() {
		m.server.CloseClientConnections()
		m.server.Close()
		m.mu.Lock()
		defer m.mu.Unlock()
		for _, f := range m.failures {
			t.Errorf("scripted model: %s", f)
		}
	})
	return m
}

// URL is the base URL, http://127.0.0.1:PORT.
func (m *Model) URL() string { return m.server.URL }

// Requests are the Messages API requests so far, in order of arrival.
func (m *Model) Requests() []Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.requests)
}

// Dials are the hosts the session tried to reach other than the model, as
// "host:port", in order. Every one was refused.
func (m *Model) Dials() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.dials)
}

// Results are all tool results that reached the model in any conversation,
// each once, in order of arrival.
func (m *Model) Results() []ToolResult {
	var out []ToolResult
	seen := map[string]bool{}
	for _, r := range m.Requests() {
		for _, res := range r.Results {
			if !seen[res.ToolUseID] {
				seen[res.ToolUseID] = true
				out = append(out, res)
			}
		}
	}
	return out
}

// Heard reports whether words reached the model in any request: as text, as a
// tool result, or anywhere else in the body.
func (m *Model) Heard(words string) bool {
	quoted, err := jsontext.AppendQuote(nil, words)
	if err != nil {
		return false
	}
	inner := string(quoted[1 : len(quoted)-1])
	return slices.ContainsFunc(m.Requests(), func(r Request) bool {
		return strings.Contains(string(r.Body), inner)
	})
}

// ServeHTTP answers the API's endpoints and refuses to be a proxy.
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodConnect || r.URL.IsAbs() {
		m.mu.Lock()
		m.dials = append(m.dials, r.Host)
		m.mu.Unlock()
		http.Error(w, "no way out of the test", http.StatusForbidden)
		return
	}
	switch {
	case r.Method == http.MethodHead:
		w.WriteHeader(http.StatusOK)
	case r.URL.Path == "/v1/messages/count_tokens":
		reply(w, map[string]any{"input_tokens": 10})
	case r.URL.Path == "/v1/messages":
		m.messages(w, r)
	default:
		// The client asks for settings and features nobody needs here.
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"type":"error","error":{"type":"not_found_error","message":"not scripted"}}`)
	}
}

func (m *Model) messages(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		m.fail(w, fmt.Sprintf("read the request: %v", err))
		return
	}
	var body messagesBody
	if err := json.Unmarshal(raw, &body); err != nil {
		m.fail(w, fmt.Sprintf("parse the request: %v", err))
		return
	}
	req, turn := m.script.classify(body)
	req.Body = raw
	m.mu.Lock()
	m.requests = append(m.requests, req)
	n := len(m.requests)
	m.mu.Unlock()
	id := fmt.Sprintf("msg_nod_%d", n)
	if body.Stream {
		err = stream(w, id, body.Model, turn)
	} else {
		err = whole(w, id, body.Model, turn)
	}
	if err != nil && r.Context().Err() == nil {
		m.fail(w, fmt.Sprintf("write the answer: %v", err))
	}
}

func (m *Model) fail(w http.ResponseWriter, what string) {
	m.mu.Lock()
	m.failures = append(m.failures, what)
	m.mu.Unlock()
	http.Error(w, what, http.StatusBadRequest)
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.MarshalWrite(w, v)
}
