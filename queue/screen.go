package queue

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"nod/boundary"
	"nod/digest"
	"nod/policy/screen"
)

// Screen asks what becomes of a decision that a host's own rules, hooks or
// classifiers made (docs/spec/policy.md §5). What is out of contract is a deny;
// Nod's denials, the mandate of the session's tree, an effect policy and its clamps
// stand above it. It files no ask: one that is to be asked is submitted next, with Raise.
// Result: Screened.
type Screen struct {
	Session  string         `json:"session"` // the host's session id, not blank
	Parent   string         `json:"parent,omitzero"`
	Decision jsontext.Value `json:"decision"`
	Call     *Call          `json:"call,omitempty"` // the call that was decided; without it, it is taken for one that crosses every way
}

// Screened answers Screen: the decision to follow.
type Screened struct {
	Session  string         `json:"session"`         // Nod's id
	Action   screen.Action  `json:"action,omitzero"` // "" is no opinion
	Decision jsontext.Value `json:"decision"`        // whole, as it is to be followed
	Mandated bool           `json:"mandated,omitzero"`
	Why      string         `json:"why,omitzero"`      // one sentence, where Nod made it stricter
	Code     string         `json:"code,omitzero"`     // of a deny of Nod's own
	Member   string         `json:"member,omitzero"`   // pointer of the member that is out of contract
	Sentence string         `json:"sentence,omitzero"` // of a deny of Nod's own
	Raise    []string       `json:"raise,omitempty"`   // of an ask: what the submit that follows states
}

func (Screen) actName() string      { return "screen" }
func (Screened) resultName() string { return "screened" }

// screening is a Screen, read.
type screening struct {
	sub      submission
	decision screen.Decision
}

func (q *Queue) prepareScreen(c *Conn, a Screen) (job, error) {
	r := &screening{sub: submission{act: Submit{Session: a.Session, Parent: a.Parent, Call: a.Call}, principal: c.Principal}}
	s := &r.sub
	if !utf8.ValidString(a.Session) || !utf8.ValidString(a.Parent) {
		return nil, refuse(digest.CodeBadUTF8, "a text of the screening is not UTF-8").hint("send UTF-8")
	}
	if err := s.act.bounds(); err != nil {
		return nil, err
	}
	if strings.TrimSpace(a.Session) == "" {
		return nil, refuse(CodeBadInput, "the screening names no session").hint("send the host's session id")
	}
	s.session = sessionID(&c.Principal, a.Session)
	if a.Parent != "" && a.Parent != a.Session {
		s.parent = sessionID(&c.Principal, a.Parent)
	}
	s.crossing = crossing{legs: boundary.EveryLeg(), environment: c.Environment, target: slices.Contains(q.settings.Targets, c.Environment)}
	r.decision = screen.Contract{NoRuling: q.settings.NoRuling}.Screen(a.Decision)
	if a.Call != nil {
		call := *a.Call
		if input, there := r.decision.Document.Member("updatedInput"); there && string(input) != "null" {
			call.Arguments = jsontext.Value(input) // this is what would run
		}
		s.act.Call = &call
		if err := s.readCall(q, c, s.act); err != nil {
			return nil, err
		}
	}
	return func(tx Tx, m moment) (Result, error) { return q.screen(tx, m, c, r) }, nil
}

func (q *Queue) screen(tx Tx, m moment, c *Conn, r *screening) (Result, error) {
	s := &r.sub
	a, err := q.arrive(tx, m, s)
	if err != nil {
		return nil, err
	}
	f := facts{}
	if f.held, err = q.held(tx, a.session, &s.denying); err != nil {
		return nil, err
	}
	freezes, err := tx.Freezes()
	if err != nil {
		return nil, err
	}
	f.frozen = covers(freezes, s.session) != nil
	t, err := q.join(tx, m, a)
	if err != nil {
		return nil, err
	}
	root, err := t.root(a.session)
	if err != nil {
		return nil, err
	}
	p, err := q.attached(tx, m, a.session, s.session, s.parent, s.principal.Agent)
	if err != nil {
		return nil, err
	}
	out := s.screened(&r.decision, &f, p != nil, func() boundary.Account { return q.mandateOf(root, s) })
	phase := boundary.Phase("")
	if a.born {
		phase = boundary.Prepare
	}
	if a.dirty {
		t.touch(a.session)
	}
	if no, err := q.passes(tx, m, t, a.session, phase, boundary.Act{}, ""); err != nil || no != nil {
		return nil, orRefusal(no, err)
	}
	if err := t.put(tx); err != nil || out.Code == "" {
		return out, err
	}
	e := Event{Act: "screen", Actor: c.Principal.Agent, Way: c.Way, Session: s.session, To: string(StateDenied), Reason: out.Code}
	if s.action != nil {
		e.Tool, e.Cwd, e.ActionDigest = s.action.Tool, s.action.Environment.Cwd, s.actionDigest
		if s.action.Effect != nil {
			e.Class = s.action.Effect.Class
		}
	}
	if out.Code == CodeDeniedByRule {
		e.Rule = s.denier(&f)
	}
	return out, q.append(tx, m, e)
}

// screened is deny > mandate > ask > allow: what is out of contract, a deny of
// the host's, a deny of Nod's, the mandate, what else wants a person for an
// allow, then an effect policy, which judges what is submitted and nothing else.
func (s *submission) screened(d *screen.Decision, f *facts, governed bool, mandate func() boundary.Account) Screened {
	out := Screened{Session: s.session, Action: d.Action, Decision: jsontext.Value(d.Document)}
	deny := func(code, sentence string) Screened {
		out.Action, out.Code, out.Sentence = screen.Deny, code, sentence
		out.Decision = jsontext.Value(`{"action":"deny"}`)
		return out
	}
	switch {
	case d.Refused != nil:
		out.Member = d.Refused.Pointer
		return deny(d.Refused.Code, d.Refused.Sentence)
	case d.Action == screen.Deny:
		return out
	case s.capability != "" && s.ruling.Verdict != RuleDeny:
		return deny(CodeCompliance, complianceSays(s.capability))
	case s.denies(f):
		return deny(CodeDeniedByRule, ruleSentence(&Ruling{Rule: s.denier(f), Why: s.denial(f)}, "denies this call."))
	}
	now := *d
	if why := mandate().Why(); why != "" {
		now, out.Why = d.Mandate(), why
	} else if why := s.asks(d, f); why != "" {
		now, out.Why = d.Asked(), why
	} else if governed && d.Action != screen.Ask {
		now, out.Why = d.Asked(), "An effect policy is attached to who asks: the call is submitted, and declares what it does."
	}
	out.Action, out.Decision, out.Mandated = now.Action, jsontext.Value(now.Document), now.Mandated
	if now.Action != screen.Ask {
		return out
	}
	if now.Mandated {
		out.Raise = append(out.Raise, ReasonCrossBoundary)
	}
	if now.RealApproval {
		out.Raise = append(out.Raise, ReasonRealApproval)
	}
	return out
}

// asks says why a person is asked what somebody else allowed; "" for no reason.
func (s *submission) asks(d *screen.Decision, f *facts) string {
	switch {
	case d.Action != screen.Allow:
		return ""
	case f.frozen:
		return "A freeze holds, so nothing is allowed that is not asked."
	case s.ruling.Erred:
		return whyRuleErred
	case f.held.erred != "":
		return whyClampErred
	case f.held.noAuto && ruled(d):
		return "The clamps of its session let no rule allow, so a person is asked."
	}
	return ""
}

// ruled reports whether a rule allowed, or nobody says who did.
func ruled(d *screen.Decision) bool {
	return d.Action == screen.Allow && slices.Contains([]string{"", "rule", "persisted_rule", "org_rule", "deployment_rule", "request_rule"}, d.Reason)
}

// denier names the rule that denies.
func (s *submission) denier(f *facts) string {
	if s.ruling.Verdict == RuleDeny {
		return s.ruling.Rule
	}
	return f.held.rule
}
