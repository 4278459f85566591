//go:build unix

package ownfile

import (
	"io/fs"
	"syscall"
)

// NoFollow is a flag of an open that refuses a link in a file's place, and waits for no FIFO's writer.
const NoFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK | syscall.O_CLOEXEC

// private reports whether a file is regular, the user's, and closed to others.
func private(info fs.FileInfo, uid int) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && info.Mode().IsRegular() && int(st.Uid) == uid && info.Mode().Perm()&0o077 == 0
}
