package sqlite

import (
	"bytes"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
	"nod/queue"
	"nod/store/sqlite/db"
)

// askOf reads the member "ask" of an event's canonical bytes, whose members
// stand in order, so that it stops early.
func askOf(body jsontext.Value) (string, error) {
	const member = "ask"
	if id, ok := flatText(body, `,"`+member+`":"`); ok {
		return id, nil
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(body))
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return "", errors.New("the event is not a JSON object")
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return "", err
		}
		switch n := name.String(); {
		case n > member:
			return "", nil
		case n < member:
			if err := dec.SkipValue(); err != nil {
				return "", err
			}
		default:
			v, err := dec.ReadToken()
			if err != nil || v.Kind() != '"' {
				return "", errors.New("the event's ask is not a string")
			}
			return v.String(), nil
		}
	}
	return "", nil
}

// flatText cuts a text member out of a canonical object without objects in it:
// there, a quote that is not escaped can only be a member's own.
func flatText(body jsontext.Value, before string) (string, bool) {
	if len(body) == 0 || bytes.IndexByte(body[1:], '{') >= 0 {
		return "", false
	}
	_, rest, found := bytes.Cut(body, []byte(before))
	text, _, ends := bytes.Cut(rest, []byte{'"'})
	if !found || !ends || bytes.IndexByte(text, '\\') >= 0 {
		return "", false
	}
	return string(text), true
}

// stretch is how many asks that came one after the other lie together in the
// index of sessions; the schema and the queries hold the same number.
const stretch = 2048

// InsertAsk notes the row; it is written before the act's next statement, or as
// the act's last. An act that writes nothing else, as most submits, is then one
// statement, which the engine undoes by itself, and needs no savepoint.
func (t *tx) InsertAsk(row *queue.Row, body []byte) error {
	why, err := reasons(row.Reasons)
	if err == nil {
		err = packable(row, why)
	}
	if err != nil {
		return t.broke(fmt.Errorf("keep an ask: %w", err))
	}
	agent, err := t.agent(row.Agent)
	if err != nil {
		return err
	}
	if err := t.c.catchUp(); err != nil { // another ask of this act
		return err
	}
	if t.err != nil {
		return t.err
	}
	m := t.w.mem
	seq := m.counters.Asks + 1 // no ask is ever removed
	call, like := short(row.CallKey), short(string(row.ActionDigest))
	args := append(t.w.args[:0], seq, seq/stretch, row.ID, row.Kind, string(row.State), row.Urgency,
		string(row.ActionDigest), string(row.ShownDigest), string(row.AskDigest),
		row.Session, like, t.name(row.ID),
		row.CallKey, call, row.Agent, row.User, row.Host, row.Tool, row.Gist, row.GistMore, row.Cwd,
		why, flag(row.Mandated), flag(row.Irreversible), row.CreatedAt, row.AnswerBy,
		row.UseWithinMS, row.DueAt(), row.MovedAt, row.WaiterHash, row.WaiterUntil, row.Rule, row.Grant,
		row.Replaces, flag(row.Edits), row.DerivedFrom, text(body))
	query := db.InsertPending
	if row.State != queue.StatePending || row.Verdict != "" || row.Outcome != "" {
		query = db.InsertDecided
		args = append(args, string(row.Verdict), string(row.DecidedBy), row.Decider, row.DecidedWay,
			row.DecidedAt, row.NotBefore, row.Words, row.Answer, row.DwellMS, row.LinesSeen, row.LinesAll,
			row.RevokeReason, string(row.Outcome), string(row.Exit), flag(row.Mismatch), row.EditedTo)
	}
	t.w.args, t.filing = args, query
	t.c.late = t.file
	row.Seq = seq
	m.counters.Asks = seq
	m.hold(row.Session, call, like)
	t.moved("", row, agent)
	return t.key(row)
}

// file writes the ask that was put off; another statement of the act follows.
func (t *tx) file() error {
	if err := t.change(); err != nil {
		return err
	}
	_, err := t.c.run(t.filing, t.w.args...)
	clear(t.w.args)
	t.filing = ""
	if err != nil {
		return t.broke(fmt.Errorf("keep an ask: %w", err))
	}
	return nil
}

// fileLast writes the ask that was put off as the act's last statement.
func (t *tx) fileLast() error {
	w := t.w
	t.c.late = nil
	switch {
	case t.filing == "":
		return nil
	case w.saved || w.first:
		return t.file()
	}
	w.saved = true // needs none: change leaves it at that
	err := t.file()
	w.saved = false
	w.wrote = w.wrote || err == nil
	// A broken rule undoes the statement, everything else the transaction.
	t.torn = err != nil && !constraint(err)
	return err
}

// name is the number of the event that is expected to follow a write of an
// ask's row: kept there, it costs no index of its own.
func (t *tx) name(id string) string {
	t.named, t.next = id, t.w.mem.head.Seq+1
	return strconv.FormatInt(t.next, 10)
}

// decides reports whether to is an answer to a pending ask.
func decides(from, to queue.State) bool {
	return from == queue.StatePending &&
		(to == queue.StateAllowed || to == queue.StateDenied || to == queue.StateAnswered)
}

func (t *tx) MoveAsk(row *queue.Row, from queue.State, now int64) (bool, error) {
	if err := t.change(); err != nil {
		return false, err
	}
	if err := packable(row, ""); err != nil {
		return false, t.broke(fmt.Errorf("move an ask: %w", err))
	}
	agent, err := t.agent(row.Agent)
	if err != nil {
		return false, err
	}
	named, next := t.named, t.next
	n, err := t.c.run(db.MoveAsk, moveArgs(row, from, now, " "+t.name(row.ID))...)
	if err != nil {
		return false, t.broke(fmt.Errorf("move an ask: %w", err))
	}
	if n == 0 {
		t.named, t.next = named, next
		return false, nil
	}
	t.moved(from, row, agent)
	if from == queue.StatePending && row.State != from {
		return true, t.unmark(row.Seq)
	}
	return true, nil
}

func moveArgs(row *queue.Row, from queue.State, now int64, event string) []driver.Value {
	after := int64(math.MinInt64) // any answer_by is later
	if decides(from, row.State) {
		after = now
	}
	return []driver.Value{
		string(row.State), row.MovedAt, row.DueAt(), string(row.Verdict),
		string(row.DecidedBy), row.Decider, row.DecidedWay, row.DecidedAt, row.NotBefore, row.Words,
		row.Answer, row.DwellMS, row.LinesSeen, row.LinesAll, row.Rule, row.Grant, row.RevokeReason,
		row.UseWithinMS, row.EditedTo, event, row.ID, string(from), string(row.ActionDigest), string(row.ShownDigest), after,
	}
}

// moved keeps counters and the next due time after row left from ("" for a
// new one). agent's count was known before the row was written.
func (t *tx) moved(from queue.State, row *queue.Row, agent *count) {
	m := t.w.mem
	m.count(from, row.Kind, row.Mandated, -1)
	m.count(row.State, row.Kind, row.Mandated, 1)
	m.changed = true
	if due := row.DueAt(); due > 0 {
		m.nextAsk = min(m.nextAsk, due)
	}
	d := flag(row.State == queue.StatePending) - flag(from == queue.StatePending)
	if d != 0 {
		agent.pending += d
		m.undo = append(m.undo, func() { agent.pending -= d })
	}
}

// agent gives what is remembered of an agent; it is asked before a write that
// changes its count.
func (t *tx) agent(name string) (*count, error) {
	m := t.w.mem
	if c := m.agents[name]; c != nil {
		return c, nil
	}
	n, err := t.reader.PendingOf(name)
	if err != nil {
		return nil, t.broke(fmt.Errorf("count an agent's asks: %w", err))
	}
	c := &count{pending: n}
	m.agents[name] = c
	return c, nil
}

// AskByCallKey asks the disk only for what may be there: a submit's key and
// digest are mostly new.
func (t *tx) AskByCallKey(session, key string) (*queue.Row, error) {
	if may, err := t.mayHold(session, short(key)); !may || key == "" {
		return nil, err
	}
	return t.reader.AskByCallKey(session, key)
}

func (t *tx) AsksLike(session string, action digest.Digest, limit int64) ([]queue.Row, error) {
	if may, err := t.mayHold(session, short(string(action))); !may {
		return nil, err
	}
	return t.reader.AsksLike(session, action, limit)
}

// mayHold reports whether an ask of session may have hash as its call's or its
// action's; when it says no, there is none.
func (t *tx) mayHold(session string, hash int64) (bool, error) {
	m := t.w.mem
	set, known := m.hashes[session]
	if !known {
		set = map[int64]struct{}{}
		var row [2]driver.Value
		err := t.c.query(db.HashesOfSession, row[:], func() error {
			for _, v := range row {
				n, ok := v.(int64)
				if !ok {
					return damaged(errors.New("a hash is no number"))
				}
				set[n] = struct{}{}
			}
			return nil
		}, session)
		if err != nil {
			return false, t.broke(fmt.Errorf("read a session's asks: %w", err))
		}
		m.learn(session, set)
	}
	_, may := set[hash]
	return may, nil
}

func (t *tx) PendingOf(agent string) (int64, error) {
	c, err := t.agent(agent)
	if err != nil {
		return 0, err
	}
	return c.pending, nil
}

func (t *tx) SetWaiter(id, hash string, until int64, key string) error {
	if err := t.change(); err != nil {
		return err
	}
	if key == "" {
		n, err := t.c.run(db.SetWaiter, hash, until, id)
		return t.broke(one(n, err, "note a waiter"))
	}
	session, err := t.c.q.SetWaiterKey(bg(), db.SetWaiterKeyParams{
		WaiterHash: hash, WaiterUntil: until, CallKey: key, CallHash: short(key), ID: id,
	})
	if err != nil {
		return t.broke(fmt.Errorf("note a waiter: %w", err))
	}
	t.w.mem.hold(session, short(key))
	return nil
}

// Session gives a copy: what the caller changes reaches the store by PutSession.
func (t *tx) Session(id string) (*queue.Session, error) {
	m := t.w.mem
	s, known := m.sessions[id]
	if !known {
		var err error
		if s, err = t.reader.Session(id); err != nil {
			return nil, t.broke(err)
		}
		m.sessions[id] = s
	}
	if s == nil {
		return nil, nil
	}
	c := *s
	return &c, nil
}

func (t *tx) PutSession(s *queue.Session) error {
	if err := t.change(); err != nil {
		return err
	}
	m := t.w.mem
	kept := *s
	old, known := m.sessions[s.ID]
	m.sessions[s.ID] = &kept
	m.undo = append(m.undo, func() {
		if known {
			m.sessions[s.ID] = old
		} else {
			delete(m.sessions, kept.ID)
		}
	})
	m.mark(m.touched, s.ID)
	return nil
}

func (t *tx) Sessions(limit int64) ([]queue.Session, error) {
	if err := t.showSessions(); err != nil {
		return nil, err
	}
	return t.reader.Sessions(limit)
}

func (t *tx) ChildrenOf(session string) ([]queue.Session, error) {
	if err := t.showSessions(); err != nil {
		return nil, err
	}
	return t.reader.ChildrenOf(session)
}

// showSessions lets a list see sessions that would be written at the commit.
// They stay to be written: this act may yet be undone, and the writing with it.
func (t *tx) showSessions() error {
	if len(t.w.mem.touched) == 0 {
		return nil
	}
	if err := t.change(); err != nil {
		return err
	}
	return t.broke(t.w.writeSessions())
}
