package ambiguity

// Contract is what the operator's descriptor says of the tool.
type Contract struct {
	SuccessClaims bool // a success return is a claim that the effect happened
	Observed      bool // an observer is configured: a claim waits for it
}

// Fact is one thing said of an attempt. Facts come in the order in which they
// were appended.
type Fact struct {
	Kind      Kind
	Says      State // Committed, NotExecuted, Unknown, or "" for nothing
	Durable   bool
	Divergent bool // of an observation that says Committed: other content than was allowed
	Exit      Exit // of a report
	Late      bool // of a report: after the lease, or after another report
	Proof     bool // of a report that says NotExecuted: Nod itself holds the proof
	Early     bool // of an observation: the provider's reads may lag, so an empty one proves nothing
	Ref       string
}

// Judgement is what the facts on one attempt come to.
type Judgement struct {
	State  State
	Mark   Mark
	Source Source // whose statement decided it
	Open   bool   // an item on the desk until a person answers or acknowledges it
}

// Judge says what the facts on one attempt prove (DESIGN §5).
func Judge(c Contract, facts []Fact) Judgement {
	j := claim(c, facts)
	if j.State == Executing {
		return j
	}
	answer := last(facts, func(f *Fact) bool { return f.Kind == Reconciliation || f.Kind == Correction })
	seen := look(facts, 0)
	if answer >= 0 {
		before := Judge(c, facts[:answer])
		seen = look(facts, answer+1)
		j = Judgement{State: facts[answer].Says, Source: ByOperator}
		if j.State == Unknown { // what made it so still does
			j.Mark = NotConfirmed
			if before.State == Unknown {
				j.Mark = before.Mark
			}
		}
	}
	j = weigh(j, seen)
	if j.Mark == Divergent && last(facts, func(f *Fact) bool { return f.Kind == Acknowledged }) > seen.divergedAt {
		j.Open = false
	}
	return j
}

// Reference is what an attempt with these facts can be looked up by: the first
// one that an observer saw, else that a tool gave who says that it happened, else
// that a tool gave.
func Reference(facts []Fact) string {
	var claimed, given string
	for i := range facts {
		f := &facts[i]
		switch {
		case f.Ref == "" || f.Says == NotExecuted:
		case f.Kind == Observation && f.Says == Committed:
			return f.Ref
		case f.Kind != Report:
		case f.Says == Committed && claimed == "":
			claimed = f.Ref
		case given == "":
			given = f.Ref
		}
	}
	if claimed != "" {
		return claimed
	}
	return given
}

// claim is what lifecycle and report make of the attempt, before anybody looked.
func claim(c Contract, facts []Fact) Judgement {
	unsure := Judgement{State: Unknown, Mark: NotConfirmed, Source: ByGate, Open: true}
	for i := range facts {
		f := &facts[i]
		switch {
		case f.Kind == LeaseOver || f.Kind == SessionEnd:
			return unsure
		case f.Kind != Report || f.Late:
		case f.Says == NotExecuted && f.Proof:
			return Judgement{State: NotExecuted, Source: ByGate}
		default:
			return tool(c, f, unsure)
		}
	}
	return Judgement{State: Executing, Source: ByGate}
}

// tool is what a report in time comes to.
func tool(c Contract, f *Fact, unsure Judgement) Judgement {
	unsure.Source = ByTool
	says, durable := f.Says, f.Durable
	if says == "" && f.Exit == Success && c.SuccessClaims {
		says, durable = Committed, true // the operator's word, not the tool's
	}
	switch {
	case says != Committed:
		return unsure
	case c.Observed:
		return unsure // unknown until the observer answers
	case !durable:
		unsure.Mark = NotDurable
		return unsure
	default:
		return Judgement{State: Committed, Source: ByTool}
	}
}

// sight is what observers saw, from one fact on.
type sight struct {
	matched, durable, diverged, absent bool
	divergedAt                         int
}

func look(facts []Fact, from int) sight {
	s := sight{divergedAt: -1}
	for i := from; i < len(facts); i++ {
		f := &facts[i]
		if f.Kind != Observation {
			continue
		}
		switch {
		case f.Says == Committed:
			s.durable = s.durable || f.Durable
			if f.Divergent {
				s.diverged, s.divergedAt = true, i
			} else {
				s.matched = true
			}
		case f.Says == NotExecuted && !f.Early:
			s.absent = true
		}
	}
	return s
}

// weigh sets what was observed against what stands without it. An observation
// outranks the tool; two that disagree, or one that disagrees with a person,
// leave nobody who knows.
func weigh(j Judgement, s sight) Judgement {
	seen := s.matched || s.diverged
	conflict := Judgement{State: Unknown, Mark: Conflict, Source: ByObserver, Open: true}
	switch {
	case seen && s.absent, s.matched && s.diverged:
		return conflict
	case seen && j.Source == ByOperator && j.State == NotExecuted:
		return conflict
	case seen && !s.durable && j.State != Committed:
		return Judgement{State: Unknown, Mark: NotDurable, Source: ByObserver, Open: true}
	case s.diverged:
		return Judgement{State: Committed, Mark: Divergent, Source: ByObserver, Open: true}
	case seen && j.Source != ByOperator, seen && j.State == Unknown:
		return Judgement{State: Committed, Source: ByObserver}
	case s.absent && j.State == Committed:
		return conflict
	default:
		j.Open = j.State == Unknown
		return j
	}
}

func last(facts []Fact, is func(*Fact) bool) int {
	for i := len(facts) - 1; i >= 0; i-- {
		if is(&facts[i]) {
			return i
		}
	}
	return -1
}
