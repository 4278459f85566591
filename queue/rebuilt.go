package queue

import "errors"

// lost is err, said as what it means where only a person may allow the ask: what
// mandates it is in its contents, and without them nobody can be shown why.
func (r *Row) lost(err error) error {
	no, ok := errors.AsType[*Refusal](err)
	if !ok || !r.Mandated || no.Code != CodeContentMissing && no.Code != CodeContentChanged {
		return err
	}
	return refuse(CodeMandateLost, "a person must answer this call, and what mandated it cannot be put together again").hint("run nod audit verify")
}
