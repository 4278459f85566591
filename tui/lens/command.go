package lens

import (
	"bytes"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
)

// command is what a call has a shell, or the system, run.
type command struct {
	pointer string   // where the script stands
	script  string   // shell text
	argv    []string // else the words, which no shell reads
}

// commandOf finds the command of a call: a text under command, cmd or script,
// or a list of words under command, cmd or argv. A list that begins with a
// shell and -c holds a script.
func commandOf(args digest.JSON) (command, bool) {
	for _, name := range []string{"command", "cmd", "script"} {
		if s, ok := textAt(args, "/"+name); ok {
			return command{pointer: "/" + name, script: s}, true
		}
	}
	for _, name := range []string{"command", "cmd", "argv"} {
		v, ok := digest.Lookup(args, "/"+name)
		if !ok {
			continue
		}
		if words, ok := textsOf(v); ok {
			if i := scriptAt(words); i > 0 {
				return command{pointer: "/" + name + "/" + strconv.Itoa(i), script: words[i]}, true
			}
			return command{pointer: "/" + name, argv: words}, true
		}
	}
	return command{}, false
}

// textsOf reads a list of strings that is not empty.
func textsOf(v digest.JSON) ([]string, bool) {
	dec := jsontext.NewDecoder(bytes.NewReader(v))
	if dec.PeekKind() != '[' {
		return nil, false
	}
	_, err := dec.ReadToken()
	var out []string
	for err == nil && dec.PeekKind() == '"' {
		var tok jsontext.Token
		if tok, err = dec.ReadToken(); err == nil {
			out = append(out, tok.String())
		}
	}
	return out, err == nil && dec.PeekKind() == ']' && len(out) > 0
}

// scriptAt is the index of the script in the words of a shell, 0 for none.
func scriptAt(words []string) int {
	if !isShell(path.Base(words[0])) {
		return 0
	}
	for i, w := range words[1:] {
		switch {
		case !strings.HasPrefix(w, "-"):
			return 0
		case !strings.HasPrefix(w, "--") && strings.Contains(w, "c") && i+2 < len(words):
			return i + 2
		}
	}
	return 0
}

func isShell(name string) bool {
	return slices.Contains([]string{"sh", "bash", "dash", "zsh", "ksh", "ash", "mksh", "fish", "busybox"}, name)
}

func isInterpreter(name string) bool {
	return isShell(name) || slices.Contains([]string{"python", "python2", "python3", "perl", "ruby", "node", "nodejs", "deno", "bun", "php", "lua", "osascript", "pwsh"}, name)
}
