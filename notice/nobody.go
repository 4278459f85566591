package notice

// Nobody is why nobody could be asked. A closed set (SEED-TABLES §4).
type Nobody string

// Causes.
const (
	ApproverUnavailable      Nobody = "approver_unavailable"
	NoApproverWired          Nobody = "no_approver_wired"
	MandateUnreconstructible Nobody = "mandate_unreconstructible"
)

// Refusal is the sentence of a call that was refused because nobody could be
// asked, and what would have let it run. binding is the sentence of a binding
// that cannot tie an approval to the arguments; where there is one it is the
// remedy. remedy is empty where nothing would have helped. A cause outside the
// set has no remedy.
func (c Nobody) Refusal(binding string) (sentence, remedy string) {
	switch c {
	case ApproverUnavailable:
		sentence = "A person must answer this call, and nobody can be asked now, so it does not run."
		remedy = "It runs once a person can answer it: open nod, then send the call again."
	case NoApproverWired:
		sentence = "A person must answer this call, and this connection reaches nobody, so it does not run."
		remedy = "It runs over a gateway that holds it for a person: connect the agent through nod, then send the call again."
	case MandateUnreconstructible:
		sentence = "A person must answer this call, and what mandated it cannot be put together again, so it does not run."
	default:
		sentence = "A person must answer this call, and nobody was asked, so it does not run."
	}
	if binding != "" {
		remedy = binding
	}
	return sentence, remedy
}
