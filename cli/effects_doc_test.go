//go:build unix

package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// The commands of the page on effects are run in their order, and say what
// stands there. … is anything; EFFECT and CODE are those of the newest effect.
func TestTheExamplesOfEffectsAreTrue(t *testing.T) {
	text, err := os.ReadFile("../docs/effects.md")
	if err != nil {
		t.Fatal(err)
	}
	d := newExamples(t, fenced(t, string(text), "toml")[0])
	ran := 0
	for _, block := range fenced(t, string(text), "console") {
		for _, example := range strings.Split("\n"+block, "\n$ ")[1:] {
			command, want, _ := strings.Cut(example, "\n")
			d.check(command, strings.TrimSuffix(want, "\n"))
			ran++
		}
	}
	if ran < 8 {
		t.Errorf("only %d examples", ran)
	}
}

func fenced(t *testing.T, text, language string) (blocks []string) {
	t.Helper()
	for _, b := range strings.Split(text, "```"+language+"\n")[1:] {
		block, _, ok := strings.Cut(b, "```")
		if !ok {
			t.Fatal("a block does not end")
		}
		blocks = append(blocks, block)
	}
	return blocks
}

type examples struct {
	t     *testing.T
	dir   string
	flags []string
}

// newExamples has the descriptor of the page, the script that it is of, and a
// provider that knows a pending refund.
func newExamples(t *testing.T, descriptor string) *examples {
	t.Helper()
	d := &examples{t: t, dir: t.TempDir()}
	status := filepath.Join(d.dir, "refund-status")
	for path, text := range map[string]string{
		"config/config.toml":              "[[rule]]\nname = \"runs\"\ntools = [\"run\"]\nverdict = \"allow\"\n",
		"config/descriptors/refunds.toml": strings.ReplaceAll(descriptor, "/usr/local/bin/refund-status", status),
		"refund.sh":                       "#!/bin/sh\necho timed out >&2\nexit 1\n",
		"refund-status":                   "#!/bin/sh\necho '{\"refunds\":[{\"id\":\"re_19c\",\"cents\":\"4800\",\"status\":\"pending\"}]}'\n",
	} {
		path = filepath.Join(d.dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		mode := os.FileMode(0o600)
		if strings.HasPrefix(text, "#!") {
			mode = 0o700
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	d.flags = []string{"--store=" + filepath.Join(d.dir, "data", "nod.db"), "--config=" + filepath.Join(d.dir, "config", "config.toml")}
	return d
}

// newest names the newest effect and the code of its page; "" before one.
func (d *examples) newest() (id, code string) {
	d.t.Helper()
	var list struct {
		Effects []struct {
			ID string `json:"id"`
		} `json:"effects"`
	}
	read := func(into any, args ...string) {
		out, err := exec.Command("nod", append(append(d.flags[:2:2], "--json"), args...)...).Output() //nolint:gosec // the test's own
		if err == nil {
			err = json.Unmarshal(out, into)
		}
		if err != nil {
			d.t.Fatal(err)
		}
	}
	if read(&list, "effects", "--all"); len(list.Effects) == 0 {
		return "", ""
	}
	var view struct {
		Digest string `json:"page_digest"`
	}
	read(&view, "effects", "show", list.Effects[0].ID)
	return list.Effects[0].ID, strings.TrimPrefix(view.Digest, "sha256:")[:4]
}

// words splits a command as a shell does, as far as the page needs it.
var words = regexp.MustCompile(`'[^']*'|\S+`)

// check runs one example. Where the page types something, it runs at a terminal.
func (d *examples) check(command, want string) {
	d.t.Helper()
	id, code := d.newest()
	want = strings.ReplaceAll(want, "CODE", code)
	var args []string
	for _, w := range words.FindAllString(strings.ReplaceAll(command, "EFFECT", id), -1) {
		args = append(args, strings.Trim(w, "'"))
	}
	if args[0] != "nod" {
		d.t.Fatalf("%s: it is not nod's", command)
	}
	args = append(append([]string{"nod"}, d.flags...), args[1:]...)
	typed := regexp.MustCompile(`(?m)^.*(?:type yes|in brackets|on the page): (\S+)$`).FindAllStringSubmatch(want, -1)
	if len(typed) > 0 {
		tty := []string{"tty", "-size", "200x200"}
		for _, m := range typed {
			_, prompt, _ := strings.Cut(m[0], "type ")
			tty = append(tty, "-wait", strings.TrimSuffix(prompt, m[1]), "-send", m[1]+`\r`)
		}
		args = append(append(tty, "--"), args...)
	}
	cmd := exec.Command(args[0], args[1:]...) //nolint:gosec // the test's own
	cmd.Dir = d.dir
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "TZ=UTC", "HOME="+d.dir)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run() // what it says tells whether it went well
	pattern := regexp.QuoteMeta(want)
	pattern = strings.ReplaceAll(pattern, "\n…\n", "\n(?:.*\n)*?")
	pattern = strings.ReplaceAll(pattern, "…", ".*?")
	if len(typed) > 0 { // the page and what is typed stand between
		pattern = strings.ReplaceAll(pattern, "\n", "\n(?:.*\n)*?")
	}
	if !regexp.MustCompile(`(?m)^` + pattern + `$`).MatchString(strings.TrimSuffix(out.String(), "\n")) {
		d.t.Errorf("$ %s\nsays\n%s\nthe page says\n%s", command, out.String(), want)
	}
}
