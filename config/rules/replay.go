package rules

import (
	"iter"

	"nod/digest"
	"nod/queue"
)

// Replay says what a set would have done with asks that history holds.
type Replay struct {
	Asks    int64  `json:"asks"`    // asks given
	Calls   int64  `json:"calls"`   // of them: judged
	Left    int64  `json:"left"`    // questions, which no rule sees
	Missing int64  `json:"missing"` // whose contents were pruned or do not read
	Nothing int64  `json:"nothing"` // calls that no rule answers: a person is asked
	Rules   []Past `json:"rules"`
}

// Past is what one rule would have done.
type Past struct {
	Rule    string `json:"rule"`
	Verdict string `json:"verdict"`
	Matched int64  `json:"matched"` // calls it fits, whether or not another rule goes first
	// Answered counts the calls that this rule would have decided: denied,
	// allowed, or sent to a person.
	Answered int64 `json:"answered"`
	// Withheld counts the calls that it would have allowed if a rule might:
	// mandated, irreversible and commit asks, and those that require a person.
	Withheld int64 `json:"withheld"`
	Errors   int64 `json:"errors"` // calls on which its predicate errs
	// PersonDenied and PersonAllowed are ids of answered calls that a person
	// had decided, in the order given.
	PersonDenied  []string `json:"person_denied"`
	PersonAllowed []string `json:"person_allowed"`
}

// Replay judges each ask of asks anew. It reads the action out of the ask
// itself and the decision out of its row or decision; it changes nothing and
// stops at the first error of asks.
func (s *Set) Replay(asks iter.Seq2[queue.AskView, error]) (Replay, error) {
	out := Replay{Rules: make([]Past, len(s.rules))}
	index := make(map[string]int, len(s.rules))
	for i := range s.rules {
		out.Rules[i] = Past{Rule: s.rules[i].Name, Verdict: s.rules[i].Verdict}
		index[s.rules[i].Name] = i
	}
	for view, err := range asks {
		if err != nil {
			return Replay{}, err
		}
		out.Asks++
		if view.Row.Kind == digest.KindQuestion {
			out.Left++
			continue
		}
		ask, err := digest.ParseAsk(view.Ask, digest.NoLimits())
		if err != nil || ask.Action == nil {
			out.Missing++
			continue
		}
		out.Calls++
		ruling := s.judge(ask.Action, func(i int, matched bool, err error) {
			if err != nil {
				out.Rules[i].Errors++
			} else if matched {
				out.Rules[i].Matched++
			}
		})
		if ruling.Verdict == "" {
			out.Nothing++
			continue
		}
		out.Rules[index[ruling.Rule]].answer(&ruling, &view)
	}
	return out, nil
}

func (p *Past) answer(ruling *queue.Ruling, view *queue.AskView) {
	if ruling.Verdict == queue.RuleAllow && personOnly(&view.Row) {
		p.Withheld++
		return
	}
	p.Answered++
	by, verdict := view.Row.DecidedBy, view.Row.Verdict
	if view.Decision != nil {
		by, verdict = view.Decision.By, view.Decision.Verdict
	}
	switch {
	case by != queue.ByPerson:
	case verdict == queue.VerdictDeny:
		p.PersonDenied = append(p.PersonDenied, view.Row.ID)
	case verdict == queue.VerdictAllow:
		p.PersonAllowed = append(p.PersonAllowed, view.Row.ID)
	}
}

// personOnly reports whether no rule may allow the ask (DESIGN §4).
func personOnly(row *queue.Row) bool {
	if row.Mandated || row.Irreversible || row.Kind == digest.KindCommit {
		return true
	}
	for _, r := range row.Reasons {
		if r == queue.ReasonRealApproval {
			return true
		}
	}
	return false
}
