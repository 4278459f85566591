package cli

import (
	"context"
	"io"

	"nod/queue"
)

// Exit codes of every command (nod run exits with its command's own status
// once that began).
const (
	ExitOK       = 0 // allowed, or done
	ExitDenied   = 1
	ExitError    = 2
	ExitNoAnswer = 3 // expired, withdrawn or lapsed: nobody answered
)

// World is all that the commands touch outside themselves.
type World struct {
	Args    []string // without the program's name
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Environ []string
	Edge    queue.Edge
	Person  Person
	Machine string // host name; "" when unknown
	Self    string // absolute path of this binary
	Version string
	// Open opens a store; Restore makes one from a backup.
	Open    func(ctx context.Context, o Opening) (Store, error)
	Restore func(ctx context.Context, backup, path string) error
}

// Person is who runs the command, by the passwd entry of the user id.
type Person struct {
	Name string
	Home string
	UID  int
}

// Opening says which store to open and how.
type Opening struct {
	Path     string
	Create   bool // make it when it is missing
	Settings queue.Settings
}

// Store is an open store with the queue on it.
type Store interface {
	Port(c queue.Conn) queue.Port
	Backup(ctx context.Context, path string) error
	Close() error
}
