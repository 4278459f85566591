//go:build unix

package outside

import (
	"os/exec"
	"syscall"
)

// Alone has cmd start in a session of its own, without our terminal, and be
// killed as a group when its context ends.
func Alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// Sweep kills what a command that ended left running in its group.
func Sweep(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // mostly nothing is left
	}
}
