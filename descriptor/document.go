package descriptor

import (
	"github.com/go-json-experiment/json"

	"nod/digest"
)

// TypeDescriptor is the type word of the digested document.
const TypeDescriptor = "nod.descriptor/v1"

// Document gives the canonical bytes that the digest is of. They hold what the
// descriptor says and nothing of how it was written.
func (d *Descriptor) Document() (digest.JSON, error) {
	t := &d.tool
	doc := map[string]any{"type": TypeDescriptor, "tool": t.Name}
	state(doc, "class", t.Class)
	state(doc, "access", t.Access)
	state(doc, "confirm", t.Confirm)
	if len(t.Reading) > 0 {
		list := make([]map[string]any, len(t.Reading))
		for i, r := range t.Reading {
			m := map[string]any{"at": r.At, "as": r.As}
			state(m, "currency", r.Currency)
			state(m, "unit", r.Unit)
			if len(r.Names) > 0 {
				m["names"] = r.Names
			}
			list[i] = m
		}
		doc["readings"] = list
	}
	raw, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	return digest.Canonical(raw, digest.NoLimits())
}

func state(doc map[string]any, member, value string) {
	if value != "" {
		doc[member] = value
	}
}
