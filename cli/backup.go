package cli

import (
	"path/filepath"

	"github.com/spf13/cobra"
)

func (a *app) backupCmd() *cobra.Command {
	return &cobra.Command{
		Use: "backup FILE", Short: "Write a consistent copy of the store, with its key", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, paths, err := a.load(false)
			if err != nil {
				return err
			}
			st, err := a.Open(cmd.Context(), Opening{Path: paths.Store, Settings: c.Settings()})
			if err != nil {
				return err
			}
			defer func() { _ = st.Close() }()
			to, err := filepath.Abs(args[0])
			if err != nil {
				return err
			}
			if err := st.Backup(cmd.Context(), to); err != nil {
				return err
			}
			return a.say(map[string]string{"backup": to}, "Backed up to %s.", oneLine(to))
		},
	}
}

func (a *app) restoreCmd() *cobra.Command {
	return &cobra.Command{
		Use: "restore FILE", Short: "Make the store anew from a backup; never over one that is there", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, paths, err := a.load(false)
			if err != nil {
				return err
			}
			from, err := filepath.Abs(args[0])
			if err != nil {
				return err
			}
			if err := a.Restore(cmd.Context(), from, paths.Store); err != nil {
				return err
			}
			return a.say(map[string]string{"store": paths.Store}, "Restored to %s.", oneLine(paths.Store))
		},
	}
}
