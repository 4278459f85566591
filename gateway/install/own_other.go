//go:build !unix

package install

import "io/fs"

// ownFile trusts the system's access lists.
func ownFile(string, fs.FileInfo) error { return nil }
