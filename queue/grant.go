package queue

import (
	"unicode/utf8"

	"nod/digest"
)

// Bounds of a grant: wider is a rule, in the configuration.
const (
	maxGrantTimes = 1000
	maxGrantMS    = 24 * 3_600_000
)

// CheckGrant refuses times and a length that no grant has, as CheckWords.
func CheckGrant(times, ms int64) error {
	if times < 1 || times > maxGrantTimes || ms < 1000 || ms > maxGrantMS {
		return refuse(CodeBadInput, "a grant is for 1 to 1000 times and for a second to 24 hours").hint("wider is a rule, in the configuration")
	}
	return nil
}

func (q *Queue) grant(tx Tx, m moment, c *Conn, a GrantDigest) (Result, error) {
	if err := CheckGrant(a.Times, a.ForMS); err != nil {
		return nil, err
	}
	row, err := q.load(tx, m, a.Ask)
	if err != nil {
		return nil, err
	}
	if a.ShownDigest != row.ShownDigest {
		return nil, refuse(CodeWrongDigest, "the digest is not the one shown for this ask").hint("open the ask again and read it")
	}
	if row.Mandated || row.Irreversible || !grantable(row) {
		return nil, refuse(CodeNeedsPerson, "a person answers each of these, so it cannot be granted")
	}
	if err := q.clamped(tx, row.Session, "grant", noGrants); err != nil {
		return nil, err
	}
	g := &Grant{ID: q.edge.NewID(), ActionDigest: row.ActionDigest, Session: row.Session, Left: a.Times,
		Until: m.now + a.ForMS, By: c.operator(), At: m.now}
	if err := tx.InsertGrant(g); err != nil {
		return nil, err
	}
	return Granted{Grant: g.ID, Until: g.Until}, q.append(tx, m, Event{Act: "grant", Actor: c.operator(), Way: c.Way, Grant: g.ID,
		Ask: row.ID, ActionDigest: g.ActionDigest, Session: g.Session, Left: g.Left, Until: g.Until})
}

// grantFor gives a grant that allows an exact call now; nil for none. One that
// was given before the last answer on the call's effect knows nothing of it.
func grantFor(tx ReadTx, m moment, session string, action digest.Digest, answered int64) (*Grant, error) {
	g, err := tx.GrantFor(session, action, m.now)
	if err != nil || g == nil || answered != 0 && g.At <= answered {
		return nil, err
	}
	return g, nil
}

// grantable reports whether a grant could ever allow a repeat of row.
func grantable(row *Row) bool {
	for _, r := range row.Reasons {
		switch r {
		case ReasonQuestion, ReasonRealApproval, ReasonRuleError:
			return false
		}
	}
	return true
}

func (q *Queue) freeze(tx Tx, m moment, c *Conn, a Freeze) (Result, error) {
	if len(a.Reason) > maxReason || !utf8.ValidString(a.Reason) {
		return nil, tooLong("the reason")
	}
	if err := q.known(tx, a.Session); err != nil {
		return nil, err
	}
	freezes, err := tx.Freezes()
	if err != nil {
		return nil, err
	}
	for i := range freezes {
		if freezes[i].Session == a.Session {
			no := refuse(CodeFrozen, "it is frozen already")
			no.Who, no.At = freezes[i].By, freezes[i].Since
			return nil, no
		}
	}
	f := &FreezeRow{Session: a.Session, Since: m.now, By: c.operator(), Reason: a.Reason}
	if err := tx.InsertFreeze(f); err != nil {
		return nil, err
	}
	return Frozen{At: m.now, Session: a.Session}, q.append(tx, m, Event{Act: "freeze", Actor: c.operator(), Way: c.Way,
		Freeze: scope(a.Session), Session: a.Session, Words: a.Reason != ""})
}

func (q *Queue) unfreeze(tx Tx, m moment, c *Conn, a Unfreeze) (Result, error) {
	freezes, err := tx.Freezes()
	if err != nil {
		return nil, err
	}
	for i := range freezes {
		if freezes[i].Session != a.Session {
			continue
		}
		if err := tx.LiftFreeze(freezes[i].ID, m.now); err != nil {
			return nil, err
		}
		return Frozen{At: m.now, Session: a.Session}, q.append(tx, m, Event{Act: "unfreeze", Actor: c.operator(), Way: c.Way,
			Freeze: scope(a.Session), Session: a.Session})
	}
	return nil, refuse(CodeNothingFrozen, "no such freeze holds").hint("nod doctor shows what is frozen")
}

func (q *Queue) known(tx Tx, session string) error {
	if session == "" {
		return nil
	}
	s, err := tx.Session(session)
	if err == nil && s == nil {
		err = refuse(CodeUnknownID, "no session has this id").hint("nod show ID prints the session of an ask")
	}
	return err
}

func scope(session string) string {
	if session == "" {
		return "all"
	}
	return session
}
