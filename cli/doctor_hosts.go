package cli

import (
	"context"
	"path/filepath"

	"nod/config"
	"nod/gateway/install"
)

// hostFindings looks at the agent hosts on this machine: what their settings
// let go around the gate, and what no setting closes. settings is the host's
// file of the user, "" for the usual one.
func (a *app) hostFindings(ctx context.Context, paths config.Paths, settings, project string) []finding {
	if settings == "" {
		settings = filepath.Join(a.claudeDir(), "settings.json")
	}
	if p, err := filepath.Abs(settings); err == nil {
		settings = p
	}
	if p, err := filepath.Abs(project); err == nil {
		project = p
	}
	return install.Doctor(install.See(ctx, install.Where{
		Settings: settings, Project: project, Claude: "claude", Self: a.Self, Config: paths.Config, Store: paths.Store,
	}))
}
