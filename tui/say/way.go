package say

import (
	"nod/digest/visible"
	"nod/queue"
)

// Way says how far an answer came, stage by stage, and what became of its words:
// the same words in the console, in lines and in commands. at writes a time.
func Way(d *queue.DeliveryView, at func(ms int64) string) []string {
	out := []string{"decided " + at(d.DecidedAt)}
	add := func(ms int64, word string) {
		if ms != 0 {
			out = append(out, word+" "+at(ms))
		}
	}
	add(d.HandedAt, "handed over")
	add(d.AckedAt, "acknowledged")
	add(d.BegunAt, "begun")
	if d.OutcomeAt != 0 {
		word := "ended"
		switch {
		case d.Outcome != "":
			word = string(d.Outcome)
		case d.Exit != "":
			word = "ended (" + string(d.Exit) + ")"
		}
		add(d.OutcomeAt, word)
	}
	if d.Words != "" {
		out = append(out, Words(d))
	}
	switch d.Item {
	case queue.ItemUncollected:
		out = append(out, "nobody collected it")
	case "":
		if d.ClosedAt != 0 && d.Words != queue.WordsDropped {
			out = append(out, "read by "+visible.ASCII(d.ClosedBy))
		}
	}
	return out
}

// Words says what became of the words of an answer.
func Words(d *queue.DeliveryView) string {
	switch d.Words {
	case queue.WordsCarried:
		return "words arrived"
	case queue.WordsOwed:
		if d.Carry != "" {
			return "words not carried (" + d.Carry + ")"
		}
		return "words owed"
	case queue.WordsResent:
		return "words to be sent again"
	case queue.WordsTold:
		return "words not delivered"
	case queue.WordsDropped:
		return "words dropped (" + d.DropReason + ") by " + visible.ASCII(d.ClosedBy)
	case queue.WordsReturned:
		return "the ask went back, its words with it"
	default:
		return "no words"
	}
}
