package install

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nod/digest"
	"nod/gateway/hook/claudetest"
)

func newClaude(t *testing.T, settings string) Claude {
	t.Helper()
	dir := t.TempDir()
	c := Claude{
		Settings: filepath.Join(dir, ".claude", "settings.json"), Record: filepath.Join(dir, "nod", "install.json"),
		Binary: "/opt/it's nod/nod", Config: "/home/dev/.config/nod/config.toml", Store: "/home/dev/.local/share/nod/nod.db",
	}
	if settings != absent {
		put(t, c.Settings, settings)
	}
	return c
}

const absent = "\x00absent"

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return absent
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func do(t *testing.T, plan func() (*Plan, error)) *Plan {
	t.Helper()
	p, err := plan()
	if err != nil {
		t.Fatalf("plan: %v", err)
	}
	if err := p.Apply(); err != nil {
		t.Fatalf("apply: %v", err)
	}
	return p
}

// texts are settings as people have them.
var texts = map[string]string{
	"absent":   absent,
	"empty":    "",
	"object":   "{}",
	"compact":  `{"model":"opus","permissions":{"allow":["Read"]},"hooks":{}}`,
	"two":      "{\n  \"model\": \"opus\",\n  \"permissions\": {\n    \"ask\": [\"Bash(rm:*)\"],\n    \"disableAutoMode\": \"never\"\n  }\n}\n",
	"tabs":     "{\n\t\"model\": \"opus\",\n\t\"hooks\": {\n\t\t\"PreToolUse\": [\n\t\t\t{\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"lint\"}]}\n\t\t]\n\t}\n}\n",
	"crlf":     "{\r\n    \"model\": \"opus\"\r\n}\r\n",
	"numbers":  "{\n  \"n\": 12345678901234567890.10,\n  \"e\": 1E400\n}",
	"odd":      "\n{ \"a\" :[1,\n2] ,\"permissions\":{ } , \"hooks\" : {\"SessionEnd\":[ ]} }",
	"emptied":  "{\n  \"permissions\": {\n    \"disableAutoMode\": \"\"\n  }\n}\n",
	"all ours": "{\n  \"permissions\": {\n    \"ask\": [\"*\"],\n    \"denyInsteadOfPrompting\": true\n  }\n}\n",
}

// TestThereAndBack holds: an uninstall leaves, byte for byte, what was there.
func TestThereAndBack(t *testing.T) {
	for name, before := range texts {
		t.Run(name, func(t *testing.T) {
			c := newClaude(t, before)
			p := do(t, c.Install)
			if !p.Changed() || p.Diff() == "" {
				t.Fatal("installing changes nothing")
			}
			after := read(t, c.Settings)
			checkInstalled(t, c, after)
			if again := do(t, c.Install); again.Changed() || again.Diff() != "" {
				t.Errorf("a second installation changes:\n%s", again.Diff())
			}
			do(t, c.Uninstall)
			if got := read(t, c.Settings); got != before {
				t.Errorf("after the uninstall:\n%q\nwant\n%q", got, before)
			}
			if left, err := os.ReadDir(filepath.Dir(c.Record)); err != nil || len(left) != 0 {
				t.Errorf("the record is left: %v, %v", left, err)
			}
			if p := do(t, c.Uninstall); p.Changed() {
				t.Errorf("a second uninstall changes:\n%s", p.Diff())
			}
		})
	}
}

// checkInstalled looks at the settings as the host reads them.
func checkInstalled(t *testing.T, c Claude, text string) {
	t.Helper()
	root, err := object([]byte(text))
	if err != nil {
		t.Fatalf("the result is not JSON: %v\n%s", err, text)
	}
	for _, s := range c.settings() {
		v := root.at(s.path...)
		if v != nil && s.among {
			if find([]byte(text), v, s.value) < 0 {
				t.Errorf("%s lacks %s", pointerTo(s.path), s.value)
			}
			continue
		}
		if v == nil || !same(v.raw([]byte(text)), s.value) {
			t.Errorf("%s is not %s", pointerTo(s.path), s.value)
		}
	}
	for _, w := range c.wants() {
		n := 0
		for _, g := range root.at("hooks", w.event).elements {
			if same(g.raw([]byte(text)), w.group) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s has the hook %d times", w.event, n)
		}
	}
}

// TestKeepsTheRest holds: what is not ours keeps its bytes, also when the file
// was changed after the installation and the uninstall must find its way.
func TestKeepsTheRest(t *testing.T) {
	for name, before := range texts {
		if before == absent || before == "" || before == "{}" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			c := newClaude(t, before)
			do(t, c.Install)
			after := read(t, c.Settings)
			mine := strings.Replace(after, "{", `{"theme":"dark",`, 1)
			put(t, c.Settings, mine)
			do(t, c.Uninstall)
			want := strings.Replace(before, "{", `{"theme":"dark",`, 1)
			if got := read(t, c.Settings); got != want && canonical(t, got) != canonical(t, want) {
				t.Errorf("after the uninstall:\n%s\nwant\n%s", got, want)
			} else if got != want {
				t.Logf("only the layout differs:\n%q\n%q", got, want)
			}
		})
	}
}

func canonical(t *testing.T, text string) string {
	t.Helper()
	doc, _, err := digest.Lift([]byte(text), digest.NoLimits())
	if err != nil {
		t.Fatal(err)
	}
	return string(doc)
}

// TestLayout: what is added looks like the rest.
func TestLayout(t *testing.T) {
	for name, c := range map[string]struct{ before, want string }{
		"two":     {"{\n  \"a\": 1\n}\n", "{\n  \"a\": 1,\n  \"permissions\": {\n    \"ask\": [\n      \"*\"\n    ],\n"},
		"tabs":    {"{\n\t\"a\": 1\n}\n", "{\n\t\"a\": 1,\n\t\"permissions\": {\n\t\t\"ask\": [\n\t\t\t\"*\"\n\t\t],\n"},
		"crlf":    {"{\r\n \"a\": 1\r\n}", "{\r\n \"a\": 1,\r\n \"permissions\": {\r\n  \"ask\": [\r\n   \"*\"\r\n  ],\r\n"},
		"compact": {`{"a":1}`, `{"a":1, "permissions": {"ask": ["*"], `},
		"empty":   {`{}`, "{\n  \"permissions\": {\n    \"ask\": [\n      \"*\"\n    ],\n"},
	} {
		got, _, err := newClaude(t, c.before).add([]byte(c.before))
		if err != nil || !strings.HasPrefix(string(got), c.want) {
			t.Errorf("%s: %v\n%q\nwant it to begin with\n%q", name, err, got, c.want)
		}
		if name == "crlf" && strings.Count(string(got), "\n") != strings.Count(string(got), "\r\n") {
			t.Errorf("crlf: mixed line ends: %q", got)
		}
	}
}

// TestUpdates: an older gate, a broken one and copies become the one gate, and
// other hooks stay.
func TestUpdates(t *testing.T) {
	other := `{"type":"command","command":"lint --hook"}`
	ours := `{"type":"command","command":"nod hook claude || exit 0"}`
	before := `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[` + other + `,` + ours + `]},{"matcher":"*","hooks":[` + ours + `]}],` +
		`"Stop":[{"hooks":[` + ours + `,{"type":"command","command":"/home/me/my-hook claude-notify.sh"}]}],"PostToolUse":[{"hooks":[` + other + `]}]}}`
	c := newClaude(t, before)
	do(t, c.Install)
	after := read(t, c.Settings)
	checkInstalled(t, c, after)
	if strings.Contains(after, "exit 0") || strings.Count(after, "lint --hook") != 2 {
		t.Errorf("after the installation:\n%s", after)
	}
	if !strings.Contains(after, "my-hook claude-notify") {
		t.Errorf("a hook that only looks like ours is gone:\n%s", after)
	}
	c.Binary, c.Timeout = "/elsewhere/nod", 7200
	p := do(t, c.Install)
	checkInstalled(t, c, string(p.After))
	if strings.Contains(string(p.After), "it's nod") {
		t.Errorf("the old binary is still called:\n%s", p.After)
	}
	do(t, c.Uninstall)
	if got := read(t, c.Settings); strings.Contains(got, "nod") || strings.Count(got, "lint --hook") != 2 {
		t.Errorf("after the uninstall:\n%s", got)
	}
}

// TestMeasured: what is installed is what was measured.
func TestMeasured(t *testing.T) {
	c := newClaude(t, absent)
	c.Timeout = 7200
	p := do(t, c.Install)
	want := claudetest.Settings(c.command(), c.command(), 7200)
	if canonical(t, string(p.After)) != canonical(t, want) {
		t.Errorf("installed:\n%s\nmeasured:\n%s", p.After, want)
	}
}

// TestOwnersMode: a setting that the owner set after the installation stays.
func TestOwnersMode(t *testing.T) {
	c := newClaude(t, texts["two"])
	do(t, c.Install)
	put(t, c.Settings, strings.Replace(read(t, c.Settings), `"disableAutoMode": "disable"`, `"disableAutoMode": "mine"`, 1))
	do(t, c.Uninstall)
	if got := read(t, c.Settings); !strings.Contains(got, `"mine"`) || strings.Contains(got, "never") {
		t.Errorf("after the uninstall:\n%s", got)
	}
	c = newClaude(t, texts["two"])
	do(t, c.Install)
	put(t, c.Settings, strings.Replace(read(t, c.Settings), "opus", "haiku", 1))
	do(t, c.Install)
	do(t, c.Uninstall)
	if got, want := read(t, c.Settings), strings.Replace(texts["two"], "opus", "haiku", 1); got != want {
		t.Errorf("after the uninstall:\n%s\nwant\n%s", got, want)
	}
}

func TestRefused(t *testing.T) {
	for name, c := range map[string]struct{ text, code string }{
		"comment":       {"{\n  // mine\n  \"a\": 1\n}", CodeNotJSON},
		"comma":         {`{"a":1,}`, CodeNotJSON},
		"duplicate":     {`{"hooks":{},"hooks":{}}`, CodeNotJSON},
		"cut":           {`{"a":`, CodeNotJSON},
		"byte order":    {"\ufeff{}", CodeNotJSON},
		"array":         {`[]`, CodeShape},
		"hooks list":    {`{"hooks":[]}`, CodeIgnored},
		"event object":  {`{"hooks":{"PreToolUse":{}}}`, CodeIgnored},
		"permission no": {`{"permissions":null}`, CodeIgnored},
	} {
		cl := newClaude(t, c.text)
		_, err := cl.Install()
		if e, ok := errors.AsType[*Error](err); !ok || e.Code != c.code || e.Hint == "" {
			t.Errorf("%s: %v, want %s with a hint", name, err, c.code)
		}
		if read(t, cl.Settings) != c.text || read(t, recordOf(cl.Record, cl.Settings)) != absent {
			t.Errorf("%s: something was written", name)
		}
	}
	c := newClaude(t, "{}")
	for name, change := range map[string]func(*Claude){
		CodeNotAbsolute: func(c *Claude) { c.Binary = "nod" },
		CodeBadPath:     func(c *Claude) { c.Store = "/a\nb" },
		CodeBadTimeout:  func(c *Claude) { c.Timeout = 2147484 },
	} {
		d := c
		change(&d)
		if _, err := d.Install(); err == nil || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("%v, want %s", err, name)
		}
	}
}

// TestChangedMeanwhile: nobody's change is written over.
func TestChangedMeanwhile(t *testing.T) {
	c := newClaude(t, "{}")
	p, err := c.Install()
	if err != nil {
		t.Fatal(err)
	}
	put(t, c.Settings, `{"a":1}`)
	if err := p.Apply(); err == nil || !strings.HasPrefix(err.Error(), CodeChanged) {
		t.Errorf("%v, want %s", err, CodeChanged)
	}
	if got := read(t, c.Settings); got != `{"a":1}` {
		t.Errorf("the settings are %q", got)
	}
}

// TestGuard holds the installed command against a shell: only a whole answer
// with exit 0 comes through; everything else exits 2 with a sentence.
func TestGuard(t *testing.T) {
	answer := `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"R"}}`
	for command, pass := range map[string]bool{
		"printf %s '" + answer + "'":                      true,
		"printf %s '" + answer + "'; exit 1":              false,
		"printf %s '" + answer[:len(answer)-1] + "'":      false,
		"printf %s 'log line " + answer + "'":             false,
		"echo '" + answer + "'; echo done":                false,
		"true":                                            false,
		"/nowhere/nod":                                    false,
		"kill -KILL $$":                                   false,
		"sh -c 'kill -KILL $$'":                           false,
		"printf %s '{\"systemMessage\":\"x\"}'":           false,
		shellQuote("/opt/it's $(touch x) `nod`/" + "nod"): false,
	} {
		cmd := exec.Command("sh", "-c", "("+Guard(command)+")")
		cmd.Dir = t.TempDir()
		var out, errw bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errw
		_ = cmd.Run() // the exit status is looked at
		code := cmd.ProcessState.ExitCode()
		switch {
		case pass && (code != 0 || strings.TrimSpace(out.String()) != answer):
			t.Errorf("%s: exit %d, %q", command, code, out.String())
		case !pass && (code == 0 || code == 1 || out.Len() != 0):
			t.Errorf("%s: exit %d, %q", command, code, out.String())
		}
		if _, err := os.Stat(filepath.Join(cmd.Dir, "x")); err == nil {
			t.Errorf("%s: the path was run", command)
		}
	}
	if got := Guard("GATE"); got != claudetest.Guard("GATE") {
		t.Errorf("the guard is not the measured one:\n%s\n%s", got, claudetest.Guard("GATE"))
	}
}

// TestHostReadsIt: no gate is put where the host would leave it out, and what
// the host reads although it is odd is no reason to refuse (both measured).
func TestHostReadsIt(t *testing.T) {
	for text, pointer := range map[string]string{
		`{"env":[]}`: "/env", `{"env":"A"}`: "/env", `{"disableAllHooks":"yes"}`: "/disableAllHooks", `{"model":5}`: "/model",
		`{"language":5}`: "/language", `{"$schema":5}`: "/$schema", `{"allowManagedHooksOnly":"x"}`: "/allowManagedHooksOnly",
		`{"model":null}`: "/model", `{"apiKeyHelper":5}`: "/apiKeyHelper", `{"statusLine":"x"}`: "/statusLine", `{"enabledPlugins":"x"}`: "/enabledPlugins",
		`{"permissions":{"defaultMode":5}}`: "/permissions/defaultMode", `{"permissions":{"defaultMode":"odd"}}`: "/permissions/defaultMode",
		`{"permissions":{"allow":null}}`: "/permissions/allow", `{"permissions":{"additionalDirectories":[1]}}`: "/permissions/additionalDirectories/0",
		`{"hooks":{"PreToolUse":["x"]}}`:                                         "/hooks/PreToolUse/0",
		`{"hooks":{"PermissionRequest":["x"]}}`:                                  "/hooks/PermissionRequest/0",
		`{"hooks":{"PreSkillShellCommand":"x"}}`:                                 "/hooks/PreSkillShellCommand",
		`{"hooks":{"PreToolUse":[{"matcher":5,"hooks":[]}]}}`:                    "/hooks/PreToolUse/0/matcher",
		`{"hooks":{"PreToolUse":[{"hooks":"x"}]}}`:                               "/hooks/PreToolUse/0/hooks",
		`{"hooks":{"PreToolUse":[{"hooks":["x"]}]}}`:                             "/hooks/PreToolUse/0/hooks/0",
		`{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","timeout":""}]}]}}`: "/hooks/PreToolUse/0/hooks/0/timeout",
		`{"env":{"A":1,"B":{},"C":null}}`:                                        "", `{"permissions":{"allow":[1],"ask":[1],"deny":[{}],"odd":1}}`: "",
		`{"hooks":{"Stop":"x","SessionEnd":["x"],"PostToolUse":["x"],"NoSuchEvent":["x"]}}`: "", `{"permissions":{"disableAutoMode":"never"}}`: "",
		`{"permissions":{"defaultMode":"manual"}}`: "", `{"odd":true}`: "",
	} {
		c := newClaude(t, text)
		_, err := c.Install()
		if pointer == "" {
			if err != nil {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		if e, ok := errors.AsType[*Error](err); !ok || e.Code != CodeIgnored || e.Hint == "" || !strings.Contains(e.Sentence, " "+pointer+" ") {
			t.Errorf("%s: %v, want it refused for %s", text, err, pointer)
		}
		if read(t, c.Settings) != text || read(t, recordOf(c.Record, c.Settings)) != absent {
			t.Errorf("%s: something was written", text)
		}
		v := View{Files: []File{{Scope: User, Path: "s", Text: []byte(text)}}}
		if got := codes(v, Fail); !slices.Contains(got, "settings_ignored") {
			t.Errorf("%s: doctor finds %v", text, got)
		}
	}
}
