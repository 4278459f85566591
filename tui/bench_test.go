package tui_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"nod/queue"
	"nod/tui"
)

// endless is a queue of n pending asks that makes rows as they are read.
type endless int64

func (e endless) Do(context.Context, queue.Act) (queue.Result, error) { return queue.Acked{}, nil }

func (e endless) Watch(context.Context) (<-chan int64, error) { return nil, nil }

func (e endless) Read(_ context.Context, q queue.Query) (queue.Answer, error) {
	switch q := q.(type) {
	case queue.QInbox:
		from, to := q.After.Seq+1, min(q.After.Seq+q.Limit, int64(e))
		if q.Before != nil {
			to = min(q.Before.Seq-1, int64(e))
			from = max(to-q.Limit+1, 1)
		}
		out := queue.Inbox{Counters: queue.Counters{Pending: int64(e)}, Now: began, More: to < int64(e)}
		if q.Before != nil {
			out.More = from > 1
		}
		for seq := from; seq <= to; seq++ {
			out.Rows = append(out.Rows, queue.Row{Seq: seq, ID: fmt.Sprintf("id-%d", seq), Urgency: 3, Kind: "call",
				State: queue.StatePending, Tool: "Bash", Gist: fmt.Sprintf("echo %d", seq), Agent: "a", CreatedAt: began, AnswerBy: began + 1e7})
		}
		return out, nil
	case queue.QNotices:
		return queue.Notices{}, nil
	case queue.QHistory:
		return queue.History{}, nil
	case queue.QStatus:
		return queue.Status{}, nil
	}
	return nil, fmt.Errorf("no %T here", q)
}

// BenchmarkKeyToFrame is one key in the list and the frame that follows, with
// the pages that it needs: it must not grow with the queue.
func BenchmarkKeyToFrame(b *testing.B) {
	for _, n := range []int64{1_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			m, err := tui.NewModel(b.Context(), endless(n), tui.Options{
				Env: []string{"TERM=xterm"}, Loc: time.UTC, Now: func() time.Time { return time.UnixMilli(began) },
				Tick: func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil },
			})
			if err != nil {
				b.Fatal(err)
			}
			m.Unfollowed()
			var send func(msg tea.Msg)
			send = func(msg tea.Msg) {
				switch msg := msg.(type) {
				case nil:
				case tea.BatchMsg:
					for _, c := range msg {
						if c != nil {
							send(c())
						}
					}
				default:
					if _, cmd := m.Update(msg); cmd != nil {
						send(cmd())
					}
				}
			}
			send(tea.WindowSizeMsg{Width: 80, Height: 24})
			send(m.Init()())
			for i := 0; b.Loop(); i++ {
				key := tea.KeyPressMsg{Code: 'j', Text: "j"}
				if i%1800 >= 900 {
					key = tea.KeyPressMsg{Code: 'k', Text: "k"}
				}
				send(key)
				_ = m.View()
			}
		})
	}
}
