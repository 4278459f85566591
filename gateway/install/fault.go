package install

// Error is an installer's "no": a stable code, one sentence and a hint.
type Error struct {
	Code     string
	Sentence string
	Hint     string
	Err      error // the cause; may be nil
}

func (e *Error) Error() string {
	if e.Err != nil {
		return e.Code + ": " + e.Sentence + ": " + e.Err.Error()
	}
	return e.Code + ": " + e.Sentence
}

func (e *Error) Unwrap() error { return e.Err }

// Codes of Error.
const (
	CodeNotJSON     = "settings_not_json"    // comments, duplicates, trailing bytes, not UTF-8
	CodeShape       = "settings_shape"       // not an object
	CodeIgnored     = "settings_ignored"     // a member for which the host leaves the whole file out
	CodeNotYours    = "settings_not_yours"   // another user's, or others may write it
	CodeNotRegular  = "settings_not_regular" // a directory, device or dangling link
	CodeChanged     = "settings_changed"     // since the plan was made
	CodeUnreadable  = "settings_unreadable"
	CodeNotWritten  = "settings_not_written"
	CodeNotAbsolute = "path_not_absolute"
	CodeBadPath     = "path_not_text" // a control character in a path
	CodeBadTimeout  = "bad_timeout"
	CodeRecord      = "record_unreadable"
)
