//go:build unix

package claudetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/google/uuid"
)

// Options say how a session is started. Model and Home are required; whatever
// else is empty is left to the host's own default.
type Options struct {
	Model *Model
	// Home is the session's private home; the user's settings are
	// Home/.claude/settings.json.
	Home string
	// Dir is the working directory; Home/project when empty.
	Dir string
	// Trusted answers the dialog "do you trust this folder" beforehand; until
	// then the host does not take allow rules from a project's settings.
	Trusted bool
	// Settings is the text of the user's settings file.
	Settings string
	// Prompt is what the person says; "go" when empty.
	Prompt string
	// PermissionMode is --permission-mode.
	PermissionMode string
	// MCP is the text of --mcp-config.
	MCP string
	// Resume is a session id to go on with.
	Resume string
	// Args are further arguments of claude.
	Args []string
	// Env is added to the session's environment, which is otherwise built
	// from nothing but PATH.
	Env []string
	// Limit ends a session that does not end by itself; 3 min when zero.
	Limit time.Duration
}

// Session is a running `claude -p`.
type Session struct {
	cmd            *exec.Cmd
	ctx            context.Context
	cancel         context.CancelFunc
	stdout, stderr bytes.Buffer
	started        time.Time
	mark           string
}

// fakeKey has a key's length, so that the host takes it for one.
const fakeKey = "not-a-key-0000000000000000"

// ErrLimit means that the session was ended by its limit or its context.
var ErrLimit = errors.New("session did not end by itself")

// Run starts a session and waits for its end.
func (c Claude) Run(ctx context.Context, o Options) (Outcome, error) {
	s, err := c.Start(ctx, o)
	if err != nil {
		return Outcome{}, err
	}
	return s.Wait()
}

// Start starts a session. The caller must Wait.
func (c Claude) Start(ctx context.Context, o Options) (*Session, error) {
	if o.Dir == "" {
		o.Dir = filepath.Join(o.Home, "project")
	}
	if err := prepare(o); err != nil {
		return nil, fmt.Errorf("prepare the session: %w", err)
	}
	if o.Limit == 0 {
		o.Limit = 3 * time.Minute
	}
	s := &Session{mark: uuid.NewString()}
	s.ctx, s.cancel = context.WithTimeout(ctx, o.Limit)
	s.cmd = exec.CommandContext(s.ctx, c.Path, o.arguments()...)
	s.cmd.Dir = o.Dir
	s.cmd.Env = append(o.environment(), markVariable+"="+s.mark)
	s.cmd.Stdout, s.cmd.Stderr = &s.stdout, &s.stderr
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	s.cmd.Cancel = s.Kill
	// A hook left behind may hold stdout open.
	s.cmd.WaitDelay = time.Second
	s.started = time.Now()
	if err := s.cmd.Start(); err != nil {
		s.cancel()
		return nil, fmt.Errorf("start claude: %w", err)
	}
	return s, nil
}

// Pid is the host's process id.
func (s *Session) Pid() int { return s.cmd.Process.Pid }

// Signal sends a signal to the host alone: SIGINT is what Esc or Ctrl-C in a
// headless session comes to.
func (s *Session) Signal(sig os.Signal) error {
	if err := s.cmd.Process.Signal(sig); err != nil {
		return fmt.Errorf("signal the session: %w", err)
	}
	return nil
}

// Kill kills the host alone, without a chance to clean up. What it leaves
// behind is killed by Wait.
func (s *Session) Kill() error { return s.Signal(syscall.SIGKILL) }

// Wait waits for the session's end and kills every process it left behind.
// The outcome is complete also when the error is ErrLimit.
func (s *Session) Wait() (Outcome, error) {
	err := s.cmd.Wait()
	took := time.Since(s.started)
	late := s.ctx.Err() != nil
	s.cancel()
	left := sweep(s.cmd.Process.Pid, s.mark)
	out := Outcome{
		ExitCode: s.cmd.ProcessState.ExitCode(), Duration: took, LeftBehind: left,
		Stdout: s.stdout.Bytes(), Stderr: s.stderr.Bytes(),
	}
	out.read()
	var exit *exec.ExitError
	switch {
	case late:
		return out, fmt.Errorf("%w after %s: %s", ErrLimit, took.Round(time.Millisecond), out.Stderr)
	case err == nil, errors.As(err, &exit), errors.Is(err, exec.ErrWaitDelay):
		return out, nil
	}
	return out, fmt.Errorf("wait for claude: %w", err)
}

// prepare makes the directories and writes the settings.
func prepare(o Options) error {
	if o.Model == nil || o.Home == "" {
		return errors.New("a model and a home are required")
	}
	config := filepath.Join(o.Home, ".claude")
	for _, dir := range []string{config, filepath.Join(o.Home, "tmp"), o.Dir} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	if o.Settings != "" {
		if err := os.WriteFile(filepath.Join(config, "settings.json"), []byte(o.Settings), 0o600); err != nil {
			return err
		}
	}
	if o.Trusted {
		state := pretty(object{
			"hasCompletedOnboarding": true,
			"projects":               object{o.Dir: object{"hasTrustDialogAccepted": true}},
		})
		if err := os.WriteFile(filepath.Join(config, ".claude.json"), []byte(state), 0o600); err != nil {
			return err
		}
	}
	if o.MCP != "" {
		return os.WriteFile(o.mcpFile(), []byte(o.MCP), 0o600)
	}
	return nil
}

func (o Options) mcpFile() string { return filepath.Join(o.Home, "mcp.json") }

func (o Options) arguments() []string {
	prompt := o.Prompt
	if prompt == "" {
		prompt = "go"
	}
	args := []string{"-p", prompt, "--output-format", "stream-json", "--verbose", "--model", "claude-sonnet-4-5"}
	if o.PermissionMode != "" {
		args = append(args, "--permission-mode", o.PermissionMode)
	}
	if o.Resume != "" {
		args = append(args, "--resume", o.Resume)
	}
	if o.MCP != "" {
		args = append(args, "--mcp-config", o.mcpFile())
	}
	return append(args, o.Args...)
}

func (o Options) environment() []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "TERM=dumb", "SHELL=/bin/sh",
		"HOME=" + o.Home, "TMPDIR=" + filepath.Join(o.Home, "tmp"),
		"CLAUDE_CONFIG_DIR=" + filepath.Join(o.Home, ".claude"),
		"ANTHROPIC_BASE_URL=" + o.Model.URL(), "ANTHROPIC_API_KEY=" + fakeKey,
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1",
		"DISABLE_ERROR_REPORTING=1", "DISABLE_AUTOUPDATER=1",
		"HTTP_PROXY=" + o.Model.URL(), "HTTPS_PROXY=" + o.Model.URL(), "NO_PROXY=127.0.0.1,localhost",
	}
	return append(env, o.Env...)
}
