package faults

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"nod/queue"
	"nod/store/sqlite"
)

// mountAt mounts a file system for one test, or skips the test and says why.
func mountAt(t *testing.T, args ...string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root may mount a file system here")
	}
	dir := t.TempDir()
	if out, err := exec.Command("mount", append(args, dir)...).CombinedOutput(); err != nil {
		t.Skipf("no file system may be mounted here: %v: %s", err, strings.TrimSpace(string(out)))
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, 0); err != nil && !errors.Is(err, unix.EINVAL) {
			t.Errorf("unmount %s: %v", dir, err)
		}
	})
	return dir
}

// fill takes all the room that is left.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	block := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(block)
	}
	if !errors.Is(err, unix.ENOSPC) {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestTheDiskFillsUp: a disk without room refuses every caller by disk_full,
// reads go on, nothing acknowledged is lost, and the same open store goes on
// as soon as there is room. It fills up while callers act, again and again.
func TestTheDiskFillsUp(t *testing.T) {
	dir := mountAt(t, "-t", "tmpfs", "-o", "size=400m", "tmpfs")
	c := newCrowd(t, filepath.Join(dir, "nod", "nod.db"), sqlite.Options{})
	filler := filepath.Join(dir, "filler")
	seen := map[string]int{}
	times := rounds(t, "NOD_FAULT_FULL_DISK", 20, 4)
	for i := range times {
		each(t, 16, 16, func(int) error { return c.one(t.Context()) })
		told := make(chan []error, 1)
		go func() { told <- c.press(t.Context(), 16) }()
		time.Sleep(time.Duration(i%5) * 3 * time.Millisecond)
		fill(t, filler)
		for code, n := range typed(t, <-told, sqlite.CodeDiskFull) {
			seen[code] += n
		}
		c.kept(t)
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
		c.goesOn(t)
	}
	if err := c.store.Close(); err != nil {
		t.Fatal(err)
	}
	c.store = openStore(t, c.store.Path(), sqlite.Options{})
	c.kept(t)
	t.Logf("disk full while 16 callers act: %d times, callers told %v; %d asks and %d decisions acknowledged, 0 lost, the open store went on each time room came back",
		times, seen, len(c.submitted), len(c.decided))
}

// TestTheDiskTurnsReadOnly: the kernel takes a damaged file system away from
// writers while the store is open. Callers are told, reads go on, and on a
// repaired disk everything acknowledged is there and nothing refused is. The
// damage falls between two commits: this kernel's fsync may itself answer
// success wrongly in the moment of the damage, which no caller can see.
func TestTheDiskTurnsReadOnly(t *testing.T) {
	if _, err := exec.LookPath("mkfs.ext4"); err != nil {
		t.Skip("there is no mkfs.ext4 here to make a file system that can fail")
	}
	image := filepath.Join(t.TempDir(), "image")
	f, err := os.Create(image)
	if err == nil {
		err = errors.Join(f.Truncate(64<<20), f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mkfs.ext4", "-q", image).CombinedOutput(); err != nil {
		t.Skipf("mkfs.ext4: %v: %s", err, out)
	}
	dir := mountAt(t, "-o", "loop,errors=remount-ro", image)
	trigger := filepath.Join("/sys/fs/ext4", filepath.Base(source(t, dir)), "trigger_fs_error")
	if _, err := os.Stat(trigger); err != nil {
		t.Skipf("this kernel cannot be asked to fail a file system: %v", err)
	}
	c := newCrowd(t, filepath.Join(dir, "nod", "nod.db"), sqlite.Options{})
	each(t, 64, 16, func(int) error { return c.one(t.Context()) })
	if err := os.WriteFile(trigger, []byte("test"), 0o200); err != nil {
		t.Fatal(err)
	}
	seen := typed(t, c.press(t.Context(), 16), sqlite.CodeReadonly, sqlite.CodeIO)
	typed(t, []error{c.one(t.Context())}, sqlite.CodeReadonly, sqlite.CodeIO)
	c.kept(t)
	if _, err := queue.Get[queue.Inbox](t.Context(), c.operator, queue.QInbox{Limit: 10}); err != nil {
		t.Errorf("nothing can be read any more: %v", err)
	}
	path := c.store.Path()
	if err := c.store.Close(); err != nil {
		t.Logf("closed: %v", err) // the disk does not let it tidy up
	}
	if err := unix.Unmount(dir, 0); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("e2fsck", "-fy", image).CombinedOutput(); err != nil && len(out) == 0 {
		t.Fatal(err) // 1 says "repaired"
	}
	if out, err := exec.Command("mount", "-o", "loop", image, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c.store = openStore(t, path, sqlite.Options{})
	c.ports()
	before := len(c.submitted)
	c.kept(t)
	c.goesOn(t)
	if err := c.store.Close(); err != nil {
		t.Error(err)
	}
	t.Logf("disk turned read-only under an open store: 16 callers told %v, reads went on; %d asks acknowledged before, all there after the repair; went on", seen, before)
}

// source is the device that is mounted at dir.
func source(t *testing.T, dir string) string {
	t.Helper()
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(mounts)) {
		if part := strings.Fields(line); part[1] == dir {
			return part[0]
		}
	}
	t.Fatalf("nothing is mounted at %s", dir)
	return ""
}

// TestAProcessMayNotWriteAnyMore: its writes are refused by the system while
// it runs (its limit on the size of a file is set to nothing, and back). Its
// callers are told store_io, and it goes on when it may write again.
func TestAProcessMayNotWriteAnyMore(t *testing.T) {
	a := newArena(t, 1)
	n := rounds(t, "NOD_FAULT_LIMIT", 50, 5)
	p := a.peers[0]
	limit := func(size uint64) {
		t.Helper()
		l := unix.Rlimit{Cur: size, Max: unix.RLIM_INFINITY}
		if err := unix.Prlimit(p.cmd.Process.Pid, unix.RLIMIT_FSIZE, &l, nil); err != nil {
			t.Skipf("the limit of another process cannot be set here: %v", err)
		}
	}
	acked := map[string]bool{}
	seen := map[string]int{}
	for i := range n {
		going := map[string]<-chan reply{}
		for k := range 40 {
			if k == 10+i%10 {
				limit(0)
			}
			mark := fmt.Sprintf("limit-%d-%d", i, k)
			going[mark] = p.start(agent, call("limit", mark))
		}
		for _, ch := range going {
			switch r := <-ch; {
			case r.err == nil:
				acked[r.result.(queue.Submitted).Ask] = true
			case r.code == sqlite.CodeIO || r.code == sqlite.CodeDiskFull:
				seen[r.code]++
			default:
				t.Fatalf("round %d: %v", i, r.err)
			}
		}
		if r := p.do(agent, call("limit", fmt.Sprint("refused-", i))); r.code != sqlite.CodeIO && r.code != sqlite.CodeDiskFull {
			t.Fatalf("round %d: it wrote all the same: %+v", i, r)
		}
		limit(unix.RLIM_INFINITY)
		r := p.do(agent, call("limit", fmt.Sprint("again-", i)))
		if r.err != nil {
			t.Fatalf("round %d: it does not go on: %v", i, r.err)
		}
		acked[r.result.(queue.Submitted).Ask] = true
		l := whole(t, a.store)
		for ask := range acked {
			if l.Asks[ask] == nil {
				t.Fatalf("round %d: ask %s was acknowledged and is lost", i, ask)
			}
		}
		if len(l.Asks) != len(acked) {
			t.Fatalf("round %d: %d asks are there, %d were acknowledged", i, len(l.Asks), len(acked))
		}
	}
	t.Logf("writes refused while a process runs: %d times, callers told %v; %d asks acknowledged, 0 lost, 0 invented, it went on each time", n, seen, len(acked))
}
