package queue

import (
	"github.com/go-json-experiment/json"

	"nod/digest"
)

// maxAnswer bounds an answer, in bytes.
const maxAnswer = 64 << 10

// checkAnswer reads an answer and holds it against the question's schema.
func checkAnswer(q *digest.Question, answer []byte, lim digest.Limits) (digest.JSON, error) {
	if len(answer) > maxAnswer {
		return nil, refuse(digest.CodeTooLarge, "the answer is larger than 64 KiB").hint("answer shorter")
	}
	doc, err := digest.Canonical(answer, lim)
	if err != nil {
		return nil, err
	}
	schema, err := compileSchema(q.Schema)
	if err != nil {
		return nil, err
	}
	var v any
	if err := json.Unmarshal(doc, &v); err != nil {
		return nil, err
	}
	if err := schema.Validate(v); err != nil {
		return nil, refuse(CodeBadAnswer, "the answer does not meet the question's schema").
			hint("it is on the card")
	}
	return doc, nil
}
