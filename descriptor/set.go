package descriptor

import (
	"fmt"
	"slices"
	"strconv"

	"nod/digest"
)

// Descriptor is a tool's descriptor that was checked. It is not changed.
type Descriptor struct {
	tool   Tool
	digest digest.Digest
}

// Set holds the descriptors of one configuration; nil is none. It is not
// changed after Compile.
type Set struct {
	byName map[string]*Descriptor
	order  []*Descriptor
}

// MaxTools bounds a set.
const MaxTools = 1000

// Compile checks the tools and digests each; the error is an *Error. A tool is
// described once: which of two would hold, nobody could see.
func Compile(tools []Tool) (*Set, error) {
	s := &Set{byName: make(map[string]*Descriptor, len(tools))}
	for i := range tools {
		at := []string{strconv.Itoa(i)}
		if err := tools[i].check(at); err != nil {
			return nil, err
		}
		d := &Descriptor{tool: tools[i]}
		if s.byName[d.tool.Name] != nil || len(s.order) == MaxTools {
			e := &Error{Steps: append(at, "name"), Sentence: "two descriptors are of one tool", Hint: "keep one of them"}
			if s.byName[d.tool.Name] == nil {
				e.Sentence, e.Hint = fmt.Sprintf("there are more than %d descriptors", MaxTools), "keep those of tools that are used"
			}
			return nil, e
		}
		doc, err := d.Document()
		if err != nil {
			return nil, err
		}
		d.digest = digest.Of(doc)
		s.byName[d.tool.Name] = d
		s.order = append(s.order, d)
	}
	slices.SortFunc(s.order, func(a, b *Descriptor) int { return digest.Compare(a.tool.Name, b.tool.Name) })
	return s, nil
}

// Tool gives the descriptor of the tool with exactly this name; nil for none.
func (s *Set) Tool(name string) *Descriptor {
	if s == nil {
		return nil
	}
	return s.byName[name]
}

// All gives the descriptors in the order of their tools' names.
func (s *Set) All() []*Descriptor {
	if s == nil {
		return nil
	}
	return slices.Clone(s.order)
}

// Len counts the descriptors.
func (s *Set) Len() int { return len(s.All()) }

// Name is the tool's.
func (d *Descriptor) Name() string { return d.tool.Name }

// Digest is that of the document.
func (d *Descriptor) Digest() digest.Digest { return d.digest }

// Effect gives the class and access that it states, "" for none.
func (d *Descriptor) Effect() (class, access string) { return d.tool.Class, d.tool.Access }

// Capability is what compliance may deny of it; "" for none.
func (d *Descriptor) Capability() string { return d.tool.Capability }

// Readings counts the places that it reads.
func (d *Descriptor) Readings() int { return len(d.tool.Reading) }

// ConfirmAt is the pointer of the value that an approver types; "" for none.
func (d *Descriptor) ConfirmAt() string { return d.tool.Confirm }
