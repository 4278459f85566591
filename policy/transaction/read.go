package transaction

import (
	"reflect"
	"strconv"

	"nod/digest"
)

// Canonical is the record's document, nod.transaction/v1.
func (r Record) Canonical() (digest.JSON, error) { return digest.Write(r) }

// Read reads a document that Canonical wrote, and goes its entries again from the
// first: one that they do not lead to is an error, never repaired.
func Read(raw []byte) (Record, error) {
	var r Record
	if err := digest.Read(raw, &r, digest.NoLimits()); err != nil {
		return Record{}, unreadable(err.Error())
	}
	again := Record{Type: r.Type, ID: r.ID, Operation: r.Operation, Mode: r.Mode, Candidate: r.Candidate, Prior: r.Prior, Request: r.Request}
	if !again.headed() || len(r.Entries) == 0 {
		return Record{}, unreadable("what it is of is not stated")
	}
	known := 0 // acknowledged so far
	for i := 0; i <= len(r.Entries); i++ {
		for ; known < len(r.Acknowledged) && r.Acknowledged[known].Before == i; known++ {
			var err error
			if again, err = again.Acknowledge(r.Acknowledged[known].Artifact); err != nil {
				return Record{}, unreadable("an acknowledgement is of nothing")
			}
		}
		if i == len(r.Entries) {
			break
		}
		if r.Entries[i].Sequence != i {
			return Record{}, unreadable("the entries leave a gap")
		}
		var err error
		if again, err = again.append(r.Entries[i]); err != nil {
			return Record{}, unreadable("entry " + strconv.Itoa(i) + " does not follow from the one before it")
		}
	}
	if !reflect.DeepEqual(again, r) {
		return Record{}, unreadable("it says something else than its entries do")
	}
	return r, nil
}

// ReadJournal reads every record of a journal. One that cannot be read is an
// error for all of them, never skipped: it may be what has to be recovered.
func ReadJournal(documents [][]byte) ([]Record, error) {
	records := make([]Record, len(documents))
	ids := map[string]bool{}
	for i, d := range documents {
		r, err := Read(d)
		if err == nil && ids[r.ID] {
			err = unreadable("two records have one transaction id")
		}
		if err != nil {
			return nil, refuse(CodeUnreadable, "/"+strconv.Itoa(i), "record "+strconv.Itoa(i)+" cannot be read: "+err.Error())
		}
		ids[r.ID] = true
		records[i] = r
	}
	return records, nil
}

// headed reports whether what the record is of is stated as a request states it.
func (r Record) headed() bool {
	id, err := ID(r.ID)
	switch {
	case err != nil || id != r.ID, r.Type != TypeRecord, !r.Request.Valid(), !r.Operation.known(), !r.Mode.known():
		return false
	case r.Operation == Activate:
		return r.Candidate != ""
	case r.Operation == Repair:
		return r.Mode == Active
	}
	return true
}

func unreadable(sentence string) *digest.Error { return refuse(CodeUnreadable, "", sentence) }
