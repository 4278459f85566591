//go:build unix

package tui_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"nod/digest/visible"
	"nod/queue"
	"nod/tui"
	"nod/tui/frame/frametest"
)

// screen is a terminal at the other end of a pty: it keeps every byte that the
// console writes, draws them, and answers what a terminal answers.
type screen struct {
	mu   sync.Mutex
	raw  bytes.Buffer
	emu  *vt.Emulator
	ptmx *os.File
}

func (s *screen) follow() {
	buf := make([]byte, 32<<10)
	for {
		n, err := s.ptmx.Read(buf)
		if err != nil {
			return
		}
		s.mu.Lock()
		s.raw.Write(buf[:n])
		_, _ = s.emu.Write(buf[:n]) // an emulator's write does not fail
		s.mu.Unlock()
	}
}

// answer sends back what the emulator answers, the cursor's place above all.
func (s *screen) answer() {
	buf := make([]byte, 1024)
	for {
		n, err := s.emu.Read(buf)
		if err != nil {
			return
		}
		if _, err := s.ptmx.Write(buf[:n]); err != nil {
			return
		}
	}
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.emu.String()
}

// until waits for a text on the screen.
func (s *screen) until(t *testing.T, want string) {
	t.Helper()
	for range 500 {
		if strings.Contains(s.text(), want) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%q does not come:\n%s", want, s.text())
}

func (s *screen) press(t *testing.T, keys string) {
	t.Helper()
	if _, err := s.ptmx.WriteString(keys); err != nil {
		t.Fatal(err)
	}
}

// leave goes back to the inbox. A key that the terminal hands over together
// with the one before it is no command, so it is pressed until it counts.
func (s *screen) leave(t *testing.T) {
	t.Helper()
	for range 100 {
		time.Sleep(25 * time.Millisecond)
		if strings.Contains(s.text(), "[inbox ") {
			return
		}
		s.press(t, "1")
	}
	t.Fatalf("there is no way back:\n%s", s.text())
}

// start runs the console on a pty.
func start(t *testing.T, port queue.Port, w, h int) (*screen, <-chan error) {
	t.Helper()
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pty here:", err)
	}
	if err := pty.Setsize(ptmx, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)}); err != nil {
		t.Fatal(err)
	}
	s := &screen{emu: vt.NewEmulator(w, h), ptmx: ptmx}
	go s.follow()
	go s.answer()
	done := make(chan error, 1)
	go func() {
		done <- tui.Run(t.Context(), port, tui.Options{In: tty, Out: tty, Loc: time.UTC, Env: []string{"TERM=xterm-256color"}})
	}()
	t.Cleanup(func() {
		if in, ok := s.emu.InputPipe().(io.Closer); ok { // Close of the emulator itself races with its Read
			_ = in.Close()
		}
		_ = ptmx.Close()
		_ = tty.Close()
	})
	return s, done
}

// ours are the sequences that Bubble Tea and its renderer write: cursor moves,
// erasing, scrolling, colours, the modes and questions of a start and an end.
var ours = regexp.MustCompile(`^\x1b(\[[0-9;]*[ABCDGHJKLMPSTXZ@abdfmr]|\[\??[0-9;]*[hl]|\[\??[0-9]*\$p|\[6n|\[[<=>][0-9;]*u|\[>4;?[0-9]*m|\[[0-9]* q|\[\?u|\[\?5W|[78M])$`)

// foreign finds what in a stream is neither ours nor drawn text.
func foreign(stream string) string {
	state, before := byte(0), ""
	for len(stream) > 0 {
		seq, width, n, next := ansi.DecodeSequence(stream, state, nil)
		state = next
		switch {
		case width == 0 && strings.HasPrefix(seq, "\x1b"):
			if !ours.MatchString(seq) {
				return seq
			}
		case seq == "\r", seq == "\n", seq == "\b", seq == "\t":
		default:
			// Marks are judged with the character that they stand on.
			if whole := before + seq; visible.Drawn(whole).String() != whole {
				return seq
			}
			before = seq
			stream = stream[n:]
			continue
		}
		before = ""
		stream = stream[n:]
	}
	return ""
}

func TestForeignFindsWhatIsNotOurs(t *testing.T) {
	for _, s := range []string{"\x1b]0;x\x07", "\x1bP1$r\x1b\\", "\x1b[2Ja\u202Eb", "\u009b31m", "a\x07", "\x1b]8;;http://x\x1b\\y", "\x1b[?1003;h\x1b[5i", "\u200B", "\x1b[21t", "\x1bc"} {
		if foreign(s) == "" {
			t.Errorf("%q passes", s)
		}
	}
	if got := foreign("\x1b[?25l\x1b[1;1H\x1b[7;36mtext\x1b[m\r\n\x1b[K\x1b[6n"); got != "" {
		t.Errorf("%q is ours", got)
	}
}

func TestNoSequenceButOurOwnReachesTheTerminal(t *testing.T) {
	if testing.Short() {
		t.Skip("opens every input of a corpus on a pty")
	}
	w := newWorld(t)
	w.now = time.Now().UnixMilli()
	var asks []string
	for i, text := range frametest.Hostile(t, "testdata") {
		if !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
			continue // nothing in it can do anything
		}
		args, err := json.Marshal(map[string]string{"command": text, text: text})
		if err != nil {
			t.Fatal(err)
		}
		got, err := queue.As[queue.Submitted](t.Context(), w.as("a"+text), queue.Submit{Kind: "call", Session: text, AgentWords: text,
			Call: &queue.Call{Tool: fmt.Sprint("T", i, text), Arguments: jsontext.Value(args), Cwd: "/" + text}})
		if err == nil {
			asks = append(asks, got.Ask)
		}
	}
	if len(asks) < 100 {
		t.Fatalf("only %d asks", len(asks))
	}
	s, done := start(t, w.mia, 120, 40)
	s.until(t, "[inbox ")
	for range asks {
		s.press(t, "\r")
		s.until(t, "only the card")
		s.press(t, "\x1b[6~")
		s.leave(t)
		s.press(t, "j")
	}
	s.press(t, "q")
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if seq := foreign(s.raw.String()); seq != "" {
		t.Fatalf("a foreign sequence: %q", seq)
	}
	if s.raw.Len() < 100_000 {
		t.Errorf("only %d bytes were written", s.raw.Len())
	}
}

// deliberate decides as a person does: the key until its line is open, then each
// character by itself, until the console says what came of it. On a busy machine
// a key is too soon, or two arrive as one burst: then it is done again.
func (s *screen) deliberate(t *testing.T, key, line, typed, done string) {
	t.Helper()
	shows := func(want string) bool {
		for end := time.Now().Add(2 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			if strings.Contains(s.text(), want) {
				return true
			}
		}
		return false
	}
	for range 10 {
		s.press(t, key)
		if !shows(line) {
			continue
		}
		for _, c := range typed {
			time.Sleep(80 * time.Millisecond)
			s.press(t, string(c))
		}
		if shows(done) {
			return
		}
		s.press(t, "\x1b")
		time.Sleep(time.Second)
	}
	t.Fatalf("it never says %q:\n%s", done, s.text())
}

func TestAnApprovalOnARealTerminal(t *testing.T) {
	w := newWorld(t)
	w.now = time.Now().UnixMilli()
	ask := w.submit(bash("ls"))
	s, done := start(t, w.mia, 120, 44)
	s.until(t, "[inbox 1]")
	s.press(t, "\r")
	s.until(t, "all shown")
	s.press(t, "a"+w.code(ask.Ask)+"a"+w.code(ask.Ask)) // typed ahead: counts for nothing
	time.Sleep(700 * time.Millisecond)
	w.mustBe(ask.Ask, queue.StatePending)
	s.deliberate(t, "a", "type the four in brackets", w.code(ask.Ask), "Allowed: at ")
	w.mustBe(ask.Ask, queue.StateAllowed)
	s.leave(t)
	s.press(t, "q")
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestAnAnswerOnARealTerminal(t *testing.T) {
	w := newWorld(t, refunds(t))
	w.now = time.Now().UnixMilli() - 20*minute
	w.lost("pay_8842")
	w.now = time.Now().UnixMilli()
	s, done := start(t, w.mia, 120, 44)
	s.until(t, "effects 1")
	s.press(t, "\r")
	s.until(t, "an answer is bound to the page")
	typed := func(text string, gap time.Duration) {
		for _, c := range text {
			time.Sleep(gap)
			s.press(t, string(c))
		}
	}
	time.Sleep(100 * time.Millisecond)
	s.press(t, "v")
	s.until(t, "It did not happen:")
	typed("no refund there", 25*time.Millisecond)
	time.Sleep(40 * time.Millisecond)
	s.press(t, "\t")
	typed("case 1", 25*time.Millisecond)
	time.Sleep(40 * time.Millisecond)
	s.press(t, "\x13") // Ctrl+S
	s.until(t, "opens one new attempt")
	time.Sleep(200 * time.Millisecond)
	for range 9 {
		s.press(t, "\x1b[6~")
		time.Sleep(300 * time.Millisecond)
		if strings.Contains(s.text(), "all shown") {
			break
		}
	}
	s.until(t, "all shown")
	s.press(t, "vpay_8842"+w.pageCode()) // typed ahead: counts for nothing
	time.Sleep(700 * time.Millisecond)
	w.stands("unknown")
	s.deliberate(t, "v", "then the four in brackets", "pay_8842"+w.pageCode(), "Settled: at ")
	w.stands("free")
	s.leave(t)
	s.press(t, "q")
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if seq := foreign(s.raw.String()); seq != "" {
		t.Fatalf("a foreign sequence: %q", seq)
	}
}
