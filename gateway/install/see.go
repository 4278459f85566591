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
	Config     string // this nod's configuration; "" leaves it out
	Store      string // this nod's store; "" leaves it out
	Stat       func(path string) (fs.FileInfo, error)
}

// Where says where to look.
type Where struct {
	Settings string // the user's settings file of the host
	Project  string // a working directory; "" leaves projects out
	Claude   string // the host's command
	Self     string // nod's own binary, configuration and store
	Config   string
	Store    string
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
	v := View{Self: w.Self, Config: w.Config, Store: w.Store, Stat: os.Stat}
	managed := managedDir()
	v.add(Managed, filepath.Join(managed, "managed-settings.json"))
	more, err := filepath.Glob(filepath.Join(managed, "managed-settings.d", "*.json"))
	if err == nil { // the pattern is good
		for _, path := range more {
			v.add(Managed, path)
		}
	}
	if w.Project != "" {
		for _, f := range []struct {
			scope Scope
			name  string
		}{{Local, "settings.local.json"}, {Project, "settings.json"}} {
			if path := filepath.Join(w.Project, ".claude", f.name); !oneFile(path, w.Settings) { // in the home directory it is the user's
				v.add(f.scope, path)
			}
		}
	}
	v.add(User, w.Settings)
	v.Version, v.VersionErr = version(ctx, w.Claude)
	return v
}

func oneFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
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
