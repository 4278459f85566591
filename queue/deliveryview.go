package queue

// QDeliveries reads the delivery ledger, newest ask first, before a number (0:
// from the newest). Answer: Deliveries.
type QDeliveries struct {
	Open   bool  `json:"open,omitzero"`   // only items of the inbox
	Notice int64 `json:"notice,omitzero"` // only those whose words this notice told of
	Before int64 `json:"before,omitzero"`
	Limit  int64 `json:"limit"`
}

// Deliveries is a page of QDeliveries.
type Deliveries struct {
	Deliveries []DeliveryView `json:"deliveries"`
	More       bool           `json:"more,omitzero"`
	Now        int64          `json:"now"`
}

// DeliveryView is the way of one person's answer: decided, handed over,
// acknowledged, begun, outcome. Times are effective Unix ms, absent for not yet.
type DeliveryView struct {
	Num        int64        `json:"num"` // the key of pages: the ask's order of arrival
	Ask        string       `json:"ask"`
	Session    string       `json:"session"`
	Agent      string       `json:"agent"`
	Tool       string       `json:"tool,omitzero"`
	Gist       string       `json:"gist,omitzero"` // raw and untrusted
	GistMore   int64        `json:"gist_more,omitzero"`
	State      State        `json:"state"` // the ask's
	Verdict    Verdict      `json:"verdict"`
	Decider    string       `json:"decider"`
	Receipts   Stage        `json:"receipts,omitzero"` // what its gateway can say; absent: nothing
	Stage      Stage        `json:"stage"`
	Words      WordsState   `json:"words,omitzero"` // absent: none
	Text       string       `json:"text,omitzero"`  // the words
	Carry      string       `json:"carry,omitzero"` // why the carrier refused them
	Item       Item         `json:"item,omitzero"`  // why it is in the inbox
	Notice     int64        `json:"notice,omitzero"`
	Waits      bool         `json:"waits,omitzero"` // somebody waits for it now
	DecidedAt  int64        `json:"decided_at"`
	HandedAt   int64        `json:"handed_over_at,omitzero"`
	AckedAt    int64        `json:"acknowledged_at,omitzero"`
	BegunAt    int64        `json:"begun_at,omitzero"`
	OutcomeAt  int64        `json:"outcome_at,omitzero"`
	Outcome    AttemptState `json:"outcome,omitzero"` // of an effect
	Exit       ExitStatus   `json:"exit_status,omitzero"`
	ResentAt   int64        `json:"resent_at,omitzero"`
	ClosedAt   int64        `json:"closed_at,omitzero"`
	ClosedBy   string       `json:"closed_by,omitzero"`
	DropReason string       `json:"drop_reason,omitzero"`
}

func (q *Queue) deliveries(tx ReadTx, a QDeliveries) (Answer, error) {
	p, err := q.present(tx)
	if err != nil {
		return nil, err
	}
	a.Limit = page(a.Limit)
	rows, more, err := tx.Deliveries(a)
	out := Deliveries{More: more, Now: p.now}
	for i := 0; err == nil && i < len(rows); i++ {
		var v *DeliveryView
		if v, err = p.delivery(&rows[i]); err == nil {
			out.Deliveries = append(out.Deliveries, *v)
		}
	}
	return out, err
}

func (p *present) delivery(d *Delivery) (*DeliveryView, error) {
	v := &DeliveryView{Num: d.Num, Ask: d.Ask, Session: d.Session, Receipts: d.Receipts, Stage: d.Stage, Words: d.Words, Carry: d.Carry,
		Item: d.Item, Notice: d.Notice, DecidedAt: d.DecidedAt, HandedAt: d.HandedAt, AckedAt: d.AckedAt, ResentAt: d.ResentAt,
		ClosedAt: d.ClosedAt, ClosedBy: d.ClosedBy, DropReason: d.Reason}
	row, err := p.tx.Ask(d.Ask)
	if err != nil || row == nil {
		return v, err
	}
	if err := p.fix(row); err != nil {
		return nil, err
	}
	v.Agent, v.Tool, v.Gist, v.GistMore, v.State = row.Agent, row.Tool, row.Gist, row.GistMore, row.State
	v.Verdict, v.Decider, v.Text, v.Waits = row.Verdict, row.Decider, row.Words, row.Waits(p.now) && d.Stage == StageDecided
	attempts, err := p.tx.AttemptsOf(row.ID)
	if n := len(attempts); n > 0 {
		at := &attempts[n-1]
		v.BegunAt, v.OutcomeAt, v.Outcome, v.Exit = at.BeganAt, at.EndedAt, at.Shown(), at.Exit
	}
	return v, err
}

// carrier says of an ask what its gateway carries and says of an answer, and how
// far the answer came.
func (p *present) carrier(v *AskView) error {
	s, err := p.tx.Session(v.Row.Session)
	if err != nil {
		return err
	}
	if s != nil {
		v.Receipts, v.WordsMax = s.Receipts, s.WordsMax
	}
	d, err := p.tx.Delivery(v.Row.Seq)
	if err == nil && d != nil {
		v.Delivery, err = p.delivery(d)
	}
	return err
}
