//go:build unix

package install

import (
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

// ownFile refuses a file that is not the user's own or that others may write:
// whoever may write the host's settings decides what the host asks for.
func ownFile(path string, info fs.FileInfo) error {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(st.Uid) != os.Geteuid() {
		return &Error{Code: CodeNotYours, Sentence: "the settings file " + strconv.Quote(path) + " belongs to another user", Hint: "run the installer as its owner"}
	}
	if info.Mode().Perm()&0o022 != 0 {
		return &Error{Code: CodeNotYours, Sentence: "other users may write the settings file " + strconv.Quote(path), Hint: "chmod go-w it, and look at what is in it"}
	}
	return nil
}
