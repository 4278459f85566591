package queue

import (
	"errors"

	"nod/digest"
)

// Bounds of what a look for precedents reads.
const (
	maxPrecedents  = 20
	precedentBytes = 4 << 20 // documents together; those after come without
)

// precedents gives the newest asks of the same tool that a person answered: of
// a pending ask before now, of an answered one before it. A question has none.
func (q *Queue) precedents(tx ReadTx, a QPrecedent) (Answer, error) {
	p, err := q.present(tx)
	if err != nil {
		return nil, err
	}
	if a.Limit < 1 || a.Limit > maxPrecedents {
		return nil, refuse(CodeBadInput, "between 1 and %d precedents can be read", maxPrecedents).hint("ask for fewer")
	}
	row, err := tx.Ask(a.Ask)
	switch {
	case err != nil:
		return nil, err
	case row == nil:
		return nil, unknownID()
	}
	out := Precedents{Now: p.now}
	if row.Kind == digest.KindQuestion {
		return out, nil
	}
	before := int64(0)
	if row.State != StatePending {
		before = row.Seq
	}
	rows, err := tx.Answered(row.Tool, before, a.Limit)
	if err != nil {
		return nil, err
	}
	if err := p.fixAll(rows); err != nil {
		return nil, err
	}
	room := precedentBytes
	for i := range rows {
		_, body, err := readAsk(tx, &rows[i])
		if no, ok := errors.AsType[*Refusal](err); ok && no.Code == CodeContentMissing {
			err = nil
		}
		if err != nil {
			return nil, err
		}
		if room -= len(body); room < 0 {
			body = nil
		}
		out.Before = append(out.Before, Precedent{Row: rows[i], Ask: body})
	}
	return out, nil
}
