package notify

import (
	"os/exec"
	"syscall"
)

// alone starts cmd without our console's signals. What it started itself
// outlives it when it is killed.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}
