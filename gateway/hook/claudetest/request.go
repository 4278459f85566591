package claudetest

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Kind says which conversation a request belongs to.
type Kind string

const (
	// Main is the session's own conversation.
	Main Kind = "main"
	// Agent is a subagent's conversation, known by its prompt.
	Agent Kind = "agent"
	// Side is a request outside the script: titles, summaries, page digests.
	Side Kind = "side"
)

// Request is one call of the Messages API, as the model got it.
type Request struct {
	Kind Kind
	// Turn is the index of the turn that was played; -1 for a side request.
	Turn int
	Body jsontext.Value
	// Results are the tool results in the request, oldest first.
	Results []ToolResult
	// Text is all the user and system text in the request.
	Text string
}

// ToolResult is one tool_result block: what the host told the model about a
// call.
type ToolResult struct {
	ToolUseID string
	IsError   bool
	Text      string
}

// Tools are the names of the tools the request offered to the model.
func (r Request) Tools() []string {
	var body messagesBody
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return nil
	}
	names := make([]string, 0, len(body.Tools))
	for _, t := range body.Tools {
		names = append(names, t.Name)
	}
	slices.Sort(names)
	return names
}

type messagesBody struct {
	Model    string         `json:"model"`
	Stream   bool           `json:"stream"`
	System   jsontext.Value `json:"system"`
	Messages []struct {
		Role    string         `json:"role"`
		Content jsontext.Value `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Name string `json:"name"`
	} `json:"tools"`
}

type block struct {
	Type      string         `json:"type"`
	Text      string         `json:"text"`
	ToolUseID string         `json:"tool_use_id"`
	IsError   bool           `json:"is_error"`
	Content   jsontext.Value `json:"content"`
}

// blocks reads a content that is a string or a list of blocks.
func blocks(content jsontext.Value) []block {
	var s string
	if json.Unmarshal(content, &s) == nil {
		return []block{{Type: "text", Text: s}}
	}
	var list []block
	if json.Unmarshal(content, &list) != nil {
		return nil
	}
	return list
}

func plain(content jsontext.Value) string {
	var b strings.Builder
	for _, bl := range blocks(content) {
		b.WriteString(bl.Text)
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// said is a tool result's text without the reminder the host hangs on it.
func said(content jsontext.Value) string {
	text, _, _ := strings.Cut(plain(content), "\n\n<system-reminder>")
	return text
}

// classify reads a request body and finds whose turn it is. A request that
// offers no tools is never part of a scripted conversation.
func (s Script) classify(body messagesBody) (req Request, turn Turn) {
	var text strings.Builder
	text.WriteString(plain(body.System))
	assistants, opening := 0, ""
	for _, m := range body.Messages {
		if m.Role == "assistant" {
			assistants++
			continue
		}
		for _, bl := range blocks(m.Content) {
			switch bl.Type {
			case "text":
				text.WriteString("\n" + bl.Text)
				if assistants == 0 {
					opening += bl.Text + "\n"
				}
			case "tool_result":
				req.Results = append(req.Results, ToolResult{bl.ToolUseID, bl.IsError, said(bl.Content)})
			}
		}
	}
	req.Text = text.String()
	if len(body.Tools) == 0 {
		req.Kind, req.Turn = Side, -1
		return req, Turn{Text: "ok"}
	}
	for _, key := range sortedKeys(s.Agents) {
		if strings.Contains(opening, key) {
			req.Kind, req.Turn = Agent, assistants
			return req, pick(s.Agents[key], "_"+slug(key), assistants)
		}
	}
	req.Kind, req.Turn = Main, assistants
	return req, pick(s.Turns, "", assistants)
}

func sortedKeys(m map[string][]Turn) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// slug keeps what the API allows in a tool_use id.
func slug(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}
