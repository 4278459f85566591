package notify

// Stable codes of a Fault.
const (
	CodeRunning = "notifier_running" // another process tells already
	CodeNobody  = "notify_nobody"    // nobody is configured to be told
	CodeLoose   = "notify_loose"     // others can read or change a file of the notifier
	CodeKey     = "notify_key_bad"   // the key's file holds no key
	CodeState   = "notify_state_bad" // the file of what was told does not read
)

// Fault is why nothing is told, for the operator.
type Fault struct {
	Code     string
	Sentence string
	Hint     string
	Err      error // the system's error, where there is one
}

func (f *Fault) Error() string { return f.Sentence }

func (f *Fault) Unwrap() error { return f.Err }

// Told gives code, sentence and hint.
func (f *Fault) Told() (code, sentence, hint string) { return f.Code, f.Sentence, f.Hint }

// Running says that another process tells already.
func Running() *Fault {
	return &Fault{Code: CodeRunning, Sentence: "another process tells of this store already",
		Hint: "it may be an open console; one is enough"}
}

// Nobody says that nobody is configured to be told.
func Nobody() *Fault {
	return &Fault{Code: CodeNobody, Sentence: "nobody is configured to be told",
		Hint: "set notify.webhooks or notify.command; docs/notifications.md shows how"}
}
