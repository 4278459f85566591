package card

import (
	"bytes"
	"strconv"
	"strings"

	"nod/digest"
	"nod/digest/visible"
)

// Parse reads a card back into its ask. It renders what it read and refuses,
// with card_not_read, whatever is not the card of a valid ask byte for byte.
func Parse(card []byte) (*digest.Ask, error) {
	if len(card) > MaxSize {
		return nil, tooLarge()
	}
	p := parser{reader: reader{most: MaxSize}, ask: new(digest.Ask)}
	if !p.lines(Head, string(card), p.member) || !p.finish() {
		return nil, badCard()
	}
	if _, err := p.ask.Canonical(); err != nil { // valid, with its own action digest
		return nil, badCard()
	}
	if again, err := Render(p.ask); err != nil || !bytes.Equal(again, card) {
		return nil, badCard()
	}
	return p.ask, nil
}

// parser collects what the lines say. It is lenient: what it lets pass is found
// when the ask is checked and rendered.
type parser struct {
	reader

	ask       *digest.Ask
	action    digest.Action
	principal digest.Principal
	effect    digest.Effect
	key       node
	arguments node
	schema    node
}

// member files the text of one label.
func (p *parser) member(stem, pointer, text string) bool {
	ask, env := p.ask, &p.action.Environment
	switch stem {
	case stemSchema:
		return p.json(&p.schema, pointer, text)
	case stemVars:
		name, ok := strings.CutPrefix(pointer, "/")
		value, okText := p.text(visible.Value, text)
		env.Vars = append(env.Vars, digest.Var{Name: unescape(name), Value: value})
		return ok && okText
	case stemEffectKey:
		return p.json(&p.key, pointer, text)
	case stemWhy:
		return p.item(&ask.Why, pointer, text)
	case stemArguments:
		return p.json(&p.arguments, pointer, text)
	case stemOperands:
		return p.operand(pointer, text)
	case stemLifted:
		return p.item(&p.action.Lifted, pointer, text)
	case stemParents:
		return p.item(&ask.Parents, pointer, text)
	case stemReading:
		s, ok := p.text(visible.Value, text)
		if !ok || ask.Descriptor == nil {
			return false
		}
		ask.Descriptor.Readings = append(ask.Descriptor.Readings, digest.Reading{Pointer: pointer, Text: s})
		return true
	}
	return pointer == "" && p.single(stem, text)
}

// single files a member that has one line.
func (p *parser) single(stem, text string) bool {
	ask, env := p.ask, &p.action.Environment
	switch stem {
	case stemKind:
		ask.Kind = text
	case stemQuestion:
		ask.Question = new(digest.Question)
		return p.set(&ask.Question.Text, visible.Value, text)
	case stemTool:
		return p.set(&p.action.Tool, visible.Name, text)
	case stemOperation:
		return p.set(&p.action.Operation, visible.Name, text)
	case stemEnvironment:
		return p.set(&env.Name, visible.Name, text)
	case stemCwd:
		return p.set(&env.Cwd, visible.Name, text)
	case stemMachine:
		return p.set(&env.Machine, visible.Name, text)
	case stemClass:
		p.effect.Class = text
	case stemAccess:
		p.effect.Access = text
	case stemBoundary:
		return p.set(&p.effect.CommitBoundary, visible.Value, text)
	case stemReasons:
		ask.Reasons = strings.Split(strings.TrimPrefix(text, owns), ", ")
	case stemAgent:
		return p.set(&p.principal.Agent, visible.Name, text)
	case stemUser:
		return p.set(&p.principal.User, visible.Name, text)
	case stemHost:
		return p.set(&p.principal.Host, visible.Name, text)
	case stemSession:
		return p.set(&ask.Session, visible.Value, text)
	case stemAnswerBy:
		ask.AnswerBy = text
	case stemUseWithin:
		n, err := strconv.ParseInt(text, 10, 64)
		ask.UseWithin = n
		return err == nil
	case stemDescriptor:
		ask.Descriptor = &digest.Descriptor{Digest: digest.Digest(text)}
	case stemReadings, stemNotStated: // follow from the rest
	case stemReplaces:
		ask.Replaces = text
	case stemDerived:
		ask.DerivedFrom = &digest.Derived{Ask: text}
	case stemEditedBy:
		return ask.DerivedFrom != nil && p.set(&ask.DerivedFrom.By, visible.Name, text)
	case stemID:
		ask.ID = text
	case stemActionDigest:
		ask.ActionDigest = digest.Digest(text)
	case stemWords:
		return p.set(&ask.AgentWords, visible.Value, text)
	default:
		return false
	}
	return true
}

// finish puts the parts together.
func (p *parser) finish() bool {
	var ok bool
	if p.ask.Question != nil {
		p.ask.Question.Schema, ok = p.schema.json()
		p.ask.Principal = &p.principal
		return ok
	}
	a := &p.action
	a.Principal = p.principal
	if a.Arguments, ok = p.arguments.json(); !ok {
		return false
	}
	if p.key.kind != nothing {
		if p.effect.Key, ok = p.key.json(); !ok {
			return false
		}
	}
	if e := &p.effect; len(e.Key) > 0 || e.Class != "" || e.Access != "" || e.CommitBoundary != "" {
		a.Effect = e
	}
	sortVars(a.Environment.Vars)
	p.ask.Action = a
	return true
}
