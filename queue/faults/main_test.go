//go:build unix

package faults

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"nod/digest"
	"nod/queue"
	"nod/store/sqlite"
)

// What a re-executed test binary reads instead of running tests.
const (
	envRole  = "NOD_FAULT_ROLE"
	envStore = "NOD_FAULT_STORE"
	envTag   = "NOD_FAULT_TAG" // makes the marks of one process its own
)

// TestMain turns the binary into another process of the queue when a test
// started it so.
func TestMain(m *testing.M) {
	role := os.Getenv(envRole)
	if role == "" {
		os.Exit(m.Run())
	}
	signal.Ignore(syscall.SIGXFSZ) // a refused write is an error, as on a full disk
	ctx := context.Background()
	var err error
	switch role {
	case "peer":
		err = servePeer(ctx, os.Getenv(envStore), os.Stdin, os.Stdout)
	case "load":
		err = runLoad(ctx, os.Getenv(envStore), os.Getenv(envTag), os.Stdout)
	case "owing", "transaction":
		err = runOwing(ctx, role, os.Getenv(envStore))
	default:
		err = errors.New("no such role")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, role+":", err)
		os.Exit(1)
	}
}

// rounds is how often a test repeats: name's value, the whole figure with
// NOD_FAULT_FULL, else few enough for every day.
func rounds(t testing.TB, name string, full, few int) int {
	t.Helper()
	if v := os.Getenv(name); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 {
			t.Fatalf("%s=%q is not a number of rounds", name, v)
		}
		return n
	}
	if os.Getenv("NOD_FAULT_FULL") != "" {
		return full
	}
	return few
}

// newStorePath names a store that is not there yet.
func newStorePath(t testing.TB) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "nod", "nod.db")
}

// openStore opens a store for as long as the test runs.
func openStore(t testing.TB, path string, opt sqlite.Options) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, opt)
	if err != nil {
		t.Fatalf("open the store: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close the store: %v", err)
		}
	})
	return s
}

// newQueue is a queue on the real clock, as the binary wires it.
func newQueue(store queue.Store, s queue.Settings) *queue.Queue {
	start := time.Now()
	s.MaxPending = 1 << 30
	return queue.New(store, s, queue.Edge{
		WallMS:  func() int64 { return time.Now().UnixMilli() },
		BootMS:  func() int64 { return time.Since(start).Milliseconds() },
		NewID:   func() string { return uuid.Must(uuid.NewV7()).String() },
		Token:   rand.Text,
		KeyHash: func(key string) string { return string(digest.Of(digest.JSON(key))) },
	})
}

// agentConn is the one requester of these tests; operatorConn a person.
func agentConn() queue.Conn {
	return queue.Conn{Principal: digest.Principal{Agent: "fixer", User: "dev", Host: "host"}, Environment: "local",
		Role: queue.RoleRequester, Way: queue.WayRun}
}

func operatorConn(name string) queue.Conn {
	return queue.Conn{Principal: digest.Principal{Agent: "operator", User: name}, Role: queue.RoleOperator, Way: "console"}
}

// call is a shell command to ask for; its text is the mark by which a test
// finds the ask again.
func call(session, mark string) queue.Submit {
	return queue.Submit{Kind: digest.KindCall, Session: session, NoAdopt: true,
		Call: &queue.Call{Tool: "Bash", Arguments: fmt.Appendf(nil, `{"command":%q}`, mark), Cwd: "/src"}}
}

func decide(s queue.Submitted, v queue.Verdict) queue.Decide {
	return queue.Decide{Ask: s.Ask, Verdict: v, ActionDigest: s.ActionDigest, ShownDigest: s.ShownDigest}
}

func begin(s queue.Submitted, executor string) queue.Begin {
	return queue.Begin{Ask: s.Ask, Token: s.Token, Action: s.Action, Executor: executor}
}

// do carries an act out that must succeed.
func do[R queue.Result](t testing.TB, p queue.Port, act queue.Act) R {
	t.Helper()
	r, err := queue.As[R](t.Context(), p, act)
	if err != nil {
		t.Fatalf("%T: %v", act, err)
	}
	return r
}

// submitAll files n asks from many callers at once and gives them in order.
func submitAll(t testing.TB, p queue.Port, session string, n int) []queue.Submitted {
	t.Helper()
	out := make([]queue.Submitted, n)
	each(t, n, 64, func(i int) error {
		var err error
		out[i], err = queue.As[queue.Submitted](t.Context(), p, call(session, session+"-"+strconv.Itoa(i)))
		return err
	})
	return out
}

// each runs f for 0 to n-1, width of them at once, and reports every error.
func each(t testing.TB, n, width int, f func(i int) error) {
	t.Helper()
	next := make(chan int)
	failed := make(chan error, width)
	for range width {
		go func() {
			var errs []error
			for i := range next {
				if len(errs) < 3 {
					if err := f(i); err != nil {
						errs = append(errs, fmt.Errorf("round %d: %w", i, err))
					}
				}
			}
			failed <- errors.Join(errs...)
		}()
	}
	for i := range n {
		next <- i
	}
	close(next)
	for range width {
		if err := <-failed; err != nil {
			t.Error(strings.TrimSpace(err.Error()))
		}
	}
	if t.Failed() {
		t.FailNow()
	}
}
