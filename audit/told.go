package audit

// Told gives what an operator is shown of the error: a stable code, one
// sentence and a hint.
func (f *Fault) Told() (code, sentence, hint string) { return f.Code, f.Error(), f.Hint }
