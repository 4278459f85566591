//go:build unix

package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func env(kv ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(kv); i += 2 {
			if kv[i] == name {
				return kv[i+1]
			}
		}
		return ""
	}
}

func TestPaths(t *testing.T) {
	plainPaths := Paths{Config: "/h/.config/nod/config.toml", Store: "/h/.local/share/nod/nod.db", StateDir: "/h/.local/state/nod"}
	hostile := env("HOME", "/evil", "XDG_CONFIG_HOME", "/evil", "XDG_DATA_HOME", "/evil", "XDG_STATE_HOME", "/evil")
	for name, c := range map[string]struct {
		resolve func() (Paths, error)
		want    Paths
		code    string
	}{
		"console plain":    {resolve: func() (Paths, error) { return ConsolePaths(Given{}, env("HOME", "/h"), "/passwd") }, want: plainPaths},
		"console no HOME":  {resolve: func() (Paths, error) { return ConsolePaths(Given{}, env(), "/h") }, want: plainPaths},
		"console bad HOME": {resolve: func() (Paths, error) { return ConsolePaths(Given{}, env("HOME", "h"), "/h") }, want: plainPaths},
		"console xdg": {
			resolve: func() (Paths, error) {
				return ConsolePaths(Given{}, env("HOME", "/h", "XDG_CONFIG_HOME", "/c", "XDG_DATA_HOME", "/d", "XDG_STATE_HOME", "rel"), "")
			},
			want: Paths{Config: "/c/nod/config.toml", Store: "/d/nod/nod.db", StateDir: "/h/.local/state/nod"},
		},
		"console flags": {
			resolve: func() (Paths, error) { return ConsolePaths(Given{Config: "/f.toml", Store: "/s.db"}, hostile, "/h") },
			want:    Paths{Config: "/f.toml", Store: "/s.db", StateDir: "/state"},
		},
		"gate":          {resolve: func() (Paths, error) { return GatePaths(Given{}, "/h") }, want: plainPaths},
		"gate flags":    {resolve: func() (Paths, error) { return GatePaths(Given{"/f.toml", "/s.db"}, "/h") }, want: Paths{Config: "/f.toml", Store: "/s.db", StateDir: "/state"}},
		"gate homeless": {resolve: func() (Paths, error) { return GatePaths(Given{Store: "/s.db"}, "") }, code: CodeNoHome},
		"homeless with both": {
			resolve: func() (Paths, error) { return GatePaths(Given{"/f.toml", "/d/s.db"}, "") },
			want:    Paths{Config: "/f.toml", Store: "/d/s.db", StateDir: "/d/state"},
		},
		"relative store":  {resolve: func() (Paths, error) { return GatePaths(Given{Store: "s.db"}, "/h") }, code: CodeBadPath},
		"relative config": {resolve: func() (Paths, error) { return GatePaths(Given{Config: "./c"}, "/h") }, code: CodeBadPath},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.resolve()
			if c.code != "" {
				if err == nil || codeOf(t, err) != c.code {
					t.Fatalf("%v, want %s", err, c.code)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, got, cmpopts.IgnoreUnexported(Paths{})); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestStoreOfConfiguration(t *testing.T) {
	c, fault := Parse(`store = "/from/config.db"`)
	if fault != nil {
		t.Fatal(fault)
	}
	free, err := GatePaths(Given{}, "/h")
	if err != nil {
		t.Fatal(err)
	}
	if got := free.With(c).Store; got != "/from/config.db" {
		t.Errorf("store %s, want the configuration's", got)
	}
	if got := free.With(Default()).DataDir(); got != "/h/.local/share/nod" {
		t.Errorf("data directory %s, want the default", got)
	}
	bound, err := GatePaths(Given{Store: "/from/flag.db"}, "/h")
	if err != nil {
		t.Fatal(err)
	}
	if got := bound.With(c).Store; got != "/from/flag.db" {
		t.Errorf("store %s, want the command line's", got)
	}
}

func TestAccountIgnoresTheEnvironment(t *testing.T) {
	_, before, err := Account(os.Getuid())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", "/evil")
	_, after, err := Account(os.Getuid())
	if err != nil || after != before || after == "/evil" {
		t.Errorf("home %q became %q (%v)", before, after, err)
	}
}

func TestPrivateDir(t *testing.T) {
	uid := os.Getuid()
	base := t.TempDir()
	dir := filepath.Join(base, "a", "b")
	if err := PrivateDir(dir, uid); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Fatalf("mode %v (%v), want 0700", info.Mode().Perm(), err)
	}
	link := filepath.Join(base, "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(base, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := PrivateDir(link, uid); err == nil || codeOf(t, err) != CodeLoose {
		t.Errorf("a link: %v", err)
	}
	if err := PrivateDir(dir, uid+1); err == nil || codeOf(t, err) != CodeLoose {
		t.Errorf("another's: %v", err)
	}
	if err := os.Chmod(dir, 0o750); err != nil {
		t.Fatal(err)
	}
	if err := PrivateDir(dir, uid); err == nil || codeOf(t, err) != CodeLoose {
		t.Errorf("open to the group: %v", err)
	}
	if err := PrivateDir(file, uid); err == nil {
		t.Error("a file passes for a directory")
	}
}
