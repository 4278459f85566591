//go:build unix

package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"nod/digest"
	"nod/queue"
	"nod/store/sqlite"
)

// What a person has to look at is found by its id, however many are newer.
func TestTheOldestIsFoundBehindManyNewer(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "data", "nod.db")
	store, err := sqlite.Open(t.Context(), file, sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	q := queue.New(store, queue.DefaultSettings(), queue.Edge{WallMS: func() int64 { return time.Now().UnixMilli() },
		BootMS: func() int64 { return 1 }, NewID: func() string { return uuid.Must(uuid.NewV7()).String() }, Token: uuid.NewString})
	mia := q.Port(queue.Conn{Principal: digest.Principal{Agent: "operator", User: "mia"}, Role: queue.RoleOperator, Way: "console"})
	do := func(p queue.Port, a queue.Act) queue.Result {
		r, err := p.Do(t.Context(), a)
		if err != nil {
			t.Fatalf("%T: %v", a, err)
		}
		return r
	}
	var policy, scope, transaction string
	for agent := range 3 {
		host := q.Port(queue.Conn{Principal: digest.Principal{Agent: fmt.Sprint("agent-", agent)}, Environment: "local", Role: queue.RoleRequester, Way: "hook"})
		for i := range 170 {
			p := do(mia, queue.AttachPolicy{Agent: fmt.Sprint(agent, "-", i), Document: []byte(`{"type":"nod.policy/v1","mode":"active"}`)}).(queue.PolicySet)
			s := do(host, queue.ActivateScope{Session: "s1", Component: fmt.Sprint("c", i)}).(queue.ScopeStands)
			x := do(host, queue.SubmitTransaction{Session: "s1", Request: fmt.Appendf(nil,
				`{"transactionId":"tx-%d-%d","operation":"activate","targetMode":"shadow","candidateArtifactId":"new"}`, agent, i)}).(queue.Transacted)
			if policy == "" {
				policy, scope, transaction = p.Policy, s.Scope, x.ID
			}
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(config, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"policy show " + policy, "active"},
		{"policy detach " + policy, "Detached"},
		{"cleanups ack " + scope + " 1", queue.CodeNothingOpen}, // it is found, and blocks nothing
		{"transactions show " + transaction, "in_progress"},
		{"transactions show tx-0-0", "in_progress"},
	} {
		cmd := exec.Command("nod", append([]string{"--store=" + file, "--config=" + config}, strings.Fields(c.args)...)...) //nolint:gosec // the test's own
		cmd.Env = append(os.Environ(), "HOME="+dir)
		if out, _ := cmd.CombinedOutput(); !strings.Contains(string(out), c.want) { // what it says tells whether it went well
			t.Errorf("nod %s says\n%s", c.args, out)
		}
	}
}
