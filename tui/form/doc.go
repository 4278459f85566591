// Package form is the answer to a question, asked field by field from the
// question's JSON schema.
//
// The rule it keeps: the agent writes the schema, so nothing in it answers for
// the operator. No field starts with a value, no default is taken over, what an
// agent wrote is drawn as untrusted text, and every option is shown whole,
// because an option that is cut could be another one. No key of a form decides:
// a form only gives a value, which the gate of the ask sends. Whether a value
// meets the schema is the validator's word, the same that the queue asks; a
// schema with anything that a form cannot show is refused, and the operator
// writes JSON instead.
package form
