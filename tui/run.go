package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"

	"nod/queue"
	"nod/tui/alert"
	"nod/tui/probe"
)

// Run shows the console until the operator quits or ctx ends. Quitting decides
// nothing: what waits goes on waiting.
func Run(ctx context.Context, port queue.Port, o Options) error {
	o = o.filled()
	in, err := keyboardOf(o)
	if err != nil {
		return err
	}
	var said probe.Result
	if out, ok := outOf(o); ok && probe.Wanted(o.ASCII, o.env("TERM")) {
		// A terminal that cannot be asked has one cell a glyph, as most have.
		if said, err = probe.Run(in, out, probe.Within); err == nil {
			o.ASCII = said.Wide
		}
		if said.Quit {
			return nil
		}
	}
	keyboard := &stamped{File: in, now: o.Now}
	o.stamp = keyboard.at
	m, err := NewModel(ctx, port, o)
	if err != nil {
		return fmt.Errorf("open console: %w", err)
	}
	m.probed(said)
	opts := []tea.ProgramOption{tea.WithInput(keyboard), tea.WithEnvironment(o.Env), tea.WithFPS(fps)}
	if o.Out != nil {
		opts = append(opts, tea.WithOutput(o.Out))
	}
	screen := io.Writer(os.Stdout)
	if o.Out != nil {
		screen = o.Out
	}
	// The window's own title comes back at the end, where a terminal keeps one.
	_, _ = io.WriteString(screen, alert.Push(o.Alert))
	defer func() { _, _ = io.WriteString(screen, alert.Pop(o.Alert)) }()
	program := tea.NewProgram(m, opts...)
	// Quit, where a program's own context would be a kill, which leaves the
	// terminal as it is.
	defer context.AfterFunc(ctx, program.Quit)()
	_, err = program.Run()
	if err == nil || errors.Is(err, tea.ErrInterrupted) || ctx.Err() != nil {
		return nil // whoever ended ctx knows why
	}
	return fmt.Errorf("run console: %w", err)
}

// outOf is the terminal that frames go to; ok is false where there is none.
func outOf(o Options) (out *os.File, ok bool) {
	out = os.Stdout
	if o.Out != nil {
		if out, ok = o.Out.(*os.File); !ok {
			return nil, false
		}
	}
	return out, term.IsTerminal(out.Fd())
}

// probed takes what the terminal said before the program started.
func (m *Model) probed(r probe.Result) {
	m.frame.owed = r.Owed
	if head, rest := r.Says(); head != "" {
		m.note.tell(head, rest)
	}
}

// fps is how often a changed screen is sent at most. The renderer wakes so often
// also when nothing changes, which is most of what an idle console costs; a key
// waits at most 25 ms for its frame.
const fps = 40

// keyboardOf is the terminal that keys come from: the one that was passed in,
// standard input, or where that is none the process's controlling terminal.
func keyboardOf(o Options) (*os.File, error) {
	if o.In != nil {
		return o.In, nil
	}
	if term.IsTerminal(os.Stdin.Fd()) {
		return os.Stdin, nil
	}
	in, _, err := tea.OpenTTY()
	if err != nil {
		return nil, fmt.Errorf("open console: no terminal to read keys from: %w", err)
	}
	return in, nil
}

// stamped is a terminal that remembers when something was last read from it.
// Bubble Tea hands keys on one by one and waits for each frame in between, so
// the time at which a key is handled says nothing about how it was typed.
// Where several reads came before a key is handled the newest counts, so keys
// can look closer together than they were, never further apart; and no key
// looks later than when it is handled.
type stamped struct {
	*os.File
	now  func() time.Time
	read atomic.Pointer[time.Time]
}

// Read implements io.Reader.
func (s *stamped) Read(p []byte) (int, error) {
	n, err := s.File.Read(p)
	if n > 0 {
		t := s.now()
		s.read.Store(&t)
	}
	return n, err
}

func (s *stamped) at() time.Time {
	if t := s.read.Load(); t != nil {
		return *t
	}
	return time.Time{}
}
