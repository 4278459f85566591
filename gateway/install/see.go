package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Scope says whose settings a file holds.
type Scope string

// Scopes, strongest first.
const (
	Managed Scope = "managed"
	Local   Scope = "local" // of the project, not shared
	Project Scope = "project"
	User    Scope = "user"
)

// File is one settings file as it was found; a file that is not there has
// neither text nor error.
type File struct {
	Scope Scope
	Path  string
	Text  []byte
	Err   error
}

// View is what Doctor judges: everything that it reads of the machine.
type View struct {
	Files      []File
	Version    string // the host's; "" when it could not be asked
	VersionErr error
	Self       string // this binary
	Stat       func(path string) (fs.FileInfo, error)
}

// Where says where to look.
type Where struct {
	ConfigDir string // the host's own directory of the user
	Project   string // a working directory; "" leaves projects out
	Claude    string // the host's command
	Self      string
}

// ConfigDir is the host's directory of a user: CLAUDE_CONFIG_DIR when it is
// set, else .claude in home.
func ConfigDir(home, variable string) string {
	if variable != "" {
		return variable
	}
	return filepath.Join(home, ".claude")
}

// managedDir is where an administrator's settings lie.
func managedDir() string {
	switch runtime.GOOS {
	case "darwin":
		return "/Library/Application Support/ClaudeCode"
	case "windows":
		return `C:\Program Files\ClaudeCode`
	default:
		return "/etc/claude-code"
	}
}

// versionWithin bounds the question for the host's version.
const versionWithin = 10 * time.Second

// See looks at the machine.
func See(ctx context.Context, w Where) View {
	v := View{Self: w.Self, Stat: os.Stat}
	managed := managedDir()
	v.add(Managed, filepath.Join(managed, "managed-settings.json"))
	more, err := filepath.Glob(filepath.Join(managed, "managed-settings.d", "*.json"))
	if err == nil { // the pattern is good
		for _, path := range more {
			v.add(Managed, path)
		}
	}
	if w.Project != "" {
		v.add(Local, filepath.Join(w.Project, ".claude", "settings.local.json"))
		v.add(Project, filepath.Join(w.Project, ".claude", "settings.json"))
	}
	v.add(User, filepath.Join(w.ConfigDir, "settings.json"))
	v.Version, v.VersionErr = version(ctx, w.Claude)
	return v
}

func (v *View) add(scope Scope, path string) {
	f := File{Scope: scope, Path: path}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		f.Err = err
	case !info.Mode().IsRegular() || info.Size() > maxSettings:
		f.Err = errors.New("not a regular file of a usual size")
	default:
		if f.Text, f.Err = os.ReadFile(path); f.Text == nil {
			f.Text = []byte{}
		}
	}
	v.Files = append(v.Files, f)
}

// version asks the host for its version.
func version(ctx context.Context, claude string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, versionWithin)
	defer cancel()
	cmd := exec.CommandContext(ctx, claude, "--version")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("ask %s for its version: %w", claude, err)
	}
	v, ok := strings.CutSuffix(strings.TrimSpace(string(out)), " (Claude Code)")
	if !ok {
		return "", fmt.Errorf("%s does not answer as Claude Code does", claude)
	}
	return v, nil
}
