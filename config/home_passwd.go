//go:build unix && !darwin

package config

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Account gives the name and the home directory that the account database
// states for uid, or "". Package os/user is not used here: built without cgo it falls
// back to $HOME, which an agent controls.
func Account(uid int) (name, home string, err error) {
	f, err := os.Open("/etc/passwd")
	if err != nil {
		return "", "", fmt.Errorf("read the account database: %w", err)
	}
	name, home, err = accountIn(f, uid)
	if closed := f.Close(); err == nil && closed != nil {
		err = closed
	}
	if err != nil {
		return "", "", fmt.Errorf("read the account database: %w", err)
	}
	return name, home, nil
}

// accountIn finds the first entry of uid in a passwd(5) file.
func accountIn(r io.Reader, uid int) (name, home string, err error) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		entry := strings.Split(lines.Text(), ":")
		if len(entry) != 7 || entry[2] != strconv.Itoa(uid) {
			continue
		}
		if !filepath.IsAbs(entry[5]) {
			return entry[0], "", nil
		}
		return entry[0], filepath.Clean(entry[5]), nil
	}
	return "", "", lines.Err()
}
