package config

import (
	"strconv"
)

// Stable codes of an Error.
const (
	CodeUnknownKey = "config_unknown_key" // the file has a key that nothing reads
	CodeBadValue   = "config_bad_value"   // a value of another type or out of bounds
	CodeSyntax     = "config_syntax"      // not TOML
	CodeBadRule    = "config_bad_rule"    // a rule that does not compile
	CodeLoose      = "config_loose"       // somebody else could change the file
	CodeUnreadable = "config_unreadable"  // there, and cannot be read
	CodeTooLarge   = "config_too_large"   // more than MaxBytes
	CodeNoHome     = "config_no_home"     // no home directory to look in
	CodeBadPath    = "config_bad_path"    // a path that is not absolute

	CodeBadDescriptor = "config_bad_descriptor" // a descriptor that says what none may
)

// Error is a configuration that is not used, with the place of the fault.
type Error struct {
	Code     string
	File     string // "" when no file is at fault
	Line     int    // from 1; 0 when no line is at fault
	Sentence string
	Hint     string
	Err      error // the system's error, where there is one
}

func (e *Error) Error() string {
	where := e.File
	if e.Line > 0 {
		where += ":" + strconv.Itoa(e.Line)
	}
	if where != "" {
		where += ": "
	}
	return where + e.Sentence
}

func (e *Error) Unwrap() error { return e.Err }
