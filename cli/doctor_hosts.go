package cli

import (
	"context"
	"path/filepath"

	"nod/gateway/install"
)

// hostFindings looks at the agent hosts on this machine: what their settings
// let go around the gate, and what no setting closes.
func (a *app) hostFindings(ctx context.Context, settings, project string) []finding {
	dir := a.claudeDir()
	if settings != "" {
		dir = filepath.Dir(settings)
	}
	if p, err := filepath.Abs(dir); err == nil {
		dir = p
	}
	if p, err := filepath.Abs(project); err == nil {
		project = p
	}
	return install.Doctor(install.See(ctx, install.Where{ConfigDir: dir, Project: project, Claude: "claude", Self: a.Self}))
}
