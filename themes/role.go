package themes

// Role is what a theme gives colours and shape to (SCREENS §A). A role never
// is the only carrier of a meaning: the word and its shape say it too.
type Role uint8

// Roles, in the order of a theme file.
const (
	Text      Role = iota // values, the selected row
	Muted                 // labels, headings, ages, verbs
	Faint                 // column heads, what is not stated, wrap glyph and marks
	Accent                // where you are and what you can press; never a state
	OK                    // allowed, committed, intact
	Warn                  // mandated, due, not read, undelivered, a key that did not count
	Danger                // irreversible, commit, divergent, MISMATCH, FROZEN
	Unknown               // an outcome nobody can prove, and nothing else
	Selection             // the background of one row of one pane
	Border                // the divider
	roles                 // how many there are
)

// Roles returns all roles in order.
func Roles() []Role {
	all := make([]Role, roles)
	for i := range all {
		all[i] = Role(i)
	}
	return all
}

// String returns the role's name in a theme file.
func (r Role) String() string {
	switch r {
	case Text:
		return "text"
	case Muted:
		return "muted"
	case Faint:
		return "faint"
	case Accent:
		return "accent"
	case OK:
		return "ok"
	case Warn:
		return "warn"
	case Danger:
		return "danger"
	case Unknown:
		return "unknown"
	case Selection:
		return "selection"
	case Border:
		return "border"
	default:
		return "none"
	}
}

// roleOf returns the role of a name.
func roleOf(name string) (Role, bool) {
	for r := range roles {
		if r.String() == name {
			return r, true
		}
	}
	return 0, false
}
