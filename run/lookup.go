package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// errNotFound means that no executable has the name.
var errNotFound = errors.New("command not found")

// lookUp finds the executable that name stands for, as an absolute path: by the
// working directory when name has a slash, else in PATH. An entry of PATH that
// is empty or relative is skipped, because it means another program in every
// directory.
func lookUp(name, dir, path string) (string, error) {
	if strings.ContainsRune(name, filepath.Separator) || strings.Contains(name, "/") {
		p := absolute(name, dir)
		return p, executable(p)
	}
	for _, entry := range filepath.SplitList(path) {
		if !filepath.IsAbs(entry) {
			continue
		}
		for _, suffix := range suffixes {
			if p := filepath.Join(entry, name+suffix); executable(p) == nil {
				return p, nil
			}
		}
	}
	return "", fmt.Errorf("%w: %q", errNotFound, name)
}

func executable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", errNotFound, err)
	case !info.Mode().IsRegular() || mayExecute != 0 && info.Mode()&mayExecute == 0:
		return &fs.PathError{Op: "run", Path: path, Err: errors.New("not an executable file")}
	}
	return nil
}

// environment gives the variables that the command gets, as the card shows them
// and as the child reads them. Of a name that is there twice the last counts,
// as it does for a child.
func (d *Deps) environment() (map[string]string, []string) {
	vars := map[string]string{}
	for _, e := range d.Environ {
		name, value, ok := strings.Cut(e, "=")
		if ok && name != "" && slices.Contains(d.Vars, name) {
			vars[name] = value
		}
	}
	env := make([]string, 0, len(vars))
	for name, value := range vars {
		env = append(env, name+"="+value)
	}
	slices.Sort(env)
	return vars, env
}

// interprets reports whether a program runs other files that its arguments
// name: a language's interpreter, a shell, or a program that starts another.
func interprets(path string) bool {
	name := strings.TrimSuffix(filepath.Base(path), ".exe")
	name = strings.TrimRight(name, "0123456789.")
	switch name {
	case "sh", "ash", "bash", "dash", "zsh", "ksh", "mksh", "fish", "csh", "tcsh", "busybox", "pwsh",
		"python", "pypy", "perl", "ruby", "node", "nodejs", "deno", "bun", "php", "lua", "luajit", "tclsh", "wish",
		"Rscript", "R", "julia", "java", "groovy", "guile", "racket", "sbcl", "erl", "escript", "elixir", "osascript",
		"awk", "gawk", "mawk", "sed", "jq", "make", "gmake", "ninja", "expect", "psql", "sqlite",
		"env", "sudo", "doas", "nice", "ionice", "nohup", "setsid", "stdbuf", "time", "timeout", "xargs", "chroot",
		"unshare", "nsenter", "watch", "flock", "strace", "ssh", "source":
		return true
	}
	return false
}
