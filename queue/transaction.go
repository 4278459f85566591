package queue

import (
	"nod/digest"
	"nod/policy"
	"nod/policy/transaction"
)

// maxTransactions is how many open records of a principal may stand in a new
// one's way; they are read at each submit.
const maxTransactions = 200

// maxEntries bounds one record, which is written anew at each step.
const maxEntries = 1000

func unfinished(o transaction.Outcome) bool {
	return o == transaction.InProgress || o == transaction.Diverged
}

func (q *Queue) prepareTransaction(c *Conn, a SubmitTransaction) (job, error) {
	r, err := transaction.ReadRequest(a.Request)
	if err != nil {
		return nil, asRefusal(err)
	}
	if err := hostSession(a.Session); err != nil {
		return nil, err
	}
	if err := artifacts(a.Serves, r.Candidate, r.Baseline); err != nil {
		return nil, err
	}
	// What is staged for active mode is staged as a candidate, and an untrusted
	// component in any mode wants its sandbox.
	if r.Untrusted {
		if err := isolated(&r); err != nil {
			return nil, asRefusal(err)
		}
	}
	return func(tx Tx, m moment) (Result, error) { return q.submitTransaction(tx, m, c, a, r) }, nil
}

// isolated judges the sandbox that a request states for an untrusted component.
func isolated(r *transaction.Request) error {
	doc := `{"type":"nod.policy/v1","mode":"` + string(policy.Mode(r.Mode).Staging()) + `","untrustedComponent":true}`
	if len(r.Sandbox) > 0 {
		doc = doc[:len(doc)-1] + `,"sandbox":` + string(r.Sandbox) + `}`
	}
	_, err := policy.ReadPolicy([]byte(doc))
	return err
}

// seen bounds what an observation names. nil is none.
func seen(o *transaction.Observed) error {
	if o == nil {
		return nil
	}
	return artifacts(append([]string{o.Active}, o.Uncleaned...)...)
}

func (q *Queue) submitTransaction(tx Tx, m moment, c *Conn, a SubmitTransaction, r transaction.Request) (Result, error) {
	principal := string(principalKey(&c.Principal))
	row, err := tx.TransactionOf(principal, r.ID)
	if err != nil {
		return nil, err
	}
	var stored *transaction.Record
	if row != nil {
		known, err := transaction.Read([]byte(row.Document))
		if err != nil {
			return nil, asRefusal(err)
		}
		stored = &known
	}
	others, err := q.otherTransactions(tx, principal)
	if err != nil {
		return nil, err
	}
	record, answer, err := transaction.Submit(r, a.Serves, stored, others, m.now)
	if err != nil {
		return nil, asRefusal(err)
	}
	if answer != transaction.Begun {
		return row.transacted(&record, answer), nil
	}
	row = &TransactionRow{ID: q.edge.NewID(), Principal: principal, Agent: c.Principal.Agent, Session: sessionID(&c.Principal, a.Session),
		HostID: record.ID, CreatedAt: m.now}
	err = q.putTransaction(tx, m, row, &record, Event{Act: "transaction", Actor: c.Principal.Agent, Way: c.Way})
	return row.transacted(&record, answer), err
}

// otherTransactions reads what may block a new transaction's artifact: every
// open record of the principal. One that does not read is an error for all.
func (q *Queue) otherTransactions(tx ReadTx, principal string) ([]transaction.Record, error) {
	rows, err := tx.TransactionsHeld(principal, maxTransactions+1)
	if err != nil {
		return nil, err
	}
	if len(rows) > maxTransactions {
		return nil, refuse(CodeQuota, "as many transactions of this agent are open as one agent may have").hint("recover them, or have their artifacts acknowledged")
	}
	documents := make([][]byte, len(rows))
	for i := range rows {
		documents[i] = []byte(rows[i].Document)
	}
	records, err := transaction.ReadJournal(documents)
	if err != nil {
		return nil, asRefusal(err)
	}
	return records, nil
}

// putTransaction keeps the next record with its one event.
func (q *Queue) putTransaction(tx Tx, m moment, row *TransactionRow, r *transaction.Record, e Event) error {
	doc, err := r.Canonical()
	if err != nil {
		return err
	}
	var was *transaction.Record
	if row.Num != 0 {
		before, err := transaction.Read([]byte(row.Document))
		if err != nil {
			return asRefusal(err)
		}
		was = &before
	}
	from := row.Stage
	row.Stage, row.Outcome, row.Document, row.MovedAt = r.Stage, r.Outcome, string(doc), m.now
	row.Open = r.Unfinished() || len(r.Blocked()) > 0
	if row.Num == 0 {
		err = tx.InsertTransaction(row)
	} else {
		err = tx.PutTransaction(row)
	}
	if err != nil {
		return err
	}
	e.Transaction, e.Session, e.From, e.To, e.Said = row.ID, row.Session, string(from), string(row.Stage), digest.Of(doc)
	e.Count, e.Reason = int64(len(r.Entries)), string(r.FailureCode)
	if err := q.append(tx, m, e); err != nil {
		return err
	}
	return q.toldTransaction(tx, m, row, was, r, &e)
}

// stepTransaction changes the transaction that a host names by its own id. A
// change that leaves the record as it was writes nothing.
func (q *Queue) stepTransaction(tx Tx, m moment, c *Conn, id, act string, step func(r *transaction.Record) (transaction.Record, error)) (Result, error) {
	id, err := transaction.ID(id)
	if err != nil {
		return nil, asRefusal(err)
	}
	row, err := tx.TransactionOf(string(principalKey(&c.Principal)), id)
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, refuse(CodeUnknownID, "this connection has submitted no such transaction").hint("submit_transaction begins one")
	}
	return q.changeTransaction(tx, m, row, Event{Act: act, Actor: c.Principal.Agent, Way: c.Way}, step)
}

func (q *Queue) changeTransaction(tx Tx, m moment, row *TransactionRow, e Event, step func(r *transaction.Record) (transaction.Record, error)) (Result, error) {
	record, err := transaction.Read([]byte(row.Document))
	if err != nil {
		return nil, asRefusal(err)
	}
	after, err := step(&record)
	if err != nil {
		return nil, asRefusal(err)
	}
	if len(after.Entries) > maxEntries {
		return nil, refuse(CodeQuota, "as much was reported of this transaction as is kept of one").hint("report a new one")
	}
	doc, err := after.Canonical()
	if err != nil {
		return nil, err
	}
	if string(doc) == row.Document {
		return row.transacted(&record, ""), nil
	}
	err = q.putTransaction(tx, m, row, &after, e)
	return row.transacted(&after, ""), err
}

func (q *Queue) ackTransaction(tx Tx, m moment, c *Conn, a AckTransaction) (Result, error) {
	row, err := tx.Transaction(a.Transaction)
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, refuse(CodeUnknownID, "no transaction has this id").hint("nod transactions list shows them")
	}
	return q.changeTransaction(tx, m, row, Event{Act: "transaction_ack", Actor: c.operator(), Way: c.Way},
		func(r *transaction.Record) (transaction.Record, error) { return r.Acknowledge(a.Artifact) })
}

func (t *TransactionRow) transacted(r *transaction.Record, answer transaction.Answer) Transacted {
	return Transacted{ID: t.ID, Answer: answer, Record: []byte(t.Document), Blocked: r.Blocked()}
}

func (q *Queue) transactions(tx ReadTx, a QTransactions) (Answer, error) {
	c, err := tx.Clock()
	if err != nil {
		return nil, err
	}
	a.Limit = page(a.Limit)
	rows, more, err := tx.Transactions(a)
	out := Transactions{More: more, Now: q.readNow(c)}
	for i := range rows {
		t := &rows[i]
		r, err := transaction.Read([]byte(t.Document))
		if err != nil {
			return nil, asRefusal(err)
		}
		out.Transactions = append(out.Transactions, TransactionView{Num: t.Num, ID: t.ID, HostID: t.HostID, Agent: t.Agent, Session: t.Session,
			Stage: t.Stage, Outcome: t.Outcome, Blocked: r.Blocked(), Record: []byte(t.Document), Digest: digest.Of([]byte(t.Document)),
			CreatedAt: t.CreatedAt, MovedAt: t.MovedAt})
	}
	return out, err
}
