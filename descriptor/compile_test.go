package descriptor_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"nod/descriptor"
	"nod/digest"
)

func TestWhatIsNoDescriptor(t *testing.T) {
	money := descriptor.Reading{At: "/a", As: "money", Currency: "EUR"}
	tool := func(r descriptor.Reading) []descriptor.Tool {
		return []descriptor.Tool{{Name: "x", Reading: []descriptor.Reading{r}}}
	}
	for name, c := range map[string]struct {
		tools []descriptor.Tool
		at    string
	}{
		"no name":           {[]descriptor.Tool{{Class: "reversible"}}, "0 name"},
		"a blank name":      {[]descriptor.Tool{{Name: " \u200b", Class: "reversible"}}, "0 name"},
		"says nothing":      {[]descriptor.Tool{{Name: "x"}}, "0 name"},
		"twice":             {[]descriptor.Tool{{Name: "x", Class: "reversible"}, {Name: "x", Access: "read"}}, "1 name"},
		"class":             {[]descriptor.Tool{{Name: "x", Class: "Irreversible"}}, "0 class"},
		"access":            {[]descriptor.Tool{{Name: "x", Access: "none"}}, "0 access"},
		"confirm":           {[]descriptor.Tool{{Name: "x", Confirm: "payment_id"}}, "0 confirm"},
		"confirm of many":   {[]descriptor.Tool{{Name: "x", Confirm: "/ids/*"}}, "0 confirm"},
		"at":                {tool(descriptor.Reading{At: "a", As: "money", Currency: "EUR"}), "0 reading 0 at"},
		"the whole":         {tool(descriptor.Reading{At: "", As: "money", Currency: "EUR"}), "0 reading 0 at"},
		"an escape":         {tool(descriptor.Reading{At: "/a~2", As: "money", Currency: "EUR"}), "0 reading 0 at"},
		"as":                {tool(descriptor.Reading{At: "/a", As: "Money", Currency: "EUR"}), "0 reading 0 as"},
		"no as":             {tool(descriptor.Reading{At: "/a"}), "0 reading 0 as"},
		"no currency":       {tool(descriptor.Reading{At: "/a", As: "money"}), "0 reading 0 currency"},
		"a metal":           {tool(descriptor.Reading{At: "/a", As: "money", Currency: "XAU"}), "0 reading 0 currency"},
		"lowercase":         {tool(descriptor.Reading{At: "/a", As: "money", Currency: "eur"}), "0 reading 0 currency"},
		"two codes":         {tool(descriptor.Reading{At: "/a", As: "money", Currency: "EUR USD"}), "0 reading 0 currency"},
		"another element":   {tool(descriptor.Reading{At: "/a/*/b", As: "money", Currency: "/c/*/d"}), "0 reading 0 currency"},
		"more elements":     {tool(descriptor.Reading{At: "/a/b", As: "money", Currency: "/a/*"}), "0 reading 0 currency"},
		"currency of name":  {tool(descriptor.Reading{At: "/a", As: "name", Currency: "EUR"}), "0 reading 0 currency"},
		"names of money":    {tool(descriptor.Reading{At: "/a", As: "money", Currency: "EUR", Names: map[string]string{"a": "b"}}), "0 reading 0 names"},
		"unit of money":     {tool(descriptor.Reading{At: "/a", As: "money", Currency: "EUR", Unit: "s"}), "0 reading 0 unit"},
		"no names":          {tool(descriptor.Reading{At: "/a", As: "name"}), "0 reading 0 names"},
		"a control":         {tool(descriptor.Reading{At: "/a", As: "name", Names: map[string]string{"a": "b\u202e"}}), "0 reading 0 names"},
		"a blank at an end": {tool(descriptor.Reading{At: "/a", As: "name", Names: map[string]string{"a": "b "}}), "0 reading 0 names"},
		"an empty name":     {tool(descriptor.Reading{At: "/a", As: "name", Names: map[string]string{"a": ""}}), "0 reading 0 names"},
		"an empty value":    {tool(descriptor.Reading{At: "/a", As: "name", Names: map[string]string{"": "b"}}), "0 reading 0 names"},
		"a long name":       {tool(descriptor.Reading{At: "/a", As: "name", Names: map[string]string{"a": strings.Repeat("b", 241)}}), "0 reading 0 names"},
		"no unit":           {tool(descriptor.Reading{At: "/a", As: "time"}), "0 reading 0 unit"},
		"minutes":           {tool(descriptor.Reading{At: "/a", As: "time", Unit: "m"}), "0 reading 0 unit"},
		"one place twice":   {[]descriptor.Tool{{Name: "x", Reading: []descriptor.Reading{money, money}}}, "0 reading 1 at"},
		"33 readings":       {[]descriptor.Tool{{Name: "x", Reading: make([]descriptor.Reading, 33)}}, "0 reading"},
	} {
		_, err := descriptor.Compile(c.tools)
		e, ok := errors.AsType[*descriptor.Error](err)
		if !ok || strings.Join(e.Steps, " ") != c.at || e.Sentence == "" || e.Hint == "" {
			t.Errorf("%s: %+v, want a fault at %s", name, err, c.at)
		}
	}
}

// The digest holds everything that a descriptor says, and anybody can make it.
func TestDigest(t *testing.T) {
	base := func() descriptor.Tool {
		return descriptor.Tool{Name: "billing.refund", Class: "irreversible", Access: "write", Confirm: "/payment_id",
			Reading: []descriptor.Reading{
				{At: "/amount", As: "money", Currency: "/currency"},
				{At: "/customer", As: "name", Names: map[string]string{"C-20417": "Example Ltd", "C-7": "Other"}},
				{At: "/due", As: "time", Unit: "s"},
			}}
	}
	of := func(tool descriptor.Tool) digest.Digest {
		set, err := descriptor.Compile([]descriptor.Tool{tool})
		if err != nil {
			t.Fatal(err)
		}
		d := set.Tool(tool.Name)
		if doc, err := d.Document(); err != nil || digest.Of(doc) != d.Digest() {
			t.Fatalf("the digest is not the document's: %v", err)
		}
		return d.Digest()
	}
	seen := []digest.Digest{of(base())}
	if again := of(base()); again != seen[0] {
		t.Fatal("the same text has two digests")
	}
	for i, change := range []func(*descriptor.Tool){
		func(t *descriptor.Tool) { t.Name = "billing.refunds" },
		func(t *descriptor.Tool) { t.Class = "compensatable" },
		func(t *descriptor.Tool) { t.Class = "" },
		func(t *descriptor.Tool) { t.Access = "read" },
		func(t *descriptor.Tool) { t.Confirm = "/customer" },
		func(t *descriptor.Tool) { t.Confirm = "" },
		func(t *descriptor.Tool) { t.Reading = t.Reading[1:] },
		func(t *descriptor.Tool) { t.Reading = nil },
		func(t *descriptor.Tool) { slices.Reverse(t.Reading) },
		func(t *descriptor.Tool) { t.Reading[0].At = "/amount2" },
		func(t *descriptor.Tool) { t.Reading[0].Currency = "EUR" },
		func(t *descriptor.Tool) { t.Reading[1].Names["C-7"] = "Another" },
		func(t *descriptor.Tool) { t.Reading[1].Names["C-8"] = "Other" },
		func(t *descriptor.Tool) { t.Reading[2].Unit = "ms" },
	} {
		tool := base()
		change(&tool)
		d := of(tool)
		if slices.Contains(seen, d) {
			t.Errorf("change %d keeps a digest", i)
		}
		seen = append(seen, d)
	}
}

func TestAllIsInTheOrderOfNames(t *testing.T) {
	set, err := descriptor.Compile([]descriptor.Tool{{Name: "c", Access: "read"}, {Name: "a", Access: "read"}, {Name: "b", Access: "read"}})
	if err != nil {
		t.Fatal(err)
	}
	names := ""
	for _, d := range set.All() {
		names += d.Name()
	}
	if names != "abc" || set.Len() != 3 || set.Tool("d") != nil {
		t.Errorf("%d descriptors: %s", set.Len(), names)
	}
	var none *descriptor.Set
	if none.Tool("a") != nil || none.Len() != 0 || none.All() != nil {
		t.Error("no set describes something")
	}
}

func TestStricter(t *testing.T) {
	classes := []string{"", "reversible", "compensatable", "irreversible"}
	accesses := []string{"", "read", "idempotent", "write"}
	for i, c := range classes {
		for j, d := range classes {
			for k, a := range accesses {
				for l, b := range accesses {
					class, access := descriptor.Stricter(c, a, d, b)
					if class != classes[max(i, j)] || access != accesses[max(k, l)] {
						t.Errorf("Stricter(%q %q, %q %q) = %q %q", c, a, d, b, class, access)
					}
				}
			}
		}
	}
}
