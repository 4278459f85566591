//go:build darwin || windows

package config

import (
	"fmt"
	"os/user"
	"strconv"
)

// AccountHome gives the home directory that the system states for the account
// uid (-1 on Windows: the one that runs this process).
func AccountHome(uid int) (string, error) {
	u, err := user.Current()
	if uid >= 0 {
		u, err = user.LookupId(strconv.Itoa(uid))
	}
	if err != nil {
		return "", fmt.Errorf("look up the account: %w", err)
	}
	return u.HomeDir, nil
}
