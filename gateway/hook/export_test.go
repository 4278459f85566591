package hook

// SessionFile is the name of a session's directory of attempts.
func SessionFile(session string) string { dir, _ := fileNames(session, ""); return dir }
