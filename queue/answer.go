package queue

import (
	"bytes"
	"errors"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"nod/digest"
)

// noLoader refuses every reference that leaves the schema.
type noLoader struct{}

func (noLoader) Load(string) (any, error) { return nil, errors.New("remote references are refused") }

// compileSchema reads a question's JSON schema; it may refer only to itself.
func compileSchema(schema digest.JSON) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	if err := c.AddResource("question.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("question.json")
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
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		return nil, err
	}
	if err := schema.Validate(v); err != nil {
		return nil, refuse(CodeBadAnswer, "the answer does not meet the question's schema").
			hint("the schema stands on the card")
	}
	return doc, nil
}
