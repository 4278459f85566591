package claudetest

import (
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

const (
	tools = `"tools":[{"name":"Bash"}]`
	ask   = `{"role":"user","content":"go"}`
	said1 = `{"role":"assistant","content":[{"type":"tool_use","id":"toolu_nod_0_0","name":"Bash","input":{}}]}`
	got1  = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_nod_0_0","is_error":true,"content":[{"type":"text","text":"no\n\n<system-reminder>\nx"}]}]}`
)

func post(t *testing.T, m *Model, body string) string {
	t.Helper()
	resp, err := http.Post(m.URL()+"/v1/messages?beta=true", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestModelPlaysTheTurnTheConversationIsAt(t *testing.T) {
	m := NewModel(t, Script{
		Turns:  []Turn{Say(Bash("first")), Say(Bash("second"))},
		Agents: map[string][]Turn{"SUB": {Say(Bash("inner"))}},
	})
	for _, tc := range []struct {
		name, body, want string
		kind             Kind
	}{
		{"first turn", `{` + tools + `,"messages":[` + ask + `]}`, `"first"`, Main},
		{"the same request again", `{` + tools + `,"messages":[` + ask + `]}`, `"first"`, Main},
		{"second turn", `{` + tools + `,"messages":[` + ask + `,` + said1 + `,` + got1 + `]}`, `"second"`, Main},
		{"after the last", `{` + tools + `,"messages":[` + ask + `,` + said1 + `,` + got1 + `,` + said1 + `,` + got1 + `]}`, `"done"`, Main},
		{"a title", `{"messages":[` + ask + `]}`, `"ok"`, Side},
		{"a subagent", `{` + tools + `,"messages":[{"role":"user","content":[{"type":"text","text":"do SUB"}]}]}`, `"inner"`, Agent},
	} {
		before := len(m.Requests())
		if got := post(t, m, tc.body); !strings.Contains(got, tc.want) {
			t.Errorf("%s: answer %s lacks %s", tc.name, got, tc.want)
		}
		if got := m.Requests()[before].Kind; got != tc.kind {
			t.Errorf("%s: kind %s, want %s", tc.name, got, tc.kind)
		}
	}
	want := []ToolResult{{"toolu_nod_0_0", true, "no"}}
	if got := m.Results(); !slices.Equal(got, want) {
		t.Errorf("results = %v, want %v", got, want)
	}
}

func TestModelStreams(t *testing.T) {
	m := NewModel(t, Script{Turns: []Turn{Say(Bash(`say "hi"`))}})
	got := post(t, m, `{"stream":true,`+tools+`,"messages":[`+ask+`]}`)
	var names []string
	for line := range strings.Lines(got) {
		if name, ok := strings.CutPrefix(line, "event: "); ok {
			names = append(names, strings.TrimSpace(name))
		}
	}
	want := []string{"message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop"}
	if !slices.Equal(names, want) {
		t.Errorf("events = %v, want %v", names, want)
	}
	if !strings.Contains(got, `"partial_json":"{\"command\":\"say \\\"hi\\\"\"}"`) || !strings.Contains(got, `"stop_reason":"tool_use"`) {
		t.Errorf("stream = %s", got)
	}
}

func TestModelHears(t *testing.T) {
	m := NewModel(t, Script{})
	post(t, m, `{`+tools+`,"messages":[{"role":"user","content":"two\nlines"}]}`)
	if !m.Heard("two\nlines") || m.Heard("three") {
		t.Errorf("heard two lines: %v, three: %v; want true, false", m.Heard("two\nlines"), m.Heard("three"))
	}
}

func TestModelIsNoWayOut(t *testing.T) {
	m := NewModel(t, Script{})
	proxy, err := url.Parse(m.URL())
	if err != nil {
		t.Fatal(err)
	}
	client := http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy)}}
	if resp, err := client.Get("http://out.example/"); err != nil {
		t.Fatal(err)
	} else if _ = resp.Body.Close(); resp.StatusCode != http.StatusForbidden {
		t.Errorf("plain: status %d, want 403", resp.StatusCode)
	}
	if resp, err := client.Get("https://out.example/"); err == nil {
		_ = resp.Body.Close()
		t.Error("the proxy let a connection out")
	}
	if got, want := m.Dials(), []string{"out.example", "out.example:443"}; !slices.Equal(got, want) {
		t.Errorf("dials = %v, want %v", got, want)
	}
}
