package queue

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"nod/boundary"
	"nod/notice"
)

// endSilent is why the clock ends a session.
const endSilent = "silent"

// Acts of events by which a host corrects the account of an answer's words.
const (
	actReturned  = "returned"
	actUncarried = "uncarried"
)

// maxUndrained is how many open notices of words one session has at the most: a
// host names the runs.
const maxUndrained = 32

// maxAccounts bounds the accounts of one report.
const maxAccounts = 256

// cause is what a session's end means for the words that were owed to it.
func endCause(why string) notice.Cause {
	if why == "host_gone" || why == endSilent {
		return notice.Crashed
	}
	return notice.LegEnd
}

func (a *EndLeg) check() error {
	switch {
	case strings.TrimSpace(a.Session) == "" || len(a.Session) > maxName || len(a.Run) > maxName || len(a.Task) > maxName ||
		!utf8.ValidString(a.Session) || !utf8.ValidString(a.Run) || !utf8.ValidString(a.Task):
		return refuse(CodeBadInput, "the end of a leg names no session, or a name that is too long or not UTF-8").
			hint("send the host's session id and its name of the run")
	case a.Cause != notice.LegEnd && a.Cause != notice.Crashed:
		return refuse(CodeBadInput, "the cause is neither leg_end nor crashed").hint("use one of the two words")
	case len(a.Accounts) > maxAccounts:
		return refuse(CodeBadInput, "the end of a leg has more than %d accounts", maxAccounts).hint("add up those of one family")
	}
	for i := range a.Accounts {
		if a.Accounts[i].Ask != "" && a.Accounts[i].Kind != notice.ApprovalFeedback {
			return refuse(CodeBadInput, "an account names an ask, and is none of the words of an answer").
				hint("only approval_feedback names its ask")
		}
	}
	return nil
}

// endLeg takes a host's account of what was owed on a leg that is over. The
// session goes on.
func (q *Queue) endLeg(tx Tx, m moment, c *Conn, a EndLeg) (Result, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	s, err := tx.Session(sessionID(&c.Principal, a.Session))
	if err != nil {
		return nil, err
	}
	if s == nil {
		return nil, refuse(CodeUnknownID, "this connection has no such session")
	}
	l := notice.Leg{Task: a.Task, Session: s.ID, Run: cmp.Or(a.Run, s.run()), Parent: s.Parent, Cause: a.Cause}
	if err := a.reads(tx, s, l); err != nil {
		return nil, err
	}
	t := treesOf(tx, s)
	if no, err := q.passes(tx, m, t, s, boundary.Settle, boundary.Act{}, ""); err != nil || no != nil {
		return nil, orRefusal(no, err)
	}
	if err := t.put(tx); err != nil {
		return nil, err
	}
	n, err := q.undrained(tx, m, c, s, l, a.Accounts)
	return LegEnded{Session: s.ID, Notices: n}, err
}

// reads holds a report against what may be reported, before anything is written.
func (a *EndLeg) reads(tx ReadTx, s *Session, l notice.Leg) error {
	var all []notice.Account
	for i := range a.Accounts {
		all = append(all, a.Accounts[i].account())
		if a.Accounts[i].Ask == "" {
			continue
		}
		row, err := tx.Ask(a.Accounts[i].Ask)
		if err != nil || row == nil || row.Session != s.ID {
			return orRefusal(refuse(CodeNotYours, "an account names an ask that this session never made"), err)
		}
	}
	if _, err := notice.Undrained(l, all); err != nil {
		return asRefusal(err)
	}
	if len(all) == 0 {
		return nil
	}
	return quotaOf(tx, s)
}

// undrained announces what was owed on a leg of s and did not arrive: exactly
// the notices of SEED-TABLES §5, once each. The words of answers come from the
// ledger; what a host says of them may add to it, never count them twice.
func (q *Queue) undrained(tx Tx, m moment, c *Conn, s *Session, l notice.Leg, reported []Account) (told int64, err error) {
	owed, accounts, err := q.owedOn(tx, m, c, s, reported)
	if err != nil || len(accounts) == 0 {
		return 0, err
	}
	list, err := notice.Undrained(l, accounts)
	if err != nil {
		return 0, err
	}
	original := int64(0)
	for i := range list {
		n := &list[i]
		feedback := n.Detail.Kind == notice.ApprovalFeedback
		once := n.Key
		was, err := tx.NoticeOnce(once)
		if err != nil {
			return told, err
		}
		if was != nil && (!feedback || len(owed) == 0) {
			continue
		}
		for again := 2; was != nil; again++ { // the run was told of others before, or of these and they were sent again
			once = n.Key + " " + owed[len(owed)-1].Ask + " " + strconv.Itoa(again)
			if was, err = tx.NoticeOnce(once); err != nil {
				return told, err
			}
		}
		row, err := undrainedRow(n, once)
		if err != nil {
			return told, err
		}
		if feedback && n.Detail.Count == 1 && len(owed) == 1 {
			row.Ask = owed[0].Ask
		}
		if err := q.notify(tx, m, row); err != nil {
			return told, err
		}
		told++
		if feedback && !n.IsCopy() {
			original = row.ID
		}
	}
	for i := range owed {
		d := &owed[i]
		d.Words, d.Item, d.DueAt, d.Notice = WordsTold, "", 0, original
		if err := tx.PutDelivery(d); err != nil {
			return told, err
		}
	}
	return told, nil
}

func undrainedRow(n *notice.Notice, once string) (*Notice, error) {
	detail, err := n.Detail.Canonical(n.Code)
	if err != nil {
		return nil, err
	}
	said := n.Say()
	return &Notice{Code: n.Code, Session: n.Detail.Session, Sentence: said.Happened + " " + said.Means, Detail: string(detail),
		Once: once, Owed: n.Owed, Carried: n.Carried, Parent: n.Parent}, nil
}

func quotaOf(tx ReadTx, s *Session) error {
	open, err := tx.Notices(QNotices{Open: true, Limit: maxOpen})
	if err != nil {
		return err
	}
	n := 0
	for i := range open {
		if o := &open[i]; o.Once != "" && (o.Session == s.ID || o.Session == s.Parent && s.Parent != "") {
			n++
		}
	}
	if n >= maxUndrained {
		return refuse(CodeQuota, "so many notices of words of this session are open that no more are told").
			hint("an operator has to read them first")
	}
	return nil
}

// owedOn adds up what was owed on a leg of s: the deliveries that are to be told
// of, and all accounts. A host's own account of an answer's words is held
// against the ledger's.
func (q *Queue) owedOn(tx Tx, m moment, c *Conn, s *Session, reported []Account) (owed []Delivery, all []notice.Account, err error) {
	var others []notice.Account // of answers that the host does not name
	for i := range reported {
		a := &reported[i]
		switch {
		case a.Kind != notice.ApprovalFeedback:
			all = append(all, a.account())
		case a.Ask == "":
			others = append(others, a.account())
		default:
			if err := q.accountOf(tx, m, c, a); err != nil {
				return nil, nil, err
			}
		}
	}
	if owed, err = tx.OwedOf(s.ID, maxUndrainedWords); err != nil {
		return nil, nil, err
	}
	mine := int64(len(owed))
	for i := range owed {
		all = append(all, notice.Account{Family: notice.Steer, Kind: notice.ApprovalFeedback, Owed: 1, Carry: notice.Carry(owed[i].Carry)})
	}
	// What a host says of answers without naming them covers those that the ledger
	// knows.
	for i := range others {
		a := &others[i]
		if open := a.Owed - a.Carried; open > 0 && !a.Returned {
			covered := min(open, mine)
			a.Owed, mine = a.Owed-covered, mine-covered
		}
		all = append(all, *a)
	}
	return owed, all, nil
}

// maxUndrainedWords is how many answers' words one notice counts.
const maxUndrainedWords = 100_000

func (a *Account) account() notice.Account {
	return notice.Account{Family: a.Family, Kind: a.Kind, Owed: a.Owed, Carried: a.Carried, Carry: a.Carry, Returned: a.Returned}
}

// accountOf holds a host's account of one answer's words against the ledger.
func (q *Queue) accountOf(tx Tx, m moment, c *Conn, a *Account) error {
	row, err := tx.Ask(a.Ask)
	if err != nil || row == nil {
		return err
	}
	d, err := tx.Delivery(row.Seq)
	if err != nil || d == nil || !slices.Contains([]WordsState{WordsOwed, WordsResent, WordsCarried}, d.Words) {
		return err // nothing was owed, or it is known what became of it
	}
	was := *d
	e := Event{Act: "receipt", Actor: c.Principal.Agent, Way: c.Way, Ask: d.Ask, Session: d.Session}
	switch {
	case a.Returned:
		d.Words, d.Item = WordsReturned, ""
		e.Act = actReturned
	case a.Owed > a.Carried && d.Words == WordsCarried && d.Stage != StageAcknowledged:
		d.Words, d.Carry = WordsOwed, string(a.Carry) // handed over, and the agent never read them
		e.Act, e.Reason = actUncarried, d.Carry
	case a.Owed > a.Carried && a.Carry != "" && d.Words.Owed():
		d.Carry = string(a.Carry)
		e.Act, e.Reason = actUncarried, d.Carry
	case a.Owed > 0 && a.Owed == a.Carried && d.Words.Owed():
		d.got(m.now, StageAcknowledged, "", StageAcknowledged)
		e.Delivery, e.Words = string(StageAcknowledged), true
	}
	if *d == was {
		return nil
	}
	if d.DueAt, err = q.silentAt(tx, m, d); err != nil {
		return err
	}
	if err := tx.PutDelivery(d); err != nil {
		return err
	}
	return q.append(tx, m, e)
}
