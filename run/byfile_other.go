//go:build !linux

package run

// byFile is the path: this platform starts no file by its descriptor, so a file
// put in its place after the last look would be started.
func (c *command) byFile(bool) (name string, release func(), err error) {
	return c.path, func() {}, nil
}

// inDir is the directory's name, for the same reason.
func (c *command) inDir() (name string, release func(), err error) {
	return c.dir.Name(), func() {}, nil
}
