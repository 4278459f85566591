package run

import (
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// aboveChild is where the descriptor of the executable is put: above those that
// starting a child moves about.
const aboveChild = 100

// byFile names the opened executable so that the kernel starts this very file,
// whatever stands at its path by then. The name is good until release is
// called. A script is started by its path: its interpreter opens it by name and
// scripts ask for their own. Without /proc it is the path as well.
func (c *command) byFile(script bool) (name string, release func(), err error) {
	if script {
		return c.path, func() {}, nil
	}
	return held(c.exe, c.path)
}

// inDir names the held working directory, for a child to change into.
func (c *command) inDir() (name string, release func(), err error) {
	return held(c.dir, c.dir.Name())
}

// held names an open file by a descriptor that stays where it is while a child
// is started; path stands in where there is no /proc.
func held(f *os.File, path string) (name string, release func(), err error) {
	raw, err := f.SyscallConn()
	if err != nil {
		return "", nil, fmt.Errorf("hold %s: %w", path, err)
	}
	fd := -1
	if e := raw.Control(func(from uintptr) {
		fd, err = unix.FcntlInt(from, unix.F_DUPFD_CLOEXEC, aboveChild)
	}); e != nil {
		err = e
	}
	if err != nil {
		return "", nil, fmt.Errorf("hold %s: %w", path, err)
	}
	release = func() { _ = unix.Close(fd) } // opened for reading
	name = "/proc/self/fd/" + strconv.Itoa(fd)
	if _, err := os.Stat(name); err != nil {
		release()
		return path, func() {}, nil //nolint:nilerr // no /proc here
	}
	return name, release, nil
}
