package config

import (
	"path/filepath"
)

// Paths are the places of Nod's own files; all are absolute.
type Paths struct {
	Config   string // the configuration file
	Store    string // the store's file
	StateDir string // checkpoints and what else a store must not hold itself
	given    bool   // the store was given on the command line
}

// Given are paths from the command line; they win. "" is not given.
type Given struct{ Config, Store string }

// Names below the three base directories.
const (
	dirName    = "nod"
	configName = "config.toml"
	storeName  = "nod.db"
	stateName  = "state"
)

// ConsolePaths resolves the paths of what a person starts: the XDG base
// directories out of env (a relative one is ignored, as the specification
// says), else below HOME, else below home. Nod keeps to these on every system,
// so that the paths a gate computes without an environment are the same.
func ConsolePaths(given Given, env func(string) string, home string) (Paths, error) {
	if h := env("HOME"); filepath.IsAbs(h) {
		home = h
	}
	return resolve(given, home, func(name, below string) string {
		if dir := env(name); filepath.IsAbs(dir) {
			return dir
		}
		return filepath.Join(home, below)
	})
}

// GatePaths resolves the paths of nod hook, run and mcp. An agent controls
// their environment, so that only the command line and home count, which is
// the account's home directory (Account), never $HOME.
func GatePaths(given Given, home string) (Paths, error) {
	return resolve(given, home, func(_, below string) string { return filepath.Join(home, below) })
}

func resolve(given Given, home string, base func(name, below string) string) (Paths, error) {
	p := Paths{Config: given.Config, Store: given.Store, given: given.Store != ""}
	if p.Config != "" && !filepath.IsAbs(p.Config) {
		return Paths{}, badPath("--config", p.Config)
	}
	if p.given && !filepath.IsAbs(p.Store) {
		return Paths{}, badPath("--store", p.Store)
	}
	if !filepath.IsAbs(home) {
		if p.Config == "" || !p.given {
			return Paths{}, &Error{
				Code: CodeNoHome, Sentence: "this account has no home directory to keep Nod's files in",
				Hint: "give --config and --store with absolute paths",
			}
		}
		p.StateDir = filepath.Join(filepath.Dir(p.Store), stateName)
		return p, nil
	}
	if p.Config == "" {
		p.Config = filepath.Join(base("XDG_CONFIG_HOME", ".config"), dirName, configName)
	}
	if !p.given {
		p.Store = filepath.Join(base("XDG_DATA_HOME", ".local/share"), dirName, storeName)
	}
	p.StateDir = filepath.Join(base("XDG_STATE_HOME", ".local/state"), dirName)
	if p.given { // another store's checkpoints and tokens are not mixed with the account's own
		p.StateDir = filepath.Join(filepath.Dir(p.Store), stateName)
	}
	return p, nil
}

// With gives the paths under configuration c: its store, unless the command
// line gave one.
func (p Paths) With(c *Config) Paths {
	if !p.given && c.Store != "" {
		p.Store = c.Store
	}
	return p
}

// DataDir is the directory of the store's file.
func (p Paths) DataDir() string { return filepath.Dir(p.Store) }

func badPath(what, path string) *Error {
	return &Error{Code: CodeBadPath, File: path, Sentence: what + " is not an absolute path", Hint: "give the whole path, from the root"}
}
