package policy

import (
	"slices"
	"strings"
	"testing"
)

func TestCompliance(t *testing.T) {
	for _, row := range []struct {
		regime string
		list   []any
		want   string // what is denied; or the refused value and its place
	}{
		{"", nil, ""},
		{"hipaa", nil, "web_fetch org_memory_mount"},
		{"hipaa", []any{"web_fetch", "mcp_servers"}, "mcp_servers web_fetch org_memory_mount"},
		{"", []any{"workflows", "mcp_servers", "workflows"}, "mcp_servers workflows"},
		{"hippa", nil, `! /compliance "hippa" is no regime; there is hipaa`},
		{"HIPAA", nil, `! /compliance "HIPAA" is no regime; there is hipaa`},
		{"", []any{"webfetch"}, `! /deny/0 "webfetch" is no capability; there are mcp_servers, workflows, web_fetch, org_memory_mount`},
		{"hipaa", []any{"web_fetch", "Workflows"}, `! /deny/1 "Workflows" is no capability; there are mcp_servers, workflows, web_fetch, org_memory_mount`},
		{"", []any{""}, `! /deny/0 "" is no capability; there are mcp_servers, workflows, web_fetch, org_memory_mount`},
		{"", []any{"hipaa"}, `! /deny/0 "hipaa" is no capability; there are mcp_servers, workflows, web_fetch, org_memory_mount`},
		{"", []any{"a\u202eb"}, `! /deny/0 "a\u202eb" is no capability; there are mcp_servers, workflows, web_fetch, org_memory_mount`},
		{"", []any{strings.Repeat("x", 41)}, `! /deny/0 a text of 41 bytes is no capability; there are mcp_servers, workflows, web_fetch, org_memory_mount`},
		{"", []any{map[string]any{"secret": "SECRET"}}, `! /deny/0 an object is no capability; there are mcp_servers, workflows, web_fetch, org_memory_mount`},
		{"", []any{&struct{ S string }{"SECRET"}}, `! /deny/0 an object is no capability; there are mcp_servers, workflows, web_fetch, org_memory_mount`},
		{"", []any{func() {}}, `! /deny/0 a function is no capability; there are mcp_servers, workflows, web_fetch, org_memory_mount`},
		{"", []any{[]any{"web_fetch"}}, `! /deny/0 a list is no capability; there are mcp_servers, workflows, web_fetch, org_memory_mount`},
		{"", []any{int64(7)}, `! /deny/0 a number is no capability; there are mcp_servers, workflows, web_fetch, org_memory_mount`},
		{"", []any{true}, `! /deny/0 a boolean is no capability; there are mcp_servers, workflows, web_fetch, org_memory_mount`},
		{"", []any{nil}, `! /deny/0 null is no capability; there are mcp_servers, workflows, web_fetch, org_memory_mount`},
	} {
		d, err := Deny(row.regime, row.list)
		words := []string{}
		for _, c := range d.All() {
			words = append(words, string(c))
		}
		got := strings.Join(words, " ")
		if err != nil {
			if codeOf(t, err) != "bad_value" || len(words) > 0 {
				t.Errorf("%v: %v with %v", row.list, err, words)
			}
			at, sentence, _ := strings.Cut(strings.TrimPrefix(err.Error(), `bad_value at "`), `": `)
			got = "! " + at + " " + sentence
		}
		if got != row.want {
			t.Errorf("%s\nwant %s", got, row.want)
		}
		for _, c := range []Capability{MCPServers, Workflows, WebFetch, OrgMemoryMount} {
			if err == nil && d.Denies(c) != slices.Contains(words, string(c)) {
				t.Errorf("%v: denies %s %v", row.list, c, d.Denies(c))
			}
		}
	}
	if !(Denied{}).Denies("webfetch") {
		t.Error("a word that is no capability is not denied")
	}
}
