package run

import (
	"io"
	"time"

	"nod/descriptor"
	"nod/queue"
)

// Tool is the tool of the asks that Run files.
const Tool = "run"

// Executor is what Run begins as.
const Executor = "nod run"

// Exit statuses before a command is begun; afterwards Run's is the command's
// own, 128+n when signal n ended it.
const (
	ExitAllowed = 0
	ExitDenied  = 1
	ExitError   = 2
	ExitNobody  = 3
)

// Deps are what Run and Ask are given.
type Deps struct {
	Port queue.Port
	// Session is the caller's session id. A later identical call of the same
	// session adopts an ask that nobody waits for. Empty: a session of this one
	// command, made with NewID, which ends with it.
	Session string
	NewID   func() string
	// Dir is the working directory, absolute.
	Dir string
	// Environ is this process's environment, "NAME=value"; Vars are the names
	// that a command gets, and PATH is looked up in it when Vars lets it.
	Environ []string
	Vars    []string
	// Effect is what the caller states of the command's effect; it only makes
	// the judgement stricter. nil: nothing.
	Effect *queue.Effect
	// Stated is what the caller states for an effect policy.
	Stated Stated
	// Tools are the operator's descriptors; Observers are those of the tool run
	// to ask after the command, besides the ones that run by themselves. Both need
	// a Port that may observe.
	Tools     *descriptor.Set
	Observers []string
	Words     string        // why the caller wants it; shown as the caller's words
	Within    time.Duration // shortens the time to answer; zero: the operator's
	Stdin     io.Reader     // an *os.File is handed to the command as it is
	Stdout    io.Writer
	Stderr    io.Writer
	// JSON writes a result on Stdout for Request.JSON; nil: as it is encoded.
	JSON func(any) error
	// Fail says an error to the caller; nil: as a sentence on Stderr.
	Fail func(error)
}

// DefaultVars are the environment variables that a command gets when the
// configuration names none: those that say where and for whom it runs. Nothing
// that loads code (LD_PRELOAD, NODE_OPTIONS, PYTHONPATH …) is among them.
func DefaultVars() []string {
	return []string{
		"HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER",
	}
}
