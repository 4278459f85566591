package queue

import (
	"nod/ambiguity"
	"nod/digest"
)

// EffectRow is one effect as the store keeps it. Times are effective Unix ms.
type EffectRow struct {
	Num          int64  // order of arrival, from 1; set by InsertEffect
	ID           string // UUIDv7
	Key          string // canonical array; "" where none is stated: it blocks nothing
	Ordinal      int64  // 1; more of a distinct effect
	Links        string // the effect that it was opened beside
	Ask          string // that first began it; "" before
	Tool         string
	Gist         string // raw and untrusted
	GistMore     int64
	Agent        string
	Session      string
	Class        string
	Alike        digest.Digest // of tool and arguments: what looks like it
	Standing     ambiguity.Standing
	Mark         ambiguity.Mark
	Double       bool // a possible double that nobody acknowledged
	Open         bool // an item on the desk
	Attempts     int64
	Repeats      int64 // refused
	Ref          string
	CreatedAt    int64
	MovedAt      int64
	ReconciledAt int64 // the newest answer, or opened as distinct: older decisions are stale
}

// Fact is one statement on an effect, appended and never changed.
type Fact struct {
	Effect    string
	Attempt   string // "" for the effect as a whole
	At        int64
	Kind      ambiguity.Kind
	Source    ambiguity.Source
	By        string // observer, operator or agent
	Says      AttemptState
	Durable   bool
	Divergent bool
	Late      bool
	Early     bool
	Proof     bool
	Why       string
	Exit      ExitStatus
	Observed  digest.Digest
	Seen      string
	Ref       string
	Reason    string
	Page      digest.Digest // of the page an answer was made on
	Allowed   digest.Digest // contents of a divergence
	Content   digest.Digest
}

// Repeat counts the refused calls of one session on one effect.
type Repeat struct {
	Effect  string
	Session string
	Agent   string
	Code    string
	Count   int64
	First   int64
	Last    int64
}
