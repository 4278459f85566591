package queue

import (
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"

	"nod/digest"
	"nod/digest/visible"
	"nod/policy"
	"nod/policy/transaction"
)

// Notice codes of what components owe and of transactions. Acknowledging the
// notice of what is blocked acknowledges that, and the other way round.
const (
	NoticeCleanup  = "policy.cleanup_blocked"
	NoticeOwed     = "policy.cleanups_owed"
	NoticeDiverged = "policy.transaction_diverged"
	NoticeArtifact = "policy.artifact_blocked"
)

// owedDetail is the detail of these notices: Nod's ids, and the host's name of an
// artifact.
type owedDetail struct {
	Artifact    string `json:"artifact,omitzero"`
	Cleanup     int64  `json:"cleanup,omitzero"` // from 1
	Scope       string `json:"scope,omitzero"`
	Transaction string `json:"transaction,omitzero"`
}

func (d owedDetail) text() (string, error) {
	raw, err := json.Marshal(d)
	if err != nil {
		return "", err
	}
	doc, err := digest.Canonical(raw, digest.NoLimits())
	return string(doc), err
}

func (q *Queue) notifyOwed(tx Tx, m moment, code, session, sentence string, d owedDetail) error {
	detail, err := d.text()
	if err != nil {
		return err
	}
	return q.notify(tx, m, &Notice{Code: code, Session: session, Sentence: sentence, Detail: detail})
}

// readOwed acknowledges the open notices of what was acknowledged itself.
func (q *Queue) readOwed(tx Tx, m moment, code string, d owedDetail, by, way string) error {
	detail, err := d.text()
	if err != nil {
		return err
	}
	open, err := tx.Notices(QNotices{Open: true, Limit: maxOpen})
	if err != nil {
		return err
	}
	for i := range open {
		n := &open[i]
		if n.Code != code || n.Detail != detail {
			continue
		}
		if err := tx.AckNotice(n.ID, m.now, by); err != nil {
			return err
		}
		if err := q.append(tx, m, Event{Act: "notice_ack", Actor: by, Way: way, Session: n.Session, Notice: n.Code}); err != nil {
			return err
		}
	}
	return nil
}

// told opens and closes notices after a step of a scope. was is the scope before
// it, nil for a new one.
func (q *Queue) told(tx Tx, m moment, row *ScopeRow, was, s *policy.Scope, e *Event) error {
	if was == nil {
		return nil
	}
	before, after := was.Blocked(), s.Blocked()
	component := visible.Draw(visible.Name, row.Component)
	for _, n := range after {
		if slices.Contains(before, n) {
			continue
		}
		err := q.notifyOwed(tx, m, NoticeCleanup, row.Session, "Cleanup "+strconv.Itoa(n+1)+" ("+visible.Draw(visible.Name, s.Cleanups[n].Tool)+
			") that component "+component+" owed failed, or may have run, and is not tried again. "+
			"The component is blocked: look at what was left behind, then acknowledge this.", owedDetail{Scope: row.ID, Cleanup: int64(n) + 1})
		if err != nil {
			return err
		}
	}
	for _, n := range before {
		if !slices.Contains(after, n) {
			if err := q.readOwed(tx, m, NoticeCleanup, owedDetail{Scope: row.ID, Cleanup: int64(n) + 1}, e.Actor, e.Way); err != nil {
				return err
			}
		}
	}
	if s.Result() != "" && was.Result() == "" {
		return q.readOwed(tx, m, NoticeOwed, owedDetail{Scope: row.ID}, e.Actor, e.Way)
	}
	return nil
}

// orphaned tells of a component whose session ended before it took what it owes.
func (q *Queue) orphaned(tx Tx, m moment, row *ScopeRow, s *policy.Scope) error {
	if !slices.ContainsFunc(s.Cleanups, func(c policy.Cleanup) bool { return c.State == policy.Owed }) {
		return nil
	}
	return q.notifyOwed(tx, m, NoticeOwed, row.Session, "The session of component "+visible.Draw(visible.Name, row.Component)+
		" ended, and what takes its effects back did not run. Its host may still take it; what nobody will run is given up with nod cleanups ack.",
		owedDetail{Scope: row.ID})
}

// toldTransaction does that after a step of a transaction.
func (q *Queue) toldTransaction(tx Tx, m moment, row *TransactionRow, was, r *transaction.Record, e *Event) error {
	name := visible.Draw(visible.Name, row.HostID)
	var before []string
	diverged := r.Outcome == transaction.Diverged
	if was != nil {
		before = was.Blocked()
		diverged = diverged && was.Outcome != transaction.Diverged
		if was.Outcome == transaction.Diverged && r.Outcome != transaction.Diverged {
			if err := q.readOwed(tx, m, NoticeDiverged, owedDetail{Transaction: row.ID}, e.Actor, e.Way); err != nil {
				return err
			}
		}
	}
	if diverged {
		err := q.notifyOwed(tx, m, NoticeDiverged, row.Session, "Transaction "+name+" has diverged: nobody has shown what serves now. "+
			"Its host has to recover it; nod transactions show prints it.", owedDetail{Transaction: row.ID})
		if err != nil {
			return err
		}
	}
	after := r.Blocked()
	for _, a := range after {
		if slices.Contains(before, a) {
			continue
		}
		err := q.notifyOwed(tx, m, NoticeArtifact, row.Session, "A cleanup of artifact "+visible.Draw(visible.Name, a)+" failed in transaction "+name+
			". It is not used again: look at what was left behind, then acknowledge this.", owedDetail{Transaction: row.ID, Artifact: a})
		if err != nil {
			return err
		}
	}
	for _, a := range before {
		if !slices.Contains(after, a) {
			if err := q.readOwed(tx, m, NoticeArtifact, owedDetail{Transaction: row.ID, Artifact: a}, e.Actor, e.Way); err != nil {
				return err
			}
		}
	}
	return nil
}

// ackOwed acknowledges what a notice that was read says is blocked.
func (q *Queue) ackOwed(tx Tx, m moment, c *Conn, n *Notice) error {
	if n.Code != NoticeCleanup && n.Code != NoticeArtifact {
		return nil
	}
	var d owedDetail
	if err := json.Unmarshal([]byte(n.Detail), &d); err != nil {
		return refuse(CodeContentChanged, "the detail of this notice does not read").hint("run nod audit verify")
	}
	var err error
	if n.Code == NoticeCleanup {
		_, err = q.ackCleanup(tx, m, c, AckCleanup{Scope: d.Scope, Cleanup: d.Cleanup})
	} else {
		_, err = q.ackTransaction(tx, m, c, AckTransaction{Transaction: d.Transaction, Artifact: d.Artifact})
	}
	if no, ok := err.(*Refusal); ok && no.Code == CodeNothingOpen { //nolint:errorlint // made here
		return nil // it was acknowledged by itself
	}
	return err
}
