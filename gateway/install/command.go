package install

import (
	"regexp"
	"strconv"
	"strings"
)

// Guard wraps the gate's command so that it fails closed by itself: whatever
// does not exit 0 with a whole answer exits 2, which the host takes as a
// refusal. The host reads output that does not parse as no opinion, so the
// guard looks at both ends of the answer.
func Guard(command string) string {
	return guardHead + command + `) && case $a in '{"hookSpecificOutput":{'*'}}') printf '%s\n' "$a" ;; *) false ;; esac || { echo 'nod: gate failed, denying' >&2; exit 2; }`
}

const guardHead = "a=$("

// unguard takes the guard off a command.
func unguard(command string) (inner string, guarded bool) {
	tail := strings.TrimPrefix(Guard(""), guardHead)
	inner, hasHead := strings.CutPrefix(command, guardHead)
	inner, hasTail := strings.CutSuffix(inner, tail)
	if !hasHead || !hasTail {
		return command, false
	}
	return inner, true
}

// Words of the command, between its paths.
const (
	wordsConfig  = " hook claude-code --config "
	wordsStore   = " --store "
	wordsTimeout = " --host-timeout "
)

// command is the shell command of a hook without its guard.
func (c Claude) command() string {
	return shellQuote(c.Binary) + wordsConfig + shellQuote(c.Config) + wordsStore + shellQuote(c.Store) +
		wordsTimeout + strconv.Itoa(c.timeout()) + "s"
}

// readCommand reads back what command wrote, and gives what follows it. Of the
// installation only the binary, the paths and the timeout are known then.
func readCommand(text string) (c Claude, rest string, ok bool) {
	rest = text
	for _, part := range []struct {
		words string
		into  *string
	}{{"", &c.Binary}, {wordsConfig, &c.Config}, {wordsStore, &c.Store}} {
		rest, ok = strings.CutPrefix(rest, part.words)
		if !ok || !strings.HasPrefix(rest, "'") {
			return Claude{}, "", false
		}
		if *part.into, rest, ok = firstWord(rest); !ok {
			return Claude{}, "", false
		}
	}
	rest, _ = strings.CutPrefix(rest, wordsTimeout)
	digits, _, _ := strings.Cut(rest, "s")
	c.Timeout, _ = strconv.Atoi(digits) //nolint:errcheck // compared as text below
	rest, ok = strings.CutPrefix(text, c.command())
	return c, rest, ok
}

// ourWords follow the program in a command of an older or altered install.
var ourWords = regexp.MustCompile(`^ +hook +claude(-code)?($|[ )])`)

// isOurs reports whether a command runs nod's hook: it is what an installation
// writes, or its command word is nod. A command that only mentions nod is
// somebody else's.
func isOurs(command string) bool {
	command = strings.TrimPrefix(command, guardHead)
	if _, rest, ok := readCommand(command); ok && (rest == "" || rest[0] == ')') {
		return true
	}
	word, rest, ok := firstWord(command)
	base := word[strings.LastIndexAny(word, `/\`)+1:]
	return ok && (base == "nod" || base == "nod.exe") && ourWords.MatchString(rest)
}

// shellQuote makes one word of s for /bin/sh.
func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// firstWord is the first word of a shell command, as shellQuote writes it or
// bare, and what follows it.
func firstWord(command string) (first, after string, ok bool) {
	if !strings.HasPrefix(command, "'") {
		end := strings.IndexByte(command+" ", ' ')
		first, after = command[:end], command[end:]
		return first, after, first != "" && !strings.ContainsAny(first, "'\"\\$`;&|<>()\t\n")
	}
	var word strings.Builder
	rest := command
	for {
		inside, after, closed := strings.Cut(rest[1:], "'")
		if !closed {
			return "", "", false
		}
		word.WriteString(inside)
		if !strings.HasPrefix(after, `\''`) {
			return word.String(), after, true
		}
		word.WriteByte('\'')
		rest = after[len(`\'`):]
	}
}

// gates reports whether an event's hook decides about calls; the others report.
func gates(event string) bool { return event == "PreToolUse" || event == "PermissionRequest" }

// installed reads back the installation that wrote a handler, and reports
// whether the handler is, member for member, what it writes for this event.
func installed(text []byte, event string, h *node) (Claude, bool) {
	inner := h.get("command").string(text)
	if gates(event) {
		var guarded bool
		if inner, guarded = unguard(inner); !guarded {
			return Claude{}, false
		}
	}
	c, rest, ok := readCommand(inner)
	if !ok || rest != "" {
		return Claude{}, false
	}
	want := c.report()
	if gates(event) {
		want = c.gate()
	}
	return c, same(h.raw(text), encode(want))
}
