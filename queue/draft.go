package queue

import (
	"slices"
	"time"

	"nod/boundary"
	"nod/digest"
	"nod/digest/card"
)

// facts are what the transaction alone knows of a new ask. A draft is made
// from a guess of them before the transaction, where it holds up nobody; when
// the guess was wrong it is made again inside.
type facts struct {
	offset   int64
	parents  []string
	frozen   bool
	repeated bool // a person denied the same call in this session
	edited   bool // a person edited the same call in this session
	granted  bool
	replaces string
	effect   met
	crosses  boundary.Account // why its tree wants a person; zero for not
	held     held
	policy   string // what an effect policy makes of it, for the card
}

func (f facts) equal(g facts) bool {
	return f.offset == g.offset && f.frozen == g.frozen && f.repeated == g.repeated &&
		f.edited == g.edited && f.effect == g.effect && f.crosses == g.crosses && f.held == g.held && f.policy == g.policy && f.granted == g.granted && f.replaces == g.replaces && slices.Equal(f.parents, g.parents)
}

// draft is a new ask, whole: document, card and row.
type draft struct {
	facts facts
	row   Row
	body  digest.JSON
}

// draft builds the ask that s becomes under the given facts at now.
func (s *submission) draft(q *Queue, f facts, now int64) (*draft, error) {
	state, by, decider, reasons, why := s.judge(f)
	answerMS := shorter(q.settings.AnswerWithinMS, s.ruling.AnswerWithinMS, s.act.AnswerInMS)
	useMS := shorter(q.settings.UseWithinMS, s.ruling.UseWithinMS, s.act.UseInMS)
	// The card's deadline is in whole seconds: up, so that no time is taken away.
	answerBy := time.UnixMilli(now + answerMS + 999).UTC().Truncate(time.Second)
	ask := &digest.Ask{
		ID: s.id, Kind: s.act.Kind, Action: s.action, ActionDigest: s.actionDigest,
		Reasons: reasons, Why: why, Session: s.session, Parents: f.parents,
		AnswerBy: answerBy.Format(time.RFC3339), UseWithin: (useMS + 999) / 1000,
		AgentWords: s.act.AgentWords, Replaces: f.replaces, DerivedFrom: s.derived, Descriptor: s.described.ask,
	}
	if s.question != nil {
		ask.Question, ask.Principal = s.question, &s.principal
	}
	body, err := ask.Canonical()
	if err != nil {
		return nil, err
	}
	text, err := card.Render(ask)
	if err != nil {
		return nil, err
	}
	d := &draft{facts: f, body: body}
	d.row = Row{
		ID: s.id, Kind: s.act.Kind, State: state, Urgency: s.urgency(&f), Session: s.session, CallKey: s.key,
		ActionDigest: s.actionDigest, ShownDigest: card.ShownDigest(text), AskDigest: digest.Of(body),
		Agent: s.principal.Agent, User: s.principal.User, Host: s.principal.Host,
		Gist: s.gist, GistMore: s.gistMore, Reasons: reasons, Mandated: s.mandated(&f), Irreversible: s.confirms(),
		AnswerBy: answerBy.UnixMilli(), UseWithinMS: ask.UseWithin * 1000,
		Rule: s.ruling.Rule, Replaces: f.replaces, Edits: s.act.Edits && s.act.Kind == digest.KindCall,
		EffectKey: keyOf(s.action),
	}
	if s.derived != nil {
		d.row.DerivedFrom = s.derived.Ask
	}
	if s.action != nil {
		d.row.Tool, d.row.Cwd = s.action.Tool, s.action.Environment.Cwd
	}
	if state != StatePending {
		d.row.DecidedBy, d.row.Decider, d.row.DecidedWay = by, decider, "submit"
		if by == ByRule {
			d.row.Rule = decider
		}
		d.row.Verdict = VerdictAllow
		if state == StateDenied {
			d.row.Verdict, d.row.Words = VerdictDeny, s.denial(&f)
		}
	}
	return d, nil
}

// stamp fixes the times that are the transaction's.
func (d *draft) stamp(now int64) {
	d.row.CreatedAt, d.row.MovedAt = now, now
	if d.row.State != StatePending {
		d.row.DecidedAt = now
	}
}

// shorter is the least of the times that are stated: a rule or a caller may
// shorten the operator's, never lengthen it.
func shorter(most int64, others ...int64) int64 {
	for _, o := range others {
		if o > 0 {
			most = min(most, o)
		}
	}
	return most
}
