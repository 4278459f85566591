package audit

// Told gives what an operator is shown of the error: a stable code, one
// sentence and a hint.
func (e *Fault) Told() (code, sentence, hint string) { return e.Code, e.Error(), e.Hint }
