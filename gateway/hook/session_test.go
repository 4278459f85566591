//go:build unix

package hook_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"nod/client"
	"nod/client/clienttest"
	"nod/descriptor"
	"nod/gateway/hook/claudetest"
	"nod/gateway/install"
	"nod/queue"
)

// host is a real Claude Code with the gate installed by the installer.
type host struct {
	*gate
	claude   claudetest.Claude
	home     string
	settings string // the text the installer wrote
}

func newHost(t *testing.T, tools ...descriptor.Tool) *host {
	t.Helper()
	c := claudetest.Find(t)
	h := &host{gate: newGate(t), claude: c, home: t.TempDir()}
	if len(tools) > 0 {
		h.describe(t, tools...)
	}
	plan, err := h.installer().Install()
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Apply(); err != nil {
		t.Fatal(err)
	}
	h.settings = string(plan.After)
	if err := os.MkdirAll(h.path("project"), 0o700); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *host) installer() install.Claude {
	return install.Claude{
		Settings: h.path(".claude", "settings.json"), Record: h.path("record.json"),
		Binary: h.self, Config: h.config, Store: h.Path,
	}
}

func (h *host) path(names ...string) string {
	return filepath.Join(append([]string{h.home}, names...)...)
}

func (h *host) ran(name string) bool {
	_, err := os.Stat(h.path("project", name))
	return err == nil
}

// session starts a session whose model says the turns.
func (h *host) session(t *testing.T, turns ...claudetest.Turn) (*claudetest.Session, *claudetest.Model) {
	t.Helper()
	m := claudetest.NewModel(t, claudetest.Script{Turns: turns})
	s, err := h.claude.Start(t.Context(), claudetest.Options{
		Model: m, Home: h.home, Dir: h.path("project"), Trusted: true, Settings: h.settings, Limit: 90 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, m
}

func end(t *testing.T, s *claudetest.Session) claudetest.Outcome {
	t.Helper()
	out, err := s.Wait()
	if err != nil {
		t.Fatalf("the session: %v", err)
	}
	return out
}

func touch(name string) claudetest.Turn { return claudetest.Say(claudetest.Bash("echo ran > " + name)) }

// result is what the model was told of its n-th call.
func result(m *claudetest.Model, n int) claudetest.ToolResult {
	for _, r := range m.Results() {
		if r.ToolUseID == fmt.Sprintf("toolu_nod_%d_0", n) {
			return r
		}
	}
	return claudetest.ToolResult{}
}

// TestHeldApprovedRuns: a real call is held, approved with words, runs once,
// and what the host says it ran is what was approved.
func TestHeldApprovedRuns(t *testing.T) {
	h := newHost(t)
	note := h.path("project", "note.txt")
	s, m := h.session(t, touch("marker"), claudetest.Say(claudetest.Write(note, "hello\n")))
	first := h.Pending(t, 1)[0]
	time.Sleep(300 * time.Millisecond)
	if h.ran("marker") {
		t.Fatal("the call ran before it was answered")
	}
	h.Allow(t, "mind the gap")
	clienttest.Until(t, "the second call", func() bool { return h.Ask(t, first.ID).Row.State == queue.StateSpent && len(h.pending(t)) == 1 })
	second := h.Allow(t, "")
	out := end(t, s)
	if !h.ran("marker") || !h.ran("note.txt") || out.ExitCode != 0 || len(out.Result.Denials) != 0 {
		t.Errorf("marker %v, note %v, exit %d, denials %v\n%v", h.ran("marker"), h.ran("note.txt"), out.ExitCode, out.Result.Denials, m.Results())
	}
	if !m.Heard(`"mind the gap"`) {
		t.Error("the person's words did not reach the model")
	}
	for _, row := range []queue.Row{first, second} {
		v := h.Ask(t, row.ID)
		if len(v.Attempts) != 1 || v.Attempts[0].Exit != queue.ExitSuccess || v.Attempts[0].Mismatch || v.Attempts[0].Observed != row.ActionDigest {
			t.Errorf("%s: attempts %+v; want one success that ran what was approved", row.Tool, v.Attempts)
		}
	}
	if n := h.Notices(t); len(n) != 0 {
		t.Errorf("notices %+v", n)
	}
	ss, err := queue.Get[queue.Sessions](t.Context(), h.Operator, queue.QSessions{Limit: 10})
	if err != nil || len(ss.Sessions) != 1 || ss.Sessions[0].EndedAt == 0 || ss.Sessions[0].Host != out.Result.SessionID {
		t.Errorf("sessions %+v, %v; want the host's, ended", ss, err)
	}
}

func (h *host) pending(t *testing.T) []queue.Row {
	t.Helper()
	in, err := queue.Get[queue.Inbox](t.Context(), h.Operator, queue.QInbox{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	return in.Rows
}

// TestHeldDenied: the words reach the model as the person's, and nothing runs.
func TestHeldDenied(t *testing.T) {
	h := newHost(t)
	s, m := h.session(t, touch("marker"))
	h.Deny(t, "wrong file")
	out := end(t, s)
	want := `A person denied this call: "wrong file". It did not run; do not repeat it.`
	if r := result(m, 0); !r.IsError || !strings.Contains(r.Text, want) {
		t.Errorf("the model was told %+v, want %q", r, want)
	}
	if h.ran("marker") || len(out.Result.Denials) != 1 {
		t.Errorf("marker %v, denials %v", h.ran("marker"), out.Result.Denials)
	}
}

// TestHeldExpired: silence is no, and is not called a denial.
func TestHeldExpired(t *testing.T) {
	h := newHost(t)
	h.mode(t, "quick")
	s, m := h.session(t, touch("marker"))
	end(t, s)
	if r := result(m, 0); !r.IsError || !strings.Contains(r.Text, client.Nobody) {
		t.Errorf("the model was told %+v, want %q", r, client.Nobody)
	}
	if h.ran("marker") {
		t.Error("a call that nobody answered ran")
	}
}

// TestHeldAdopted: the host killed the hook; the answer given while nobody
// waited is taken by the next identical call.
func TestHeldAdopted(t *testing.T) {
	h := newHost(t)
	h.settings = strings.Replace(h.settings, `"timeout": 86400`, `"timeout": 3`, 1)
	s, m := h.session(t, touch("marker"), touch("other"), touch("marker"))
	first := h.Pending(t, 1)[0]
	clienttest.Until(t, "the next call", func() bool { return len(h.pending(t)) == 2 })
	if h.ran("marker") {
		t.Fatal("the call ran though the host stopped the gate")
	}
	i := slices.IndexFunc(h.pending(t), func(r queue.Row) bool { return r.ID != first.ID })
	other := h.pending(t)[i]
	clienttest.Until(t, "nobody waiting", func() bool { v := h.Ask(t, first.ID); return !v.Row.Waits(v.Now) })
	h.Decide(t, first, queue.Decide{Verdict: queue.VerdictAllow})
	h.Decide(t, other, queue.Decide{Verdict: queue.VerdictDeny})
	end(t, s)
	if r := result(m, 0); !strings.Contains(r.Text, "timed out") {
		t.Errorf("of the first call the model was told %+v", r)
	}
	v := h.Ask(t, first.ID)
	if !h.ran("marker") || h.ran("other") || v.Row.State != queue.StateSpent || len(v.Attempts) != 1 || v.Attempts[0].Exit != queue.ExitSuccess {
		t.Errorf("marker %v, other %v, ask %s, attempts %+v\n%v", h.ran("marker"), h.ran("other"), v.Row.State, v.Attempts, m.Results())
	}
}

// TestHeldRewritten: a second hook changes the call after it was approved.
// Where the gate grants at the last moment nothing runs; where PreToolUse is
// all there is, the changed call runs and the item says so.
func TestHeldRewritten(t *testing.T) {
	for name, c := range map[string]struct {
		settings func(h *host) string
		ran      bool
	}{
		"as installed": {func(h *host) string { return h.settings }, false},
		"one hook only": {func(h *host) string {
			command := strings.Join(append([]string{"'" + h.self + "'"}, h.args("86400")...), " ")
			return claudetest.DontAsk(command, command, 60)
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t)
			h.settings = c.settings(h)
			h.rewrite(t, "echo ran > changed")
			s, m := h.session(t, touch("shown"))
			row := h.Allow(t, "")
			end(t, s)
			if h.ran("shown") || h.ran("changed") != c.ran {
				t.Errorf("shown %v, changed %v, want changed %v\n%v", h.ran("shown"), h.ran("changed"), c.ran, m.Results())
			}
			v := h.Ask(t, row.ID)
			n := h.Notices(t)
			if len(v.Attempts) != 1 || !v.Attempts[0].Mismatch || len(n) != 1 || !strings.Contains(n[0].Sentence, "MISMATCH") {
				t.Errorf("attempts %+v, notices %+v; want a MISMATCH", v.Attempts, n)
			}
		})
	}
}

// rewrite gives the project a hook of its own that makes every command this one.
func (h *host) rewrite(t *testing.T, command string) {
	t.Helper()
	other := claudetest.NewHook(t, h.home)
	settings := fmt.Sprintf(`{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":%q}]}]}}`, other.Command("rewrite", command))
	if err := os.MkdirAll(h.path("project", ".claude"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(h.path("project", ".claude", "settings.json"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestBrokenInstallation: whatever is wrong with nod, under the installed
// configuration the call never runs.
func TestBrokenInstallation(t *testing.T) {
	remove := func(path string) error { return os.RemoveAll(path) }
	for name, c := range map[string]struct {
		spoil func(t *testing.T, h *host) error
		late  func(h *host) error // while the gate waits
	}{
		"no configuration": {spoil: func(_ *testing.T, h *host) error { return remove(h.config) }},
		"no store":         {spoil: func(_ *testing.T, h *host) error { return remove(filepath.Dir(h.Path)) }},
		"no nod": {spoil: func(_ *testing.T, h *host) error {
			h.settings = strings.ReplaceAll(h.settings, h.self, h.self+".gone")
			return nil
		}},
		"nod panics": {spoil: func(t *testing.T, h *host) error { h.mode(t, "panic"); return nil }},
		"nod fails":  {spoil: func(t *testing.T, h *host) error { h.mode(t, "error"); return nil }},
		"nod hangs": {spoil: func(t *testing.T, h *host) error {
			h.mode(t, "hang")
			h.settings = strings.ReplaceAll(h.settings, `"timeout": 86400`, `"timeout": 2`)
			return nil
		}},
		"killed":     {late: func(h *host) error { return h.signal(syscall.SIGKILL) }},
		"terminated": {late: func(h *host) error { return h.signal(syscall.SIGTERM) }},
		"aborted":    {late: func(h *host) error { return h.signal(syscall.SIGABRT) }},
		"stopped": {
			spoil: func(_ *testing.T, h *host) error {
				h.settings = strings.ReplaceAll(h.settings, `"timeout": 86400`, `"timeout": 4`)
				return nil
			},
			late: func(h *host) error { return h.signal(syscall.SIGSTOP) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t)
			if c.spoil != nil {
				if err := c.spoil(t, h); err != nil {
					t.Fatal(err)
				}
			}
			turns := []claudetest.Turn{touch("bash"), claudetest.Say(claudetest.Write(h.path("project", "write"), "ran")), claudetest.Say(claudetest.Read(h.config))}
			if c.late != nil {
				turns = turns[:1]
			}
			s, m := h.session(t, turns...)
			if c.late != nil {
				h.Pending(t, 1)
				time.Sleep(300 * time.Millisecond) // not inside a transaction
				if err := c.late(h); err != nil {
					t.Fatal(err)
				}
			}
			end(t, s)
			for i := range turns {
				if r := result(m, i); !r.IsError {
					t.Errorf("of call %d the model was told %+v", i, r)
				}
			}
			if h.ran("bash") || h.ran("write") {
				t.Errorf("bash %v, write %v: a call ran", h.ran("bash"), h.ran("write"))
			}
		})
	}
}

// signal signals the waiting hook processes of this host.
func (h *host) signal(sig syscall.Signal) error {
	out, err := exec.Command("pgrep", "-f", "^"+h.self+" hook .*"+h.config).Output()
	if err != nil {
		return fmt.Errorf("find the hook: %w", err)
	}
	for _, word := range strings.Fields(string(out)) {
		var pid int
		if _, err := fmt.Sscan(word, &pid); err != nil {
			return err
		}
		if err := syscall.Kill(pid, sig); err != nil {
			return err
		}
	}
	return nil
}

// TestHookSubagent: a subagent's calls are held in a session of its own.
func TestHookSubagent(t *testing.T) {
	h := newHost(t)
	m := claudetest.NewModel(t, claudetest.Script{
		Turns: []claudetest.Turn{claudetest.Say(claudetest.Call{Tool: "Agent", Input: map[string]any{
			"description": "d", "prompt": "SUB do it", "subagent_type": "general-purpose", "run_in_background": false,
		}})},
		Agents: map[string][]claudetest.Turn{"SUB": {touch("marker")}},
	})
	s, err := h.claude.Start(t.Context(), claudetest.Options{Model: m, Home: h.home, Dir: h.path("project"), Trusted: true, Settings: h.settings})
	if err != nil {
		t.Fatal(err)
	}
	agent := h.Allow(t, "")
	clienttest.Until(t, "the subagent's call", func() bool { p := h.pending(t); return len(p) == 1 && p[0].Tool == "Bash" })
	row := h.Allow(t, "")
	end(t, s)
	if agent.Tool != "Agent" || !h.ran("marker") {
		t.Errorf("first ask %s, marker %v\n%v", agent.Tool, h.ran("marker"), m.Results())
	}
	ss, err := queue.Get[queue.Sessions](t.Context(), h.Operator, queue.QSessions{Limit: 10})
	if err != nil || len(ss.Sessions) != 2 {
		t.Fatalf("sessions %+v, %v", ss, err)
	}
	for _, v := range ss.Sessions {
		if child := v.ID == row.Session; child != (v.Parent != "") || child != strings.Contains(v.Host, "/") {
			t.Errorf("session %+v", v)
		}
	}
}
