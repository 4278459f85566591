package main

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/google/uuid"

	"nod/cli"
	"nod/config"
	"nod/queue"
	"nod/store/sqlite"
)

// version is set by the release build (-ldflags "-X main.version=…").
var version = ""

// world wires the commands to this process, this machine and the one engine.
// It is the only file that names an engine (DESIGN §2).
func world() cli.World {
	self, _ := os.Executable() // "" is refused where it matters: by the installer
	return cli.World{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ(),
		Edge: edge(), Person: person(), Self: self, Version: versionText(),
		Open: open, Restore: sqlite.Restore,
	}
}

func edge() queue.Edge {
	return queue.Edge{
		WallMS: func() int64 { return time.Now().UnixMilli() },
		BootMS: bootMS,
		NewID:  func() string { return uuid.Must(uuid.NewV7()).String() },
		Token:  rand.Text,
	}
}

// person is who runs this process, by user id: $USER and $HOME are an agent's
// to set. An account without an entry is called by its number and has no home.
func person() cli.Person {
	p := cli.Person{UID: os.Getuid()}
	name, home, err := config.Account(p.UID)
	if err != nil || name == "" {
		name = strconv.Itoa(p.UID)
	}
	p.Name, p.Home = name, home
	return p
}

func versionText() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "development"
}

// opened is a queue on an open store.
type opened struct {
	*queue.Queue
	store *sqlite.Store
}

func (o opened) Backup(ctx context.Context, path string) error { return o.store.Backup(ctx, path) }
func (o opened) Close() error                                  { return o.store.Close() }

func open(ctx context.Context, o cli.Opening) (cli.Store, error) {
	st, err := sqlite.Open(ctx, o.Path, sqlite.Options{Create: o.Create})
	if err != nil {
		return nil, err
	}
	e := edge()
	e.KeyHash = func(key string) string {
		mac := hmac.New(sha256.New, st.Key())
		mac.Write([]byte("nod.effect-key/v1\n" + key))
		return hex.EncodeToString(mac.Sum(nil))
	}
	return opened{queue.New(st, o.Settings, e), st}, nil
}
