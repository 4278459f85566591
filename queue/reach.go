package queue

import (
	"strconv"
	"strings"

	"nod/digest/visible"
)

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

// Spoken is a person's words as an agent, or a terminal, gets them: word for
// word, but what would not show, or would act, is drawn.
func Spoken(words string) string {
	var b strings.Builder
	for words != "" {
		i := strings.IndexAny(words, "\\\n\t")
		if i < 0 {
			i = len(words)
		}
		b.WriteString(visible.Draw(visible.Value, words[:i]))
		if i < len(words) {
			b.WriteByte(words[i])
			i++
		}
		words = words[i:]
	}
	return b.String()
}

// CarryWords refuses words that the connection of an ask does not carry, counted
// as the agent gets them. Whoever asks a person for them says it before they are
// sent.
func (v *AskView) CarryWords(words string) error {
	if v.WordsMax == 0 {
		return nil
	}
	n := int64(len(Spoken(words)))
	if n <= v.WordsMax {
		return nil
	}
	hint := "say less: they would not be handed over"
	if int64(len(words)) <= v.WordsMax {
		hint = "leave out what does not show: each such character is written out, as \\u{1B}"
	}
	return refuse(CodeNotCarried, "the words are %d bytes, and this agent's connection carries %d", n, v.WordsMax).hint(hint)
}
