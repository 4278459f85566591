package queue

// What AnswerView.Act may be beside the three outcomes.
const (
	AnswerAcknowledge = "acknowledge"
	AnswerOpen        = "open"
)

// Attempt gives an attempt by its id; nil for none.
func (d *Desk) Attempt(id string) *DeskAttempt {
	for i := range d.Attempts {
		if d.Attempts[i].ID == id {
			return &d.Attempts[i]
		}
	}
	return nil
}

// Usual is the attempt to answer for where nobody names one: the newest whose
// outcome is unknown, else the newest; "" where nothing began.
func (d *Desk) Usual() (id string) {
	for i := range d.Attempts {
		if a := &d.Attempts[i]; a.State == AttemptUnknown {
			id = a.ID
		}
	}
	if n := len(d.Attempts); id == "" && n > 0 {
		return d.Attempts[n-1].ID
	}
	return id
}

// Answer is what may be said of an attempt, or of the effect as a whole; nil
// where it is none that the effect could get.
func (d *Desk) Answer(act, attempt string) *AnswerView {
	for i := range d.Answers {
		if a := &d.Answers[i]; a.Act == act && (a.Attempt == "" || a.Attempt == attempt) {
			return a
		}
	}
	return nil
}
