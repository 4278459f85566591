package claudetest

import (
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"
)

type object = map[string]any

func message(id, model string) object {
	return object{
		"id": id, "type": "message", "role": "assistant", "model": model,
		"content": []any{}, "stop_reason": nil, "stop_sequence": nil,
		"usage": object{"input_tokens": 10, "output_tokens": 1},
	}
}

func (t Turn) stopReason() string {
	if len(t.Calls) > 0 {
		return "tool_use"
	}
	return "end_turn"
}

// whole answers a request that did not ask for a stream.
func whole(w http.ResponseWriter, id, model string, turn Turn) error {
	m := message(id, model)
	content := []any{}
	if turn.Text != "" {
		content = append(content, object{"type": "text", "text": turn.Text})
	}
	for _, c := range turn.Calls {
		content = append(content, object{"type": "tool_use", "id": c.ID, "name": c.Tool, "input": c.Input})
	}
	m["content"], m["stop_reason"] = content, turn.stopReason()
	w.Header().Set("Content-Type", "application/json")
	if err := json.MarshalWrite(w, m); err != nil {
		return fmt.Errorf("marshal the message: %w", err)
	}
	return nil
}

// stream answers with the server-sent events of the Messages API, one block at
// a time, each tool's input in one delta.
func stream(w http.ResponseWriter, id, model string, turn Turn) error {
	w.Header().Set("Content-Type", "text/event-stream")
	var err error
	event := func(name string, data object) {
		if err != nil {
			return
		}
		data["type"] = name
		var b []byte
		if b, err = json.Marshal(data); err == nil {
			_, err = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, b)
		}
	}
	event("message_start", object{"message": message(id, model)})
	index := 0
	emit := func(start, delta object) {
		event("content_block_start", object{"index": index, "content_block": start})
		event("content_block_delta", object{"index": index, "delta": delta})
		event("content_block_stop", object{"index": index})
		index++
	}
	if turn.Text != "" {
		emit(object{"type": "text", "text": ""}, object{"type": "text_delta", "text": turn.Text})
	}
	for _, c := range turn.Calls {
		input, merr := json.Marshal(c.Input)
		if merr != nil {
			return fmt.Errorf("marshal the input of %s: %w", c.Tool, merr)
		}
		emit(object{"type": "tool_use", "id": c.ID, "name": c.Tool, "input": object{}},
			object{"type": "input_json_delta", "partial_json": string(input)})
	}
	event("message_delta", object{
		"delta": object{"stop_reason": turn.stopReason(), "stop_sequence": nil},
		"usage": object{"output_tokens": 5},
	})
	event("message_stop", object{})
	if err != nil {
		return fmt.Errorf("stream the message: %w", err)
	}
	return nil
}
