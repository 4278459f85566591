package queue

import (
	"strings"
	"unicode/utf8"

	"nod/digest"
	"nod/policy"
)

func (q *Queue) attach(tx Tx, m moment, c *Conn, a AttachPolicy) (Result, error) {
	p, err := policy.ReadPolicy(a.Document)
	if err != nil {
		return nil, asRefusal(err)
	}
	doc, err := p.Canonical()
	if err != nil {
		return nil, err
	}
	row := &PolicyRow{ID: q.edge.NewID(), Mode: p.Facts().Mode, Document: string(doc), AttachedAt: m.now, AttachedBy: c.operator()}
	var session string
	switch {
	case a.Agent != "" && a.Session == "" && !a.Run && utf8.ValidString(a.Agent) && len(a.Agent) <= maxName:
		row.Kind, row.Target = PolicyOfAgent, a.Agent
	case a.Agent == "" && a.Session != "":
		s, err := tx.Session(a.Session)
		switch {
		case err != nil:
			return nil, err
		case s == nil:
			return nil, refuse(CodeUnknownID, "no session has this id").hint("nod session list shows them")
		case a.Run && q.runOver(s, m):
			return nil, refuse(CodeTooLate, "the session has ended, and no run of it goes on").hint("attach it to the session, or to its agent")
		}
		session, row.Kind, row.Target = s.ID, PolicyOfSession, s.ID
		if a.Run {
			row.Kind, row.Target = PolicyOfRun, s.run()
		}
	default:
		return nil, refuse(CodeBadInput, "a policy is attached to one agent, session or run").hint("name an agent, or a session")
	}
	rows, err := tx.Policies()
	if err != nil {
		return nil, err
	}
	e := Event{Act: "policy_attach", Actor: c.operator(), Way: c.Way, Policy: row.ID, Session: session, To: row.Kind, Said: digest.Of(doc)}
	for i := range rows {
		if o := &rows[i]; o.Kind == row.Kind && o.Target == row.Target {
			if err := tx.DetachPolicy(o.ID, m.now, c.operator()); err != nil {
				return nil, err
			}
			e.Replaces = o.ID
		}
	}
	if err := tx.InsertPolicy(row); err != nil {
		return nil, err
	}
	return row.set(e.Replaces, m.now), q.append(tx, m, e)
}

func (q *Queue) detach(tx Tx, m moment, c *Conn, a DetachPolicy) (Result, error) {
	row, err := tx.Policy(a.Policy)
	switch {
	case err != nil:
		return nil, err
	case row == nil:
		return nil, refuse(CodeUnknownID, "no policy has this id").hint("nod policy list shows them")
	case row.DetachedAt != 0:
		no := refuse(CodeDecided, "this policy was detached already")
		no.Who, no.At = row.DetachedBy, row.DetachedAt
		return nil, no
	}
	if err := tx.DetachPolicy(row.ID, m.now, c.operator()); err != nil {
		return nil, err
	}
	session := ""
	if row.Kind != PolicyOfAgent {
		session, _, _ = strings.Cut(row.Target, ".")
	}
	return row.set("", m.now), q.append(tx, m, Event{Act: "policy_detach", Actor: c.operator(), Way: c.Way, Policy: row.ID,
		Session: session, From: row.Kind, Said: digest.Of([]byte(row.Document))})
}

func (p *PolicyRow) set(replaced string, at int64) PolicySet {
	return PolicySet{Policy: p.ID, Mode: p.Mode, Kind: p.Kind, Target: p.Target, Replaced: replaced, At: at}
}

func (q *Queue) policies(tx ReadTx, a QPolicies) (Answer, error) {
	c, err := tx.Clock()
	if err != nil {
		return nil, err
	}
	var rows []PolicyRow
	if a.Ever {
		rows, err = tx.PoliciesEver(page(a.Limit))
	} else {
		rows, err = tx.Policies()
	}
	out := Policies{Now: q.readNow(c)}
	for i := range rows {
		p := &rows[i]
		out.Policies = append(out.Policies, PolicyView{ID: p.ID, Kind: p.Kind, Target: p.Target, Mode: p.Mode, Document: []byte(p.Document),
			Digest: digest.Of([]byte(p.Document)), AttachedAt: p.AttachedAt, AttachedBy: p.AttachedBy, DetachedAt: p.DetachedAt, DetachedBy: p.DetachedBy})
	}
	return out, err
}

// editPolicy judges an edited call. What takes an effect back was declared for
// the arguments as they were, so a call that declares is not edited.
func (q *Queue) editPolicy(tx Tx, m moment, c *Conn, row *Row, s *submission) (string, error) {
	st, err := tx.Stated(row.ID)
	if err != nil {
		return "", err
	}
	if st != nil && !st.none() {
		return "", refuse(CodeEffectEdited, "it states what takes its effect back, or what it is part of, for the arguments as they are").
			hint("deny it with words, so that the agent asks with other arguments")
	}
	g, err := q.underPolicy(tx, m, c, s)
	return g.why(&s.stated), err
}
