package cli_test

import (
	"os"

	tea "charm.land/bubbletea/v2"
)

// least is the smallest program on Bubble Tea: the console's first frame is
// measured beside its.
type least struct{}

func (least) Init() tea.Cmd { return nil }

func (l least) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if key, ok := msg.(tea.KeyPressMsg); ok && key.String() == "q" {
		return l, tea.Quit
	}
	return l, nil
}

func (least) View() tea.View {
	v := tea.NewView("[inbox none]")
	v.AltScreen = true
	return v
}

func leastTea() {
	if _, err := tea.NewProgram(least{}).Run(); err != nil {
		os.Exit(failed(err))
	}
}
