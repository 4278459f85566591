//go:build unix

package config

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nod/digest"
	"nod/policy"
	"nod/policy/clamp"
	"nod/queue"
)

// place writes a configuration file where only the user may write.
func place(t *testing.T, text string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "nod")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	p := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

func codeOf(t *testing.T, err error) string {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%v is not an *Error", err)
	}
	if e.Sentence == "" || e.Hint == "" {
		t.Errorf("%s has no sentence or no hint", e.Code)
	}
	return e.Code
}

func TestMissingFileMeansDefaults(t *testing.T) {
	c, err := Load(filepath.Join(t.TempDir(), "absent", "config.toml"), os.Getuid())
	if err != nil {
		t.Fatal(err)
	}
	want := queue.DefaultSettings()
	got := c.Settings()
	if !got.ConfigDigest.Valid() {
		t.Errorf("no digest of the configuration: %q", got.ConfigDigest)
	}
	want.HoldIrreversibleMS = 30 * second // the queue's own default holds nothing
	want.ConfigDigest = got.ConfigDigest
	want.Limits = digest.Limits{MaxDepth: digest.DefaultMaxDepth, MaxBytes: digest.DefaultMaxBytes}
	if got.DenyRules == nil {
		t.Error("nobody evaluates the rules that clamps name")
	}
	got.DenyRules = nil
	if d := cmp.Diff(want, got, cmp.AllowUnexported(clamp.Declaration{}, policy.Denied{})); d != "" || c.Found {
		t.Errorf("found %v; settings differ: %s", c.Found, d)
	}
}

func TestEveryValueIsRead(t *testing.T) {
	c, err := Load(place(t, `
store = "/srv/nod/nod.db"
targets = ["lab-7"]
posture = "multi_tenant"
[environment]
name = "staging"
machine = "m1"
[gateway.claude-code]
agent = "shop-agent"
[defaults]
answer_within = "2h"
use_within = "90s"
lease = "1m"
host_lease = "2m"
waiter = "20s"
session = "3h"
hold_irreversible = "0s"
[limits]
max_pending = 5
max_bytes = 2048
max_depth = 9
[run]
env = ["PATH"]
[ui]
theme = { light = "light", dark = "my-own" }
ascii = true
alert = ["bell", "osc9"]
slow_below = "1500ms"
[notify]
when = "always"
after = ["0s", "90s"]
webhooks = ["https://hooks.example.org/nod", "http://127.0.0.1:8080/"]
command = ["/usr/bin/notify-send", "Nod"]
env = ["DISPLAY"]
[keys]
approve = "A"
detail.words = "m"
"inbox.open" = "o"
[clamps]
edits = "disabled"
promptForm = "minimal"
denyRules = ["no-force"]
memory.enabled = false
[compliance]
regime = "hipaa"
deny = ["mcp_servers"]
[screening]
classifier_no_ruling = ["timeout"]
[[rule]]
name = "no-force"
tools = ["Bash"]
operation = "run"
when = 'args.command contains "--force"'
verdict = "deny"
why = "no force"
answer_within = "1h"
use_within = "30s"
`), os.Getuid())
	if err != nil {
		t.Fatal(err)
	}
	want := File{
		Store:       "/srv/nod/nod.db",
		Targets:     []string{"lab-7"},
		Posture:     "multi_tenant",
		Environment: Environment{"staging", "m1"},
		Gateway: map[string]Gateway{
			"ask": {Agent: "ask"}, "run": {Agent: "run"}, "claude-code": {"shop-agent", "claude-code"},
		},
		Defaults: Defaults{2 * hour, 90 * second, minute, 2 * minute, 20 * second, 3 * hour, 0},
		Limits:   Limits{5, 2048, 9},
		Run:      Run{Env: []string{"PATH"}},
		UI:       UI{ThemeChoice{Light: "light", Dark: "my-own"}, true, []string{"bell", "osc9"}, 1500},
		Notify: Notify{
			"always",
			[]Delay{0, 90 * second},
			[]string{"https://hooks.example.org/nod", "http://127.0.0.1:8080/"},
			[]string{"/usr/bin/notify-send", "Nod"},
			[]string{"DISPLAY"},
		},
		Clamps: Clamps{AutoAllow: true, Grants: "enabled", Edits: "disabled", DenyRules: []string{"no-force"}, MemoryPersistenceCapable: true,
			PromptForm: "minimal", Memory: ClampMemory{Enabled: false}},
		Compliance: Compliance{"hipaa", Denials{"mcp_servers"}},
		Screening:  Screening{[]string{"timeout"}},
		Keys:       Keys{"approve": "A", "detail.words": "m", "inbox.open": "o"},
		Rule: []Rule{{
			"no-force", []string{"Bash"}, "run", `args.command contains "--force"`, "deny", "no force", hour, 30 * second,
		}},
	}
	if d := cmp.Diff(want, c.File); d != "" {
		t.Error(d)
	}
	s := c.Settings()
	if s.LeaseMS != minute || s.HostLeaseMS != 2*minute || s.Limits.MaxBytes != 2048 || s.Limits.MaxDepth != 9 || s.MaxPending != 5 || s.Rules == nil {
		t.Errorf("settings %+v", s)
	}
	args, err := digest.Canonical([]byte(`{"command":"git push --force"}`), digest.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	r := s.Rules.Judge(&digest.Action{Tool: "Bash", Operation: "run", Arguments: args})
	if r.Verdict != "deny" || r.AnswerWithinMS != hour || r.UseWithinMS != 30*second {
		t.Errorf("ruling %+v", r)
	}
	if got := string(s.Clamps.JSON()); got != `{"denyRules":["no-force"],"edits":"disabled","memory":{"enabled":false},"promptForm":"minimal"}` {
		t.Errorf("clamps %s", got)
	}
	if got := s.Denied.All(); !slices.Equal(got, []policy.Capability{policy.MCPServers, policy.WebFetch, policy.OrgMemoryMount}) {
		t.Errorf("denied %v", got)
	}
	if !slices.Equal(s.NoRuling, []string{"timeout"}) {
		t.Errorf("no ruling %v", s.NoRuling)
	}
}

// Each text is refused with this code on this line.
func TestRefusedWithLine(t *testing.T) {
	const rules = "[[rule]]\nname = \"a\"\ntools = [\"*\"]\nverdict = \"ask\"\n\n"
	for name, c := range map[string]struct {
		text string
		code string
		line int
		says string
	}{
		"deny word":        {"[compliance]\n\ndeny = [\"web_fetch\", \"webfetch\"]\n", CodeBadValue, 3, `"webfetch" is no capability; there are mcp_servers, workflows, web_fetch, org_memory_mount`},
		"deny table":       {"[compliance]\ndeny = [{ web_fetch = true }]\n", CodeBadValue, 2, `an object is no capability; there are mcp_servers`},
		"deny number":      {"compliance.deny = [7]\n", CodeBadValue, 1, `a number is no capability; there are mcp_servers`},
		"deny text":        {"compliance.deny = \"web_fetch\"\n", CodeBadValue, 1, `"compliance.deny" is not a list of capabilities`},
		"regime":           {"[compliance]\nregime = \"hippa\"\n", CodeBadValue, 2, `"hippa" is no regime; there is hipaa`},
		"clamp word":       {"[clamps]\ngrants = \"disable\"\n", CodeBadValue, 2, `"clamps.grants" is not "enabled" or "disabled"`},
		"clamp name":       {"[clamps]\nauto_allow = false\n", CodeUnknownKey, 2, `"clamps.auto_allow"`},
		"clamp rule":       {"[clamps]\ndenyRules = [\"a\", \"b\"]\n" + rules, CodeBadValue, 2, `"b", and there is no such rule`},
		"clamp rule twice": {"[clamps]\ndenyRules = [\"a\", \"a\"]\n" + rules, CodeBadValue, 2, "each once"},
		"no ruling":        {"[screening]\nclassifier_no_ruling = []\n", CodeBadValue, 2, "1 to 100"},
		"top":              {"# c\n\nstor = \"/x\"\n", CodeUnknownKey, 3, `"stor"`},
		"case":             {"Store = \"/x\"\n", CodeUnknownKey, 1, `"Store"`},
		"table":            {"[ui]\ntheme = \"dark\"\n[uii]\n", CodeUnknownKey, 3, `"uii"`},
		"in table":         {"[ui]\ntheme = \"dark\"\ncolor = 1\n", CodeUnknownKey, 3, `"ui.color"`},
		"dotted":           {"\nui.color = 1\n", CodeUnknownKey, 2, `"ui.color"`},
		"inline":           {"\nui = { theme = \"dark\", color = 1 }\n", CodeUnknownKey, 2, `"ui.color"`},
		"second rule":      {rules + "[[rule]]\nname = \"b\"\ntools = [\"*\"]\nverdict = \"ask\"\nwhem = \"x\"\n", CodeUnknownKey, 10, `"rule.whem"`},
		"first rule":       {strings.Replace(rules, "verdict", "vedict", 1) + strings.Replace(rules, `"a"`, `"b"`, 1), CodeUnknownKey, 4, `"rule.vedict"`},
		"rules inline":     {"rule = [\n{ name = \"a\", tools = [\"*\"], verdict = \"ask\" },\n{ nme = \"b\" },\n]\n", CodeUnknownKey, 3, `"rule.nme"`},
		"first of two":     {"[limits]\nmax_byte = 1\n[defaults]\nlees = \"1m\"\n", CodeUnknownKey, 2, `"limits.max_byte"`},
		"after strings":    {"store = '''\n/x\n[ui]'''\nenvironment = { name = \"\"\"a\"\"\" }\nx = 1\n", CodeUnknownKey, 5, `"x"`},
		"gateway":          {"[gateway.claudecode]\nagent = \"x\"\n", CodeUnknownKey, 1, `"gateway.claudecode"`},
		"syntax":           {"\n\nstore = = 1\n", CodeSyntax, 3, "TOML"},
		"twice":            {"store = \"/a\"\nstore = \"/b\"\n", CodeSyntax, 2, "TOML"},
		"type":             {"[ui]\nascii = \"yes\"\n", CodeBadValue, 2, "true or false"},
		"number":           {"[limits]\nmax_depth = 1.5\n", CodeBadValue, 2, "whole number"},
		"list":             {"[run]\nenv = \"PATH\"\n", CodeBadValue, 2, "a list"},
		"in list":          {"[run]\nenv = [\n\"PATH\",\n7,\n]\n", CodeBadValue, 4, "a text"},
		"not a table":      {"ui = 1\n", CodeBadValue, 1, "a table"},
		"relative store":   {"store = \"nod.db\"\n", CodeBadValue, 1, "absolute"},
		"duration":         {"[defaults]\nlease = \"5\"\n", CodeBadValue, 2, "duration"},
		"duration number":  {"[defaults]\nlease = 5\n", CodeBadValue, 2, "duration"},
		"negative":         {"[defaults]\nlease = \"-5m\"\n", CodeBadValue, 2, "duration"},
		"too short":        {"[defaults]\nwaiter = \"5s\"\n", CodeBadValue, 2, "between"},
		"too long a hold":  {"[defaults]\nhold_irreversible = \"24h1s\"\n", CodeBadValue, 2, "between"},
		"too long":         {"[defaults]\nsession = \"9000h\"\n", CodeBadValue, 2, "between"},
		"part of second":   {"[defaults]\nuse_within = \"1500ms\"\n", CodeBadValue, 2, "seconds"},
		"too many":         {"[limits]\nmax_pending = 0\n", CodeBadValue, 2, "between"},
		"too deep":         {"[limits]\nmax_depth = 129\n", CodeBadValue, 2, "between"},
		"variable":         {"[run]\nenv = [\"PATH\", \"A=B\"]\n", CodeBadValue, 2, "variables"},
		"variable twice":   {"[run]\nenv = [\"PATH\", \"PATH\"]\n", CodeBadValue, 2, "variables"},
		"theme":            {"[ui]\ntheme = \"Pink\"\n", CodeBadValue, 2, "name of a theme"},
		"theme path":       {"[ui]\ntheme = \"../pink\"\n", CodeBadValue, 2, "name of a theme"},
		"no theme":         {"[ui]\ntheme = \"\"\n", CodeBadValue, 2, "theme's name"},
		"half a pair":      {"[ui]\ntheme = { light = \"light\" }\n", CodeBadValue, 2, "theme's name"},
		"three themes":     {"[ui]\ntheme = { light = \"light\", dark = \"dark\", dim = \"x\" }\n", CodeUnknownKey, 2, `"ui.theme.dim"`},
		"pair type":        {"[ui]\ntheme = { light = \"light\", dark = 1 }\n", CodeBadValue, 2, "theme's name"},
		"theme type":       {"[ui]\ntheme = 1\n", CodeBadValue, 2, "theme's name"},
		"key type":         {"[keys]\napprove = 1\n", CodeBadValue, 2, "a key"},
		"keys type":        {"\nkeys = 1\n", CodeBadValue, 2, "table of bindings"},
		"key in place":     {"[keys.detail]\nwords = \"m\"\ndeny = []\n", CodeBadValue, 3, `"keys.detail.deny"`},
		"key deep":         {"[keys.detail.words]\nx = \"m\"\n", CodeBadValue, 1, "a key"},
		"key twice":        {"[keys]\n\"detail.words\" = \"m\"\ndetail.words = \"n\"\n", CodeBadValue, 2, "once"},
		"alert":            {"[ui]\nalert = [\"bell\", \"beep\"]\n", CodeBadValue, 2, "osc9"},
		"alert twice":      {"[ui]\nalert = [\"bell\", \"bell\"]\n", CodeBadValue, 2, "once"},
		"slow":             {"[ui]\nslow_below = \"61s\"\n", CodeBadValue, 2, "1m"},
		"slow none":        {"[ui]\nslow_below = \"0s\"\n", CodeBadValue, 2, "duration"},
		"notify key":       {"[notify]\nurl = \"https://x\"\n", CodeUnknownKey, 2, `"notify.url"`},
		"notify when":      {"[notify]\nwhen = \"never\"\n", CodeBadValue, 2, "unwatched"},
		"no rungs":         {"[notify]\nafter = []\n", CodeBadValue, 2, "1 to 10"},
		"rungs fall":       {"[notify]\nafter = [\"2m\", \"2m\"]\n", CodeBadValue, 2, "grow"},
		"rung negative":    {"[notify]\nafter = [\"-1s\"]\n", CodeBadValue, 2, "duration"},
		"hook http":        {"[notify]\nwebhooks = [\"http://hooks.example.org/\"]\n", CodeBadValue, 2, "https"},
		"hook like local":  {"[notify]\nwebhooks = [\"http://localhost.example.org/\"]\n", CodeBadValue, 2, "https"},
		"hook scheme":      {"[notify]\nwebhooks = [\"file:///etc/passwd\"]\n", CodeBadValue, 2, "https"},
		"hook user":        {"[notify]\nwebhooks = [\"https://u:p@hooks.example.org/\"]\n", CodeBadValue, 2, "user"},
		"hook fragment":    {"[notify]\nwebhooks = [\"https://hooks.example.org/#a\"]\n", CodeBadValue, 2, "fragment"},
		"hook no host":     {"[notify]\nwebhooks = [\"https:///x\"]\n", CodeBadValue, 2, "https"},
		"hook twice":       {"[notify]\nwebhooks = [\"https://a/\", \"https://a/\"]\n", CodeBadValue, 2, "once"},
		"command by name":  {"[notify]\ncommand = [\"notify-send\"]\n", CodeBadValue, 2, "absolute"},
		"command NUL":      {"[notify]\ncommand = [\"/bin/x\", \"a\\u0000b\"]\n", CodeBadValue, 2, "program"},
		"notify env":       {"[notify]\nenv = [\"A=B\"]\n", CodeBadValue, 2, "variables"},
		"environment":      {"[environment]\nname = \"\"\n", CodeBadValue, 2, "name"},
		"control":          {"[environment]\nname = \"a\\u001b[2J\"\n", CodeBadValue, 2, "printable"},
		"rule longer":      {"[defaults]\nuse_within = \"1m\"\n" + rules + "[[rule]]\nname = \"b\"\ntools = [\"*\"]\nverdict = \"ask\"\nuse_within = \"2m\"\n", CodeBadValue, 12, "longer"},
		"rule verdict":     {rules + "[[rule]]\nname = \"b\"\ntools = [\"*\"]\nverdict = \"no\"\n", CodeBadRule, 9, `"b"`},
		"rule predicate":   {rules + "[[rule]]\nname = \"b\"\ntools = [\"*\"]\nverdict = \"deny\"\nwhen = 'nowhere == 1'\n", CodeBadRule, 10, "nowhere"},
		"rule twice":       {rules + rules, CodeBadRule, 7, "line 1"},
		"rule no tools":    {rules + "[[rule]]\nname = \"b\"\nverdict = \"ask\"\n", CodeBadRule, 6, "no tool"},
	} {
		t.Run(name, func(t *testing.T) {
			p := place(t, c.text)
			_, err := Load(p, os.Getuid())
			if got := codeOf(t, err); got != c.code {
				t.Fatalf("code %s, want %s (%v)", got, c.code, err)
			}
			var e *Error
			errors.As(err, &e)
			if e.Line != c.line || e.File != p || !strings.Contains(e.Sentence, c.says) {
				t.Errorf("%v: line %d, want %d, and %q in it", err, e.Line, c.line, c.says)
			}
		})
	}
}

func TestLooseFilesAreRefused(t *testing.T) {
	uid := os.Getuid()
	fine := place(t, "")
	if _, err := Load(fine, uid); err != nil {
		t.Fatal(err)
	}
	chmod := func(name string, mode os.FileMode) {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
	}
	for name, loosen := range map[string]func(p string){
		"group file":      func(p string) { chmod(p, 0o620) },
		"others file":     func(p string) { chmod(p, 0o602) },
		"group directory": func(p string) { chmod(filepath.Dir(p), 0o770) },
		"sticky others":   func(p string) { chmod(filepath.Dir(p), 0o777|os.ModeSticky) },
	} {
		t.Run(name, func(t *testing.T) {
			p := place(t, "")
			loosen(p)
			if _, err := Load(p, uid); err == nil || codeOf(t, err) != CodeLoose {
				t.Errorf("%v, want %s", err, CodeLoose)
			}
		})
	}
	t.Run("readable by others", func(t *testing.T) {
		p := place(t, "")
		chmod(p, 0o644)
		chmod(filepath.Dir(p), 0o755)
		if _, err := Load(p, uid); err != nil {
			t.Error(err)
		}
	})
	t.Run("another owner", func(t *testing.T) {
		if uid != 0 {
			t.Skip("needs root to give a file away")
		}
		p := place(t, "")
		if err := os.Chown(p, 4242, -1); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(p, uid); err == nil || codeOf(t, err) != CodeLoose {
			t.Errorf("%v, want %s", err, CodeLoose)
		}
		if _, err := Load(p, 4242); err != nil {
			t.Errorf("its owner, in root's directory: %v", err)
		}
	})
	t.Run("link to a loose directory", func(t *testing.T) {
		p, target := place(t, ""), place(t, "")
		chmod(filepath.Dir(target), 0o777)
		if err := errors.Join(os.Remove(p), os.Symlink(target, p)); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(p, uid); err == nil || codeOf(t, err) != CodeLoose {
			t.Errorf("%v, want %s", err, CodeLoose)
		}
		chmod(filepath.Dir(target), 0o755)
		if _, err := Load(p, uid); err != nil {
			t.Errorf("a link to a file of our own: %v", err)
		}
	})
}

func TestUnreadableIsNotMissing(t *testing.T) {
	uid := os.Getuid()
	link := filepath.Join(filepath.Dir(place(t, "")), "link.toml")
	if err := os.Symlink("/nowhere/at/all", link); err != nil {
		t.Fatal(err)
	}
	fifo := filepath.Join(filepath.Dir(link), "fifo.toml")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{link, fifo, filepath.Dir(link)} {
		if _, err := Load(p, uid); err == nil || codeOf(t, err) != CodeUnreadable {
			t.Errorf("%s: %v, want %s", p, err, CodeUnreadable)
		}
	}
	if _, err := Load("config.toml", uid); err == nil || codeOf(t, err) != CodeBadPath {
		t.Errorf("a relative path: %v", err)
	}
	big := place(t, "#"+strings.Repeat("x", MaxBytes))
	if _, err := Load(big, uid); err == nil || codeOf(t, err) != CodeTooLarge {
		t.Errorf("a large file: %v", err)
	}
}

func TestDigestFollowsTheEffectiveConfiguration(t *testing.T) {
	of := func(text string) digest.Digest {
		c, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return c.Digest()
	}
	base := of("")
	if base != Default().Digest() || !base.Valid() {
		t.Fatalf("an empty file has digest %s, the defaults %s", base, Default().Digest())
	}
	for _, same := range []string{"# words\n", "[defaults]\nlease = \"5m\"\n", "[defaults]\n\nlease = \"300s\"\n"} {
		if of(same) != base {
			t.Errorf("%q changes the digest", same)
		}
	}
	seen := map[digest.Digest]string{base: "nothing"}
	for _, other := range []string{
		"store = \"/x\"", "[ui]\nascii = true", "[environment]\nname = \"prod\"", "[gateway.run]\nhost = \"h\"",
		"[limits]\nmax_depth = 9", "[defaults]\nwaiter = \"31s\"", "[run]\nenv = []",
		"[[rule]]\nname = \"a\"\ntools = [\"*\"]\nverdict = \"ask\"", "[[rule]]\nname = \"a\"\ntools = [\"*\"]\nverdict = \"deny\"",
		"[[rule]]\nname = \"a\"\ntools = [\"*\"]\nverdict = \"deny\"\nwhen = 'true'",
	} {
		d := of(other)
		if twin, twice := seen[d]; twice {
			t.Errorf("%q has the digest of %q", other, twin)
		}
		seen[d] = other
	}
}

func BenchmarkLoadFewRules(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "nod")
	p := filepath.Join(dir, "config.toml")
	text := `[defaults]
use_within = "5m"
[[rule]]
name = "no-force-push"
tools = ["Bash"]
when = '(args.command ?? "") matches "git\\s+push\\b.*--force"'
verdict = "deny"
[[rule]]
name = "status"
tools = ["Bash"]
when = 'args.command in ["git status", "git diff"]'
verdict = "allow"
[[rule]]
name = "reads"
tools = ["Read", "Glob", "Grep"]
verdict = "allow"
`
	if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(p, []byte(text), 0o600)); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Load(p, os.Getuid()); err != nil {
			b.Fatal(err)
		}
	}
}
