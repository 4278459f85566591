//go:build unix

package notify

import (
	"os/exec"
	"syscall"
)

// alone starts cmd in a session of its own, without our terminal, and kills it
// as a group.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
