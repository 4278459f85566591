package audit

import "fmt"

// Stable codes of a Fault.
const (
	CodeForm       = "chain_form"       // not a nod.event/v1 document
	CodeHash       = "chain_hash"       // the bytes are not those that were hashed
	CodeLink       = "chain_link"       // it does not follow the event before it
	CodeGap        = "chain_gap"        // an event is missing, or stands twice
	CodeStore      = "chain_store"      // an event of another store
	CodeTime       = "chain_time"       // time goes back
	CodeLife       = "chain_life"       // a change that no act makes
	CodeRow        = "row_changed"      // a row is not as its events or its ask's document say
	CodeRowMissing = "row_missing"      // events made a row that is not there
	CodeCounts     = "chain_counts"     // the store's counters are not those of its events
	CodeHead       = "chain_head"       // the chain's end is not the store's head
	CodeTruncated  = "chain_truncated"  // a checkpoint signed more events than there are
	CodeRewritten  = "chain_rewritten"  // a checkpoint signed other events
	CodeCheckpoint = "checkpoint_bad"   // a checkpoint that our key did not sign
	CodeLoose      = "checkpoint_loose" // others can read or change key or checkpoints
)

// Fault is the first thing that is wrong with a history.
type Fault struct {
	Code     string
	Seq      int64 // of the first bad event; 0 where none is at fault
	Sentence string
	Hint     string
}

func (f *Fault) Error() string {
	if f.Seq > 0 {
		return fmt.Sprintf("event %d: %s", f.Seq, f.Sentence)
	}
	return f.Sentence
}

const (
	hintChanged = "somebody changed the store beside Nod: keep a copy of it, and restore a backup"
	hintDefect  = "keep a copy of the store: either somebody changed it beside Nod, or Nod has a defect"
)

func fault(code string, seq int64, format string, args ...any) *Fault {
	f := &Fault{Code: code, Seq: seq, Sentence: format, Hint: hintChanged}
	if len(args) > 0 {
		f.Sentence = fmt.Sprintf(format, args...)
	}
	if code == CodeLife || code == CodeCounts || code == CodeRow || code == CodeRowMissing {
		f.Hint = hintDefect
	}
	return f
}
