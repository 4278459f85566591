package claudetest

import (
	"bufio"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ServeRecords is an MCP server on a pair of streams with one tool,
// delete_record. For each call it hands the arguments to ran, then answers. It
// returns when in ends. A test binary can be its own server:
//
//	if os.Getenv("RECORDS") != "" { err = claudetest.ServeRecords(os.Stdin, os.Stdout, ran) }
func ServeRecords(in io.Reader, out io.Writer, ran func(arguments jsontext.Value) error) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var req struct {
			ID     jsontext.Value `json:"id"`
			Method string         `json:"method"`
			Params struct {
				ProtocolVersion string         `json:"protocolVersion"`
				Arguments       jsontext.Value `json:"arguments"`
			} `json:"params"`
		}
		if err := json.Unmarshal(lines.Bytes(), &req); err != nil {
			return fmt.Errorf("read a request: %w", err)
		}
		if len(req.ID) == 0 {
			continue // a notification
		}
		answer := object{"jsonrpc": "2.0", "id": req.ID}
		switch req.Method {
		case "initialize":
			answer["result"] = object{
				"protocolVersion": req.Params.ProtocolVersion,
				"capabilities":    object{"tools": object{}},
				"serverInfo":      object{"name": "records", "version": "1"},
			}
		case "tools/list":
			answer["result"] = object{"tools": []any{object{
				"name": "delete_record", "description": "Delete a record",
				"inputSchema": object{"type": "object", "properties": object{"id": object{"type": "string"}}},
			}}}
		case "tools/call":
			if err := ran(req.Params.Arguments); err != nil {
				return fmt.Errorf("run the tool: %w", err)
			}
			answer["result"] = object{"content": []any{object{"type": "text", "text": "deleted"}}}
		default:
			answer["error"] = object{"code": -32601, "message": "no such method"}
		}
		b, err := json.Marshal(answer)
		if err != nil {
			return fmt.Errorf("marshal an answer: %w", err)
		}
		if _, err := out.Write(append(b, '\n')); err != nil {
			return fmt.Errorf("write an answer: %w", err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read requests: %w", err)
	}
	return nil
}
