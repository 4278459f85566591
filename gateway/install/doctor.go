package install

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
)

// Level says how bad a finding is.
type Level string

// Levels.
const (
	Good Level = "ok"
	Note Level = "note" // a hole that stays, or something to know
	Warn Level = "warn" // the gate works less well than it could
	Fail Level = "fail" // calls can run without an answer, or none can run
)

// Finding is one thing that was looked at.
type Finding struct {
	Code     string `json:"code"`
	Level    Level  `json:"level"`
	Sentence string `json:"sentence"`
	Hint     string `json:"hint,omitzero"`
}

// Versions of the host.
const (
	// Measured is the version that docs/hosts/claude-code.md was measured on.
	Measured = "2.1.332"
	// failsClosed is the first that knows onFailure.
	failsClosed = "2.1.295"
)

// doctor collects findings.
type doctor struct {
	view     View
	findings []Finding
	managed  bool // the gate is in managed settings, and right
}

func (d *doctor) say(level Level, code, hint, format string, args ...any) {
	f := Finding{"claude." + code, level, fmt.Sprintf(format, args...), hint}
	if !slices.Contains(d.findings, f) { // two hooks may have one fault
		d.findings = append(d.findings, f)
	}
}

// Doctor says what on this machine goes around the gate in Claude Code, or
// could. It is pure but for View.Stat.
func Doctor(v View) []Finding {
	d := &doctor{view: v}
	var read []settings
	for _, f := range v.Files {
		if s, ok := d.read(f); ok {
			read = append(read, s)
		}
	}
	if errors.Is(v.VersionErr, exec.ErrNotFound) && len(read) == 0 {
		d.say(Note, "absent", "", "Claude Code is not on this machine: no claude in PATH, and no settings of it")
		return d.findings
	}
	d.gate(read)
	d.others(read)
	d.version()
	d.holes()
	return d.findings
}

// settings is one file that reads.
type settings struct {
	File
	root *node
}

const reinstall = "run nod install claude-code"

// read parses a file and looks for what makes the host leave all of it out.
func (d *doctor) read(f File) (settings, bool) {
	if f.Text == nil && f.Err == nil {
		return settings{}, false
	}
	if f.Err != nil {
		d.say(Fail, "settings_unreadable", "look at its permissions", "the %s settings %q cannot be read: %v", f.Scope, f.Path, f.Err)
		return settings{}, false
	}
	root, err := object(f.Text)
	if err != nil {
		d.say(Fail, "settings_ignored", "mend the file; until then the host leaves all of it out without a word",
			"the %s settings %q are not one JSON object", f.Scope, f.Path)
		return settings{}, false
	}
	if pointer := oddType(f.Text, root); pointer != "" {
		d.say(Fail, "settings_ignored", "mend that member; until then the host leaves the whole file out without a word",
			"in the %s settings %q the member %s is not what the host reads there", f.Scope, f.Path, pointer)
		return settings{}, false
	}
	return settings{f, root}, true
}
