package audit

import (
	"fmt"
	"slices"

	"nod/digest"
	"nod/policy"
	"nod/queue"
)

// owing is what effect policy keeps, as events tell it: the policies that hold,
// the scopes with what they owe, and the transactions.
type owing struct {
	policies     map[string]attachment
	scopes       map[string]*scope
	transactions map[string]*transacted
}

type attachment struct {
	kind, session string
	document      digest.Digest
}

// scope is a component's scope; its cleanups are numbered from 1.
type scope struct {
	state    policy.State
	cleanups []cleanup
	document digest.Digest
}

type cleanup struct {
	state policy.CleanupState
	acked bool
}

type transacted struct {
	stage    string
	entries  int64
	document digest.Digest
}

func newOwing() owing {
	return owing{policies: map[string]attachment{}, scopes: map[string]*scope{}, transactions: map[string]*transacted{}}
}

var classes = []string{digest.ClassReversible, digest.ClassCompensatable, digest.ClassIrreversible, policy.ClassUndeclared}

// classed reports whether an event says nothing of a classified call, or
// exactly this.
func classed(e *event, phase, outcome string) bool {
	if e.Outcome == "" {
		return e.Redaction == "" && e.Phase == ""
	}
	return e.Outcome == outcome && e.Phase == phase && slices.Contains(classes, e.Class)
}

// denied plays that a policy refused a call.
func denied(e *event) string {
	switch {
	case !classed(e, "error", "denied"):
		return "a call was refused by a policy, and its class, phase or outcome is none"
	case !slices.Contains([]string{policy.CodeMetadataRequired, policy.CodeDisposerRequired, policy.CodeCompensationRequired,
		policy.CodeScopeRequired, policy.CodeCommitRequired}, e.Reason):
		return fmt.Sprintf("a call was refused %q, and no policy says that", e.Reason)
	}
	return ""
}

// committed plays that a begin spent a commit: a person's, in time, not frozen.
func (l *life) committed(a *ask, e *event) string {
	switch {
	case a.by != queue.ByPerson:
		return "a commit was spent that no person gave"
	case e.Effective < a.usable || e.Effective >= a.usable+a.useWithin:
		return "a commit was spent before or after the time it was given for"
	case l.frozenNow(a.session) || l.frozenSince(a.session, a.decided):
		return "a commit was spent under a freeze, or one older than it"
	case e.Attempt == "":
		return "a commit was spent for no attempt"
	}
	return ""
}

func (o *owing) step(e *event) string {
	switch e.Act {
	case "policy_attach":
		return o.attach(e)
	case "policy_detach":
		p, holds := o.policies[e.Policy]
		if !holds || p != (attachment{e.From, e.Session, e.Said}) {
			return "a policy was detached that is not attached, or is another one"
		}
		delete(o.policies, e.Policy)
		return ""
	case "scope_activate", "scope_activated", "scope_dispose", "scope_recover", "cleanup_owed", "cleanup_invoke", "cleanup_end", "cleanup_ack":
		return o.live(e)
	case "transaction", "transaction_step", "transaction_recover", "transaction_restored", "transaction_ack":
		return o.transact(e)
	}
	return "no act has this name"
}

func (o *owing) attach(e *event) string {
	_, holds := o.policies[e.Policy]
	was, there := o.policies[e.Replaces]
	switch {
	case e.Policy == "" || holds || !e.Said.Valid():
		return "a policy was attached without an id or document of its own"
	case !slices.Contains([]string{queue.PolicyOfAgent, queue.PolicyOfSession, queue.PolicyOfRun}, e.To) || (e.To == queue.PolicyOfAgent) != (e.Session == ""):
		return "a policy was attached to nothing that has one"
	case e.Replaces != "" && (!there || was.kind != e.To || was.session != e.Session):
		return "a policy replaced one of another target"
	}
	delete(o.policies, e.Replaces)
	o.policies[e.Policy] = attachment{e.To, e.Session, e.Said}
	return ""
}

// live plays one step of a scope.
func (o *owing) live(e *event) string {
	s := o.scopes[e.Scope]
	if e.Act == "scope_activate" {
		if s != nil || e.Scope == "" || e.From != "" || e.To != string(policy.Loading) || !e.Said.Valid() {
			return "a scope was activated that was there, or not into loading"
		}
		o.scopes[e.Scope] = &scope{state: policy.Loading, document: e.Said}
		return ""
	}
	switch {
	case s == nil:
		return "the scope was never activated"
	case string(s.state) != e.From || !e.Said.Valid():
		return fmt.Sprintf("the scope was %s, not %s", s.state, e.From)
	}
	if why := s.play(e); why != "" {
		return why
	}
	s.state, s.document = policy.State(e.To), e.Said
	if want := s.over(); (s.state == policy.Inactive || s.state == policy.Failed) != want {
		return fmt.Sprintf("the scope is %s, and that its cleanups ended is %v", s.state, want)
	}
	if s.state == policy.Inactive && slices.ContainsFunc(s.cleanups, func(c cleanup) bool { return c.state != policy.Done }) {
		return "a scope ended well, and a cleanup of it did not"
	}
	return ""
}

// play changes the cleanups as an event says; the scope has its state from before.
func (s *scope) play(e *event) string {
	var c *cleanup
	if e.Cleanup >= 1 && e.Cleanup <= int64(len(s.cleanups)) {
		c = &s.cleanups[e.Cleanup-1]
	}
	alive := s.state == policy.Loading || s.state == policy.Live
	gone := policy.State(e.To) == policy.Unloading || policy.State(e.To) == policy.Inactive || policy.State(e.To) == policy.Failed
	switch e.Act {
	case "scope_activated":
		if s.state != policy.Loading || !gone && e.To != string(policy.Live) {
			return "a scope became active that was not loading"
		}
	case "scope_dispose":
		if s.state != policy.Live || !gone {
			return "a scope was disposed that was not active"
		}
	case "scope_recover":
		if !alive && s.state != policy.Unloading || !gone {
			return "a scope was recovered that was over"
		}
		for i := range s.cleanups {
			if s.cleanups[i].state == policy.Invoked {
				s.cleanups[i].state = policy.Uncertain
			}
		}
	case "cleanup_owed":
		if !alive || e.To != e.From || e.Cleanup != int64(len(s.cleanups))+1 || e.Attempt == "" {
			return "a cleanup came to be owed by a scope that is not alive, or by no attempt"
		}
		s.cleanups = append(s.cleanups, cleanup{state: policy.Owed})
	case "cleanup_invoke":
		if !s.due(e.Cleanup) {
			return "a cleanup was invoked that was not the next one, or a second time"
		}
		c.state = policy.Invoked
	case "cleanup_end":
		ends := e.Reason == string(policy.Done) || e.Reason == string(policy.Broken) || e.Reason == string(policy.Uncertain)
		if c == nil || !ends || c.state != policy.Invoked && (!s.due(e.Cleanup) || e.Reason != string(policy.Broken)) {
			return "a cleanup ended that was not invoked"
		}
		c.state = policy.CleanupState(e.Reason)
	case "cleanup_ack":
		if c != nil && s.due(e.Cleanup) && e.Reason == string(policy.Broken) {
			c.state = policy.Broken
		}
		if c == nil || c.acked || c.state != policy.Broken && c.state != policy.Uncertain {
			return "a cleanup was acknowledged that did not fail"
		}
		c.acked = true
	}
	return ""
}

// due reports whether a cleanup is the next one to invoke.
func (s *scope) due(number int64) bool {
	for i, c := range slices.Backward(s.cleanups) {
		switch c.state {
		case policy.Invoked:
			return false
		case policy.Owed:
			return s.state == policy.Unloading && number == int64(i)+1
		}
	}
	return false
}

// over reports whether the component is gone and nothing is left to do.
func (s *scope) over() bool {
	if s.state == policy.Loading || s.state == policy.Live {
		return false
	}
	return !slices.ContainsFunc(s.cleanups, func(c cleanup) bool { return c.state == policy.Owed || c.state == policy.Invoked })
}

func (s *scope) open() bool {
	return !s.over() || slices.ContainsFunc(s.cleanups, func(c cleanup) bool {
		return !c.acked && (c.state == policy.Broken || c.state == policy.Uncertain)
	})
}

func (o *owing) transact(e *event) string {
	t := o.transactions[e.Transaction]
	switch {
	case e.Act == "transaction" && (t != nil || e.Transaction == "" || e.From != "" || e.Count < 1):
		return "a transaction was submitted that was there, or without an entry"
	case e.Act == "transaction":
		o.transactions[e.Transaction] = &transacted{stage: e.To, entries: e.Count, document: e.Said}
		return ""
	case t == nil:
		return "the transaction was never submitted"
	case t.stage != e.From || !e.Said.Valid():
		return fmt.Sprintf("the transaction was at %s, not at %s", t.stage, e.From)
	case e.Act == "transaction_ack" && (e.Count != t.entries || e.To != e.From):
		return "an acknowledgement moved a transaction"
	case e.Act == "transaction_step" && e.Count != t.entries+1, e.Act != "transaction_ack" && e.Count <= t.entries:
		return "a transaction moved without an entry, or by more than its step"
	}
	t.stage, t.entries, t.document = e.To, e.Count, e.Said
	return ""
}

// checkOwing compares policies, scopes and transactions as they are shown with
// those of the events.
func (w *walk) checkOwing() (*Fault, error) {
	o := &w.chain.life.owing
	held, err := queue.Get[queue.Policies](w.ctx, w.port, queue.QPolicies{})
	if err != nil {
		return nil, fmt.Errorf("read the policies: %w", err)
	}
	for i := range held.Policies {
		p := &held.Policies[i]
		if a, holds := o.policies[p.ID]; !holds || a.kind != p.Kind || a.document != p.Digest {
			return fault(CodeRow, 0, "the policy %s is not the one that its events attached", p.ID), nil
		}
	}
	if len(held.Policies) != len(o.policies) {
		return fault(CodeRowMissing, 0, "%d policies were attached and not detached, and %d are shown", len(o.policies), len(held.Policies)), nil
	}
	if f, err := w.checkScopes(o); f != nil || err != nil {
		return f, err
	}
	return w.checkTransactions(o)
}

func (w *walk) checkScopes(o *owing) (*Fault, error) {
	shown := 0
	for q, more := (queue.QCleanups{Limit: rowPage}), true; more; {
		got, err := queue.Get[queue.Cleanups](w.ctx, w.port, q)
		if err != nil {
			return nil, fmt.Errorf("read the scopes: %w", err)
		}
		for i := range got.Scopes {
			v := &got.Scopes[i]
			q.Before = v.Num
			s := o.scopes[v.ID]
			if s == nil || s.state != v.State || s.document != v.Digest || s.open() != (v.Blocked || !s.over()) || len(s.cleanups) != len(v.Cleanups) {
				return fault(CodeRow, 0, "the scope %s is not as its events left it", v.ID), nil
			}
			for n, c := range s.cleanups {
				if u := v.Cleanups[n]; u.State != c.state || u.Acknowledged != c.acked {
					return fault(CodeRow, 0, "cleanup %d of the scope %s is not as its events left it", n+1, v.ID), nil
				}
			}
		}
		shown, more = shown+len(got.Scopes), got.More
	}
	if shown != len(o.scopes) {
		return fault(CodeRowMissing, 0, "%d scopes were activated, and %d are shown", len(o.scopes), shown), nil
	}
	return nil, nil
}

func (w *walk) checkTransactions(o *owing) (*Fault, error) {
	shown := 0
	for q, more := (queue.QTransactions{Limit: rowPage}), true; more; {
		got, err := queue.Get[queue.Transactions](w.ctx, w.port, q)
		if err != nil {
			return nil, fmt.Errorf("read the transactions: %w", err)
		}
		for i := range got.Transactions {
			v := &got.Transactions[i]
			q.Before = v.Num
			if t := o.transactions[v.ID]; t == nil || t.stage != string(v.Stage) || t.document != v.Digest {
				return fault(CodeRow, 0, "the transaction %s is not as its events left it", v.ID), nil
			}
		}
		shown, more = shown+len(got.Transactions), got.More
	}
	if shown != len(o.transactions) {
		return fault(CodeRowMissing, 0, "%d transactions were submitted, and %d are shown", len(o.transactions), shown), nil
	}
	return nil, nil
}
