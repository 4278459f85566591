package queue

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
)

// inPlace follows the edits of an ask to the one that stands in its place: row
// itself where nobody edited it.
func inPlace(tx ReadTx, row *Row) (*Row, error) {
	for row.EditedTo != "" {
		next, err := tx.Ask(row.EditedTo)
		if err != nil {
			return nil, err
		}
		if next == nil || next.DerivedFrom != row.ID || next.Seq <= row.Seq {
			return nil, torn(row.ID)
		}
		row = next
	}
	return row, nil
}

// loadInPlace is load for whoever asked: it follows the edits.
func (q *Queue) loadInPlace(tx Tx, m moment, id string) (*Row, error) {
	row, err := q.load(tx, m, id)
	if err != nil || row.EditedTo == "" {
		return row, err
	}
	if row, err = inPlace(tx, row); err != nil {
		return nil, err
	}
	return row, q.settleAsk(tx, m, row)
}

// stands reports whether row is the ask of a call with this digest, or stands
// in its place after edits: a host that asks for its call again finds the edit.
func stands(tx ReadTx, row *Row, action digest.Digest) (bool, error) {
	if row.ActionDigest == action {
		return true, nil
	}
	for row.DerivedFrom != "" {
		was, err := tx.Ask(row.DerivedFrom)
		if err != nil {
			return false, err
		}
		if was == nil || was.EditedTo != row.ID || was.Seq >= row.Seq {
			return false, torn(row.ID)
		}
		row = was
	}
	return row.ActionDigest == action, nil
}

func torn(id string) *Refusal {
	return refuse(CodeContentChanged, "the edits of the ask %s do not lead from one to the next", id).hint("run nod audit verify")
}

// editedCall is what a waiter runs instead of its call, and who changed it; nil
// where row is no edit.
func (q *Queue) editedCall(tx ReadTx, row *Row) (*EditedCall, error) {
	if row.DerivedFrom == "" {
		return nil, nil
	}
	was, err := tx.Ask(row.DerivedFrom)
	if err != nil {
		return nil, err
	}
	if was == nil {
		return nil, torn(row.ID)
	}
	e := &EditedCall{Ask: row.ID, ActionDigest: row.ActionDigest, ShownDigest: row.ShownDigest, By: was.Decider, Words: was.Words}
	for was.DerivedFrom != "" { // what was said with each edit is owed (I8)
		before, err := tx.Ask(was.DerivedFrom)
		if err != nil {
			return nil, err
		}
		if before == nil || before.Seq >= was.Seq {
			return nil, torn(row.ID)
		}
		if was = before; was.Words != "" && e.Words != "" {
			e.Words = was.Words + "\n" + e.Words
		} else if was.Words != "" {
			e.Words = was.Words
		}
	}
	if !row.State.Final() {
		e.Action, err = q.actionOf(tx, row)
	}
	return e, err
}

// unnamed reports whether a part of a stated effect key stands less often in the
// changed arguments than in those as they were: such a key would go on naming
// the effect that the call no longer has. Once is enough, because nobody knows
// which of several places named the effect. The number 42 and the text "42" are
// one part: a key is often text where the argument is a number.
func unnamed(key, was, now digest.JSON) bool {
	if len(key) == 0 {
		return false
	}
	before, after := scalars(was), scalars(now)
	for _, part := range scalars(key) {
		if count(after, part) < count(before, part) {
			return true
		}
	}
	return false
}

func count(list []string, part string) (n int) {
	for _, s := range list {
		if s == part {
			n++
		}
	}
	return n
}

// scalars lists the strings and numbers of a canonical document, without the
// names of members.
func scalars(doc digest.JSON) (list []string) {
	dec := jsontext.NewDecoder(bytes.NewReader(doc))
	for {
		kind, length := dec.StackIndex(dec.StackDepth())
		name := kind == '{' && length%2 == 0
		t, err := dec.ReadToken()
		if err != nil {
			return list
		}
		if k := t.Kind(); (k == '"' || k == '0') && !name {
			list = append(list, t.String())
		}
	}
}
