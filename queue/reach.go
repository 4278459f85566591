package queue

import "strconv"

// Reach says in a sentence, before words are typed, what becomes of those that
// go with an answer to v.
func (v *AskView) Reach() string {
	switch {
	case !v.Row.Waits(v.Now):
		return "nobody waits: handed over only if the agent asks again"
	case v.Receipts == StageAcknowledged:
		return "handed over with the answer, and acknowledged by the agent's side" + v.room()
	case v.Receipts == StageHandedOver:
		return "handed over with the answer; nothing says that they were read" + v.room()
	default:
		return "this connection never says whether it handed words over: they count as not delivered" + v.room()
	}
}

func (v *AskView) room() string {
	if v.WordsMax == 0 {
		return ""
	}
	return "; " + strconv.FormatInt(v.WordsMax, 10) + " bytes at the most"
}

// CarryWords refuses words that the connection of an ask does not carry. Whoever
// asks a person for them says it before they are sent.
func (v *AskView) CarryWords(words string) error {
	if v.WordsMax == 0 || int64(len(words)) <= v.WordsMax {
		return nil
	}
	return refuse(CodeNotCarried, "the words are %d bytes, and this agent's connection carries %d", len(words), v.WordsMax).
		hint("say less: they would not be handed over")
}
