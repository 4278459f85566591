package descriptor

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"nod/digest"
	"nod/digest/visible"
)

// Effect says which calls cause the same thing in the world, and what may be
// said of its outcome (DESIGN §5).
type Effect struct {
	Family        string   `toml:"family"` // the effect key's second element; with Parts
	Parts         []string `toml:"parts"`  // pointers of the others
	Types         []string `toml:"types"`  // text (default) whole; as many as Parts
	SuccessClaims string   `toml:"success_claims"`
	Lease         string   `toml:"lease"`  // of an attempt that nobody can renew
	Settle        string   `toml:"settle"` // how long the provider's reads may lag
	NotExecuted   Result   `toml:"not_executed"`
	Provider      Provider `toml:"provider"`
}

// Result is a value at a place of a tool's result.
type Result struct {
	At string `toml:"at"`
	Is any    `toml:"is"` // a text, a number or a boolean
}

// Provider is what the provider says of its idempotency keys. It is shown to
// whoever reconciles, and decides nothing.
type Provider struct {
	KeyLifetime string `toml:"key_lifetime"`
	Changed     string `toml:"changed"` // what a key with other parameters gets: refused applied ignored unknown
	Cached      string `toml:"cached"`
}

// Part is one part of an effect key: a pointer into the arguments, and the type
// that the value there must have.
type Part struct{ At, Type string }

// The types of a part, and the one word of success_claims.
const (
	PartText  = "text"  // not empty
	PartWhole = "whole" // a whole number

	ClaimsCommitted = "committed"
)

// Bounds of an effect.
const (
	maxFamily = 64
	maxParts  = 8
	minLease  = 10 * time.Second
	maxLease  = 24 * time.Hour
	minSettle = time.Second
	maxSettle = 7 * 24 * time.Hour
)

// toolFamily begins the families of keys that callers state.
const toolFamily = "tool:"

func (e *Effect) stated() bool {
	return e.Family != "" || e.Parts != nil || e.Types != nil || e.SuccessClaims != "" || e.Lease != "" || e.Settle != "" ||
		e.NotExecuted.At != "" || e.NotExecuted.Is != nil || e.Provider != Provider{}
}

func (e *Effect) check(at []string) *Error {
	bad := faultsAt(at)
	if err := e.checkTemplate(bad, at); err != nil {
		return err
	}
	if e.SuccessClaims != "" && e.SuccessClaims != ClaimsCommitted {
		return bad("success_claims", `"success_claims" is not committed`, "write that word, or leave it out")
	}
	if _, ok := span(e.Lease, minLease, maxLease); e.Lease != "" && !ok {
		return bad("lease", `"lease" is no duration between "10s" and "24h"`, `write it like "1h"`)
	}
	if _, ok := span(e.Settle, minSettle, maxSettle); e.Settle != "" && !ok {
		return bad("settle", `"settle" is no duration between "1s" and "168h"`, `write it like "10m"`)
	}
	if n := &e.NotExecuted; n.At != "" || n.Is != nil {
		bad := faultsAt(append(slices.Clone(at), "not_executed"))
		if !isPlace(n.At) {
			return bad("at", `"at" is not the pointer of one value of the result`, `write it like "/error/code"`)
		}
		if scalar(n.Is) == nil {
			return bad("is", `"is" is no text, number or boolean that can be compared`, `write it like "card_declined"`)
		}
	}
	p, bad := &e.Provider, faultsAt(append(slices.Clone(at), "provider"))
	for _, m := range [...]struct{ name, text string }{{"key_lifetime", p.KeyLifetime}, {"cached", p.Cached}} {
		if m.text != "" && !isText(m.text) {
			return bad(m.name, fmt.Sprintf("%q is not 1 to %d printable bytes", m.name, maxText), "shorten it, and write no controls")
		}
	}
	if p.Changed != "" && !slices.Contains([]string{"refused", "applied", "ignored", "unknown"}, p.Changed) {
		return bad("changed", `"changed" is none of refused, applied, ignored, unknown`, "use one of the four words")
	}
	return nil
}

func (e *Effect) checkTemplate(bad faults, at []string) *Error {
	if e.Family == "" && e.Parts == nil && e.Types == nil {
		return nil
	}
	switch {
	case len(e.Family) > maxFamily, !isVisible(e.Family), strings.HasPrefix(e.Family, toolFamily):
		return bad("family", fmt.Sprintf(`"family" is not 1 to %d visible bytes, or begins with "tool:"`, maxFamily), `write it like "refund"`)
	case len(e.Parts) == 0 || len(e.Parts) > maxParts:
		return bad("parts", fmt.Sprintf(`"parts" wants 1 to %d pointers into the arguments`, maxParts), `write it like parts = ["/payment_id"]`)
	case e.Types != nil && len(e.Types) != len(e.Parts):
		return bad("types", `"types" has not one word for each of "parts"`, "leave it out where every part is a text")
	}
	for i, p := range e.Parts {
		if !isPlace(p) || slices.Contains(e.Parts[:i], p) {
			return &Error{Steps: append(slices.Clone(at), "parts", strconv.Itoa(i)), Sentence: "a part is not the pointer of one value, or stands there twice",
				Hint: `write it like "/payment_id"`}
		}
	}
	for i, t := range e.Types {
		if t != PartText && t != PartWhole {
			return &Error{Steps: append(slices.Clone(at), "types", strconv.Itoa(i)), Sentence: "the type of a part is neither text nor whole",
				Hint: "use one of the two words"}
		}
	}
	return nil
}

// isVisible reports whether s is drawn as it is, every character of it.
func isVisible(s string) bool {
	if s == "" || strings.TrimSpace(s) != s {
		return false
	}
	drawn := visible.Draw(visible.Label, s)
	return drawn == s && visible.Escapes(drawn) == 0
}

// span reads a duration of whole milliseconds inside bounds.
func span(s string, least, most time.Duration) (ms int64, ok bool) {
	d, err := time.ParseDuration(s)
	if err != nil || d < least || d > most || d%time.Millisecond != 0 {
		return 0, false
	}
	return d.Milliseconds(), true
}

// scalar gives the canonical bytes of a text, a number or a boolean; nil for
// anything else, and for a number that no document holds exactly.
func scalar(v any) digest.JSON {
	switch v.(type) {
	case string, bool, int, int64, float64:
	default:
		return nil
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	out, err := digest.Canonical(raw, digest.NoLimits())
	if err != nil {
		return nil
	}
	return out
}

func is(v digest.JSON, want any) bool {
	w := scalar(want)
	return w != nil && bytes.Equal(v, w)
}

func (e *Effect) template() []Part {
	parts := make([]Part, len(e.Parts))
	for i, at := range e.Parts {
		parts[i] = Part{At: at, Type: PartText}
		if e.Types != nil {
			parts[i].Type = e.Types[i]
		}
	}
	return parts
}

// Template gives the effect key's family and parts; "" where the descriptor has
// no template. The environment's name is not part of it.
func (d *Descriptor) Template() (family string, parts []Part) {
	if d.tool.Effect.Family == "" {
		return "", nil
	}
	return d.tool.Effect.Family, d.tool.Effect.template()
}

// SuccessClaims reports whether a call's success says that the effect happened:
// the descriptor says so, and no observer could say it better.
func (d *Descriptor) SuccessClaims() bool {
	return d.tool.Effect.SuccessClaims == ClaimsCommitted && len(d.tool.Observer) == 0
}

// LeaseMS is how long an attempt may take where nobody can renew its lease, in
// milliseconds; 0 where it is not stated.
func (d *Descriptor) LeaseMS() int64 {
	ms, _ := span(d.tool.Effect.Lease, minLease, maxLease)
	return ms
}

// SettleMS is how long after the lease the provider's reads may lag, in
// milliseconds; 0 where it is not stated.
func (d *Descriptor) SettleMS() int64 {
	ms, _ := span(d.tool.Effect.Settle, minSettle, maxSettle)
	return ms
}

// ReadsResult reports whether a result can say that the effect did not happen.
func (d *Descriptor) ReadsResult() bool { return d.tool.Effect.NotExecuted.At != "" }

// NotExecuted reports whether a result (canonical) says that the effect did not
// happen. It counts only where Nod received the result itself.
func (d *Descriptor) NotExecuted(result digest.JSON) bool {
	n := &d.tool.Effect.NotExecuted
	if n.At == "" {
		return false
	}
	v, there := digest.Lookup(result, n.At)
	return there && is(v, n.Is)
}

// Provider gives the provider's idempotency contract, as the operator wrote it.
func (d *Descriptor) Provider() Provider { return d.tool.Effect.Provider }
