//go:build unix

package observe

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"nod/descriptor"
)

// program writes a script, and gives the observer that starts it with its
// directory and the payment's id.
func program(t *testing.T, text string) (o descriptor.Observer, dir string) {
	t.Helper()
	dir = t.TempDir()
	path := filepath.Join(dir, "refund-status")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	return observer(t, descriptor.Observer{
		Kind: descriptor.KindCommand, Argv: []string{path, dir, "{/payment_id}"}, Env: map[string]string{"PATH": "/usr/bin:/bin"},
		Same: map[string]string{"/cents": "/amount"}, Ref: "/id",
	}), dir
}

func TestHowACommandEnds(t *testing.T) {
	for _, c := range []struct{ name, text, want, seen string }{
		{"found", `echo '{"cents":4800,"id":"re_1"}'`, "committed durable", `ended with 0, a document, /id "re_1", as allowed`},
		{"another amount", `echo '{"cents":48000}'`, "committed divergent durable", "other than allowed at /cents"},
		{"said and failed", `echo '{"cents":4800}'; exit 1`, "unknown: unavailable", "ended with 1"},
		{"failed", "exit 1", "unknown: unavailable", "ended with 1"},
		{"killed", `echo '{"cents":4800}'; kill -9 $$`, "unknown: unavailable", "was killed"},
		{"nothing", "exit 0", "unknown: malformed", "ended with 0"},
		{"two documents", `echo '{"cents":4800}{"cents":4800}'`, "unknown: malformed", "trailing_bytes"},
		{"a member twice", `echo '{"cents":1,"cents":4800}'`, "unknown: malformed", "duplicate_member"},
		{"on the other output", `echo '{"cents":4800}' >&2`, "unknown: malformed", "ended with 0"},
		{"much", `yes`, "unknown: too_large", "was killed"},
		{"much, and ended", `echo '{"cents":4800}'; yes | head -c 2000000; exit 0`, "unknown: too_large", "said more than"},
		{"much elsewhere", `yes | head -c 5000000 >&2; echo '{"cents":4800}'`, "committed durable", "as allowed"},
		{"no input", `read -r x || echo '{"cents":4800}'`, "committed durable", "as allowed"},
	} {
		o, _ := program(t, c.text)
		v := Run(t.Context(), o, sent, "")
		if says(&v) != c.want || !strings.Contains(v.Seen, c.seen) || !strings.HasPrefix(v.Seen, o.Argv[0]+" ") {
			t.Errorf("%s: %s, want %s: %s", c.name, says(&v), c.want, v.Seen)
		}
	}
	o, _ := program(t, "")
	o.Argv[0] += "-not-there"
	if v := Run(t.Context(), o, sent, ""); says(&v) != "unknown: unavailable" || !strings.Contains(v.Seen, "could not be started") {
		t.Errorf("not there: %+v", v)
	}
}

// What a command gets: one argument as it is, no shell, no variable but those
// that are listed, no terminal.
func TestWhatACommandGets(t *testing.T) {
	t.Setenv("SECRET", "of ours")
	o, dir := program(t, `printf '%s' "$2" >"$1/value"; env >"$1/env"; pwd >"$1/pwd"; (: </dev/tty) 2>/dev/null && : >"$1/tty"; echo '{"cents":4800}'`)
	for _, value := range []string{"pay_1", "$(touch " + dir + "/shell)", "a b;c|d>e", "'\"`*?", "é", "{/amount}"} {
		v := Run(t.Context(), o, []byte(fmt.Sprintf(`{"amount":4800,"payment_id":%q}`, value)), "")
		got, err := os.ReadFile(filepath.Join(dir, "value"))
		if says(&v) != "committed durable" || err != nil || string(got) != value {
			t.Errorf("%s: %+v, got %q, %v", value, v, got, err)
		}
	}
	env, err := os.ReadFile(filepath.Join(dir, "env"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(env)) {
		name, _, _ := strings.Cut(line, "=")
		names = append(names, name)
	}
	names = slices.DeleteFunc(names, func(n string) bool { return n == "PWD" || n == "_" || n == "SHLVL" || n == "OLDPWD" }) // a shell's own
	if !slices.Equal(names, []string{"PATH"}) {
		t.Errorf("environment %v", names)
	}
	if pwd, _ := os.ReadFile(filepath.Join(dir, "pwd")); string(pwd) != "/\n" {
		t.Errorf("runs in %s", pwd)
	}
	for _, none := range []string{"tty", "shell"} {
		if _, err := os.Stat(filepath.Join(dir, none)); err == nil {
			t.Errorf("%s is there", none)
		}
	}
}

// A value that could be an option starts nothing.
func TestValuesThatStartNothing(t *testing.T) {
	o, dir := program(t, `: >"$1/ran"; echo '{"cents":4800}'`)
	for _, value := range []string{`"-rf"`, `"--"`, `"-"`, `-1`, `""`, `"a\u0000b"`, `"a\nb"`, `null`, `["pay_1"]`, `1.5`} {
		v := Run(t.Context(), o, []byte(`{"amount":4800,"payment_id":`+value+`}`), "")
		if _, err := os.Stat(filepath.Join(dir, "ran")); says(&v) != "unknown: unavailable" || err == nil {
			t.Errorf("%s: %+v, %v", value, v, err)
		}
	}
}

// Without a list the environment is empty, not ours.
func TestAnEmptyEnvironment(t *testing.T) {
	t.Setenv("SECRET", "of ours")
	o, _ := program(t, `[ -n "$SECRET" ] || echo '{"cents":4800}'`)
	o.Env = nil
	if v := Run(t.Context(), o, sent, ""); says(&v) != "committed durable" {
		t.Errorf("%+v", v)
	}
}

// What a command started is killed with it: when its time is over, and when it
// ended and left something behind.
func TestNothingOfACommandIsLeft(t *testing.T) {
	for _, c := range []struct{ name, text, want, seen string }{
		{"hangs", "sleep 600 & echo $! >\"$1/child\"; echo '{\"cents\":4800}'; sleep 600", "unknown: timeout", "did not answer in time"},
		{"leaves one that could still answer", "sleep 600 & echo $! >\"$1/child\"; echo '{\"cents\":4800}'", "unknown: unavailable", "left something running"},
		{"leaves one that cannot", "sleep 600 >/dev/null 2>&1 & echo $! >\"$1/child\"; echo '{\"cents\":4800}'", "committed durable", "as allowed"},
		{"says much with a child", "sleep 600 & echo $! >\"$1/child\"; yes", "unknown: too_large", "was killed"},
	} {
		o, dir := program(t, c.text)
		if c.want == "unknown: timeout" {
			o.Within = "700ms"
		}
		if v := Run(t.Context(), o, sent, ""); says(&v) != c.want || !strings.Contains(v.Seen, c.seen) {
			t.Errorf("%s: %s, want %s: %s", c.name, says(&v), c.want, v.Seen)
		}
		b, err := os.ReadFile(filepath.Join(dir, "child"))
		if err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; !gone(pid); n++ {
			if n == 500 {
				t.Fatalf("%s: its child is left", c.name)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// gone reports whether a process is not there, or only not yet collected by
// whoever inherited it.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ")
}
