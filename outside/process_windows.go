package outside

import (
	"os/exec"
	"syscall"
)

// Alone has cmd start without our console's signals. What it started itself
// outlives it when it is killed.
func Alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

// Sweep has no group to look for.
func Sweep(*exec.Cmd) {}
