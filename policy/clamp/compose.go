package clamp

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
)

// Compose is what levels come to, the outermost first: of each row the value that
// restricts if any level holds it, else the latest that is stated. The other
// members of a field clamp's seat are the latest level's alone; rules add up.
func Compose(levels ...Declaration) (d Declaration) {
	for _, later := range levels {
		d = compose(d, later)
	}
	return d
}

func compose(earlier, later Declaration) Declaration {
	seats := map[string]digest.JSON{}
	for _, r := range rows() {
		v := r.law(r.value(earlier.doc), r.value(later.doc))
		if r.member == "" {
			seats[r.seat] = v
			continue
		}
		seat, _ := later.doc.Member(r.seat)
		switch {
		case v != nil:
			seats[r.seat] = rewrite(seat, r.member, v)
		case stated(seat):
			seats[r.seat] = seat
		}
	}
	seats[seatDenyRules] = listed(union(earlier.DenyRules(), later.DenyRules()))
	return write(seats)
}

// law is the restricting law: the value stands if either side holds it; else the
// later side's, else the earlier's. null is not stated.
func (r row) law(earlier, later digest.JSON) digest.JSON {
	switch {
	case r.held(earlier) || r.held(later):
		return digest.JSON(r.restricts)
	case stated(later):
		return later
	case stated(earlier):
		return earlier
	}
	return nil
}

// rewrite gives a seat with one member of another value and the others as they
// are; a seat that is no object is replaced.
func rewrite(seat digest.JSON, member string, v digest.JSON) digest.JSON {
	out := map[string]jsontext.Value{}
	for name, m := range seat.Members() {
		out[name] = jsontext.Value(m)
	}
	out[member] = jsontext.Value(v)
	doc, err := digest.Write(out)
	if err != nil { // every part was canonical
		return nil
	}
	return doc
}

// union adds the later rules whose names are not there yet. A rule of the same
// name takes no earlier one's place: it might deny less.
func union(earlier, later []Rule) []Rule {
	out := slices.Clone(earlier)
	for _, l := range later {
		if !slices.ContainsFunc(out, func(r Rule) bool { return r.Name == l.Name }) {
			out = append(out, l)
		}
	}
	return out
}

func listed(rules []Rule) digest.JSON {
	if len(rules) == 0 {
		return nil
	}
	v := digest.JSON{'['}
	for i, r := range rules {
		if i > 0 {
			v = append(v, ',')
		}
		v = append(v, r.Document...)
	}
	return append(v, ']')
}

// Loosened names the cells in which an override states another value where the
// base holds the one that restricts. What is absent states nothing; null does
// state another. A seat that is no object states another value of its member.
func Loosened(base, override Declaration) (cells []string) {
	for _, r := range rows() {
		if !r.held(r.value(base.doc)) {
			continue
		}
		seat, there := override.doc.Member(r.seat)
		v := seat
		if r.member != "" && seat.IsObject() {
			v, there = seat.Member(r.member)
		}
		if there && !r.held(v) {
			cells = append(cells, r.cell())
		}
	}
	return cells
}

// Project is what travels to a child: the restricting values that are held, each
// alone in its seat, and the whole of the rules.
func (d Declaration) Project() Declaration {
	return d.project(func(row) bool { return true }, true)
}

// Carried is the part of the projection that is for hosts; Nod does not look at
// it.
func (d Declaration) Carried() digest.JSON {
	return d.project(func(r row) bool { return r.words == nil }, false).JSON()
}

func (d Declaration) project(of func(row) bool, rules bool) Declaration {
	seats := map[string]digest.JSON{}
	for _, r := range rows() {
		if !of(r) || !r.held(r.value(d.doc)) {
			continue
		}
		seats[r.seat] = digest.JSON(r.restricts)
		if r.member != "" {
			seats[r.seat] = rewrite(nil, r.member, digest.JSON(r.restricts))
		}
	}
	if rules {
		seats[seatDenyRules] = listed(d.DenyRules())
	}
	return write(seats)
}

// Held names the cells that hold the value that restricts.
func (d Declaration) Held() (cells []string) {
	for _, r := range rows() {
		if r.held(r.value(d.doc)) {
			cells = append(cells, r.cell())
		}
	}
	return cells
}

// Enforced is what Nod itself holds a session to.
type Enforced struct {
	NoAutoAllow bool // no rule allows
	NoGrants    bool
	NoEdits     bool
	DenyRules   []Rule
}

// Enforced gives the rows that Nod enforces, of what the levels come to.
func (d Declaration) Enforced() Enforced {
	held := d.Held()
	return Enforced{NoAutoAllow: slices.Contains(held, "autoAllow"), NoGrants: slices.Contains(held, "grants"),
		NoEdits: slices.Contains(held, "edits"), DenyRules: d.DenyRules()}
}
