//go:build unix

package notify

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"nod/queue"
)

func TestTheLadderThroughARealQueue(t *testing.T) {
	w := newWorld(t)
	w.once()
	if got := w.hook.take(); got != "" {
		t.Fatalf("nothing waits: %s", got)
	}
	a := short(w.submit())
	for _, c := range []struct {
		pass int64
		want string
	}{
		{0, "waiting " + a + "#1"}, {0, ""}, {59 * second, ""}, {second, "unwatched"}, {minute, "waiting " + a + "#2"},
		{2 * minute, ""}, {6 * minute, "waiting " + a + "#3"}, {20 * minute, "waiting " + a + "#4"}, {60 * minute, ""},
	} {
		w.pass(c.pass)
		w.once() // a process of its own each time
		if got := w.hook.take(); got != c.want {
			t.Errorf("after %d ms more: %q, want %q", c.pass, got, c.want)
		}
	}
}

func TestAnsweredIsToldNoMore(t *testing.T) {
	w := newWorld(t)
	a := w.submit()
	b := w.submit(func(s *queue.Submit) { s.Raise = []string{"cross_boundary"} })
	w.once()
	if got := w.hook.take(); got != "mandated_waiting "+short(b)+"#1 "+short(a)+"#1" {
		t.Fatalf("%q", got)
	}
	w.deny(b)
	w.pass(2 * minute)
	w.watched = true
	w.once(func(o *Options) { o.Plan.Always = true })
	if got := w.hook.take(); got != "waiting "+short(a)+"#2" {
		t.Errorf("%q", got)
	}
	w.deny(a)
	w.pass(8 * minute)
	w.once(func(o *Options) { o.Plan.Always = true })
	if got := w.hook.take(); got != "" {
		t.Errorf("%q", got)
	}
}

func TestWatchedIsQuietAndNotMadeUpFor(t *testing.T) {
	w := newWorld(t)
	w.watched = true
	a := w.submit()
	w.once()
	w.pass(2 * minute)
	w.once()
	w.watched = false
	w.pass(second)
	w.once()
	if got := w.hook.take(); got != "" {
		t.Errorf("%q", got)
	}
	w.pass(8 * minute)
	w.once()
	if got := w.hook.take(); got != "waiting "+short(a)+"#3; unwatched" && got != "unwatched; waiting "+short(a)+"#3" {
		t.Errorf("%q", got)
	}
}

func TestExpiringThroughARealQueue(t *testing.T) {
	w := newWorld(t)
	w.watched = true
	a := w.submit(func(s *queue.Submit) { s.AnswerInMS = 100 * second })
	always := func(o *Options) { o.Plan.Always = true }
	w.once(always)
	w.pass(90 * second)
	w.once(always)
	w.pass(9 * second)
	w.once(always)
	if got := w.hook.take(); got != "waiting "+short(a)+"#1; expiring "+short(a)+"#0" {
		t.Errorf("%q", got)
	}
	w.pass(minute)
	w.once(always)
	if got := w.hook.take(); got != "" {
		t.Errorf("told of what expired: %q", got)
	}
}

// The wall clock is set back: nothing is told again, and time goes on from
// where it was.
func TestClockBehind(t *testing.T) {
	w := newWorld(t)
	a := short(w.submit())
	w.once()
	w.pass(2 * minute)
	w.once()
	if got := w.hook.take(); got != "waiting "+a+"#1; waiting "+a+"#2; unwatched" && got != "waiting "+a+"#1; unwatched; waiting "+a+"#2" && got != "waiting "+a+"#1; waiting "+a+"#2" {
		t.Fatalf("%q", got)
	}
	w.pass(-3 * 60 * minute)
	w.once()
	b := short(w.submit()) // its event moves the clock on by the offset
	w.once()
	if got := w.hook.take(); got != "waiting "+b+"#1" {
		t.Errorf("after the clock was set back: %q", got)
	}
	w.pass(10 * minute)
	w.once()
	if got := w.hook.take(); !strings.Contains(got, a+"#3") || !strings.Contains(got, b+"#3") {
		t.Errorf("later: %q", got)
	}
}

// A process that dies while it sends: what it sent is not sent again.
func TestKilledWhileSending(t *testing.T) {
	w := newWorld(t)
	w.submit()
	ctx, die := context.WithCancel(t.Context())
	arrived := make(chan bool)
	w.hook.answers(func(http.ResponseWriter, *http.Request) {
		die()
		<-arrived
	})
	if err := Once(ctx, w.operator, w.options()); err != nil {
		t.Fatal(err)
	}
	close(arrived)
	w.hook.answers(nil)
	if got := w.hook.take(); !strings.HasPrefix(got, "waiting") {
		t.Fatalf("%q", got)
	}
	w.once()
	w.once()
	if got := w.hook.take(); got != "" {
		t.Errorf("told again: %q", got)
	}
	stand, err := Stand(w.store(), w.storeID(), os.Getuid())
	if err != nil || len(stand.Lost) != 1 || stand.Lost[0].Why != "nod ended while it was sent" || stand.Lost[0].Target != "webhook 1" {
		t.Errorf("%+v, %v", stand, err)
	}
}

func (w *world) storeID() string {
	w.t.Helper()
	s, err := queue.Get[queue.Status](w.t.Context(), w.operator, queue.QStatus{})
	if err != nil {
		w.t.Fatal(err)
	}
	return s.StoreID
}

func TestTriedAgainThenGivenUp(t *testing.T) {
	w := newWorld(t)
	w.watched = true // no unwatched in between
	always := func(o *Options) { o.Plan.Always, o.Plan.AfterMS = true, []int64{0} }
	w.submit()
	w.hook.answers(func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusInternalServerError) })
	passed := int64(0)
	for i, due := range []int64{0, 2 * second, 12 * second, 42 * second, 162 * second} {
		if i > 0 {
			w.pass(due - passed - 1)
			w.once(always)
			if n := len(w.hook.all()); n != i {
				t.Fatalf("%d attempts before the time of attempt %d", n, i+1)
			}
			w.pass(1)
			passed = due
		}
		w.once(always)
		if n := len(w.hook.all()); n != i+1 {
			t.Fatalf("%d attempts at the time of attempt %d", n, i+1)
		}
	}
	all := w.hook.all()
	for _, r := range all[1:] {
		if r.body != all[0].body || r.header.Get("webhook-id") != all[0].header.Get("webhook-id") || r.payload.ID != r.header.Get("webhook-id") {
			t.Errorf("another attempt tells other things: %s", r.body)
		}
	}
	if all[1].header.Get("webhook-timestamp") == all[0].header.Get("webhook-timestamp") {
		t.Error("an attempt two seconds later has the first one's time")
	}
	w.pass(60 * minute)
	w.once(always)
	if n := len(w.hook.all()); n != 5 {
		t.Errorf("%d attempts", n)
	}
	stand, err := Stand(w.store(), w.storeID(), os.Getuid())
	if err != nil || len(stand.Lost) != 1 || stand.Lost[0].Why != "answered 500" || stand.Waiting != 0 || stand.Running || stand.SentAt != 0 {
		t.Errorf("%+v, %v", stand, err)
	}
	if last := w.told[len(w.told)-1]; last.Again || last.Done || w.told[0].Again != true {
		t.Errorf("%+v", w.told)
	}
}

func TestDownThenUp(t *testing.T) {
	w := newWorld(t)
	w.submit()
	w.hook.answers(func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusServiceUnavailable) })
	w.once()
	if stand, err := Stand(w.store(), w.storeID(), os.Getuid()); err != nil || stand.Waiting != 1 {
		t.Errorf("not shown as owed: %+v, %v", stand, err)
	}
	w.hook.answers(nil)
	w.hook.take()
	w.pass(2 * second)
	w.once()
	w.once()
	if got := w.hook.take(); strings.Count(got, "waiting") != 1 {
		t.Errorf("%q", got)
	}
	if stand, err := Stand(w.store(), w.storeID(), os.Getuid()); err != nil || stand.Waiting != 0 || len(stand.Lost) != 0 || stand.SentAt == 0 {
		t.Errorf("%+v, %v", stand, err)
	}
}

// What was answered in the meantime is not sent when the receiver is back.
func TestAnsweredWhileTheReceiverWasDown(t *testing.T) {
	w := newWorld(t)
	a := w.submit()
	w.hook.answers(func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusServiceUnavailable) })
	w.once()
	w.hook.take()
	w.deny(a)
	w.pass(2 * second)
	w.once()
	if got := w.hook.take(); got != "" {
		t.Errorf("%q", got)
	}
	if stand, err := Stand(w.store(), w.storeID(), os.Getuid()); err != nil || stand.Waiting != 0 || len(stand.Lost) != 0 {
		t.Errorf("%+v, %v", stand, err)
	}
}

func TestRunTellsWhileItRuns(t *testing.T) {
	w := newWorld(t)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	o := w.options()
	o.Every = 5 * time.Millisecond
	o.Told = nil
	go func() { done <- Run(ctx, w.operator, o) }()
	a := short(w.submit())
	within(t, func() bool { return len(w.hook.all()) == 1 })
	w.pass(2 * minute)
	within(t, func() bool { return len(w.hook.all()) == 3 })
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	got := w.hook.take()
	if !strings.Contains(got, a+"#1") || !strings.Contains(got, a+"#2") || !strings.Contains(got, "unwatched") {
		t.Errorf("%q", got)
	}
}

func within(t *testing.T, is func() bool) {
	t.Helper()
	for range 2000 {
		if is() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("it does not come")
}

func TestOneNotifierAStore(t *testing.T) {
	w := newWorld(t)
	release, taken, err := hold(w.store(), os.Getuid())
	if err != nil || !taken {
		t.Fatal(taken, err)
	}
	err = Once(t.Context(), w.operator, w.options())
	if f, ok := errors.AsType[*Fault](err); !ok || f.Code != CodeRunning || f.Hint == "" {
		t.Errorf("%v", err)
	}
	if stand, err := Stand(w.store(), w.storeID(), os.Getuid()); err != nil || !stand.Running {
		t.Errorf("%+v, %v", stand, err)
	}
	// A patient one waits, and ends with its context.
	ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	o := w.options()
	o.Patient = true
	if err := Run(ctx, w.operator, o); err != nil {
		t.Error(err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	w.once()
}

func TestRefusedWithCodeSentenceAndHint(t *testing.T) {
	w := newWorld(t)
	a := w.submit()
	spoil := func(name, text string, mode os.FileMode) {
		t.Helper()
		if err := errors.Join(os.WriteFile(name, []byte(text), mode), os.Chmod(name, mode)); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(name, code string, err error) {
		t.Helper()
		f, ok := errors.AsType[*Fault](err)
		if !ok || f.Code != code || f.Sentence == "" || f.Hint == "" {
			t.Errorf("%s: %v, want %s", name, err, code)
		}
	}
	o := w.options()
	o.Webhooks = nil
	expect("nobody", CodeNobody, Once(t.Context(), w.operator, o))
	expect("nobody to try", CodeNobody, Try(t.Context(), w.operator, o))
	state := stateFile(w.store())
	for name, text := range map[string]string{"empty": "", "not JSON": "x", "another type": `{"type":"a"}`, "unknown member": `{"type":"nod.notified/v1","x":1}`,
		"tries below none": outbox(`"tries":-5`), "tries without end": outbox(`"tries":9`), "no id": outbox(`"id":"A B"`),
		"a sequence": outbox(`"text":"\u001b]0;x\u0007"`), "no payload": outbox(`"body":7`), "rungs below none": whole(`{"told":[{"ask":"a","rungs":-1,"answer_by":0}],"unknown":0}`, "", ""),
		"a loss that is another's word": whole("", "", `{"at":1,"event":"waiting","target":"webhook 1","why":"\u202e"}`), "outbox without end": whole("", strings.TrimSuffix(strings.Repeat(parcelText(""), 65), ","), "")} {
		spoil(state, text, 0o600)
		expect(name, CodeState, Once(t.Context(), w.operator, w.options()))
	}
	spoil(state, "", 0o644)
	expect("state of others", CodeLoose, Once(t.Context(), w.operator, w.options()))
	if err := errors.Join(os.Remove(state), os.Symlink("/etc/passwd", state)); err != nil {
		t.Fatal(err)
	}
	if err := Once(t.Context(), w.operator, w.options()); err == nil {
		t.Error("a link in the state's place is followed")
	}
	if err := os.Remove(state); err != nil {
		t.Fatal(err)
	}
	spoil(KeyFile(w.dir), "whsec_abcd\n", 0o600)
	_, err := OpenKey(w.dir, os.Getuid(), nil)
	expect("short key", CodeKey, err)
	spoil(KeyFile(w.dir), "whsec_abcd\n", 0o640)
	_, err = OpenKey(w.dir, os.Getuid(), nil)
	expect("key of others", CodeLoose, err)
	if got := w.hook.take(); got != "" {
		t.Errorf("told in spite of it: %s", got)
	}
	// Another store's state is none of ours.
	spoil(state, `{"type":"nod.notified/v1","store":"other","ladder":{"told":[{"ask":"`+a+`","rungs":4,"answer_by":0}],"unknown":0},"outbox":[],"lost":[]}`, 0o600)
	w.once()
	if got := w.hook.take(); !strings.HasPrefix(got, "waiting") {
		t.Errorf("%q", got)
	}
	info, err := os.Stat(state)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

// whole is a state's document, parcelText a parcel in it with one member changed.
func whole(told, outbox, lost string) string {
	if told == "" {
		told = `{"told":[],"unknown":0}`
	}
	return `{"type":"nod.notified/v1","store":"s","ladder":` + told + `,"outbox":[` + outbox + `],"lost":[` + lost + `]}`
}

func parcelText(change string) string {
	members := []string{`"id":"0a"`, `"target":"t"`, `"event":"waiting"`, `"body":{}`, `"text":"nod: 1 waits"`, `"asks":[]`, `"tries":1`, `"next_at":0`}
	for i, m := range members {
		if name, _, _ := strings.Cut(m, ":"); change != "" && strings.HasPrefix(change, name+":") {
			members[i] = change
		}
	}
	return "{" + strings.Join(members, ",") + "},"
}

func outbox(change string) string { return whole("", strings.TrimSuffix(parcelText(change), ","), "") }

// TestWhatTheStateTestsChange: unchanged, the document reads.
func TestWhatTheStateTestsChange(t *testing.T) {
	w := newWorld(t)
	if err := os.WriteFile(stateFile(w.store()), []byte(whole("", strings.TrimSuffix(parcelText(""), ","), `{"at":1,"event":"waiting","target":"webhook 1","why":"was killed"}`)), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := load(w.store(), "s", os.Getuid()); err != nil || len(s.Outbox) != 1 || len(s.Lost) != 1 {
		t.Errorf("%+v, %v", s, err)
	}
}

// A queue that cannot be read for a moment does not end the notifier; one that
// stays so does, with the reason.
func TestAQueueThatFails(t *testing.T) {
	w := newWorld(t)
	o := w.options()
	o.Every = time.Millisecond
	n, err := startNotifier(t.Context(), w.operator, &o)
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("disk gone")
	n.port = failing{w.operator, broken}
	if err := n.loop(t.Context()); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	if err := n.release(); err != nil {
		t.Error(err)
	}
}
