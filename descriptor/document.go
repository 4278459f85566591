package descriptor

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

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
	state(doc, "capability", t.Capability)
	if t.Legs.Stated() {
		doc["legs"] = t.Legs.value()
	}
	state(doc, "legs_expr", t.LegsExpr)
	state(doc, "boundary_flow", t.BoundaryFlow)
	if t.Declaration != "" {
		doc["declaration"] = jsontext.Value(t.Declaration)
	}
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
	if t.Effect.stated() {
		doc["effect"] = t.Effect.document()
	}
	if len(t.Observer) > 0 {
		list := make([]map[string]any, len(t.Observer))
		for i := range t.Observer {
			list[i] = t.Observer[i].document()
		}
		doc["observers"] = list
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

func (e *Effect) document() map[string]any {
	doc := map[string]any{}
	if e.Family != "" {
		parts := make([]map[string]any, len(e.Parts))
		for i, p := range e.template() {
			parts[i] = map[string]any{"at": p.At, "type": p.Type}
		}
		doc["family"], doc["parts"] = e.Family, parts
	}
	state(doc, "success_claims", e.SuccessClaims)
	if ms, ok := span(e.Lease, minLease, maxLease); ok {
		doc["lease_ms"] = ms
	}
	if ms, ok := span(e.Settle, minSettle, maxSettle); ok {
		doc["settle_ms"] = ms
	}
	if n := &e.NotExecuted; n.At != "" {
		doc["not_executed"] = map[string]any{"at": n.At, "is": n.Is}
	}
	if p := &e.Provider; *p != (Provider{}) {
		m := map[string]any{}
		state(m, "key_lifetime", p.KeyLifetime)
		state(m, "changed", p.Changed)
		state(m, "cached", p.Cached)
		doc["provider"] = m
	}
	return doc
}

func (o *Observer) document() map[string]any {
	doc := map[string]any{"name": o.Name, "kind": o.Kind, "within_ms": o.Limit().Milliseconds()}
	if o.Auto {
		doc["auto"] = true
	}
	if o.Kind == KindHTTP {
		doc["status"] = o.expected()
		if len(o.Absent) > 0 {
			absent := slices.Clone(o.Absent)
			slices.Sort(absent)
			doc["absent"] = slices.Compact(absent)
		}
	}
	state(doc, "url", o.URL)
	state(doc, "header_file", o.HeaderFile)
	for name, table := range map[string]map[string]string{"headers": o.Headers, "env": o.Env, "same": o.Same} {
		if len(table) > 0 {
			doc[name] = table
		}
	}
	if len(o.Argv) > 0 {
		doc["argv"] = o.Argv
	}
	state(doc, "candidates", o.Candidates)
	state(doc, "durable_at", o.DurableAt)
	if o.DurableIs != nil {
		doc["durable_is"] = o.DurableIs
	}
	state(doc, "ref", o.Ref)
	state(doc, "path", o.Path)
	state(doc, "content", o.Content)
	return doc
}
