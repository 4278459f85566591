package run

import (
	"github.com/go-json-experiment/json/jsontext"

	"nod/queue"
)

// Stated is what a caller states where an operator attached an effect policy; the
// zero value is nothing.
type Stated struct {
	Declaration jsontext.Value // docs/spec/policy.md §2
	Component   string
	Transaction string
	Operation   string
}

func (s *Stated) into(a *queue.Submit) {
	if len(s.Declaration) > 0 {
		a.Declaration = s.Declaration
	}
	a.Component, a.Transaction, a.Operation = s.Component, s.Transaction, s.Operation
}
