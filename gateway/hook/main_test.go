package hook_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"nod/client/clienttest"
	"nod/descriptor"
	"nod/digest"
	"nod/gateway/hook"
	"nod/queue"
)

// TestMain makes the test binary the product's hook command, with the
// arguments that the installer writes, so that a test has it as a process and
// a real host can start it.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "hook" {
		os.Exit(hookCommand(os.Args[3:]))
	}
	os.Exit(m.Run())
}

// rules judge every call the same.
type rules string

func (r rules) Judge(*digest.Action) queue.Ruling {
	if r == "" {
		return queue.Ruling{}
	}
	return queue.Ruling{Verdict: string(r), Rule: "all", Why: "the test says so"}
}

// toolsMode begins a mode that names a file of descriptors.
const toolsMode = "tools "

func readTools(name string) (*descriptor.Set, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var tools []descriptor.Tool
	if err := json.Unmarshal(raw, &tools); err != nil {
		return nil, err
	}
	return descriptor.Compile(tools)
}

// describe gives the operator and every hook the same descriptors.
func (g *gate) describe(t testing.TB, tools ...descriptor.Tool) {
	t.Helper()
	raw, err := json.Marshal(tools, json.FormatNilSliceAsNull(true), json.FormatNilMapAsNull(true))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "tools.json")
	if err := os.WriteFile(name, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	set, err := readTools(name)
	if err != nil {
		t.Fatal(err)
	}
	g.Queue = clienttest.New(t, clienttest.Options{Agent: hook.Agent, Settings: queue.Settings{WaiterMS: 2000, Descriptors: set}})
	g.mode(t, toolsMode+name)
}

func hookCommand(args []string) int {
	flags := flag.NewFlagSet("hook", flag.ContinueOnError)
	config := flags.String("config", "", "")
	store := flags.String("store", "", "")
	timeout := flags.Duration("host-timeout", 0, "")
	if flags.Parse(args) != nil {
		return 2
	}
	mode, err := os.ReadFile(*config)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	var tools *descriptor.Set
	if name, ok := strings.CutPrefix(string(mode), toolsMode); ok {
		if tools, err = readTools(name); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
		mode = nil
	}
	open := func(ctx context.Context) (queue.Port, func() error, error) {
		switch m := strings.TrimSpace(string(mode)); m {
		case "panic":
			panic("the engine is broken")
		case "error":
			return nil, nil, errors.New("the configuration is wrong")
		case "hang":
			<-ctx.Done()
			return nil, nil, context.Cause(ctx)
		default:
			settings := queue.Settings{WaiterMS: 2000, Descriptors: tools}
			if m == "quick" {
				settings.AnswerWithinMS, m = 2000, ""
			}
			if m == "described" {
				settings.Descriptors, m = bashDescribed(), ""
			}
			settings.Rules = rules(m)
			return clienttest.Open(ctx, *store, clienttest.Options{Agent: hook.Agent, Settings: settings})
		}
	}
	return hook.ClaudeCode(context.Background(), hook.Deps{
		Open: open, StateDir: filepath.Join(filepath.Dir(*store), "hook"), HostTimeout: *timeout, Tools: tools,
	}, os.Stdin, os.Stdout, os.Stderr)
}

// gate is a queue and the arguments that start a hook on it.
type gate struct {
	*clienttest.Queue
	self, config string
}

func newGate(t testing.TB) *gate {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{
		Queue: clienttest.New(t, clienttest.Options{Agent: hook.Agent, Settings: queue.Settings{WaiterMS: 2000}}),
		self:  self, config: filepath.Join(t.TempDir(), "mode"),
	}
	g.mode(t, "")
	return g
}

// mode says how the hook behaves: a rule's verdict for every call, or a fault.
func (g *gate) mode(t testing.TB, mode string) {
	t.Helper()
	if err := os.WriteFile(g.config, []byte(mode), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (g *gate) args(timeout string) []string {
	return []string{"hook", "claude-code", "--config", g.config, "--store", g.Path, "--host-timeout", timeout + "s"}
}

func (g *gate) state() string { return filepath.Join(filepath.Dir(g.Path), "hook") }

func (g *gate) attempts() string { return filepath.Join(g.state(), "attempts") }

// reply is what a hook process left.
type reply struct {
	exit           int
	stdout, stderr string
	decision       string
	behavior       string // of a PermissionRequest
	reason         string
	context        string
	message        string
	input          string // updatedInput, as written
}

// proc is a running hook.
type proc struct {
	cmd      *exec.Cmd
	out, err bytes.Buffer
}

func (g *gate) start(t *testing.T, stdin string, timeout string) *proc {
	t.Helper()
	p := &proc{cmd: exec.Command(g.self, g.args(timeout)...)}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = strings.NewReader(stdin), &p.out, &p.err
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	return p
}

func (p *proc) wait(t *testing.T) reply {
	t.Helper()
	_ = p.cmd.Wait() // the exit status is looked at
	r := reply{exit: p.cmd.ProcessState.ExitCode(), stdout: p.out.String(), stderr: p.err.String()}
	if r.stdout == "" {
		return r
	}
	var o struct {
		Output struct {
			Event    string         `json:"hookEventName"`
			Decision string         `json:"permissionDecision"`
			Reason   string         `json:"permissionDecisionReason"`
			Context  string         `json:"additionalContext"`
			Input    jsontext.Value `json:"updatedInput"`
			Request  struct {
				Behavior string `json:"behavior"`
				Message  string `json:"message"`
			} `json:"decision"`
		} `json:"hookSpecificOutput"`
		Message string `json:"systemMessage"`
	}
	if err := json.Unmarshal([]byte(r.stdout), &o, json.RejectUnknownMembers(true)); err != nil {
		t.Fatalf("stdout is not one answer: %v: %q", err, r.stdout)
	}
	r.input = string(o.Output.Input)
	r.decision, r.reason, r.context, r.message = o.Output.Decision, o.Output.Reason, o.Output.Context, o.Message
	if o.Output.Event == hook.PermissionRequest {
		r.behavior, r.reason = o.Output.Request.Behavior, o.Output.Request.Message
	}
	if (r.decision == "deny" || r.behavior == "deny") && r.reason == "" {
		t.Errorf("a denial without a reason: %q", r.stdout)
	}
	return r
}

func (g *gate) run(t *testing.T, stdin string) reply {
	t.Helper()
	return g.start(t, stdin, "100").wait(t)
}

// mustBlock checks that the host does not run the call: exit 2, nothing on
// stdout, a sentence on stderr.
func (r reply) mustBlock(t *testing.T) {
	t.Helper()
	if r.exit != 2 || r.stdout != "" || !strings.HasPrefix(r.stderr, "nod: ") || len(r.stderr) < 20 {
		t.Errorf("exit %d, stdout %q, stderr %q; want 2, nothing, a sentence", r.exit, r.stdout, r.stderr)
	}
}

// pre is a PreToolUse event of the host; input is the tool's, as JSON.
func pre(tool, id, input string) string {
	return fmt.Sprintf(`{"session_id":"94085b22","transcript_path":"/t.jsonl","cwd":"/home/dev/project","prompt_id":"p","permission_mode":"default",`+
		`"hook_event_name":"PreToolUse","tool_name":%q,"tool_input":%s,"tool_use_id":%q}`, tool, input, id)
}

// post is the report on a call.
func post(event, tool, id, input, more string) string {
	return fmt.Sprintf(`{"session_id":"94085b22","cwd":"/home/dev/project","hook_event_name":%q,"tool_name":%q,"tool_input":%s,"tool_use_id":%q%s}`,
		event, tool, input, id, more)
}

// opener opens the gate's queue in this process, as hookCommand does in its own.
func opener(g *gate) func(context.Context) (queue.Port, func() error, error) {
	return func(ctx context.Context) (queue.Port, func() error, error) {
		mode, err := os.ReadFile(g.config)
		if err != nil {
			return nil, nil, err
		}
		return clienttest.Open(ctx, g.Path, clienttest.Options{
			Agent: hook.Agent, Settings: queue.Settings{Rules: rules(mode), WaiterMS: 2000},
		})
	}
}
