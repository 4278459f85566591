package tui

import tea "charm.land/bubbletea/v2"

// Changed is the message that says the queue changed.
func Changed() tea.Msg { return changed{ok: true} }

// Unfollowed makes the model wait for no change by itself: the test brings
// them.
func (m *Model) Unfollowed() { m.live.next = func(<-chan int64) tea.Cmd { return nil } }
