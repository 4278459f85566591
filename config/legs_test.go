//go:build unix

package config

import (
	"os"
	"slices"
	"testing"

	"nod/boundary"
	"nod/digest"
)

func TestTargetsAndPosture(t *testing.T) {
	c, err := Load(place(t, "targets = [\"lab-7\", \"lab-8\"]\nposture = \"single_user\"\n"), os.Getuid())
	if err != nil {
		t.Fatal(err)
	}
	s := c.Settings()
	if !slices.Equal(s.Targets, []string{"lab-7", "lab-8"}) || s.Posture != boundary.SingleUser {
		t.Errorf("%q, %q", s.Targets, s.Posture)
	}
	if s := Default().Settings(); s.Posture != boundary.Undeclared || s.Targets != nil {
		t.Errorf("nothing written is %q, %q", s.Targets, s.Posture)
	}
	for _, text := range []string{`posture = "shared"`, `posture = "Single_user"`, `targets = "lab-7"`, `targets = [""]`, `targets = ["a", "a"]`, `posture = ["single_user"]`} {
		if _, err := Parse(text); err == nil || err.Code != CodeBadValue || err.Line != 1 {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A tool's legs are read strictly: a word outside the set refuses the descriptor.
func TestLegsOfATool(t *testing.T) {
	head := "[[tool]]\nname = \"copy\"\naccess = \"write\"\n"
	for text, line := range map[string]int{
		`declaration = '{"effectClass":"irreversible","commitBoundary":"b"}'`: 0, `declaration = '{"effectClass":"reversible"}'`: 4,
		`declaration = 'reversible'`: 4, "class = \"irreversible\"\ndeclaration = '{\"effectClass\":\"reversible\",\"disposer\":{\"tool\":\"x\",\"arguments\":1}}'": 5,
		`legs = []`: 0, `legs = ["env", "outside_read"]`: 0, `boundary_flow = "engine"`: 0,
		"legs = \"per_call\"\nlegs_expr = '[\"env\"]'": 0,
		`legs = ["inside"]`:                            4, `legs = "env"`: 4, `legs = ""`: 4, `legs = 3`: 4, `legs = [3]`: 4, `legs = "per_call"`: 1,
		"legs_expr = 'args.a'": 4, `boundary_flow = "loop"`: 4, "legs = []\nboundary_flow = \"engine\"": 5,
		"legs = [\"env\"]\nlegs_expr = '[\"env\"]'":   5,
		"legs = \"per_call\"\nlegs_expr = 'now()'":    5,
		"legs = \"per_call\"\nlegs_expr = 'nobody.a'": 5,
	} {
		_, _, err := ParseDescriptors(Source{Path: "x.toml", Text: head + text + "\n"})
		if (err != nil) != (line > 0) || err != nil && err.Line != line {
			t.Errorf("%s: %v, want a fault in line %d", text, err, line)
		}
	}
}

// What an expression gives for a call, and what is made of it.
func TestLegsOfACall(t *testing.T) {
	path := described(t, map[string]string{"copy.toml": `[[tool]]
name = "copy"
legs = "per_call"
legs_expr = 'args.to startsWith "lab:" ? ["env"] : args.to == "?" ? 7 : ["env", "outside_write"]'
`})
	c, err := Load(path, os.Getuid())
	if err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]boundary.Legs{
		`{"to":"lab:/x"}`: {Env: true}, `{"to":"web"}`: {Env: true, OutsideWrite: true},
		`{"to":"?"}`: boundary.EveryLeg(), `{"to":7}`: boundary.EveryLeg(),
	} {
		got := boundary.EveryLeg()
		if v, err := c.Settings().PerCall.Legs(&digest.Action{Tool: "copy", Arguments: digest.JSON(args)}); err == nil {
			got, _ = boundary.PerCall(v) //nolint:errcheck // every leg
		}
		if got != want {
			t.Errorf("%s has the legs %v, want %v", args, got.Words(), want.Words())
		}
	}
	if _, err := c.Settings().PerCall.Legs(&digest.Action{Tool: "other", Arguments: digest.JSON("{}")}); err == nil {
		t.Error("a tool without expression got legs")
	}
}
