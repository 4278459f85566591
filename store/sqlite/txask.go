package sqlite

import (
	"bytes"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"nod/queue"
	"nod/store/sqlite/db"
)

// askOf reads the member "ask" of an event's canonical bytes, whose members
// stand in order, so that it stops early.
func askOf(body jsontext.Value) (string, error) {
	const member = "ask"
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

func (t *tx) InsertAsk(row *queue.Row) error {
	why, err := reasons(row.Reasons)
	if err == nil {
		err = packable(row, why)
	}
	if err != nil {
		return t.broke(fmt.Errorf("keep an ask: %w", err))
	}
	if err := t.change(); err != nil {
		return err
	}
	agent, err := t.agent(row.Agent)
	if err != nil {
		return err
	}
	m := t.w.mem
	seq := m.counters.Asks + 1 // no ask is ever removed
	content := t.contents[row.AskDigest]
	args := append(t.w.args[:0], seq, row.ID, row.Kind, string(row.State), row.Urgency,
		string(row.ActionDigest), string(row.ShownDigest), string(row.AskDigest),
		row.Session, short(row.Session, string(row.ActionDigest)), short(string(row.AskDigest)), t.name(row.ID),
		row.CallKey, short(row.CallKey), row.Agent, row.User, row.Host, row.Tool, row.Gist, row.GistMore, row.Cwd,
		why, flag(row.Mandated), flag(row.Irreversible), row.CreatedAt, row.AnswerBy,
		row.UseWithinMS, row.DueAt(), row.MovedAt, row.WaiterHash, row.WaiterUntil, row.Rule, row.Grant,
		row.Replaces, string(content))
	query := db.InsertPending
	if row.State != queue.StatePending || row.Verdict != "" || row.Outcome != "" {
		query = db.InsertDecided
		args = append(args, string(row.Verdict), string(row.DecidedBy), row.Decider, row.DecidedWay,
			row.DecidedAt, row.NotBefore, row.Words, row.Answer, row.DwellMS, row.LinesSeen, row.LinesAll,
			row.RevokeReason, string(row.Outcome), string(row.Exit), flag(row.Mismatch))
	}
	_, err = t.c.run(query, args...)
	clear(args)
	t.w.args = args
	if err != nil {
		return t.broke(fmt.Errorf("keep an ask: %w", err))
	}
	delete(t.contents, row.AskDigest)
	row.Seq = seq
	m.counters.Asks = seq
	t.moved("", row, agent)
	return nil
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
		row.UseWithinMS, event, row.ID, string(from), string(row.ActionDigest), string(row.ShownDigest), after,
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
	var n int64
	var err error
	if key == "" {
		n, err = t.c.run(db.SetWaiter, hash, until, id)
	} else {
		n, err = t.c.run(db.SetWaiterKey, hash, until, key, short(key), id)
	}
	return t.broke(one(n, err, "note a waiter"))
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
