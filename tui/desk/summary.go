package desk

import (
	"nod/ambiguity"
	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/say"
)

// Choice is an answer as the summary lists it.
type Choice struct {
	Key, Verb string
	Unlocks   string // one sentence
	Why       string // why not now; "" when it can be given
	Danger    bool
}

// In is what the summary looks at.
type In struct {
	Desk    *queue.Desk
	Attempt string // that the answers are about
	Self    string // the operator's name, as the queue records it
	Choices []Choice
}

// About is what a tab says of itself.
func (t Tab) About() string {
	what := map[Tab]string{Card: "the card as it was approved", Attempts: "the attempts", Waits: "who waits"}[t]
	if what == "" {
		what = "a summary"
	}
	return what + "; an answer is bound to the page"
}

// Rows draws the summary: what was allowed, what came back, and who says what
// happened.
func Rows(look frame.Look, in In, w int) []frame.Line {
	s := &sheet{look: look, w: w}
	v := in.Desk
	s.what(&v.Effect)
	if a := attemptOf(v, in.Attempt); a != nil {
		s.allowed(a, in.Self)
		s.begun(a)
		s.cameBack(v, a)
	}
	for i := range v.Readings {
		label := ""
		if i == 0 {
			label = "Reads as"
		}
		s.fact(label, themes.Text, visible.Concat(s.name(v.Readings[i].Text), visible.Own("  "), s.name(v.Readings[i].Pointer)))
	}
	s.evidence(v, in.Self)
	s.provider(v)
	return s.rows
}

// Answers draws what may be answered, and what each unlocks.
func Answers(look frame.Look, in In, w int) []frame.Line {
	s := &sheet{look: look, w: w}
	s.choices(in.Choices)
	return s.rows
}

func attemptOf(v *queue.Desk, id string) *queue.DeskAttempt {
	for i := range v.Attempts {
		if v.Attempts[i].ID == id || id == "" && i == len(v.Attempts)-1 {
			return &v.Attempts[i]
		}
	}
	return nil
}

func (s *sheet) what(e *queue.EffectView) {
	gist := visible.Concat(s.name(e.Tool), visible.Own("  "), s.name(e.Gist))
	if e.GistMore > 0 {
		gist = visible.Concat(gist, visible.Own(" (and "), visible.Number(e.GistMore), visible.Own(" bytes more)"))
	}
	s.fact("Call", themes.Text, visible.Concat(gist, visible.Own("  by "), s.name(e.Agent)))
	if len(e.Key) == 0 {
		s.fact("Effect", themes.Warn, visible.Own("no key is stated: nothing recognises a repeat of it"))
	} else {
		s.fact("Effect", themes.Text, s.cut(string(e.Key), saidCells))
	}
	if e.Links != "" {
		s.fact("", themes.Text, visible.Drawn("number "+say.Number(e.Ordinal)+" of this key, opened on purpose beside "+e.Links))
	}
}

func (s *sheet) allowed(a *queue.DeskAttempt, self string) {
	who := s.name(a.Decider)
	switch {
	case a.Decider == self && a.DecidedBy == queue.ByPerson:
		who = visible.Own("you")
	case a.DecidedBy != queue.ByPerson && a.DecidedBy != "":
		who = visible.Concat(visible.Drawn(string(a.DecidedBy)+" "), who)
	}
	t := visible.Concat(visible.Drawn(s.clock(a.DecidedAt)+"  by "), who)
	if a.LinesAll > 0 {
		t = visible.Concat(t, visible.Drawn("; "+say.Number(a.LinesSeen)+" of "+say.Number(a.LinesAll)+" lines shown, "+say.Span(a.DwellMS)+" on the screen"))
	}
	s.fact("Allowed", themes.Text, t)
}

func (s *sheet) begun(a *queue.DeskAttempt) {
	t := visible.Concat(visible.Drawn(s.clock(a.BeganAt)+"  attempt "+say.Number(a.Number)+", run by "), s.name(a.Executor))
	lease := "; its lease of " + say.Span(a.Lease-a.BeganAt)
	if ended := min(a.EndedAt, a.Lease); returned(a) {
		lease += " ended with its report, at " + s.clock(ended)
	} else if a.Lease <= s.look.Now {
		lease += " ran out at " + s.clock(a.Lease)
	} else {
		lease += " runs until " + s.clock(a.Lease)
	}
	s.fact("Begun", themes.Text, visible.Concat(t, visible.Drawn(lease)))
	if a.Mismatch {
		s.fact("", themes.Danger, visible.Own("MISMATCH: what ran is not what was approved"))
	}
}

// returned reports whether a report that the call came back ended its lease.
func returned(a *queue.DeskAttempt) bool {
	switch a.Exit {
	case queue.ExitSuccess, queue.ExitFailure, queue.ExitBlocked:
		return a.EndedAt > 0 && !a.Late
	default:
		return false
	}
}

// cameBack is the first report of an attempt: what the call says of itself.
func (s *sheet) cameBack(v *queue.Desk, a *queue.DeskAttempt) {
	for i := range v.Facts {
		f := &v.Facts[i]
		if f.Attempt != a.ID || f.Kind != ambiguity.Report {
			continue
		}
		exit := "no exit status"
		if f.Exit != "" {
			exit = "exit status " + string(f.Exit)
		}
		outcome := "outcome not stated"
		if f.Says != "" {
			outcome = "says " + plain(f.Says)
		}
		s.fact("Came back", themes.Text, visible.Drawn(s.clock(f.At)+"  "+exit+", "+outcome+": it tells of the call, not of the effect"))
		return
	}
	s.fact("Came back", themes.Text, visible.Own("nothing: no report came"))
}

// plain is an outcome in words without an underline.
func plain(o queue.AttemptState) string {
	if o == queue.AttemptNotExecuted {
		return "not executed"
	}
	return string(o)
}

func (s *sheet) provider(v *queue.Desk) {
	due := v.Effect.Standing == ambiguity.StandsUnknown && v.SettledAt > s.look.Now
	if v.Provider == nil && !due {
		return
	}
	s.blank()
	if p := v.Provider; p != nil {
		var parts []visible.Text
		add := func(label string, t visible.Text) { parts = append(parts, visible.Concat(visible.Drawn(label), t)) }
		if p.KeyLifetime != "" {
			add("keeps an idempotency key ", s.name(p.KeyLifetime))
		}
		if p.Changed != "" {
			add("a key with other parameters: ", s.name(p.Changed))
		}
		if p.Cached != "" {
			add("repeats ", s.name(p.Cached))
		}
		var t visible.Text
		for i, part := range parts {
			if i > 0 {
				t = visible.Concat(t, visible.Own("; "))
			}
			t = visible.Concat(t, part)
		}
		s.fact("Provider", themes.Muted, t)
	}
	if due {
		s.fact("Not yet", themes.Warn, visible.Drawn("its reads may lag: before "+s.clock(v.SettledAt)+" an empty answer proves nothing"))
	}
}

// verbCells is the column of the answers' names.
const verbCells = 28

func (s *sheet) choices(list []Choice) {
	s.blank()
	wide := s.w >= wideTable
	if wide {
		s.add(frame.Line{frame.Gap(3), frame.Col(themes.Faint, "your answer", verbCells), frame.S(themes.Faint, "what it unlocks")})
	} else {
		s.add(frame.Line{frame.Gap(3), frame.S(themes.Faint, "your answer, and what it unlocks")})
	}
	for _, c := range list {
		key, role := frame.S(themes.Accent, c.Key), themes.Text
		switch {
		case c.Why != "":
			key, role = frame.S(themes.Muted, c.Key), themes.Muted
		case c.Danger:
			role = themes.Danger
		}
		text, says := c.Unlocks, themes.Text
		if c.Why != "" {
			text, says = "Not now: "+c.Why+".", themes.Muted
		}
		head := frame.Line{frame.Gap(1), key, frame.Gap(1)}
		if wide {
			s.hang(append(head, frame.Col(role, c.Verb, verbCells)), says, visible.Drawn(text))
			continue
		}
		s.flow(append(head, frame.S(role, c.Verb), frame.Gap(2)), 5, says, visible.Drawn(text))
	}
	s.hang(frame.Line{frame.Gap(3)}, themes.Muted, visible.Own("An answer is appended, never edited; a later one corrects it."))
}
