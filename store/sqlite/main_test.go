package sqlite

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"nod/queue"
)

// The test binary runs again as another process: childEnv says what it does,
// and the rest of the environment with what.
const childEnv = "NOD_STORE_TEST_CHILD"

func TestMain(m *testing.M) {
	role := os.Getenv(childEnv)
	if role == "" {
		os.Exit(m.Run())
	}
	if err := childRole(role); err != nil {
		fmt.Println("child:", err)
		os.Exit(1)
	}
}

// child prepares another process of this binary.
func child(t testing.TB, role, path string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...) //nolint:gosec // this very binary
	cmd.Env = append(os.Environ(), childEnv+"="+role, "NOD_STORE_TEST_PATH="+path)
	cmd.Args = append(cmd.Args[:1], args...)
	return cmd
}

func childRole(role string) error {
	ctx := context.Background()
	s, err := Open(ctx, os.Getenv("NOD_STORE_TEST_PATH"), Options{})
	if err != nil {
		return err
	}
	number := func(i int) int {
		n, err := strconv.Atoi(os.Args[i])
		if err != nil {
			panic(err)
		}
		return n
	}
	switch role {
	case "submit": // first, count: submits one after the other and says each
		first, count := number(1), number(2)
		for i := first; i < first+count; i++ {
			if err := s.Do(ctx, func(tx queue.Tx) error { return submit(tx, i, body(i, 500)) }); err != nil {
				return err
			}
			fmt.Println(i)
		}
	case "crowd": // first, callers: submits from many callers until it is killed
		next := make(chan int)
		for range number(2) {
			go func() {
				for i := range next {
					if err := s.Do(ctx, func(tx queue.Tx) error { return submit(tx, i, body(i, 500)) }); err != nil {
						fmt.Println("child:", err)
						os.Exit(1)
					}
					fmt.Println(i)
				}
			}()
		}
		for i := number(1); ; i++ {
			next <- i
		}
	case "decide": // first, count, pause: decides and says when it began
		for i := number(1); i < number(1)+number(2); i++ {
			time.Sleep(time.Duration(number(3)) * time.Millisecond)
			fmt.Println(i, time.Now().UnixNano())
			if err := s.Do(ctx, func(tx queue.Tx) error { return decide(tx, i) }); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("no role %q", role)
	}
	return s.Close()
}
