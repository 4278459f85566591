//go:build unix

package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts runs every command as a process of its own. In a script $S and
// $C name its store and its configuration.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup:               setup,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"held": held, "desk": desk, "attached": attached, "batched": batched, "printed": printed, "spoil": spoil, "until": until,
		},
	})
}

func setup(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, "home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	config := filepath.Join(env.WorkDir, "config", "config.toml")
	for path, mode := range map[string]os.FileMode{filepath.Dir(config): 0o700, config: 0o600} {
		if err := os.Chmod(path, mode); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	env.Setenv("HOME", home)
	env.Setenv("TZ", "UTC")
	env.Setenv("TERM", "xterm-256color")
	env.Setenv("STORE", filepath.Join(env.WorkDir, "data", "nod.db"))
	env.Setenv("S", "--store="+env.Getenv("STORE"))
	env.Setenv("C", "--config="+config)
	env.Setenv("LONG", strings.Repeat("long ", 1100)) // words, for a connection that carries 5 KiB
	return nil
}

// waiting is what of a row and of an ask the scripts need.
type waiting struct {
	Rows []struct {
		ID    string `json:"id"`
		Shown string `json:"shown_digest"`
		Seq   int64  `json:"seq"`
		State string `json:"state"`
		Of    string `json:"session"`
	} `json:"rows"`
}

// pending leaves out what is over and not yet settled.
func (w *waiting) pending() []string {
	var ids []string
	for _, r := range w.Rows {
		if r.State == "pending" {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// held is `held N`: it waits until exactly N asks are pending, then names the
// newest: ID, SHOWN, CODE, SESSION, and its card in card.txt.
func held(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(strings.Join(args, " "))
	if neg || err != nil {
		ts.Fatalf("usage: held N")
	}
	var page waiting
	if !eventually(func() bool {
		page = waiting{}
		out, err := quietly(ts, "nod", ts.Getenv("S"), ts.Getenv("C"), "list", "--json")
		return err == nil && json.Unmarshal(out, &page) == nil && len(page.pending()) == n
	}) {
		ts.Fatalf("%d asks are pending, not %d", len(page.Rows), n)
	}
	newest := 0
	for i := range page.Rows {
		if page.Rows[i].Seq > page.Rows[newest].Seq {
			newest = i
		}
	}
	if n == 0 {
		return
	}
	row := page.Rows[newest]
	ts.Setenv("ID", row.ID)
	ts.Setenv("SHOWN", row.Shown)
	ts.Setenv("SESSION", row.Of)
	ts.Setenv("CODE", strings.TrimPrefix(row.Shown, "sha256:")[:4])
	out, err := quietly(ts, "nod", ts.Getenv("S"), ts.Getenv("C"), "show", row.ID, "--json")
	ts.Check(err)
	var view struct {
		Card string `json:"card"`
	}
	ts.Check(json.Unmarshal(out, &view))
	ts.Check(os.WriteFile(ts.MkAbs("card.txt"), []byte(view.Card), 0o600))
}

// desk is `desk N`: exactly N effects are on the desk. It names the newest
// effect of all: EFFECT, PREFIX of it, PAGE, CODE, CONFIRM, and its page in page.txt.
func desk(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(strings.Join(args, " "))
	if neg || err != nil {
		ts.Fatalf("usage: desk N")
	}
	var open, all struct {
		Effects []struct {
			ID string `json:"id"`
		} `json:"effects"`
	}
	read := func(into any, args ...string) {
		out, err := quietly(ts, "nod", append([]string{ts.Getenv("S"), ts.Getenv("C"), "--json"}, args...)...)
		ts.Check(err)
		ts.Check(json.Unmarshal(out, into))
	}
	read(&open, "effects")
	read(&all, "effects", "--all")
	if len(open.Effects) != n {
		ts.Fatalf("%d effects are on the desk, not %d", len(open.Effects), n)
	}
	if len(all.Effects) == 0 {
		return
	}
	var view struct {
		Page    string `json:"page"`
		Digest  string `json:"page_digest"`
		Confirm string `json:"confirm"`
	}
	read(&view, "effects", "show", all.Effects[0].ID)
	ts.Setenv("EFFECT", all.Effects[0].ID)
	ts.Setenv("PREFIX", all.Effects[0].ID[:4])
	ts.Setenv("PAGE", view.Digest)
	ts.Setenv("CODE", strings.TrimPrefix(view.Digest, "sha256:")[:4])
	ts.Setenv("CONFIRM", view.Confirm)
	ts.Check(os.WriteFile(ts.MkAbs("page.txt"), []byte(view.Page), 0o600))
}

// attached names the policy that holds, the newest of them: POLICY.
func attached(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: attached")
	}
	out, err := quietly(ts, "nod", ts.Getenv("S"), ts.Getenv("C"), "--json", "policy", "list")
	ts.Check(err)
	var list struct {
		Policies []struct {
			ID string `json:"id"`
		} `json:"policies"`
	}
	ts.Check(json.Unmarshal(out, &list))
	if len(list.Policies) == 0 {
		ts.Fatalf("no policy is attached")
	}
	ts.Setenv("POLICY", list.Policies[len(list.Policies)-1].ID)
}

// quietly runs a command beside the script's own, whose output stays.
func quietly(ts *testscript.TestScript, name string, args ...string) ([]byte, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path, args...)
	cmd.Env = append(os.Environ(), "HOME="+ts.Getenv("HOME"))
	return cmd.Output()
}

// printed is `[!] printed FILE`: the last command's output holds the file's
// content whole.
func printed(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: printed FILE")
	}
	want := ts.ReadFile(args[0])
	if want == "" {
		ts.Fatalf("%s is empty", args[0])
	}
	if got := strings.Contains(ts.ReadFile("stdout"), want); got == neg {
		ts.Fatalf("printed: %v", got)
	}
}

// until is `until FILE`: it waits until the file exists.
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: until FILE")
	}
	if !eventually(func() bool { _, err := os.Stat(ts.MkAbs(args[0])); return err == nil }) {
		ts.Fatalf("%s does not come", args[0])
	}
}

// spoil is `spoil FILE OLD NEW`: it changes every OLD in a file into NEW of
// the same length, byte for byte, where a store keeps its rows too.
func spoil(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 || len(args[1]) != len(args[2]) {
		ts.Fatalf("usage: spoil FILE OLD NEW")
	}
	path := ts.MkAbs(args[0])
	b, err := os.ReadFile(path)
	ts.Check(err)
	if !strings.Contains(string(b), args[1]) {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(path, []byte(strings.ReplaceAll(string(b), args[1], args[2])), 0o600))
}
