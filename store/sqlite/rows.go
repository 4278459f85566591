package sqlite

import (
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"nod/digest"
	"nod/queue"
	"nod/store/sqlite/db"
)

// short is the number under which the index of a long key files it; 0 is kept
// for "no key". It only finds candidates: the whole key is compared as well.
func short(parts ...string) int64 {
	if len(parts) == 1 && parts[0] == "" {
		return 0
	}
	h := sha256.New()
	for _, p := range parts {
		_, _ = h.Write([]byte(p)) // a hash never fails
		_, _ = h.Write([]byte{0})
	}
	var sum [sha256.Size]byte
	n := int64(binary.BigEndian.Uint64(h.Sum(sum[:0]))) //nolint:gosec // any 64 bits do
	if n == 0 {
		n = 1
	}
	return n
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

func rowOf(a *db.AskRow) queue.Row {
	r := queue.Row{
		Seq: a.Seq, ID: a.ID, Kind: a.Kind, State: queue.State(a.State), Urgency: a.Urgency,
		ActionDigest: digest.Digest(a.ActionDigest), ShownDigest: digest.Digest(a.ShownDigest),
		AskDigest: digest.Digest(a.AskDigest), Session: a.Session, CallKey: a.CallKey,
		Agent: a.Agent, User: a.UserName, Host: a.Host, Tool: a.Tool,
		Gist: a.Gist, GistMore: a.GistMore, Cwd: a.Cwd,
		Mandated: a.Mandated != 0, Irreversible: a.Irreversible != 0,
		CreatedAt: a.CreatedAt, AnswerBy: a.AnswerBy, UseWithinMS: a.UseWithinMs, MovedAt: a.MovedAt,
		Verdict: queue.Verdict(a.Verdict), DecidedBy: queue.DecidedBy(a.DecidedBy),
		Decider: a.Decider, DecidedWay: a.DecidedWay, DecidedAt: a.DecidedAt, NotBefore: a.NotBefore,
		Words: a.Words, Answer: a.Answer, DwellMS: a.DwellMs, LinesSeen: a.LinesSeen, LinesAll: a.LinesAll,
		WaiterHash: a.WaiterHash, WaiterUntil: a.WaiterUntil, Rule: a.RuleName, Grant: a.GrantID,
		Replaces: a.Replaces, RevokeReason: a.RevokeReason,
		Outcome: queue.AttemptState(a.Outcome), Exit: queue.ExitStatus(a.ExitStatus), Mismatch: a.Mismatch != 0,
	}
	if a.Reasons != "" {
		r.Reasons = strings.Split(a.Reasons, " ")
	}
	return r
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
	}
}

func sessionOf(s *db.Session) queue.Session {
	return queue.Session{
		ID: s.ID, HostID: s.HostID, Principal: s.Principal, Agent: s.Agent, Parent: s.Parent,
		StartedAt: s.StartedAt, LastAct: s.LastAct, EndedAt: s.EndedAt,
	}
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
		At: n.RaisedAt, AckedAt: n.AckedAt, AckedBy: n.AckedBy,
	}
}
