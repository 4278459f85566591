package queue

import (
	"github.com/go-json-experiment/json"
	"github.com/google/jsonschema-go/jsonschema"

	"nod/digest"
)

// compileSchema reads a question's JSON schema (draft 2020-12 or draft-07); it
// may refer only to itself, because no loader is given.
func compileSchema(schema digest.JSON) (*jsonschema.Resolved, error) {
	s := new(jsonschema.Schema)
	if err := json.Unmarshal(schema, s); err != nil {
		return nil, err
	}
	return s.Resolve(nil)
}

// checkAnswer reads an answer and holds it against the question's schema.
func checkAnswer(q *digest.Question, answer []byte, lim digest.Limits) (digest.JSON, error) {
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
			hint("the schema stands on the card")
	}
	return doc, nil
}
