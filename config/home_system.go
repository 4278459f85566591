//go:build darwin || windows

package config

import (
	"fmt"
	"os/user"
	"strconv"
)

// Account gives the name and the home directory that the system states for the
// account uid (-1 on Windows: the one that runs this process).
func Account(uid int) (name, home string, err error) {
	u, err := user.Current()
	if uid >= 0 {
		u, err = user.LookupId(strconv.Itoa(uid))
	}
	if err != nil {
		return "", "", fmt.Errorf("look up the account: %w", err)
	}
	return u.Username, u.HomeDir, nil
}
