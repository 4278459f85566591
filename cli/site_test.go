package cli_test

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"nod/digest"
	"nod/queue"
	"nod/store/sqlite"
)

// site is a store on disk that tests and processes share, with a
// configuration that no other has.
type site struct {
	t             testing.TB
	store, config string
	db            *sqlite.Store
	q             *queue.Queue
	mia           queue.Port // an operator
}

func newSite(t testing.TB, toml string) *site {
	t.Helper()
	dir := t.TempDir()
	s := &site{t: t, store: filepath.Join(dir, "data", "nod.db"), config: filepath.Join(dir, "config", "config.toml")}
	if err := os.Mkdir(filepath.Dir(s.config), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.config, []byte(toml), 0o600); err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(t.Context(), s.store, sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	s.db = store
	boot := time.Now()
	settings := queue.DefaultSettings()
	settings.MaxPending = 10_000_000
	s.q = queue.New(store, settings, queue.Edge{
		WallMS: func() int64 { return time.Now().UnixMilli() },
		BootMS: func() int64 { return time.Since(boot).Milliseconds() },
		NewID:  func() string { return uuid.Must(uuid.NewV7()).String() },
		Token:  rand.Text,
	})
	s.mia = s.q.Port(queue.Conn{Principal: digest.Principal{Agent: "operator", User: "mia"}, Role: queue.RoleOperator, Way: "console"})
	return s
}

func (s *site) flags(more ...string) []string {
	return append([]string{"--store=" + s.store, "--config=" + s.config}, more...)
}

func (s *site) agent(name string) queue.Port {
	return s.q.Port(queue.Conn{Principal: digest.Principal{Agent: name, User: "dev", Host: "claude-code"},
		Environment: "local", Role: queue.RoleRequester, Way: "hook"})
}

func bash(command string) queue.Submit {
	return queue.Submit{Kind: "call", Session: "s1", Call: &queue.Call{Tool: "Bash",
		Arguments: fmt.Appendf(nil, `{"command":%q}`, command), Cwd: "/srv/shop"}}
}

func (s *site) submit(sub queue.Submit) string {
	s.t.Helper()
	got, err := queue.As[queue.Submitted](s.t.Context(), s.agent("shop-fixer"), sub)
	if err != nil {
		s.t.Fatal(err)
	}
	return got.Ask
}

func (s *site) row(ask string) queue.Row { return s.view(ask).Row }

func (s *site) view(ask string) queue.AskView {
	s.t.Helper()
	v, err := queue.Get[queue.AskView](s.t.Context(), s.mia, queue.QAsk{ID: ask})
	if err != nil {
		s.t.Fatal(err)
	}
	return v
}

func (s *site) code(ask string) string { return s.row(ask).ShownDigest.Hex()[:4] }

func (s *site) mustBe(ask string, want queue.State) {
	s.t.Helper()
	if got := s.row(ask).State; got != want {
		s.t.Fatalf("the ask is %s, not %s", got, want)
	}
}

// becomes waits until an ask has a state.
func (s *site) becomes(ask string, want queue.State) {
	s.t.Helper()
	if !eventually(func() bool { return s.row(ask).State == want }) {
		s.t.Fatalf("the ask is %s, not %s", s.row(ask).State, want)
	}
}

func (s *site) deny(ask, words string) error {
	r := s.row(ask)
	_, err := s.mia.Do(s.t.Context(), queue.Decide{Ask: ask, Verdict: queue.VerdictDeny, ActionDigest: r.ActionDigest, ShownDigest: r.ShownDigest, Words: words})
	return err
}

// input is one row of a corpus.
type input struct {
	ID    string `json:"id"`
	Class string `json:"class"`
	Input string `json:"input"`
	B64   string `json:"input_b64"`
}

func corpus(t testing.TB, name string) []input {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []input
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		var r input
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if r.B64 != "" {
			b, err := base64.StdEncoding.DecodeString(r.B64)
			if err != nil {
				t.Fatal(err)
			}
			r.Input = string(b)
		}
		rows = append(rows, r)
	}
	if len(rows) == 0 {
		t.Fatalf("%s is empty", name)
	}
	return rows
}

// hostile are the texts of the whole terminal corpus. What is not UTF-8 is
// read as Latin-1, so that its C1 bytes become C1 characters.
func hostile(t testing.TB) []string {
	t.Helper()
	var texts []string
	for _, name := range []string{"terminal-escapes", "bidi-and-smuggling", "invisible-unicode", "naughty-strings", "confusables"} {
		for _, r := range corpus(t, name) {
			if strings.ToValidUTF8(r.Input, "") != r.Input {
				var b strings.Builder
				for _, c := range []byte(r.Input) {
					b.WriteRune(rune(c))
				}
				r.Input = b.String()
			}
			texts = append(texts, r.Input)
		}
	}
	return append(texts, long()...)
}
