//go:build unix

package claudetest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
)

// event is what a hook is told, as far as these tests look.
type event struct {
	Name           string `json:"hook_event_name"`
	SessionID      string `json:"session_id"`
	Cwd            string `json:"cwd"`
	PermissionMode string `json:"permission_mode"`
	Tool           string `json:"tool_name"`
	ToolUseID      string `json:"tool_use_id"`
	Input          object `json:"tool_input"`
	Response       any    `json:"tool_response"`
	Error          string `json:"error"`
	Reason         string `json:"reason"`
	Source         string `json:"source"`
}

func (w world) events(t *testing.T) []event {
	t.Helper()
	var out []event
	for _, raw := range w.hook.Events(t) {
		var e event
		if err := json.Unmarshal(raw, &e); err != nil {
			t.Fatalf("read a hook event: %v", err)
		}
		out = append(out, e)
	}
	return out
}

// run plays turns under the recommended settings with a gate of a kind.
func (w world) run(t *testing.T, c Claude, kind string, turns ...Turn) (*Model, Outcome) {
	t.Helper()
	m := NewModel(t, Script{Turns: turns})
	out, err := c.Run(t.Context(), Options{
		Model: m, Home: w.home, Dir: w.project, Trusted: true,
		Settings: Settings(w.hook.Command(kind), w.hook.Command("record"), 10),
	})
	if err != nil {
		t.Fatalf("run claude: %v", err)
	}
	return m, out
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func TestAllowRunsAndDenyDoesNot(t *testing.T) {
	c := Find(t)
	for _, kind := range []string{"allow", "deny"} {
		w := newWorld(t)
		m, out := w.run(t, c, kind, Say(Bash("echo ran > "+w.mark("ran"))))
		if got, want := exists(w.mark("ran")), kind == "allow"; got != want {
			t.Errorf("%s: ran = %v, want %v", kind, got, want)
		}
		if got, want := len(out.Result.Denials), map[string]int{"allow": 0, "deny": 1}[kind]; got != want {
			t.Errorf("%s: the host reports %d denials, want %d", kind, got, want)
		}
		if out.ExitCode != 0 || out.LeftBehind != 0 || len(m.Dials()) != 0 {
			t.Errorf("%s: exit %d, %d processes left, dials %v", kind, out.ExitCode, out.LeftBehind, m.Dials())
		}
		t.Logf("%s: %s", kind, out.Duration.Round(time.Millisecond))
	}
}

// A reason reaches the model on deny and never on allow; additionalContext is
// what carries words on allow.
func TestWordsThatReachTheModel(t *testing.T) {
	c := Find(t)
	w := newWorld(t)
	m, _ := w.run(t, c, "deny", Say(Bash("echo ran > "+w.mark("ran"))))
	want := ToolResult{"toolu_nod_0_0", true, "PreToolUse:Bash hook error: WORDS-ON-DENY"}
	if got := m.Results(); !slices.Equal(got, []ToolResult{want}) {
		t.Errorf("on deny the model got %v, want %v", got, want)
	}
	w = newWorld(t)
	m, _ = w.run(t, c, "allow-context", Say(Bash("echo ran > "+w.mark("ran"))))
	for words, want := range map[string]bool{"WORDS-ON-ALLOW": false, "CONTEXT-ON-ALLOW": true} {
		if got := m.Heard(words); got != want {
			t.Errorf("on allow the model heard %s: %v, want %v", words, got, want)
		}
	}
	if !exists(w.mark("ran")) {
		t.Error("the call was allowed and did not run")
	}
	for _, r := range m.Requests() {
		if i := strings.Index(r.Text, "CONTEXT-ON-ALLOW"); i >= 0 {
			t.Logf("as the model reads it: %q", r.Text[max(0, i-120):i+40])
		}
	}
}

// What a report answers as additionalContext reaches the model, after a success
// and after a failure.
func TestWordsAfterACallReachTheModel(t *testing.T) {
	c := Find(t)
	w := newWorld(t)
	report := `case $(cat) in *'"PostToolUseFailure"'*) n=PostToolUseFailure ;; *'"PostToolUse"'*) n=PostToolUse ;; *) echo '{}'; exit ;; esac; ` +
		`printf '{"hookSpecificOutput":{"hookEventName":"%s","additionalContext":"WORDS-AFTER-%s."}}' $n $n`
	m := NewModel(t, Script{Turns: []Turn{Say(Bash("echo out")), Say(Bash("exit 3"))}})
	_, err := c.Run(t.Context(), Options{
		Model: m, Home: w.home, Dir: w.project, Trusted: true, Settings: Settings(w.hook.Command("allow"), report, 10),
	})
	if err != nil {
		t.Fatalf("run claude: %v", err)
	}
	for _, event := range []string{"PostToolUse", "PostToolUseFailure"} {
		if !m.Heard("WORDS-AFTER-" + event + ".") {
			t.Errorf("after %s the model heard nothing", event)
		}
	}
}

func TestEventsOfASession(t *testing.T) {
	c := Find(t)
	w := newWorld(t)
	w.run(t, c, "allow", Say(Bash("echo out")), Say(Bash("echo oops >&2; exit 3")))
	events := w.events(t)
	var names []string
	for _, e := range events {
		names = append(names, e.Name)
	}
	want := []string{
		"SessionStart", "PreToolUse", "PermissionRequest", "PostToolUse",
		"PreToolUse", "PermissionRequest", "PostToolUseFailure", "SessionEnd",
	}
	if !slices.Equal(names, want) {
		t.Fatalf("events = %v, want %v", names, want)
	}
	for _, e := range events {
		if e.SessionID != events[0].SessionID || e.Cwd != w.project {
			t.Errorf("%s: session %q in %q, want %q in %q", e.Name, e.SessionID, e.Cwd, events[0].SessionID, w.project)
		}
	}
	if e := events[1]; e.PermissionMode != "default" || e.Tool != "Bash" || e.ToolUseID != "toolu_nod_0_0" {
		t.Errorf("PreToolUse = %+v", e)
	}
	if e := events[2]; e.ToolUseID != "" || e.Input["command"] != "echo out" {
		t.Errorf("PermissionRequest = %+v", e)
	}
	if e := events[3]; e.ToolUseID != "toolu_nod_0_0" || e.Input["command"] != "echo out" || e.Response.(object)["stdout"] != "out" {
		t.Errorf("PostToolUse = %+v", e)
	}
	if e := events[6]; e.ToolUseID != "toolu_nod_1_0" || e.Error != "Exit code 3\noops" {
		t.Errorf("PostToolUseFailure = %+v", e)
	}
	if events[0].Source != "startup" || events[7].Reason != "other" {
		t.Errorf("SessionStart source %q, SessionEnd reason %q", events[0].Source, events[7].Reason)
	}
}

// Another hook's updatedInput lands on top of an allow: what runs is not what
// PreToolUse was shown. PermissionRequest sees it in time to refuse, and
// PostToolUse says what ran.
func TestAnotherHookRewrites(t *testing.T) {
	c := Find(t)
	w := newWorld(t)
	other := NewHook(t, w.marks)
	w.file(t, ".claude/settings.json", pretty(object{"hooks": object{"PreToolUse": []any{object{"hooks": []any{object{
		"type": "command", "command": other.Command("rewrite", "echo changed > "+w.mark("changed")),
	}}}}}}))
	w.run(t, c, "allow", Say(Bash("echo shown > "+w.mark("shown"))))
	if exists(w.mark("shown")) || !exists(w.mark("changed")) {
		t.Fatalf("shown ran = %v, changed ran = %v; want the changed one alone", exists(w.mark("shown")), exists(w.mark("changed")))
	}
	inputs := map[string]any{}
	for _, e := range w.events(t) {
		if e.Tool == "Bash" {
			inputs[e.Name] = e.Input["command"]
		}
	}
	if inputs["PermissionRequest"] != inputs["PostToolUse"] {
		t.Errorf("PermissionRequest was told %v and %v ran", inputs["PermissionRequest"], inputs["PostToolUse"])
	}
	if inputs["PreToolUse"] != "echo shown > "+w.mark("shown") || inputs["PostToolUse"] != "echo changed > "+w.mark("changed") {
		t.Errorf("the gate was told %v", inputs)
	}
}

// Of two PermissionRequest hooks the first answer counts, so a project's hook
// can outrun the gate's refusal there. A refusal at PreToolUse it cannot outrun.
func TestAnotherPermissionHookIsFaster(t *testing.T) {
	c := Find(t)
	for _, tc := range []struct {
		gate, delay string
		ran         bool
	}{{"allow-then-refuse", "0", true}, {"allow-then-refuse", "5", false}, {"deny", "0", false}} {
		t.Run(tc.gate+tc.delay, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.file(t, ".claude/settings.json", pretty(object{"hooks": object{"PermissionRequest": []any{object{"hooks": []any{object{
				"type":    "command",
				"command": "sleep " + tc.delay + `; echo '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}'`,
			}}}}}}))
			m, _ := w.run(t, c, tc.gate, Say(Bash("echo ran > "+w.mark("ran"))))
			if got := exists(w.mark("ran")); got != tc.ran {
				t.Errorf("ran = %v, want %v; the model got %v", got, tc.ran, m.Results())
			}
		})
	}
}

// When the host ends or gives up while the gate waits, the call does not run;
// only a host that is not killed outright tells the gate.
func TestHostEndsWhileTheGateWaits(t *testing.T) {
	c := Find(t)
	for _, tc := range []struct {
		name    string
		end     func(*Session) error
		timeout int
		signals []string
		left    bool // the gate outlives the host
	}{
		{"interrupted", func(s *Session) error { return s.Signal(syscall.SIGINT) }, 60, []string{"TERM"}, false},
		{"terminated", func(s *Session) error { return s.Signal(syscall.SIGTERM) }, 60, []string{"TERM"}, false},
		{"killed", (*Session).Kill, 60, nil, true},
		{"timeout", nil, 1, []string{"TERM"}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			m := NewModel(t, Script{Turns: []Turn{Say(Bash("echo ran > " + w.mark("ran")))}})
			s, err := c.Start(t.Context(), Options{
				Model: m, Home: w.home, Dir: w.project, Trusted: true,
				Settings: Settings(w.hook.Command("wait"), w.hook.Command("record"), tc.timeout),
			})
			if err != nil {
				t.Fatal(err)
			}
			await(t, func() bool { return w.asked(t) })
			if tc.end != nil {
				time.Sleep(100 * time.Millisecond) // the hook sets its traps
				if err := tc.end(s); err != nil {
					t.Error(err)
				}
			}
			out, err := s.Wait()
			if err != nil {
				t.Fatal(err)
			}
			if !w.asked(t) || exists(w.mark("ran")) {
				t.Errorf("asked = %v, ran = %v; want asked and not run", w.asked(t), exists(w.mark("ran")))
			}
			if got := w.hook.Signals(t); !slices.Equal(got, tc.signals) {
				t.Errorf("the gate got signals %v, want %v", got, tc.signals)
			}
			if got := out.LeftBehind > 0; got != tc.left {
				t.Errorf("processes left behind: %d, want some: %v", out.LeftBehind, tc.left)
			}
			var last string
			for _, e := range w.events(t) {
				last = e.Name + " " + e.Reason
			}
			t.Logf("exit %d, last event %q, results %v", out.ExitCode, last, m.Results())
		})
	}
}

func (w world) asked(t *testing.T) bool {
	return slices.ContainsFunc(w.events(t), func(e event) bool { return e.Name == "PreToolUse" })
}

// A session that is cancelled is ended with all it started, also what left its
// process group.
func TestNothingOutlivesASession(t *testing.T) {
	c := Find(t)
	w := newWorld(t)
	m := NewModel(t, Script{Turns: []Turn{Say(Bash("echo ran > " + w.mark("ran")))}})
	pid := filepath.Join(w.marks, "pid")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s, err := c.Start(ctx, Options{
		Model: m, Home: w.home, Dir: w.project,
		Settings: Settings("setsid sh -c 'echo $$ > "+pid+"; sleep 600'", "true", 600),
	})
	if err != nil {
		t.Fatal(err)
	}
	await(t, func() bool { return exists(pid) })
	cancel()
	out, err := s.Wait()
	if !errors.Is(err, ErrLimit) || out.LeftBehind == 0 {
		t.Errorf("err = %v with %d processes killed, want ErrLimit and some", err, out.LeftBehind)
	}
	b, err := os.ReadFile(pid)
	if err != nil {
		t.Fatal(err)
	}
	// A dead process that nobody waited for has no environment.
	stray := filepath.Join("/proc", strings.TrimSpace(string(b)), "environ")
	if env, err := os.ReadFile(stray); err == nil && strings.Contains(string(env), markVariable) {
		t.Errorf("%s: still alive", stray)
	}
}

// await waits for a condition that a session brings about.
func await(t *testing.T, condition func() bool) {
	t.Helper()
	for range 3000 {
		if condition() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the session did not come to the point in 30 s")
}
