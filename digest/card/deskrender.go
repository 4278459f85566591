package card

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"nod/digest"
)

// RenderDesk writes the desk page of an effect. Its ShownDigest is what an
// answer is bound to. The error is a *digest.Error: desk_too_large, or
// desk_bad_value with the pointer of what no page can hold ("/facts/3/why").
// What is rendered always reads back.
func RenderDesk(d *Desk) ([]byte, error) {
	size := 1024 + len(d.Arguments)
	p := plan{
		head:  DeskHead,
		most:  MaxDesk,
		texts: make([]byte, 0, size+size/8+256*len(d.Facts)),
		names: make([]byte, 0, 512),
		rows:  make([]row, 0, 64),
	}
	p.desk(d)
	size = p.size()
	var e *digest.Error
	switch {
	case p.err == nil && size <= MaxDesk:
		return p.write(size), nil
	case errors.As(p.err, &e) && e.Code == CodeBadDesk:
		return nil, p.err
	case e != nil && e.Code == CodeBadAsk:
		return nil, badDesk("")
	}
	return nil, deskTooLarge()
}

// desk plans the lines of a desk page in the order of the stems.
func (p *plan) desk(d *Desk) {
	p.fields(d.where())
	p.fields(d.standing())
	if len(d.Key) > 0 && d.Key[0] != '[' {
		p.refuse(stemEffectKey)
	}
	p.document(stemEffectKey, d.Key, false)
	p.fields(d.declared())
	p.document(stemArguments, d.Arguments, false) // pruned
	p.fields(d.who())
	if len(d.Readings) > 0 {
		p.checkReadings(d.Readings)
		p.readings(d.Readings)
	} else {
		p.miss(stemReadings)
	}
	switch {
	case d.Provider == nil:
		p.miss(stemProvider)
	case *d.Provider == Provider{}:
		p.refuse(stemProvider) // it would read as none
	default:
		p.fields(d.Provider.fields())
	}
	p.fields(d.settled())
	elements(p, stemAttempts, d.Attempts, (*DeskAttempt).fields)
	p.checkFacts(d)
	elements(p, stemFacts, d.Facts, (*Fact).fields)
	p.fields(d.ids())
	p.notStated()
}

// fields plans members that have a stem of their own.
func (p *plan) fields(list []field) {
	for i := range list {
		if f := &list[i]; p.stated(f) {
			p.field(p.stem(f.name), f)
		} else {
			p.miss(f.name)
		}
	}
}

// elements plans a list whose elements state some of their members.
func elements[T any](p *plan, stem string, list []T, fields func(*T) []field) {
	l := p.stem(stem)
	p.count(l, len(list))
	for i := range list {
		at := p.index(l, i)
		for _, f := range fields(&list[i]) {
			if p.stated(&f, stem, strconv.Itoa(i)) {
				p.field(p.step(at, f.name), &f)
			}
		}
		if p.err != nil {
			return
		}
	}
}

// document plans a JSON value that may be absent. Only canonical bytes would
// read back.
func (p *plan) document(stem string, v digest.JSON, must bool) {
	if len(v) == 0 {
		if must {
			p.refuse(stem)
		}
		p.miss(stem)
		return
	}
	if again, err := digest.Canonical(v, digest.NoLimits()); err != nil || !bytes.Equal(again, v) {
		p.refuse(stem)
		return
	}
	p.json(stem, v)
}

func (p *plan) checkReadings(list []digest.Reading) {
	for i, r := range list {
		if r.Pointer != "" && r.Pointer[0] != '/' {
			p.refuse(stemReadings, strconv.Itoa(i), "pointer")
		}
	}
}

// checkFacts refuses a fact about an attempt that is not on the page.
func (p *plan) checkFacts(d *Desk) {
	ids := make(map[string]struct{}, len(d.Attempts)+1)
	ids[""] = struct{}{}
	for i := range d.Attempts {
		ids[d.Attempts[i].ID] = struct{}{}
	}
	for i := range d.Facts {
		if _, ok := ids[d.Facts[i].Attempt]; !ok {
			p.refuse(stemFacts, strconv.Itoa(i), "attempt")
		}
	}
}

// refuse notes the first member that no page can hold, by the steps to it.
func (p *plan) refuse(steps ...string) {
	if p.err == nil {
		p.err = badDesk("/" + strings.Join(steps, "/"))
	}
}

// where is what is done, and in which environment.
func (d *Desk) where() []field {
	tried := len(d.Attempts) > 0
	return []field{
		textField(stemTool, asName, &d.Tool).needed(tried),
		textField(stemOperation, asName, &d.Operation),
		textField(stemEnvironment, asName, &d.Environment),
	}
}

func (d *Desk) standing() []field {
	return []field{wordField(stemState, wordsState, &d.State).needed(true), wordField(stemMark, wordsMark, &d.Mark)}
}

// declared follows the effect key.
func (d *Desk) declared() []field {
	return []field{
		numberField(stemOrdinal, asNumber, &d.Ordinal).needed(true),
		wordField(stemClass, wordsClass, &d.Class),
		wordField(stemAccess, wordsAccess, &d.Access),
	}
}

func (d *Desk) who() []field {
	return []field{
		textField(stemAgent, asName, &d.Agent).needed(len(d.Attempts) > 0),
		textField(stemUser, asName, &d.User),
		textField(stemHost, asName, &d.Host),
	}
}

func (p *Provider) fields() []field {
	return []field{
		textField(stemLifetime, asText, &p.KeyLifetime),
		textField(stemChanged, asText, &p.Changed),
		textField(stemCached, asText, &p.Cached),
	}
}

func (d *Desk) settled() []field { return []field{numberField(stemSettled, asTime, &d.SettledAt)} }

func (d *Desk) ids() []field {
	return []field{
		textField(stemEffectID, asID, &d.Effect).needed(true),
		textField(stemBeside, asID, &d.Links),
		digestField(stemReadBy, &d.Descriptor),
	}
}

func (a *DeskAttempt) fields() []field {
	// Nothing seen of a card is worth a line as soon as there was a card to see.
	seen := a.LinesSeen != 0 || a.LinesAll != 0 || a.DwellMS != 0
	return []field{
		numberField("number", asNumber, &a.Number).needed(true),
		wordField("state", wordsAttempt, &a.State).needed(true),
		wordField("exit", wordsExit, &a.Exit),
		flagField("mismatch", &a.Mismatch),
		flagField("late", &a.Late),
		wordField("decided_by", wordsDecided, &a.DecidedBy),
		textField("decider", asName, &a.Decider),
		numberField("decided_at", asTime, &a.DecidedAt),
		numberField("lines_seen", asNumber, &a.LinesSeen).shown(seen),
		numberField("lines_all", asNumber, &a.LinesAll).shown(seen),
		numberField("dwell_ms", asNumber, &a.DwellMS).shown(seen),
		textField("executor", asName, &a.Executor),
		flagField("host_runs", &a.HostRuns),
		numberField("began_at", asTime, &a.BeganAt).needed(true),
		numberField("lease", asTime, &a.Lease),
		numberField("ended_at", asTime, &a.EndedAt),
		textField("id", asID, &a.ID).needed(true),
		textField("ask", asID, &a.Ask).needed(true),
		digestField("action_digest", &a.ActionDigest),
		digestField("shown_digest", &a.ShownDigest),
	}
}

func (f *Fact) fields() []field {
	return []field{
		numberField("at", asTime, &f.At).needed(true),
		wordField("kind", wordsKind, &f.Kind).needed(true),
		wordField("source", wordsSource, &f.Source).needed(true),
		textField("by", asName, &f.By),
		wordField("says", wordsSays, &f.Says),
		flagField("durable", &f.Durable).shown(f.Says != ""), // a statement without durable evidence looks so
		flagField("divergent", &f.Divergent),
		flagField("late", &f.Late),
		textField("why", asCode, &f.Why),
		wordField("exit", wordsExit, &f.Exit),
		textField("seen", asText, &f.Seen),
		textField("ref", asText, &f.Ref),
		textField("reason", asText, &f.Reason),
		textField("attempt", asID, &f.Attempt),
		digestField("observed", &f.Observed),
		digestField("page", &f.Page),
	}
}
