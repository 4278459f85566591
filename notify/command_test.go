//go:build unix

package notify

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// script writes a program.
func script(t *testing.T, text string) (path, dir string) {
	t.Helper()
	dir = t.TempDir()
	path = filepath.Join(dir, "page-me")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path, dir
}

func TestACommandGetsPayloadAndSignature(t *testing.T) {
	w := newWorld(t)
	w.submit()
	path, dir := script(t, "cat >\"$1/body\"\nenv >\"$1/env\"\npwd >\"$1/pwd\"\n[ ! -r /proc/$$/stat ] || cut -d' ' -f1,6 /proc/$$/stat >\"$1/session\"\necho said; echo said >&2\n(: </dev/tty) 2>/dev/null && : >\"$1/tty\"\nexit 0\n")
	w.once(func(o *Options) {
		o.Webhooks = nil
		o.Command = []string{path, dir, "$(touch " + dir + "/shell)"}
		o.Env = []string{"PATH=/usr/bin:/bin", "DISPLAY=:7"}
	})
	if len(w.told) != 1 || !w.told[0].Done || w.told[0].Target != "command" {
		t.Fatalf("%+v", w.told)
	}
	body, env := file(t, dir, "body"), file(t, dir, "env")
	if !strings.HasPrefix(body, `{"asks":[`) || !strings.Contains(body, `"event":"waiting"`) {
		t.Errorf("body %s", body)
	}
	var names []string
	for line := range strings.Lines(env) {
		name, _, _ := strings.Cut(line, "=")
		names = append(names, name)
	}
	slices.Sort(names)
	names = slices.DeleteFunc(names, func(n string) bool { return n == "PWD" || n == "_" || n == "SHLVL" || n == "OLDPWD" }) // a shell's own
	want := []string{"DISPLAY", "NOD_EVENT", "NOD_TEXT", "NOD_WEBHOOK_ID", "NOD_WEBHOOK_SIGNATURE", "NOD_WEBHOOK_TIMESTAMP", "PATH"}
	if !slices.Equal(names, want) {
		t.Errorf("environment %v, want %v", names, want)
	}
	for _, line := range []string{
		"DISPLAY=:7", "NOD_EVENT=waiting", "NOD_TEXT=nod: 1 waits",
		"NOD_WEBHOOK_SIGNATURE=" + w.key.Sign(value(env, "NOD_WEBHOOK_ID"), start/1000, []byte(body)),
	} {
		if !strings.Contains(env, line+"\n") {
			t.Errorf("no %s in %s", line, env)
		}
	}
	if got := file(t, dir, "pwd"); got != "/\n" {
		t.Errorf("runs in %s", got)
	}
	if _, err := os.Stat("/proc/self/stat"); err == nil { // pid and session are one: it leads its own, away from our terminal
		if ids := strings.Fields(file(t, dir, "session")); len(ids) != 2 || ids[0] != ids[1] {
			t.Errorf("pid and session %v", ids)
		}
	}
	for _, none := range []string{"tty", "shell"} {
		if _, err := os.Stat(filepath.Join(dir, none)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is there", none)
		}
	}
}

func file(t *testing.T, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Error(err)
	}
	return string(b)
}

func value(env, name string) string {
	for line := range strings.Lines(env) {
		if v, ok := strings.CutPrefix(line, name+"="); ok {
			return strings.TrimSuffix(v, "\n")
		}
	}
	return ""
}

func TestHowACommandEnds(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       outcome
	}{
		{"well", "exit 0", outcome{done: true}},
		{"well, reading nothing", "exec <&-; exit 0", outcome{done: true}},
		{"badly", "exit 3", outcome{again: true, why: "ended with status 3"}},
		{"killed", "kill -9 $$", outcome{again: true, why: "was killed"}},
		{"much output", "yes | head -c 5000000; yes | head -c 5000000 >&2", outcome{done: true}},
	} {
		path, _ := script(t, c.text)
		cmd := &command{argv: []string{path}, env: []string{"PATH=/usr/bin:/bin"}, limit: 10 * time.Second}
		if got := cmd.send(t.Context(), parcelled(strings.Repeat("x", 1<<20))); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	cmd := &command{argv: []string{"/nonexistent/SECRET"}, limit: time.Second}
	if got := cmd.send(t.Context(), parcelled("{}")); got != (outcome{again: true, why: "could not be started"}) {
		t.Errorf("%+v", got)
	}
}

// A command that does not end is killed, with what it started.
func TestACommandIsKilledWithItsGroup(t *testing.T) {
	path, dir := script(t, "sleep 600 &\necho $! >\"$1/child\"\necho $$ >\"$1/self\"\nsleep 600\n")
	cmd := &command{argv: []string{path, dir}, env: []string{"PATH=/usr/bin:/bin"}, limit: 700 * time.Millisecond}
	if got := cmd.send(t.Context(), parcelled("{}")); got != (outcome{again: true, why: "did not end in time and was killed"}) {
		t.Errorf("%+v", got)
	}
	for _, name := range []string{"child", "self"} {
		pid, err := strconv.Atoi(strings.TrimSpace(file(t, dir, name)))
		if err != nil {
			t.Fatal(err)
		}
		within(t, func() bool { return gone(pid) })
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
