//go:build unix

package faults

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"nod/queue"
	"nod/queue/ledger"
)

// What came of an act, as far as its caller was told before the kill.
const (
	open    = ""   // begun; nobody was told: it may be in the store or not
	acked   = "ok" // carried out: it is in the store
	refused = "no" // by the queue: it is not in the store
	failed  = "err"
)

// tried is one act that a load process set out to do.
type tried struct {
	act    queue.Act
	evil   bool // must be refused whatever happens
	end    string
	result queue.Result
}

func (a *tried) may() bool  { return (a.end == open || a.end == acked) && !a.evil }
func (a *tried) must() bool { return a.end == acked }

// journal is everything that load processes said, by the number of the act.
// Each line went through a pipe in one write, so that a kill leaves whole
// lines only.
type journal struct {
	acts  map[string]*tried
	ready bool
	codes map[string]int // why acts were refused
}

func newJournal() *journal { return &journal{acts: map[string]*tried{}, codes: map[string]int{}} }

// read takes lines until the process is gone. onReady is called once, when it
// begins to act.
func (j *journal) read(in io.Reader, onReady func()) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if errors.Is(err, io.EOF) {
			if line != "" {
				return fmt.Errorf("a line was cut: %q", line)
			}
			return nil
		}
		if err != nil {
			return err
		}
		if line == "ready\n" {
			j.ready = true
			onReady()
			continue
		}
		if err := j.note(strings.TrimSuffix(line, "\n")); err != nil {
			return fmt.Errorf("%w in the line %q", err, line)
		}
	}
}

func (j *journal) note(line string) error {
	part := strings.SplitN(line, "\t", 3)
	if len(part) != 3 {
		return errors.New("not three fields")
	}
	verb, n, payload := part[0], part[1], part[2]
	if verb == "try" {
		act, err := queue.DecodeAct([]byte(payload))
		if err != nil {
			return err
		}
		j.acts[n] = &tried{act: act, evil: strings.HasPrefix(n, "evil")}
		return nil
	}
	a := j.acts[n]
	if a == nil {
		return errors.New("an answer to nothing")
	}
	r := readAnswer(verb, payload)
	a.end, a.result = verb, r.result
	switch verb {
	case acked:
		return r.err
	case refused:
		j.codes[r.refusal.Code]++
	default:
		j.codes["error:"+r.code]++
	}
	return nil
}

// merge takes what another process said.
func (j *journal) merge(o *journal) {
	for n, a := range o.acts {
		j.acts[n] = a
	}
	for c, n := range o.codes {
		j.codes[c] += n
	}
}

// audit holds a journal against the events and rows that its processes left:
// nothing acknowledged is lost, nothing is there that was not asked for, and
// what was refused left nothing (I10).
type auditor struct {
	j    *journal
	l    *ledger.Ledger
	tx   queue.ReadTx
	news []ledger.Event
	rows map[string]*queue.Row // of the asks that news touched
	at   map[string]*queue.Attempt
}

func (a *auditor) run() error {
	a.rows, a.at = map[string]*queue.Row{}, map[string]*queue.Attempt{}
	for i := range a.news {
		if err := a.load(a.news[i].Ask); err != nil {
			return err
		}
	}
	for n, t := range a.j.acts {
		if t.must() {
			if err := a.kept(n, t); err != nil {
				return fmt.Errorf("acknowledged and lost: act %s, %T %+v: %w", n, t.act, t.result, err)
			}
		}
	}
	return a.invented()
}

// load reads an ask's row and attempt and compares them with the fold.
func (a *auditor) load(id string) error {
	if id == "" || a.rows[id] != nil {
		return nil
	}
	row, err := a.tx.Ask(id)
	if err != nil {
		return err
	}
	if row == nil {
		return fmt.Errorf("I7: ask %s has events and no row", id)
	}
	if err := a.l.SameRow(a.tx, row); err != nil {
		return err
	}
	a.rows[id] = row
	attempts, err := a.tx.AttemptsOf(id)
	for i := range attempts {
		a.at[attempts[i].ID] = &attempts[i]
	}
	return err
}

// ask gives the row of an ask that an acknowledged act names.
func (a *auditor) ask(id string) (*queue.Row, error) {
	err := a.load(id)
	return a.rows[id], err
}

var errLost = errors.New("the store does not hold it")

// kept says whether an acknowledged act is in the store.
func (a *auditor) kept(n string, t *tried) error {
	if t.evil {
		return errors.New("it must have been refused")
	}
	ok := true
	switch act := t.act.(type) {
	case queue.Submit:
		r := t.result.(queue.Submitted)
		row, err := a.ask(r.Ask)
		if err != nil {
			return err
		}
		from, err := a.root(row)
		if err != nil {
			return err
		}
		ok = from.Gist == mark(&act) && row.ActionDigest == r.ActionDigest && row.ShownDigest == r.ShownDigest
		if r.Begun != nil {
			at := a.at[r.Begun.Attempt]
			ok = ok && at != nil && at.Executor == n
		}
	case queue.Decide:
		row, err := a.ask(act.Ask)
		if err != nil {
			return err
		}
		ok = row.Words == n && row.Verdict == act.Verdict && row.DecidedAt == t.result.(queue.Decided).Decision.At
	case queue.DecideBatch:
		for _, r := range t.result.(queue.BatchDecided).Results {
			if r.Decided == nil {
				continue // skipped, and named
			}
			row, err := a.ask(r.Ask)
			if err != nil {
				return err
			}
			ok = ok && row.Words == n && row.Verdict == act.Verdict && row.DecidedAt == r.Decided.Decision.At
		}
	case queue.Edit:
		row, err := a.ask(act.Ask)
		if err != nil {
			return err
		}
		r := t.result.(queue.Edited)
		next, err := a.ask(r.Ask)
		if err != nil {
			return err
		}
		ok = row.Words == n && row.State == queue.StateDenied && row.EditedTo == r.Ask && next != nil && next.DerivedFrom == act.Ask &&
			next.ActionDigest == r.Action && next.ShownDigest == r.Shown && next.Gist == n
	case queue.Begin:
		if _, err := a.ask(act.Ask); err != nil {
			return err
		}
		at := a.at[t.result.(queue.Begun).Attempt]
		ok = at != nil && at.Executor == n && at.AskID == act.Ask
	case queue.Report:
		at, err := a.tx.Attempt(act.Attempt)
		if err != nil {
			return err
		}
		ok = at != nil && at.Ref == n && at.Exit == act.Exit
	case queue.Renew:
		at, err := a.tx.Attempt(act.Attempt)
		if err != nil {
			return err
		}
		ok = at != nil && at.Lease >= t.result.(queue.Renewed).Lease
	case queue.Withdraw:
		row, err := a.ask(t.result.(queue.Moved).Ask) // the one in its place, when it was edited
		if err != nil {
			return err
		}
		ok = row.State == queue.StateWithdrawn && row.MovedAt == t.result.(queue.Moved).At
	case queue.Revoke:
		row, err := a.ask(act.Ask)
		if err != nil {
			return err
		}
		ok = row.State == queue.StateRevoked && row.MovedAt == t.result.(queue.Moved).At
	case queue.GrantDigest:
		ok = a.l.Grants[t.result.(queue.Granted).Grant] != nil
	case queue.Freeze, queue.Unfreeze:
		r := t.result.(queue.Frozen)
		ok = a.has(func(e *ledger.Event) bool {
			return e.Act == actName(act) && e.Session == r.Session && e.Effective == r.At
		})
	case queue.EndSession:
		r := t.result.(queue.Ended)
		ok = a.has(func(e *ledger.Event) bool { return e.Act == "session_end" && e.Session == r.Session })
	}
	if !ok {
		return errLost
	}
	return nil
}

// root is the ask that was submitted, of which row is an edit; row itself where
// it is none.
func (a *auditor) root(row *queue.Row) (*queue.Row, error) {
	for row.DerivedFrom != "" {
		was, err := a.tx.Ask(row.DerivedFrom)
		if err != nil {
			return nil, err
		}
		if was == nil || was.EditedTo != row.ID {
			return nil, fmt.Errorf("ask %s is an edit of nothing", row.ID)
		}
		row = was
	}
	return row, nil
}

func (a *auditor) has(f func(*ledger.Event) bool) bool {
	for i := range a.news {
		if f(&a.news[i]) {
			return true
		}
	}
	return false
}

// actName is what the events call an act here.
func actName(act queue.Act) string {
	switch act.(type) {
	case queue.Freeze:
		return "freeze"
	case queue.Unfreeze:
		return "unfreeze"
	case queue.EndSession:
		return "session_end"
	case queue.Withdraw:
		return "withdraw"
	case queue.Revoke:
		return "revoke"
	case queue.GrantDigest:
		return "grant"
	default:
		return ""
	}
}

// mark is the text that a load process put into a call.
func mark(s *queue.Submit) string {
	return strings.TrimSuffix(strings.TrimPrefix(string(s.Call.Arguments), `{"command":"`), `"}`)
}

// invented finds an event of these processes that none of them can have
// caused. Each act may cause one event of its kind; those that were refused or
// failed, none.
func (a *auditor) invented() error {
	may := map[string]int{} // kind of event and what it is about → how many
	for n, t := range a.j.acts {
		if !t.may() {
			continue
		}
		switch act := t.act.(type) {
		case queue.Submit:
			may["submit "+mark(&act)]++
			may["adopt "+mark(&act)]++
			if act.Begin {
				may["begin "+n]++
			}
		case queue.Decide:
			may["decide "+act.Ask+" "+string(act.Verdict)+" "+n]++
		case queue.DecideBatch:
			for i := range act.Items {
				may["decide "+act.Items[i].Ask+" "+string(act.Verdict)+" "+n]++
			}
		case queue.Edit:
			may["edit "+act.Ask+" "+n]++
			may["submit "+n]++
		case queue.Begin:
			may["begin "+n]++
		case queue.Report:
			may["report "+n]++
		case queue.Withdraw:
			row, err := a.ask(act.Ask) // it may name an edit by now
			if err == nil && row != nil {
				row, err = a.root(row)
			}
			if err != nil || row == nil {
				return fmt.Errorf("the ask %s that was to be withdrawn: %w", act.Ask, err)
			}
			may["withdraw "+row.ID]++
		case queue.Revoke:
			may["revoke "+act.Ask]++
		case queue.GrantDigest:
			may["grant "+act.Ask]++
		case queue.Freeze:
			may["freeze "+act.Session]++
		case queue.Unfreeze:
			may["unfreeze "+act.Session]++
		case queue.EndSession:
			may["session_end"]++
		}
	}
	for i := range a.news {
		e := &a.news[i]
		if e.Actor == "clock" || e.Actor == "queue" || e.Act == "withdraw" && e.Reason == "session_end" {
			continue
		}
		row := a.rows[e.Ask]
		key := e.Act
		switch e.Act {
		case "submit":
			key += " " + row.Gist
		case "adopt", "withdraw":
			from, err := a.root(row)
			if err != nil {
				return err
			}
			key += " " + map[string]string{"adopt": from.Gist, "withdraw": from.ID}[e.Act]
		case "edit":
			key += " " + e.Ask + " " + row.Words
		case "decide":
			key += " " + e.Ask + " " + string(row.Verdict) + " " + row.Words
		case "begin":
			key += " " + a.at[e.Attempt].Executor
		case "report":
			key += " " + a.at[e.Attempt].Ref
		case "revoke", "grant":
			key += " " + e.Ask
		case "freeze", "unfreeze":
			key += " " + e.Session
		}
		if may[key]--; may[key] < 0 {
			return fmt.Errorf("I10: event %d was not asked for, or its act was refused: %s", e.Seq, key)
		}
	}
	return nil
}
