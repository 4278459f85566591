//go:build unix

package faults

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"nod/queue"
	"nod/store/sqlite"
)

// peer is another process with the same store open. Lines to it are
// "number, who, act", lines from it "number, verdict, begun, ended, payload",
// with tabs between.
type peer struct {
	cmd *exec.Cmd
	in  io.WriteCloser

	mu      sync.Mutex
	next    int
	waiting map[string]chan reply
	gone    error

	killed bool          // by its starter
	read   chan struct{} // closed when it has no more to say
}

// reply is what an act came to in the other process.
type reply struct {
	result     queue.Result
	refusal    *queue.Refusal
	code       string // of an error that is no refusal
	err        error
	begun, end time.Time
}

// agent is who acts as the requester; any other name is an operator's.
const agent = "agent"

// syncFails in the place of a name lets every fsync of the other process fail
// from now on.
const syncFails = "!sync-fails"

// servePeer carries out acts for the process that started this one, each on
// its own, until the input ends.
func servePeer(ctx context.Context, path string, in io.Reader, out io.Writer) (err error) {
	store, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	q := newQueue(store, queue.Settings{})
	var mu sync.Mutex
	say := func(line string) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = io.WriteString(out, line+"\n") // the starter sees the end of a broken pipe itself
	}
	var running sync.WaitGroup
	defer running.Wait()
	say("0\tready\t0\t0\t")
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		part := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		if part[1] == syncFails {
			verdict, payload := answer(queue.Acked{}, refuseSync())
			say(part[0] + "\t" + verdict + "\t0\t0\t" + payload)
			continue
		}
		act, err := queue.DecodeAct([]byte(part[2]))
		if err != nil {
			return err
		}
		conn := operatorConn(part[1])
		if part[1] == agent {
			conn = agentConn()
		}
		running.Go(func() {
			begun := time.Now()
			verdict, payload := answer(q.Port(conn).Do(ctx, act))
			say(fmt.Sprintf("%s\t%s\t%d\t%d\t%s", part[0], verdict, begun.UnixNano(), time.Now().UnixNano(), payload))
		})
	}
}

// answer writes what an act came to in one line.
func answer(r queue.Result, err error) (verdict, payload string) {
	if err == nil {
		b, err := queue.EncodeResult(r)
		if err != nil {
			return "err", err.Error()
		}
		return "ok", string(b)
	}
	if refusal, ok := errors.AsType[*queue.Refusal](err); ok {
		b, err := json.Marshal(refusal)
		if err != nil {
			return "err", err.Error()
		}
		return "no", string(b)
	}
	code := "untyped"
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		code = e.Code
	}
	return "err", code + " " + strings.ReplaceAll(err.Error(), "\n", " ")
}

// readAnswer is the other direction of answer.
func readAnswer(verdict, payload string) (r reply) {
	switch verdict {
	case "ok":
		r.result, r.err = queue.DecodeResult([]byte(payload))
	case "no":
		r.refusal = new(queue.Refusal)
		if r.err = json.Unmarshal([]byte(payload), r.refusal); r.err == nil {
			r.err = r.refusal
		}
	default:
		r.code, _, _ = strings.Cut(payload, " ")
		r.err = errors.New(payload)
	}
	return r
}

// role starts this test binary as another process.
func role(t testing.TB, name, store, tag string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), envRole+"="+name, envStore+"="+store, envTag+"="+tag)
	cmd.Stderr = os.Stderr
	return cmd
}

// startPeer starts a process that has the store open, and waits until it has.
func startPeer(t testing.TB, store string) *peer {
	t.Helper()
	p := &peer{cmd: role(t, "peer", store, ""), waiting: map[string]chan reply{}}
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	ready := make(chan reply, 1)
	p.waiting["0"] = ready
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.read = make(chan struct{})
	go func() {
		defer close(p.read)
		p.listen(out)
	}()
	t.Cleanup(func() {
		_ = p.in.Close()
		<-p.read
		if err := p.cmd.Wait(); err != nil && !p.killed {
			t.Errorf("the other process: %v", err)
		}
	})
	if r := <-ready; errors.Is(r.err, errGone) {
		t.Fatal("the other process did not open the store")
	}
	return p
}

var errGone = errors.New("the other process is gone")

func (p *peer) listen(out io.Reader) {
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		p.mu.Lock()
		if err != nil {
			p.gone = errGone
			for _, ch := range p.waiting {
				ch <- reply{err: errGone}
			}
			clear(p.waiting)
			p.mu.Unlock()
			return
		}
		part := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 5)
		ch := p.waiting[part[0]]
		delete(p.waiting, part[0])
		p.mu.Unlock()
		r := readAnswer(part[1], part[4])
		r.begun, r.end = nanos(part[2]), nanos(part[3])
		ch <- r
	}
}

func nanos(s string) time.Time {
	n, _ := strconv.ParseInt(s, 10, 64) //nolint:errcheck // our own line
	return time.Unix(0, n)
}

// start sends an act on its way; the channel gets its answer.
func (p *peer) start(who string, act queue.Act) <-chan reply {
	b, err := queue.EncodeAct(act)
	if err != nil {
		ch := make(chan reply, 1)
		ch <- reply{err: err}
		return ch
	}
	return p.send(who, string(b))
}

func (p *peer) send(who, what string) <-chan reply {
	ch := make(chan reply, 1)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gone != nil {
		ch <- reply{err: p.gone}
		return ch
	}
	p.next++
	id := strconv.Itoa(p.next)
	p.waiting[id] = ch
	if _, err := fmt.Fprintf(p.in, "%s\t%s\t%s\n", id, who, what); err != nil {
		delete(p.waiting, id)
		ch <- reply{err: err}
	}
	return ch
}

// do carries an act out in the other process.
func (p *peer) do(who string, act queue.Act) reply { return <-p.start(who, act) }

// kill ends the other process where it stands.
func (p *peer) kill() {
	p.killed = true
	_ = p.cmd.Process.Kill()
	<-p.read
}
