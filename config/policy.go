package config

import (
	"fmt"
	"slices"
	"strconv"

	"nod/descriptor"
	"nod/digest"
	"nod/policy"
	"nod/policy/clamp"
)

// Clamps is the operator's own level of clamps, the outermost one: no session
// loosens it. The keys are the cells of docs/spec/policy.md §6.
type Clamps struct {
	AutoAllow bool     `toml:"autoAllow"` // false: no rule allows
	Grants    string   `toml:"grants"`
	Edits     string   `toml:"edits"`
	DenyRules []string `toml:"denyRules"` // names of rules

	// Carried for hosts: kept and handed on.
	MemoryPersistenceCapable bool        `toml:"memoryPersistenceCapable"`
	FileHistory              string      `toml:"fileHistory"`
	PromptForm               string      `toml:"promptForm"`
	Memory                   ClampMemory `toml:"memory"`
}

// ClampMemory is the seat of the clamp memory.enabled.
type ClampMemory struct {
	Enabled bool `toml:"enabled"`
}

// Compliance says which capabilities no tool may have.
type Compliance struct {
	Regime string  `toml:"regime"` // "" or hipaa
	Deny   Denials `toml:"deny"`
}

// Denials are words of capabilities; a word outside the set is a load error.
type Denials []string

// Screening adds to the contract of decisions that come from elsewhere.
type Screening struct {
	NoRuling []string `toml:"classifier_no_ruling"` // words of classifierNoRuling; none: any text
}

const (
	maxNoRuling   = 100
	clampDisabled = "disabled"
	clampEnabled  = "enabled"
)

// declaration is the level that the table states.
func (c *Clamps) declaration() (clamp.Declaration, error) {
	doc := map[string]any{}
	if !c.AutoAllow {
		doc["autoAllow"] = false
	}
	for _, w := range []struct{ seat, value string }{
		{"grants", c.Grants}, {"edits", c.Edits}, {"fileHistory", c.FileHistory}, {"promptForm", c.PromptForm},
	} {
		if w.value != "" && w.value != clampEnabled {
			doc[w.seat] = w.value
		}
	}
	if !c.MemoryPersistenceCapable {
		doc["memoryPersistenceCapable"] = false
	}
	if !c.Memory.Enabled {
		doc["memory"] = map[string]any{"enabled": false}
	}
	if len(c.DenyRules) > 0 {
		doc["denyRules"] = c.DenyRules
	}
	if len(doc) == 0 {
		return clamp.Declaration{}, nil
	}
	raw, err := digest.Write(doc)
	if err != nil {
		return clamp.Declaration{}, err
	}
	return clamp.Read(raw)
}

// policies holds the tables of clamps, compliance and screening.
func (f *filler) policies(c *File) {
	for _, w := range []struct{ key, value string }{{"grants", c.Clamps.Grants}, {"edits", c.Clamps.Edits}} {
		if w.value != clampEnabled && w.value != clampDisabled {
			f.bad([]string{"clamps", w.key}, `"enabled" or "disabled"`)
		}
	}
	f.label(c.Clamps.FileHistory, false, "clamps", "fileHistory")
	f.label(c.Clamps.PromptForm, false, "clamps", "promptForm")
	for i, name := range c.Clamps.DenyRules {
		steps := []string{"clamps", "denyRules", strconv.Itoa(i)}
		switch {
		case !slices.ContainsFunc(c.Rule, func(r Rule) bool { return r.Name == name }):
			f.fault(CodeBadValue, steps, fmt.Sprintf("%s names %s, and there is no such rule", `"clamps.denyRules"`, strconv.QuoteToASCII(name)),
				"write the name of a [[rule]] of this file")
		case slices.Index(c.Clamps.DenyRules, name) != i:
			f.bad(steps, "a list of rules' names, each once")
		}
	}
	if _, err := c.Clamps.declaration(); err != nil && f.err == nil {
		f.bad([]string{"clamps"}, "a level of clamps")
	}
	if _, err := policy.Deny(c.Compliance.Regime, nil); err != nil {
		f.compliance([]string{"compliance", "regime"}, err)
	}
	if c.Screening.NoRuling != nil && len(c.Screening.NoRuling) == 0 || len(c.Screening.NoRuling) > maxNoRuling {
		f.bad([]string{"screening", "classifier_no_ruling"}, fmt.Sprintf("a list of 1 to %d words", maxNoRuling))
	}
	for i, w := range c.Screening.NoRuling {
		f.label(w, true, "screening", "classifier_no_ruling", strconv.Itoa(i))
	}
}

func (f *filler) compliance(steps []string, err error) {
	if e, ok := err.(*digest.Error); ok { //nolint:errorlint // Deny's own type
		f.fault(CodeBadValue, steps, e.Sentence, "docs/configuration.md lists the words")
	}
}

// denials reads a deny list. What is no text is described and refused, never
// left out: a misspelled deny would deny nothing.
func (f *filler) denials(into *Denials, from any, steps []string) {
	list, ok := from.([]any)
	if tables, is := from.([]map[string]any); is {
		ok = true
		for _, t := range tables {
			list = append(list, t)
		}
	}
	if !ok {
		f.bad(steps, "a list of capabilities")
		return
	}
	*into = Denials{}
	for i, e := range list {
		if _, err := policy.Deny("", []any{e}); err != nil {
			f.compliance(append(slices.Clone(steps), strconv.Itoa(i)), err)
			return
		}
		word, _ := e.(string)
		*into = append(*into, word)
	}
}

// denied is what compliance denies.
func (c *Compliance) denied() policy.Denied {
	list := make([]any, len(c.Deny))
	for i, w := range c.Deny {
		list[i] = w
	}
	d, _ := policy.Deny(c.Regime, list) //nolint:errcheck // the words were read
	return d
}

// capabilities holds what the tools say against the closed set. The error is a
// *descriptor.Error.
func capabilities(tools []descriptor.Tool) error {
	for i := range tools {
		if tools[i].Capability == "" {
			continue
		}
		if _, err := policy.Deny("", []any{tools[i].Capability}); err != nil {
			e := &descriptor.Error{Steps: []string{strconv.Itoa(i), "capability"}, Sentence: err.Error(), Hint: "use one of the words, or leave it out"}
			if d, ok := err.(*digest.Error); ok { //nolint:errorlint // Deny's own type
				e.Sentence = d.Sentence
			}
			return e
		}
	}
	return nil
}
