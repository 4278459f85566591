package config

import (
	"testing"

	"nod/config/rules"
	"nod/digest"
	"nod/policy/clamp"
)

// A capability is one of the closed set, or the descriptor is refused.
func TestTheCapabilityOfATool(t *testing.T) {
	for _, word := range []string{"mcp_servers", "workflows", "web_fetch", "org_memory_mount"} {
		set, _, fault := ParseDescriptors(Source{Text: "[[tool]]\nname = \"x\"\ncapability = \"" + word + "\"\n"})
		if fault != nil || set.Tool("x").Capability() != word {
			t.Errorf("%s: %v", word, fault)
		}
	}
	for _, word := range []string{"webfetch", "WEB_FETCH", "web fetch", "hipaa"} {
		_, _, fault := ParseDescriptors(Source{Text: "[[tool]]\nname = \"x\"\naccess = \"read\"\ncapability = \"" + word + "\"\n"})
		want := `"` + word + `" is no capability; there are mcp_servers, workflows, web_fetch, org_memory_mount`
		if fault == nil || fault.Code != CodeBadDescriptor || fault.Line != 4 || fault.Sentence != want {
			t.Errorf("%s: %v", word, fault)
		}
	}
	a, _, _ := ParseDescriptors(Source{Text: "[[tool]]\nname = \"x\"\naccess = \"read\"\n"})
	b, _, _ := ParseDescriptors(Source{Text: "[[tool]]\nname = \"x\"\naccess = \"read\"\ncapability = \"web_fetch\"\n"})
	if a.Tool("x").Digest() == b.Tool("x").Digest() {
		t.Error("a capability is not in the digest")
	}
}

// What clamps, compliance and screening say is in the configuration's digest.
func TestPoliciesAreInTheDigest(t *testing.T) {
	seen := map[digest.Digest]string{Default().Digest(): ""}
	for _, text := range []string{
		"clamps.autoAllow = false", "clamps.grants = \"disabled\"", "clamps.edits = \"disabled\"", "clamps.memory.enabled = false",
		"clamps.fileHistory = \"disabled\"", "clamps.promptForm = \"minimal\"", "clamps.memoryPersistenceCapable = false",
		"compliance.regime = \"hipaa\"", "compliance.deny = [\"web_fetch\"]", "compliance.deny = [\"workflows\"]",
		"screening.classifier_no_ruling = [\"a\"]",
	} {
		c, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if was, twice := seen[c.Digest()]; twice {
			t.Errorf("%q has the digest of %q", text, was)
		}
		seen[c.Digest()] = text
	}
}

// Rules of clamps: by name whatever the verdict, whole, and what is none.
func TestRulesOfClamps(t *testing.T) {
	set, err := rules.Compile([]rules.Rule{
		{Name: "a", Tools: []string{"x"}, Verdict: "allow", When: "args.n > 1", Why: "Because."},
		{Name: "b", Tools: []string{"*"}, Operation: "run", Verdict: "deny"},
	})
	if err != nil {
		t.Fatal(err)
	}
	args := digest.JSON(`{"n":2}`)
	for document, want := range map[string]struct {
		denies bool
		why    string
		errs   bool
	}{
		`"a"`:                                    {true, "Because.", false},
		`"b"`:                                    {false, "", false},
		`"c"`:                                    {false, "", true},
		`{"name":"a","tools":["y"]}`:             {false, "", false}, // whole: not the configuration's
		`{"name":"o","tools":["x"],"why":"So."}`: {true, "So.", false},
		`{"name":"o","tools":["x"],"verdict":"deny"}`:        {true, "", false},
		`{"name":"o","tools":["x"],"operation":"run"}`:       {false, "", false},
		`{"name":"o","tools":["x"],"when":"args.n > 2"}`:     {false, "", false},
		`{"name":"o","tools":["x"],"when":"args.m.k > 2"}`:   {false, "", true},
		`{"name":"o","tools":["x"],"verdict":"ask"}`:         {false, "", true},
		`{"name":"o","tools":["x"],"then":1}`:                {false, "", true},
		`{"name":"o"}`:                                       {false, "", true},
		`{"name":"o\n","tools":["x"]}`:                       {false, "", true},
		`{"name":"o","tools":["x"],"why":"two\nlines"}`:      {false, "", true},
		`{"name":"o","tools":["x"],"when":"now() > args.n"}`: {false, "", true},
		`{"name":"o","tools":"x"}`:                           {false, "", true},
		`{"Name":"o","name":"o","tools":["x"]}`:              {false, "", true},
	} {
		level, err := clamp.Read([]byte(`{"denyRules":[` + document + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		r := level.DenyRules()[0]
		denies, why, err := set.Denies(r, &digest.Action{Tool: "x", Arguments: args})
		if denies != want.denies || denies && why != want.why || (err != nil) != want.errs {
			t.Errorf("%s: %v %q %v", document, denies, why, err)
		}
		if read := set.Reads(r); read != nil && !want.errs {
			t.Errorf("%s: %v", document, read)
		}
	}
}
