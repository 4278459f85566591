package card

import (
	"bytes"
	"strconv"
	"strings"

	"nod/digest"
	"nod/digest/visible"
)

// ParseDesk reads a desk page back. It renders what it read and refuses, with
// desk_not_read, whatever is not a desk page byte for byte. Lists that are empty
// come back nil.
func ParseDesk(page []byte) (*Desk, error) {
	if len(page) > MaxDesk {
		return nil, deskTooLarge()
	}
	p := deskParser{reader: reader{most: MaxDesk}, desk: new(Desk)}
	if !p.lines(DeskHead, string(page), p.member) || !p.finish() {
		return nil, badPage()
	}
	if again, err := RenderDesk(p.desk); err != nil || !bytes.Equal(again, page) {
		return nil, badPage()
	}
	return p.desk, nil
}

// deskParser collects what the lines say, as leniently as parser does.
type deskParser struct {
	reader

	desk      *Desk
	provider  Provider
	key       node
	arguments node
	list      string  // stem of the list that has the newest element
	newest    []field // of that element; its lines follow one another
}

// member files the text of one label.
func (p *deskParser) member(stem, pointer, text string) bool {
	d := p.desk
	switch stem {
	case stemEffectKey:
		return p.json(&p.key, pointer, text)
	case stemArguments:
		return p.json(&p.arguments, pointer, text)
	case stemReading:
		s, ok := p.text(visible.Value, text)
		d.Readings = append(d.Readings, digest.Reading{Pointer: pointer, Text: s})
		return ok
	case stemAttempts:
		return element(p, stem, &d.Attempts, (*DeskAttempt).fields, pointer, text)
	case stemFacts:
		return element(p, stem, &d.Facts, (*Fact).fields, pointer, text)
	case stemReadings, stemNotStated: // follow from the rest
		return pointer == ""
	}
	if pointer != "" {
		return false
	}
	for _, fields := range [][]field{d.where(), d.standing(), d.declared(), d.who(), p.provider.fields(), d.settled(), d.ids()} {
		if f := named(fields, stem); f != nil {
			return f.set(&p.reader, text)
		}
	}
	return false
}

// element files one line of a list whose elements state some of their members.
func element[T any](p *deskParser, stem string, list *[]T, fields func(*T) []field, pointer, text string) bool {
	if pointer == "" {
		return true // the length, which follows from the rest
	}
	step, name, ok := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	i, err := strconv.Atoi(step)
	if !ok || err != nil || i < 0 || i > len(*list) {
		return false
	}
	var of []field
	switch {
	case i == len(*list):
		*list = append(*list, *new(T))
		of = fields(&(*list)[i])
		p.list, p.newest = stem, of
	case i == len(*list)-1 && stem == p.list:
		of = p.newest
	default:
		return false
	}
	f := named(of, name)
	return f != nil && f.set(&p.reader, text)
}

// finish puts the parts together.
func (p *deskParser) finish() (ok bool) {
	d := p.desk
	if p.provider != (Provider{}) {
		d.Provider = &p.provider
	}
	if p.key.kind != nothing {
		if d.Key, ok = p.key.json(); !ok {
			return false
		}
	}
	if p.arguments.kind != nothing {
		if d.Arguments, ok = p.arguments.json(); !ok {
			return false
		}
	}
	return true
}
