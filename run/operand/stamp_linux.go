package operand

import (
	"io/fs"
	"syscall"
	"time"
)

// changed is when the file's inode last changed, which no program can set.
func changed(info fs.FileInfo) time.Time {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(st.Ctim.Unix())
	}
	return time.Time{}
}
