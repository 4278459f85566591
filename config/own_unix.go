//go:build unix

package config

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// open opens for reading and does not wait for a writer of a FIFO.
func open(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
}

// checkOwn refuses what somebody other than the user and root can change.
func checkOwn(path string, info fs.FileInfo, uid int) error {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return loose(path, "the owner of the configuration cannot be told", "put it on a file system that keeps owners")
	}
	if owner := int(st.Uid); owner != uid && owner != 0 {
		return loose(path, fmt.Sprintf("the configuration belongs to user %d, not to you", owner), "make it your own: chown it, or copy it")
	}
	if info.Mode().Perm()&0o022 != 0 {
		return loose(path, "others can change the configuration", "run: chmod go-w "+path)
	}
	return nil
}

// PrivateDir makes a directory for Nod's own files (0700 whatever the umask)
// with its parents, and refuses one that is a link, is not the user's or that
// others can enter.
func PrivateDir(path string, uid int) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return fmt.Errorf("make the directory %s: %w", path, err)
	}
	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("look at the directory %s: %w", path, err)
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !info.IsDir():
		return loose(path, "the directory for Nod's files is a link or no directory", "put a directory in its place")
	case !ok || int(st.Uid) != uid:
		return loose(path, "the directory for Nod's files is not yours", "run: chown it to your user")
	case info.Mode().Perm()&0o077 != 0:
		return loose(path, "others can enter the directory for Nod's files", "run: chmod 700 "+path)
	}
	return nil
}
