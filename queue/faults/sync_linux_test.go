package faults

import (
	"fmt"
	"runtime"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"nod/queue"
	"nod/store/sqlite"
)

// refuseSync makes fsync and fdatasync of this process fail with EIO for good,
// as a disk that loses writes does.
func refuseSync() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const eio = unix.SECCOMP_RET_ERRNO | uint32(unix.EIO)
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0}, // the number of the call
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 2, K: unix.SYS_FSYNC},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 1, K: unix.SYS_FDATASYNC},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
		{Code: unix.BPF_RET | unix.BPF_K, K: eio},
	}
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	_, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&prog))) //nolint:gosec // the kernel's interface
	if e != 0 {
		return e
	}
	return nil
}

// TestSyncFails: once the disk has failed to make a commit durable, no caller
// is told that it is; what was acknowledged before is there afterwards, and the
// history is sound. Whether the acts that were told store_io are in it, nobody
// can know before the store is opened again: the count is given.
func TestSyncFails(t *testing.T) {
	n := rounds(t, "NOD_FAULT_SYNC", 100, 8)
	acked, told, doubtful := 0, map[string]int{}, 0
	for i := range n {
		path := newStorePath(t)
		if s := openStore(t, path, sqlite.Options{Create: true}); s.Close() != nil {
			t.Fatal("the new store does not close")
		}
		p := startPeer(t, path)
		before := map[string]queue.Submitted{}
		for k := range 10 + i%20 {
			r := p.do(agent, call("sync", fmt.Sprint("before-", k)))
			if r.err != nil {
				t.Fatal(r.err)
			}
			s := r.result.(queue.Submitted)
			before[s.Ask] = s
		}
		if r := <-p.send(syncFails, ""); r.err != nil {
			t.Skipf("the kernel does not let a process refuse its own fsync: %v", r.err)
		}
		var going []<-chan reply
		unsure := 0
		for k := range 24 {
			going = append(going, p.start(agent, call("sync", fmt.Sprint("after-", k))))
		}
		for _, ask := range before {
			going = append(going, p.start("ann", decide(ask, queue.VerdictAllow)))
		}
		for _, ch := range going {
			r := <-ch
			if r.err == nil {
				t.Fatalf("round %d: an act was acknowledged though no commit can be durable: %+v", i, r.result)
			}
			// Those whose commit it was cannot know; whoever comes later is
			// told that this writer has stopped.
			if r.code != sqlite.CodeIO && r.code != sqlite.CodeUnsure {
				t.Fatalf("round %d: told %v, want store_unsure or store_io", i, r.err)
			}
			told[r.code]++
			if r.code == sqlite.CodeUnsure {
				unsure++
			}
		}
		if unsure == 0 {
			t.Fatalf("round %d: nobody was told that the commit's fate is not known: %v", i, told)
		}
		p.kill()
		store := openStore(t, path, sqlite.Options{})
		l := whole(t, store)
		for ask := range before {
			if l.Asks[ask] == nil {
				t.Fatalf("round %d: ask %s was acknowledged and is lost", i, ask)
			}
		}
		acked += len(before)
		back := int(l.Seq) - len(before)
		if back > unsure {
			t.Fatalf("round %d: %d acts came back, and only %d were told that they may", i, back, unsure)
		}
		doubtful += back
		do[queue.Submitted](t, newQueue(store, queue.Settings{}).Port(agentConn()), call("sync", "again"))
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("fsync fails while a process runs: %d times, callers told %v, none told that it is done; %d asks acknowledged before, 0 lost; "+
		"%d acts that were told store_unsure came back with the log after a kill, none that was told store_io", n, told, acked, doubtful)
}
