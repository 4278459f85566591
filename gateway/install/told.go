package install

// Told gives what an operator is shown of the error: a stable code, one
// sentence and a hint.
func (e *Error) Told() (code, sentence, hint string) { return e.Code, e.Sentence, e.Hint }
