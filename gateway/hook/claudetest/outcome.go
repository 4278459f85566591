//go:build unix

package claudetest

import (
	"bytes"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Outcome is what a session left.
type Outcome struct {
	ExitCode int // -1 when a signal ended it
	Duration time.Duration
	// Stdout is the stream-json output, one event a line.
	Stdout, Stderr []byte
	// Events are the lines of Stdout that are JSON.
	Events []jsontext.Value
	// Result is the last event of type "result"; zero when there is none.
	Result Result
	// LeftBehind counts the processes of the session that outlived the host
	// and were killed.
	LeftBehind int
}

// Result is the end of a session as the host reports it.
type Result struct {
	Type           string         `json:"type"`
	Subtype        string         `json:"subtype"`
	IsError        bool           `json:"is_error"`
	Text           string         `json:"result"`
	SessionID      string         `json:"session_id"`
	StopReason     string         `json:"stop_reason"`
	TerminalReason string         `json:"terminal_reason"`
	Denials        []Denial       `json:"permission_denials"`
	Deferred       jsontext.Value `json:"deferred_tool_use"`
}

// Denial is a call the host says it refused.
type Denial struct {
	Tool      string         `json:"tool_name"`
	ToolUseID string         `json:"tool_use_id"`
	Input     jsontext.Value `json:"tool_input"`
}

func (o *Outcome) read() {
	for line := range bytes.Lines(o.Stdout) {
		v := jsontext.Value(bytes.TrimSpace(line))
		if len(v) == 0 || !v.IsValid() {
			continue
		}
		o.Events = append(o.Events, v)
		var r Result
		if json.Unmarshal(v, &r) == nil && r.Type == "result" {
			o.Result = r
		}
	}
}
