//go:build unix

package notify

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"nod/config"
)

const page = "../docs/notifications.md"

func readPage(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The page's own commands verify what a receiver got, and refuse it with one
// byte changed anywhere.
func TestThePagesOpensslVerifies(t *testing.T) {
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("no openssl here")
	}
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(readPage(t), -1)
	if len(blocks) != 1 {
		t.Fatalf("%d blocks of commands", len(blocks))
	}
	w := newWorld(t)
	w.submit()
	w.once()
	r := w.hook.all()[0]
	verify := func(id, at, signature, body string) string {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "body"), []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("/bin/sh", "-c", blocks[0][1])
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "KEY_FILE="+KeyFile(w.dir), "ID="+id, "TIMESTAMP="+at, "SIGNATURE="+signature)
		out, _ := cmd.Output() // the status is the answer's other half
		return string(out)
	}
	id, at, signature := r.header.Get("webhook-id"), r.header.Get("webhook-timestamp"), r.header.Get("webhook-signature")
	if got := verify(id, at, signature, r.body); got != "verified\n" {
		t.Errorf("%q", got)
	}
	other := []byte(signature)
	if i := len("v1,"); other[i] == 'A' {
		other[i] = 'B'
	} else {
		other[i] = 'A'
	}
	for name, got := range map[string]string{
		"id": verify("x"+id, at, signature, r.body), "time": verify(id, at+"0", signature, r.body),
		"signature": verify(id, at, string(other), r.body), "body": verify(id, at, signature, r.body+" "),
	} {
		if got != "" {
			t.Errorf("another %s verifies: %q", name, got)
		}
	}
}

// Every member, kind and code has its row.
func TestThePayloadIsDocumented(t *testing.T) {
	text := readPage(t)
	var want []string
	for _, v := range []reflect.Type{reflect.TypeFor[Payload](), reflect.TypeFor[Counts](), reflect.TypeFor[Item]()} {
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Field(i).Tag.Get("json"), ",")
			want = append(want, name)
		}
	}
	if len(want) != 22 {
		t.Errorf("%d members", len(want))
	}
	want = append(want, CodeRunning, CodeNobody, CodeLoose, CodeKey, CodeState,
		"waiting", "mandated_waiting", "expiring", "unknown_outcome", "unwatched", "test", Type, "text",
		"NOD_EVENT", "NOD_TEXT", "NOD_WEBHOOK_ID", "NOD_WEBHOOK_TIMESTAMP", "NOD_WEBHOOK_SIGNATURE")
	for _, name := range want {
		if !strings.Contains(text, "`"+name+"`") {
			t.Errorf("%s is not on the page", name)
		}
	}
}

// The page's configurations load, and its times are the code's.
func TestThePagesConfigurationsLoad(t *testing.T) {
	text := readPage(t)
	blocks := regexp.MustCompile("(?s)```toml\n(.*?)```").FindAllStringSubmatch(text, -1)
	for _, b := range blocks {
		c, fault := config.Parse(b[1])
		if fault != nil || !c.Notify.On() {
			t.Errorf("%v in\n%s", fault, b[1])
		}
	}
	if len(blocks) < 2 {
		t.Errorf("%d configurations", len(blocks))
	}
	if !slices.Equal(backoff(), []int64{2000, 10_000, 30_000, 120_000}) || !strings.Contains(text, "after 2 s, 10 s, 30 s and 2 min") {
		t.Error("the page says other times between attempts")
	}
	if webhookTime != 5*time.Second || commandTime != 10*time.Second || !strings.Contains(text, "at most 5 s") || !strings.Contains(text, "After 10 s it is killed") {
		t.Error("the page says other bounds")
	}
	if lookPage*lookPages != 2000 || maxItems != 20 {
		t.Error("the page says other numbers")
	}
}
