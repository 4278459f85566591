package config

import (
	"fmt"
	"io/fs"
	"os"
)

func open(path string) (*os.File, error) { return os.Open(path) }

// checkOwn has nothing to look at: a user's profile is closed to others by its
// access control list, which file modes do not show.
func checkOwn(string, fs.FileInfo, int) error { return nil }

// PrivateDir makes a directory for Nod's own files.
func PrivateDir(path string, _ int) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return fmt.Errorf("make the directory %s: %w", path, err)
	}
	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("look at the directory %s: %w", path, err)
	}
	if !info.IsDir() {
		return loose(path, "the directory for Nod's files is a link or no directory", "put a directory in its place")
	}
	return nil
}
