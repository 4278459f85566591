package queue

import (
	"context"
	"time"
	"unicode/utf8"

	"nod/digest"
	"nod/notice"
)

// MaxWords is how long a person's words may be, in bytes.
const MaxWords = 16 << 10

// maxHoldMS bounds a decision's not_before.
const maxHoldMS = 24 * 3_600_000

// CheckWords refuses words that no decision, batch or edit takes. Whoever asks a
// person to read first says it before that.
func CheckWords(words string) error {
	switch {
	case !utf8.ValidString(words):
		return refuse(digest.CodeBadUTF8, "the words are not UTF-8").hint("send UTF-8")
	case len(words) > MaxWords:
		return refuse(digest.CodeTooLarge, "the words are longer than 16 KiB").hint("say less")
	}
	return nil
}

// CheckHold refuses a hold that no decision takes, as CheckWords.
func CheckHold(ms int64) error {
	if ms < 0 || ms > maxHoldMS {
		return refuse(CodeBadInput, "a hold is at most 24 hours").hint("write it as 5m or 2h")
	}
	return nil
}

func (q *Queue) prepareDecide(ctx context.Context, c *Conn, a Decide) (job, error) {
	switch a.Verdict {
	case VerdictAllow, VerdictDeny, VerdictAnswer:
	default:
		return nil, refuse(CodeBadInput, "the verdict is none of allow, deny, answer").hint("use one of the three words")
	}
	if err := CheckWords(a.Words); err != nil {
		return nil, err
	}
	if err := CheckHold(a.HoldMS); err != nil {
		return nil, err
	}
	switch {
	case !utf8.ValidString(a.Confirm):
		return nil, refuse(digest.CodeBadUTF8, "the value typed is not UTF-8").hint("send UTF-8")
	case !a.ActionDigest.Valid() || !a.ShownDigest.Valid():
		return nil, refuse(CodeWrongDigest, "a decision names the action digest and the shown digest whole").
			hint("nod show prints both")
	case a.DwellMS < 0 || a.LinesSeen < 0 || a.LinesAll < 0:
		return nil, refuse(CodeBadInput, "a number of the decision is out of range").hint("times and lines are not negative")
	}
	if err := q.refuseScript(ctx, c, a); err != nil {
		return nil, err
	}
	answer, err := q.readAnswer(ctx, a)
	if err != nil {
		return nil, err
	}
	return func(tx Tx, m moment) (Result, error) { return q.decide(tx, m, c, a, answer, 0) }, nil
}

// refuseScript refuses a script what its begin would be refused: the ask is as it
// was filed, and its tree may want a person since.
func (q *Queue) refuseScript(ctx context.Context, c *Conn, a Decide) error {
	if c.Way != WayScript || a.Verdict != VerdictAllow {
		return nil
	}
	return q.store.View(ctx, func(tx ReadTx) error {
		row, err := tx.Ask(a.Ask)
		if err != nil || row == nil || row.State != StatePending {
			return err // the transaction says what is wrong
		}
		switch crosses, err := q.wants(tx, row); {
		case err != nil:
			return err
		case crosses:
			return needsPerson()
		}
		return nil
	})
}

func needsPerson() *Refusal {
	return refuse(CodeNeedsPerson, "this ask is answered only by a person at a terminal").hint("open nod")
}

// readAnswer holds an answer against its question before the transaction:
// nothing that an agent wrote is computed with while others wait for the store.
// The action digest, which the transaction compares, names the question.
func (q *Queue) readAnswer(ctx context.Context, a Decide) (answer digest.JSON, err error) {
	if a.Verdict != VerdictAnswer {
		return nil, nil
	}
	var question *digest.Question
	err = q.store.View(ctx, func(tx ReadTx) error {
		row, err := tx.Ask(a.Ask)
		if err != nil || row == nil || row.ActionDigest != a.ActionDigest || row.State != StatePending {
			return err // the transaction says what is wrong
		}
		ask, _, err := readAsk(tx, row)
		if err == nil {
			question = ask.Question
		}
		return err
	})
	if err != nil || question == nil {
		return nil, err
	}
	return checkAnswer(question, a.Answer, q.settings.Limits)
}

// answerable says why a person's answer to row, bound to what was shown of it,
// does not count; nil when it does.
func answerable(row *Row, m moment, action, shown digest.Digest) *Refusal {
	switch {
	case row.State != StatePending:
		return final(row)
	case m.now >= row.AnswerBy: // settle is held
		return refuse(CodeTooLate, "the time to answer is over")
	case action != row.ActionDigest || shown != row.ShownDigest:
		return refuse(CodeWrongDigest, "the digest is not the one shown for this ask").hint("open the ask again and read it")
	}
	return nil
}

// decide answers one ask; together is how many asks one code answered, 0 for
// this one alone.
func (q *Queue) decide(tx Tx, m moment, c *Conn, a Decide, answer digest.JSON, together int64) (Result, error) {
	row, err := q.load(tx, m, a.Ask)
	if err != nil {
		return nil, err
	}
	if no := answerable(row, m, a.ActionDigest, a.ShownDigest); no != nil {
		return nil, no
	}
	if (a.Verdict == VerdictAnswer) != (row.Kind == digest.KindQuestion) && a.Verdict != VerdictDeny {
		return nil, refuse(CodeBadInput, "a question is answered or denied, everything else allowed or denied")
	}
	if a.Verdict == VerdictAllow && c.Way == WayScript && (row.Mandated || row.Irreversible) {
		return nil, needsPerson()
	}
	if a.Verdict == VerdictAllow {
		switch was, err := descriptorOf(tx, row); {
		case err != nil:
			return nil, asRefusal(err)
		case was != q.inForce(row.Tool):
			return nil, refuse(CodeDescriptorChanged, "the descriptor of this tool is not the one it was asked with").
				hint("start nod again if you changed it; if that is no help, deny it, and the agent asks anew")
		}
	}
	if a.Verdict == VerdictAllow && (row.Mandated || row.Irreversible) {
		ask, _, err := readAsk(tx, row)
		if err != nil {
			return nil, asRefusal(err)
		}
		if want := q.confirm(row, ask); a.Confirm != want.value {
			return nil, refuse(CodeWrongConfirm, "the value typed is not the one this ask wants").hint("type the value on the card that the console marks")
		}
	}
	if a.Verdict == VerdictAnswer && answer == nil {
		return nil, errChanged // it became a pending question after it was read
	}
	row.Verdict, row.DecidedBy, row.Decider, row.DecidedWay = a.Verdict, ByPerson, c.operator(), c.Way
	if !notice.IsOwed(a.Words) {
		a.Words = "" // blanks say nothing
	}
	row.DecidedAt, row.Words, row.Answer = m.now, a.Words, string(answer)
	row.DwellMS, row.LinesSeen, row.LinesAll = a.DwellMS, a.LinesSeen, a.LinesAll
	if hold := q.hold(row, a.HoldMS); hold > 0 && a.Verdict == VerdictAllow {
		row.NotBefore = m.now + hold
	}
	err = q.move(tx, m, row, a.Verdict.state(), Event{Act: "decide", Actor: c.operator(), By: ByPerson, Way: c.Way,
		NotBefore: row.NotBefore, DwellMS: a.DwellMS, LinesSeen: a.LinesSeen, LinesAll: a.LinesAll, Words: a.Words != "",
		Said: SaidDigest(row.ID, a.Words, answer), Count: together, Delivery: string(StageDecided)})
	if err == nil {
		err = q.delivers(tx, m, row)
	}
	if err != nil {
		return nil, err
	}
	return Decided{Ask: row.ID, State: row.State, Decision: *row.decision()}, nil
}

// hold is how long an allow of row waits before it may begin: as long as the
// decision says, and where nothing takes the effect back, the operator's time to
// revoke at least.
func (q *Queue) hold(row *Row, asked int64) int64 {
	if row.Irreversible {
		return max(asked, q.settings.HoldIrreversibleMS)
	}
	return asked
}

// Ways that the queue asks for: a command without a terminal, and Nod's own
// executor, which receives a call's result itself.
const (
	WayScript = "script"
	WayRun    = "run"
)

// final says why an ask that is not pending takes no decision: who was first,
// and when.
func final(row *Row) *Refusal {
	var r *Refusal
	switch row.State {
	case StateExpired:
		r = refuse(CodeTooLate, "no person answered in time, so it never ran")
	case StateWithdrawn:
		r = refuse(CodeTooLate, "the requester took it back")
	case StateLapsed:
		r = refuse(CodeTooLate, "it was allowed and not used in time")
	case StateSpent:
		r = refuse(CodeSpent, "it was allowed and has begun")
	case StateRevoked:
		r = refuse(CodeDecided, "its allow was revoked")
	case StateDenied:
		r = refuse(CodeDecided, "it was decided already")
		if row.EditedTo != "" {
			r.Sentence = "its arguments were changed, and the ask " + row.EditedTo + " is in its place"
			r.Hint = "decide that one"
		}
	default:
		r = refuse(CodeDecided, "it was decided already")
	}
	r.Who, r.At = row.Decider, row.MovedAt
	if r.Who != "" {
		r.Sentence += " (" + string(row.Verdict) + " by " + string(row.DecidedBy) + " at " +
			time.UnixMilli(row.DecidedAt).UTC().Format("15:04:05") + "Z)"
	}
	return r
}

func (q *Queue) withdraw(tx Tx, m moment, c *Conn, a Withdraw) (Result, error) {
	row, err := q.load(tx, m, a.Ask)
	if err != nil {
		return nil, err
	}
	operator := c.Role&RoleOperator != 0
	if !operator { // the requester takes its call back, whatever became of it
		if row, err = q.loadInPlace(tx, m, a.Ask); err != nil {
			return nil, err
		}
	}
	if !operator && row.WaiterHash != tokenHash(a.Token) {
		return nil, notYours()
	}
	if row.State.Final() {
		return nil, final(row)
	}
	switch a.Why {
	case "":
		a.Why = "requester"
	case "requester", "session_end", "host_gone", "returned":
	default:
		return nil, refuse(CodeBadInput, "the reason is not a code of a withdrawal")
	}
	actor := c.Principal.Agent
	if operator {
		actor = c.operator()
	}
	err = q.move(tx, m, row, StateWithdrawn, Event{Act: "withdraw", Actor: actor, Way: c.Way, Reason: a.Why})
	if err == nil && a.Why == "returned" {
		err = q.returns(tx, row)
	}
	return Moved{Ask: row.ID, State: row.State, At: m.now}, err
}

func (q *Queue) revoke(tx Tx, m moment, c *Conn, a Revoke) (Result, error) {
	row, err := q.load(tx, m, a.Ask)
	if err != nil {
		return nil, err
	}
	switch row.State {
	case StateAllowed:
	case StatePending:
		return nil, refuse(CodeNotAllowedYet, "it is not allowed yet, so there is nothing to revoke").hint("deny it instead")
	default:
		return nil, final(row)
	}
	row.RevokeReason = "operator"
	err = q.move(tx, m, row, StateRevoked, Event{Act: "revoke", Actor: c.operator(), Way: c.Way, Reason: "operator", Words: a.Reason != ""})
	return Moved{Ask: row.ID, State: row.State, At: m.now}, err
}
