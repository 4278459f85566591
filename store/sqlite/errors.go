package sqlite

import (
	"errors"
	"fmt"
	"syscall"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// Codes of an Error. They are part of the wire and never change meaning.
const (
	CodeNewer    = "store_newer"    // written by a newer nod
	CodeForeign  = "store_foreign"  // not a store of nod's
	CodeCorrupt  = "store_corrupt"  // damaged
	CodeLocked   = "store_locked"   // another process holds it alone
	CodeLoose    = "store_loose"    // others could read or write it
	CodeLink     = "store_link"     // a symbolic link, or not a plain file
	CodeReplaced = "store_replaced" // another file lies at its path now
	CodeMissing  = "store_missing"
	CodeExists   = "store_exists" // backup and restore never overwrite
	CodeReadonly = "store_readonly"
	CodeDiskFull = "disk_full"
	CodeBusy     = "store_busy"   // other processes write without a pause
	CodeIO       = "store_io"     // the disk failed
	CodeUnsure   = "store_unsure" // the disk failed while a commit was made durable: it may be there or not
	CodeClosed   = "store_closed"
)

// Error is a store's refusal: a stable code, one sentence for the operator and
// a hint. Nothing that it answers was written, except under CodeUnsure.
type Error struct {
	Code     string
	Sentence string
	Hint     string
	Err      error // the cause, when another error was one
}

func (e *Error) Error() string {
	if e.Err == nil {
		return e.Code + ": " + e.Sentence
	}
	return e.Code + ": " + e.Sentence + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// Told gives what an operator is shown of the error: a stable code, one
// sentence and a hint.
func (e *Error) Told() (code, sentence, hint string) { return e.Code, e.Sentence, e.Hint }

func fail(code, hint, format string, args ...any) *Error {
	return &Error{Code: code, Sentence: fmt.Sprintf(format, args...), Hint: hint}
}

// explain gives an engine's error its code, sentence and hint; path names the
// store in it. An error that has a code already stays as it is.
func explain(path string, err error) error {
	var own *Error
	if err == nil || errors.As(err, &own) {
		return err
	}
	wrap := func(code, hint, format string, args ...any) error {
		e := fail(code, hint, format, args...)
		e.Err = err
		return e
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return wrap(CodeDiskFull, "free some space and try again", "the disk that holds %s is full", path)
	}
	var se *driver.Error
	if !errors.As(err, &se) {
		return err
	}
	switch se.Code() & 0xff {
	case lib.SQLITE_FULL:
		return wrap(CodeDiskFull, "free some space and try again", "the disk that holds %s is full", path)
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return wrap(CodeBusy, "try again; under steady load run `nod serve` and let the others use it",
			"other processes keep the store %s busy", path)
	case lib.SQLITE_READONLY, lib.SQLITE_PERM:
		return wrap(CodeReadonly, "make the file and its directory writable for you", "the store %s cannot be written", path)
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB:
		return wrap(CodeCorrupt, "restore a backup with `nod restore`; keep the damaged file for the inquiry",
			"the store %s is damaged", path)
	case lib.SQLITE_IOERR:
		return wrap(CodeIO, "check the disk, also whether it turned read-only; the store goes on when it writes again", "the disk that holds %s failed", path)
	case lib.SQLITE_CANTOPEN:
		return wrap(CodeMissing, "check the path and that the directory can be entered", "the store %s cannot be opened", path)
	}
	return err
}

// busy reports whether another connection's lock was in the way.
func busy(err error) bool {
	var se *driver.Error
	return errors.As(err, &se) && se.Code()&0xff == lib.SQLITE_BUSY
}

// constraint reports whether a rule of the schema refused a statement.
func constraint(err error) bool {
	var se *driver.Error
	return errors.As(err, &se) && se.Code()&0xff == lib.SQLITE_CONSTRAINT
}

// unsynced reports whether the disk failed to make written bytes durable. What
// was written may then come back with the log after a crash, or not.
func unsynced(err error) bool {
	var se *driver.Error
	return errors.As(err, &se) && (se.Code() == lib.SQLITE_IOERR_FSYNC || se.Code() == lib.SQLITE_IOERR_DIR_FSYNC)
}

// unsure is what the callers of such a commit are told.
func unsure(path string, err error) *Error {
	e := fail(CodeUnsure, "stop this process, check the disk, and look in the history of the store when it is open again",
		"the disk that holds %s failed in the middle of a commit: whether this act was written is not known", path)
	e.Err = err
	return e
}

// stopped is what everybody is told afterwards: a writer whose disk lost a
// commit does not go on as if nothing had been.
func stopped(path string) *Error {
	return fail(CodeIO, "stop this process, check the disk, and open the store again",
		"the disk that holds %s failed, so nothing is written until the store is opened again", path)
}

// notDatabase reports whether the file is none of SQLite's.
func notDatabase(err error) bool {
	var se *driver.Error
	return errors.As(err, &se) && se.Code()&0xff == lib.SQLITE_NOTADB
}
