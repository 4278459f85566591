//go:build unix

package cli_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"nod/digest"
	"nod/queue"
	"nod/store/sqlite"
)

// The examples of the page on effect policy are run in their order: a host's
// acts, what they are refused, and commands. A person allows what is asked.
func TestTheExamplesOfPolicyAreTrue(t *testing.T) {
	text, err := os.ReadFile("../docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	p := &policyPage{t: t, dir: t.TempDir()}
	for path, text := range map[string]string{"config/config.toml": "", "policy.json": fenced(t, string(text), "json")[0]} {
		path = filepath.Join(p.dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p.flags = []string{"--store=" + filepath.Join(p.dir, "data", "nod.db"), "--config=" + filepath.Join(p.dir, "config", "config.toml")}
	ran := map[string]int{}
	for _, block := range regexp.MustCompile("(?s)```(\\w+)(?: (\\w+))?\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		switch kind := block[1]; kind {
		case "console":
			for _, example := range strings.Split("\n"+block[3], "\n$ ")[1:] {
				command, want, _ := strings.Cut(example, "\n")
				p.command(command, strings.TrimSuffix(want, "\n"))
			}
			ran[kind]++
		case "act", "owed", "refused":
			p.act(block[3], block[2])
			ran[kind]++
		case "json":
		default:
			t.Errorf("a block is %q", kind)
		}
	}
	if ran["console"] < 5 || ran["act"] < 12 || ran["refused"] < 4 {
		t.Errorf("only %v were run", ran)
	}
}

type policyPage struct {
	t     *testing.T
	dir   string
	flags []string
	scope string // the newest
}

// act plays a host, and the person whom it asks.
func (p *policyPage) act(text, code string) {
	p.t.Helper()
	a, err := queue.DecodeAct([]byte(strings.TrimSpace(strings.ReplaceAll(text, "SCOPE", p.scope))))
	if err != nil {
		p.t.Fatalf("%s: %v", text, err)
	}
	store, err := sqlite.Open(p.t.Context(), filepath.Join(p.dir, "data", "nod.db"), sqlite.Options{Create: true})
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() {
		if err := store.Close(); err != nil {
			p.t.Error(err)
		}
	}()
	begun, tokens := time.Now(), 0
	q := queue.New(store, queue.DefaultSettings(), queue.Edge{WallMS: func() int64 { return time.Now().UnixMilli() },
		BootMS: func() int64 { return time.Since(begun).Milliseconds() }, NewID: func() string { return uuid.Must(uuid.NewV7()).String() },
		Token: func() string { tokens++; return fmt.Sprintf("%d-%d", begun.UnixNano(), tokens) }})
	host := q.Port(queue.Conn{Principal: digest.Principal{Agent: "fixer", User: "dev"}, Environment: "local", Role: queue.RoleRequester, Way: queue.WayRun})
	mia := q.Port(queue.Conn{Principal: digest.Principal{Agent: "operator", User: "mia"}, Role: queue.RoleOperator, Way: "console"})
	r, err := host.Do(p.t.Context(), a)
	if code != "" {
		if no, ok := errors.AsType[*queue.Refusal](err); !ok || no.Code != code {
			p.t.Errorf("%s: %v, the page says %s", text, err, code)
		}
		return
	}
	if err != nil {
		p.t.Fatalf("%s: %v", text, err)
	}
	if s, ok := r.(queue.ScopeStands); ok {
		p.scope = s.Scope
	}
	asked, ok := r.(queue.Submitted)
	if !ok {
		return
	}
	must := func(r queue.Result, err error) queue.Result {
		p.t.Helper()
		if err != nil {
			p.t.Fatalf("%s: %v", text, err)
		}
		return r
	}
	v, err := queue.Get[queue.AskView](p.t.Context(), mia, queue.QAsk{ID: asked.Ask})
	if err != nil {
		p.t.Fatal(err)
	}
	must(mia.Do(p.t.Context(), queue.Decide{Ask: asked.Ask, Verdict: queue.VerdictAllow, ActionDigest: asked.ActionDigest,
		ShownDigest: asked.ShownDigest, Confirm: v.Confirm}))
	if v.Row.Kind == digest.KindCommit {
		return
	}
	b := must(host.Do(p.t.Context(), queue.Begin{Ask: asked.Ask, Token: asked.Token, Action: asked.Action, Executor: "host"})).(queue.Begun)
	must(host.Do(p.t.Context(), queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitSuccess}))
}

// command runs one, and holds what it says against the page; … is anything.
func (p *policyPage) command(command, want string) {
	p.t.Helper()
	args := strings.Fields(strings.ReplaceAll(command, "SCOPE", p.scope))
	cmd := exec.Command("nod", append(append([]string{}, p.flags...), args[1:]...)...) //nolint:gosec // the test's own
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "TZ=UTC", "HOME="+p.dir, "COLUMNS=200")
	out, _ := cmd.CombinedOutput() // what it says tells whether it went well
	pattern := strings.ReplaceAll(regexp.QuoteMeta(want), "\n…\n", "\n(?:.*\n)*?")
	pattern = strings.ReplaceAll(pattern, "…", ".*?")
	if !regexp.MustCompile(`^` + pattern + `$`).MatchString(strings.TrimSuffix(string(out), "\n")) {
		p.t.Errorf("$ %s\nsays\n%s\nthe page says\n%s", command, out, want)
	}
}
