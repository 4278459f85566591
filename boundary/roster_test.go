package boundary

import (
	"strings"
	"testing"
)

// declarations are what a roster may say of a tool's legs; "refused" is what
// refuses the row on every source.
var declarations = []struct{ json, means string }{
	{`"per_call"`, "per_call"},
	{`[]`, "-"},
	{`["env"]`, "env"},
	{`["outside_read"]`, "outside_read"},
	{`["outside_write"]`, "outside_write"},
	{`["outside_write","env"]`, "env,outside_write"},
	{`["outside_write","outside_write","outside_read","env","env"]`, "env,outside_read,outside_write"},
	{`null`, "refused"},
	{``, "refused"},
	{`"env"`, "refused"},
	{`"PER_CALL"`, "refused"},
	{`["per_call"]`, "refused"},
	{`{}`, "refused"},
	{`{"legs":["env"]}`, "refused"},
	{`7`, "refused"},
	{`true`, "refused"},
	{`["env","inside"]`, "refused"},
	{`["env",null]`, "refused"},
	{`["env"],`, "refused"},
}

// rosterTable: what counts of declaration and access, by source.
const rosterTable = `
source     declared       undeclared
builtin    declaration    access
synthetic  declaration    access
mcp        declaration    access
a2a        declaration    access
plugin     access         access
-          access         access
MCP        access         access
`

var accessLegs = map[string]string{"read": "outside_read", "write": "outside_write", "idempotent": "outside_write", "": "outside_write", "peek": "outside_write"}

func show(c Crossing, err error) string {
	switch {
	case err != nil && c != (Crossing{Legs: EveryLeg()}):
		return "refused, and loosened"
	case err != nil:
		return "refused"
	case c.PerCall && c.Legs == (Legs{}):
		return "per_call"
	case len(c.Legs.Words()) == 0:
		return "-"
	}
	return strings.Join(c.Legs.Words(), ",")
}

// TestRoster: every source, every declaration, every access.
func TestRoster(t *testing.T) {
	n := 0
	for _, line := range strings.Split(strings.TrimSpace(rosterTable), "\n")[1:] {
		f := strings.Fields(line)
		source := strings.TrimPrefix(f[0], "-")
		for access, byAccess := range accessLegs {
			row := Row{Source: source, Access: access}
			if got := show(row.Crossing()); got != byAccess {
				t.Errorf("%q, nothing declared, access %q: %s, want %s", source, access, got, byAccess)
			}
			row.Flow = FlowEngine
			want := map[string]string{"declaration": "-", "access": byAccess}[f[1]]
			if got := show(row.Crossing()); got != want {
				t.Errorf("%q, flow engine, access %q: %s, want %s", source, access, got, want)
			}
			row.Flow = "host"
			if got := show(row.Crossing()); got != "refused" {
				t.Errorf("%q, flow host: %s", source, got)
			}
			for _, d := range declarations {
				row := Row{Source: source, Access: access, Declaration: []byte(d.json)}
				want := map[string]string{"declaration": d.means, "access": byAccess}[f[1]]
				if d.means == "refused" {
					want = "refused"
				}
				if got := show(row.Crossing()); got != want {
					t.Errorf("%q, declared %s, access %q: %s, want %s", source, d.json, access, got, want)
				}
				row.Flow = FlowEngine
				if got := show(row.Crossing()); got != "refused" {
					t.Errorf("%q, declared %s and flow engine: %s", source, d.json, got)
				}
				n++
			}
		}
	}
	t.Logf("%d rows", n)
	_, err := Row{Declaration: []byte(`["env","inside"]`)}.Crossing()
	if got := code(err); got != "bad_leg_declaration /legs/1" {
		t.Error(got)
	}
}

// TestPerCall: a list that an expression gave. What is no list of legs is every
// leg.
func TestPerCall(t *testing.T) {
	for _, c := range []struct {
		value any
		legs  string
		code  string
	}{
		{[]string{}, "-", ""},
		{[]any{}, "-", ""},
		{[]string{"outside_write", "env", "env"}, "env,outside_write", ""},
		{[]any{"outside_read"}, "outside_read", ""},
		{nil, "env,outside_read,outside_write", "legs_not_list"},
		{"env", "env,outside_read,outside_write", "legs_not_list"},
		{true, "env,outside_read,outside_write", "legs_not_list"},
		{map[string]any{"env": true}, "env,outside_read,outside_write", "legs_not_list"},
		{[]string{"env", "Env"}, "env,outside_read,outside_write", "unknown_leg /1"},
		{[]any{"env", nil}, "env,outside_read,outside_write", "unknown_leg /1"},
		{[]any{[]any{"env"}}, "env,outside_read,outside_write", "unknown_leg /0"},
	} {
		got, err := PerCall(c.value)
		if got != legsOf(t, c.legs) || code(err) != c.code {
			t.Errorf("%v: %v, %v", c.value, got.Words(), err)
		}
	}
}
