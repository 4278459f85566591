package sqlite

import (
	"crypto/sha256"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unsafe"

	"nod/boundary"
	"nod/digest"
	"nod/queue"
	"nod/store/sqlite/db"
)

// short is the number under which the index of a long key files it; 0 is kept
// for "no key". It only finds candidates: the whole key is compared as well.
func short(key string) int64 {
	if key == "" {
		return 0
	}
	sum := sha256.Sum256([]byte(key))
	n := int64(binary.BigEndian.Uint64(sum[:])) //nolint:gosec // any 64 bits do
	if n == 0 {
		n = 1
	}
	return n
}

// text is b as a string without a copy of it, for the driver, which copies
// what it is given before it returns. Nobody changes b until then.
func text(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b)) //nolint:gosec // an act's document is never changed
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// found turns "no row" into nil, nil.
func found[T, R any](row T, err error, as func(*T) R) (*R, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := as(&row)
	return &r, nil
}

func each[T, R any](rows []T, err error, as func(*T) R) ([]R, error) {
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	list := make([]R, len(rows))
	for i := range rows {
		list[i] = as(&rows[i])
	}
	return list, nil
}

// bar stands between packed columns; none of them may hold it.
const bar = "|"

// packed are the columns of a row that ask_rows packs, in its order.
func packed(r *queue.Row, reasons *string, mandated, irreversible, mismatch, edits *int64) [37]any {
	return [...]any{
		&r.Seq, &r.ID, &r.Kind, (*string)(&r.State), &r.Urgency, (*string)(&r.ActionDigest),
		(*string)(&r.ShownDigest), (*string)(&r.AskDigest), &r.Session, &r.CallKey, &r.GistMore, reasons,
		mandated, irreversible, &r.CreatedAt, &r.AnswerBy, &r.UseWithinMS, &r.MovedAt,
		&r.WaiterHash, &r.WaiterUntil, &r.Grant, &r.Replaces, (*string)(&r.Verdict), (*string)(&r.DecidedBy),
		&r.DecidedWay, &r.DecidedAt, &r.NotBefore, &r.DwellMS, &r.LinesSeen, &r.LinesAll, &r.RevokeReason,
		(*string)(&r.Outcome), (*string)(&r.Exit), mismatch, edits, &r.DerivedFrom, &r.EditedTo,
	}
}

// packable refuses a row whose packed columns would not read back.
func packable(r *queue.Row, reasons string) error {
	var none int64
	for _, column := range packed(r, &reasons, &none, &none, &none, &none) {
		if text, ok := column.(*string); ok && strings.Contains(*text, bar) {
			return fmt.Errorf("%q holds a bar", *text)
		}
	}
	return nil
}

// askColumns is how many columns a query for asks answers with.
const askColumns = 11

// rowOf reads one answer of a query for asks.
func rowOf(columns *[askColumns]driver.Value) (r queue.Row, err error) {
	var pack, reasons string
	var mandated, irreversible, mismatch, edits int64
	for i, to := range [askColumns]*string{
		&pack, &r.Agent, &r.User, &r.Host, &r.Tool, &r.Gist, &r.Cwd, &r.Decider, &r.Words, &r.Answer, &r.Rule,
	} {
		text, ok := columns[i].(string)
		if !ok {
			return r, damaged(fmt.Errorf("column %d of an ask is no text", i))
		}
		*to = text
	}
	fields := packed(&r, &reasons, &mandated, &irreversible, &mismatch, &edits)
	for i, to := range fields {
		word, rest, more := strings.Cut(pack, bar)
		if more == (i == len(fields)-1) {
			return r, damaged(errors.New("an ask's packed columns do not read"))
		}
		pack = rest
		switch to := to.(type) {
		case *string:
			*to = word
		case *int64:
			if *to, err = strconv.ParseInt(word, 10, 64); err != nil {
				return r, damaged(errors.New("an ask's packed columns do not read"))
			}
		}
	}
	r.Mandated, r.Irreversible, r.Mismatch, r.Edits = mandated != 0, irreversible != 0, mismatch != 0, edits != 0
	if reasons != "" {
		r.Reasons = strings.Split(reasons, " ")
	}
	return r, nil
}

// reasons joins the words of the closed set with spaces.
func reasons(words []string) (string, error) {
	for _, w := range words {
		if w == "" || strings.ContainsRune(w, ' ') {
			return "", fmt.Errorf("keep reasons: %q is not one word", w)
		}
	}
	return strings.Join(words, " "), nil
}

func attemptOf(a *db.Attempt) queue.Attempt {
	return queue.Attempt{
		ID: a.ID, AskID: a.AskID, Number: a.AttemptNo, State: queue.AttemptState(a.State),
		TokenHash: a.TokenHash, Executor: a.Executor, HostRuns: a.HostRuns != 0, Session: a.Session,
		BeganAt: a.BeganAt, Lease: a.Lease, LeaseMS: a.LeaseMs, EndedAt: a.EndedAt,
		Exit: queue.ExitStatus(a.ExitStatus), Observed: digest.Digest(a.Observed),
		Mismatch: a.Mismatch != 0, Late: a.Late != 0, Ref: a.Reference, Desk: a.Desk != 0,
		Effect: a.Effect, SettleMS: a.SettleMs, Claims: a.Claims != 0, Watched: a.Watched != 0,
	}
}

func sessionOf(s *db.Session) queue.Session {
	return queue.Session{
		ID: s.ID, HostID: s.HostID, Principal: s.Principal, Agent: s.Agent, Parent: s.Parent,
		StartedAt: s.StartedAt, LastAct: s.LastAct, EndedAt: s.EndedAt,
		Tree: s.Tree, ArmedAt: s.ArmedAt, ObservedAt: s.ObservedAt, GovernedAt: s.GovernedAt,
		Target: s.Target, Unreadable: s.Unreadable, Told: s.Told, Source: s.Source, Clamps: s.Clamps,
		Receipts: queue.Stage(s.Receipts), WordsMax: s.WordsMax,
	}
}

func recordOf(r *db.Record) queue.Record {
	return queue.Record{Session: r.Session, Run: r.Run, Phase: boundary.Phase(r.Phase), Body: []byte(r.Body), At: r.WrittenAt}
}

func grantOf(g *db.Grant) queue.Grant {
	return queue.Grant{
		ID: g.ID, ActionDigest: digest.Digest(g.ActionDigest), Session: g.Session,
		Left: g.UsesLeft, Until: g.UntilMs, By: g.GrantedBy, At: g.GrantedAt,
	}
}

func freezeOf(f *db.Freeze) queue.FreezeRow {
	return queue.FreezeRow{
		ID: f.ID, Session: f.Session, Since: f.Since, By: f.FrozenBy, Reason: f.Reason, LiftedAt: f.LiftedAt,
	}
}

func noticeOf(n *db.Notice) queue.Notice {
	return queue.Notice{
		ID: n.ID, Code: n.Code, Ask: n.Ask, Session: n.Session, Sentence: n.Sentence,
		At: n.RaisedAt, AckedAt: n.AckedAt, AckedBy: n.AckedBy, Detail: n.Detail,
		Once: n.Once, Owed: n.Owed, Carried: n.Carried, Parent: n.Parent,
	}
}
