// Package sqlite keeps a queue in one SQLite file (DESIGN §2, §4, §10).
//
// Its rules: it adds no business rule; concurrent acts share one durable
// commit and each is kept or undone alone; a caller is answered only after
// the commit; what it opens belongs to this user alone and is what it opened
// before; a store that it cannot trust or cannot write is refused with a
// stable code, one sentence and a hint.
package sqlite
