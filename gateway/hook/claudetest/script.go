package claudetest

import "fmt"

// Script is what the model says. Turns are the turns of the main conversation;
// the turn to play is the number of assistant messages the request already
// holds, so that a retried request gets the same answer. After the last turn
// the model says "done".
type Script struct {
	Turns []Turn
	// Agents maps a piece of a subagent's prompt to that subagent's turns.
	Agents map[string][]Turn
}

// Turn is one answer of the model: calls, or a final text when there are none.
type Turn struct {
	Text  string
	Calls []Call
}

// Call is one tool_use block. Input is marshalled as the block's input; an
// empty ID becomes "toolu_nod_<turn>_<index>".
type Call struct {
	ID    string
	Tool  string
	Input any
}

// Say is a turn of one call to each given tool.
func Say(calls ...Call) Turn { return Turn{Calls: calls} }

// Bash is a call of the Bash tool.
func Bash(command string) Call {
	return Call{Tool: "Bash", Input: map[string]any{"command": command}}
}

// Write is a call of the Write tool.
func Write(path, content string) Call {
	return Call{Tool: "Write", Input: map[string]any{"file_path": path, "content": content}}
}

// Read is a call of the Read tool.
func Read(path string) Call {
	return Call{Tool: "Read", Input: map[string]any{"file_path": path}}
}

// pick returns the turn at index n of turns, with its call ids filled in.
func pick(turns []Turn, prefix string, n int) Turn {
	if n >= len(turns) {
		return Turn{Text: "done"}
	}
	turn := turns[n]
	calls := make([]Call, len(turn.Calls))
	for i, c := range turn.Calls {
		if c.ID == "" {
			c.ID = fmt.Sprintf("toolu_nod%s_%d_%d", prefix, n, i)
		}
		if c.Input == nil {
			c.Input = map[string]any{}
		}
		calls[i] = c
	}
	turn.Calls = calls
	if turn.Text == "" && len(calls) == 0 {
		turn.Text = "done"
	}
	return turn
}
