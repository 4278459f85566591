package card

import (
	"strconv"
	"unicode/utf8"

	"nod/digest"
	"nod/digest/visible"
)

// ask plans the lines of an ask in the order of the stems.
func (p *plan) ask(a *digest.Ask) {
	principal := a.Principal
	if a.Action != nil {
		principal = &a.Action.Principal
	}
	if principal == nil || (a.Action == nil) == (a.Question == nil) {
		p.err = badAsk()
		return
	}
	p.bare(p.stem(stemKind), a.Kind)
	if q := a.Question; q != nil {
		p.text(p.stem(stemQuestion), visible.Value, q.Text)
		p.json(stemSchema, q.Schema)
	}
	if a.Action != nil {
		p.where(a.Action)
	}
	p.own(p.stem(stemReasons), a.Reasons)
	p.list(stemWhy, a.Why)
	if a.Action != nil {
		p.what(a.Action)
	}
	p.text(p.stem(stemAgent), visible.Name, principal.Agent)
	p.optional(stemUser, visible.Name, principal.User)
	p.optional(stemHost, visible.Name, principal.Host)
	p.text(p.stem(stemSession), visible.Value, a.Session)
	p.list(stemParents, a.Parents)
	p.bare(p.stem(stemAnswerBy), a.AnswerBy)
	p.bare(p.stem(stemUseWithin), strconv.FormatInt(a.UseWithin, 10))
	p.descriptor(a.Descriptor)
	if a.Replaces != "" {
		p.bare(p.stem(stemReplaces), a.Replaces)
	} else {
		p.miss(stemReplaces)
	}
	if d := a.DerivedFrom; d != nil {
		p.bare(p.stem(stemDerived), d.Ask)
		p.text(p.stem(stemEditedBy), visible.Name, d.By)
	} else {
		p.miss(stemDerived)
	}
	p.bare(p.stem(stemID), a.ID)
	p.bare(p.stem(stemActionDigest), string(a.ActionDigest))
	p.optional(stemWords, visible.Value, a.AgentWords)
	p.notStated()
}

// where plans what is called, where, and its effect.
func (p *plan) where(a *digest.Action) {
	p.text(p.stem(stemTool), visible.Name, a.Tool)
	p.optional(stemOperation, visible.Name, a.Operation)
	e := &a.Environment
	p.text(p.stem(stemEnvironment), visible.Name, e.Name)
	p.optional(stemCwd, visible.Name, e.Cwd)
	p.optional(stemMachine, visible.Name, e.Machine)
	p.vars(e.Vars)
	if a.Effect == nil {
		p.miss(stemEffect)
		return
	}
	if len(a.Effect.Key) > 0 {
		p.json(stemEffectKey, a.Effect.Key)
	} else {
		p.miss(stemEffectKey)
	}
	p.word(stemClass, a.Effect.Class)
	p.word(stemAccess, a.Effect.Access)
	p.optional(stemBoundary, visible.Value, a.Effect.CommitBoundary)
}

// what plans the arguments and what belongs to them.
func (p *plan) what(a *digest.Action) {
	p.json(stemArguments, a.Arguments)
	if len(a.Operands) > 0 {
		l := p.stem(stemOperands)
		p.count(l, len(a.Operands))
		for i, o := range a.Operands {
			at := p.index(l, i)
			p.text(p.step(at, "name"), visible.Name, o.Name)
			p.bare(p.step(at, "digest"), string(o.Digest))
		}
	} else {
		p.miss(stemOperands)
	}
	if len(a.Lifted) > 0 {
		p.list(stemLifted, a.Lifted)
	} else {
		p.miss(stemLifted)
	}
}

func (p *plan) descriptor(d *digest.Descriptor) {
	if d == nil {
		p.miss(stemDescriptor)
		return
	}
	p.bare(p.stem(stemDescriptor), string(d.Digest))
	p.readings(d.Readings)
}

func (p *plan) readings(list []digest.Reading) {
	p.count(p.stem(stemReadings), len(list))
	for _, r := range list {
		p.text(p.pointer(p.stem(stemReading), r.Pointer), visible.Value, r.Text)
	}
}

// pointer extends a label by a whole pointer.
func (p *plan) pointer(l label, pointer string) label {
	if pointer == "" || p.take(pointer) {
		return l
	}
	from := len(p.names)
	p.names = visible.AppendDraw(p.names, visible.Label, pointer)
	added := p.names[from:]
	p.rows[len(p.rows)-1].names = int32(len(p.names))
	return label{l.bytes + len(added), l.runes + utf8.RuneCount(added)}
}

// list plans a list of free strings.
func (p *plan) list(stem string, texts []string) {
	l := p.stem(stem)
	p.count(l, len(texts))
	for i, s := range texts {
		p.text(p.index(l, i), visible.Value, s)
	}
}

// vars plans the variables like the members of an object under a stem.
func (p *plan) vars(vars []digest.Var) {
	if len(vars) == 0 {
		p.miss(stemVars)
		return
	}
	l := p.stem(stemVars)
	for _, first := range [2]bool{true, false} {
		for _, v := range vars {
			if isShort(v.Value) == first {
				p.text(p.step(l, v.Name), visible.Value, v.Value)
			}
		}
	}
}

// optional plans a free string that may be absent.
func (p *plan) optional(stem string, mode visible.Mode, s string) {
	if s == "" {
		p.miss(stem)
		return
	}
	p.text(p.stem(stem), mode, s)
}

// word plans a closed word that may be absent.
func (p *plan) word(stem, s string) {
	if s == "" {
		p.miss(stem)
		return
	}
	p.bare(p.stem(stem), s)
}

// miss notes an absent member for the last line.
func (p *plan) miss(stem string) {
	if len(p.absent) > 0 {
		p.absent = append(p.absent, ", "...)
	}
	p.absent = append(p.absent, stem...)
}

// notStated plans the last line.
func (p *plan) notStated() {
	if len(p.absent) > 0 {
		l, from := p.stem(stemNotStated), len(p.texts)
		p.texts = append(p.texts, p.absent...)
		p.end(l, from)
	}
}
