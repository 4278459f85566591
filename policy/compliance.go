package policy

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"nod/digest"
)

// Capability is something that a regime may deny. A closed set.
type Capability string

// Capabilities.
const (
	MCPServers     Capability = "mcp_servers"
	Workflows      Capability = "workflows"
	WebFetch       Capability = "web_fetch"
	OrgMemoryMount Capability = "org_memory_mount"
)

// capabilities and regimes in the order in which a refusal names them.
func capabilities() []Capability {
	return []Capability{MCPServers, Workflows, WebFetch, OrgMemoryMount}
}

func regime(word string) (denies []Capability, ok bool) {
	if word == "hipaa" {
		return []Capability{WebFetch, OrgMemoryMount}, true
	}
	return nil, false
}

// Denied is a set of capabilities; the zero value denies none.
type Denied struct{ set []Capability }

// Deny makes the set of what a regime ("" or "hipaa") and a deny list deny. A
// word outside the sets is refused with the set named, never left out: a
// misspelled deny would deny nothing. What is no text is described, not shown.
// An error is a *digest.Error.
func Deny(regimeName string, list []any) (Denied, error) {
	var d Denied
	if regimeName != "" {
		denies, ok := regime(regimeName)
		if !ok {
			return d, refuse(digest.CodeBadValue, "/compliance", describe(regimeName)+" is no regime; there is hipaa")
		}
		d.set = append(d.set, denies...)
	}
	for i, e := range list {
		word, ok := e.(string)
		if !ok || !slices.Contains(capabilities(), Capability(word)) {
			return Denied{}, refuse(digest.CodeBadValue, "/deny/"+strconv.Itoa(i),
				describe(e)+" is no capability; there are "+names(capabilities()))
		}
		d.set = append(d.set, Capability(word))
	}
	slices.SortFunc(d.set, func(a, b Capability) int {
		return slices.Index(capabilities(), a) - slices.Index(capabilities(), b)
	})
	d.set = slices.Compact(d.set)
	return d, nil
}

// Denies reports whether the capability is denied. One that is no word of the set
// is: nobody could have allowed it.
func (d Denied) Denies(c Capability) bool {
	return slices.Contains(d.set, c) || !slices.Contains(capabilities(), c)
}

// All is what is denied, in the order of the set.
func (d Denied) All() []Capability { return slices.Clone(d.set) }

func names(set []Capability) string {
	words := make([]string, len(set))
	for i, c := range set {
		words[i] = string(c)
	}
	return strings.Join(words, ", ")
}

// describe says what a value is: a short text in ASCII quotes, anything else by
// its kind.
func describe(v any) string {
	if v == nil {
		return "null"
	}
	switch t := reflect.ValueOf(v); t.Kind() {
	case reflect.String:
		if s := t.String(); len(s) <= 40 {
			return strconv.QuoteToASCII(s)
		}
		return "a text of " + strconv.Itoa(t.Len()) + " bytes"
	case reflect.Bool:
		return "a boolean"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Map, reflect.Struct, reflect.Pointer, reflect.Interface:
		return "an object"
	case reflect.Func:
		return "a function"
	case reflect.Chan, reflect.UnsafePointer:
		return "something else"
	default:
		return "a number"
	}
}
