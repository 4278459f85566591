package queue

import "nod/digest"

// SaidDigest names what a decision says besides its verdict: the digest of the
// canonical {"answer"?, "ask", "type":"nod.said/v1", "words"?}. It is "" when
// nothing was said. The chain keeps it, so that words cannot be changed later.
func SaidDigest(ask, words string, answer []byte) digest.Digest {
	if words == "" && len(answer) == 0 {
		return ""
	}
	w := eventWriter{b: []byte{'{'}}
	if len(answer) > 0 {
		w.name("answer")
		w.b = append(w.b, answer...)
	}
	w.text("ask", ask)
	w.text("type", "nod.said/v1")
	w.text("words", words)
	return digest.Of(append(w.b, '}'))
}
