package policy

import (
	"fmt"
	"strings"
	"testing"

	"nod/digest"
)

// gate is the irreversible gate, written out: a row for each mode and what is
// allowed and committed, a column for each pair of the policy's boundary id and
// the declared one. p passes, x is irreversible_effect_requires_commit.
const gate = `
                 policy:  publish publish " publish " " publish " other   none    blank   publish
               declared:  publish " publish" publish  " publish " publish publish publish Publish
 active    -     -           p       p         p          p         p       p       p       p
 active    -     committed   p       p         p          p         p       p       p       p
 active    allow -           p       p         p          p         p       p       p       p
 active    allow committed   p       p         p          p         p       p       p       p
 candidate -     -           x       x         x          x         x       x       x       x
 candidate -     committed   x       x         x          x         x       x       x       x
 candidate allow -           x       x         x          x         x       x       x       x
 candidate allow committed   p       x         p          x         x       x       x       x
 shadow    -     -           x       x         x          x         x       x       x       x
 shadow    -     committed   x       x         x          x         x       x       x       x
 shadow    allow -           x       x         x          x         x       x       x       x
 shadow    allow committed   p       x         p          x         x       x       x       x
 canary    -     -           x       x         x          x         x       x       x       x
 canary    -     committed   x       x         x          x         x       x       x       x
 canary    allow -           x       x         x          x         x       x       x       x
 canary    allow committed   p       x         p          x         x       x       x       x`

// boundaries are the columns of the gate.
var boundaries = [8][2]string{{"publish", "publish"}, {"publish", " publish"}, {" publish ", "publish"}, {" publish ", " publish "},
	{"other", "publish"}, {"", "publish"}, {" \ufeff", "publish"}, {"publish", "Publish"}}

// isolations are what may stand around a component, and what building a policy
// gives, for one that is trusted and for one that is not.
var isolations = []struct {
	sandbox   Sandbox
	trusted   string
	untrusted string
}{
	{Sandbox{}, "", CodeSandboxRequired},
	{Sandbox{Available: true}, "bad_value", CodeSandboxRequired},
	{Sandbox{"in_process", false}, "", CodeSandboxRequired},
	{Sandbox{"in_process", true}, "", CodeSandboxRequired},
	{Sandbox{"process", false}, "", CodeSandboxUnavailable},
	{Sandbox{"process", true}, "", ""},
	{Sandbox{"interpreter", false}, "", CodeSandboxUnavailable},
	{Sandbox{"interpreter", true}, "", ""},
	{Sandbox{"microvm", false}, "", CodeSandboxUnavailable},
	{Sandbox{"microvm", true}, "", ""},
	{Sandbox{"container", true}, "bad_value", CodeSandboxRequired},
	{Sandbox{"Process", true}, "bad_value", CodeSandboxRequired},
}

// scopes are what a component's scope may be, and what a reversible or
// compensatable effect gets with it.
var scopes = []struct {
	state State // "": none
	want  string
}{
	{"", CodeScopeRequired},
	{"inactive", CodeScopeRequired},
	{"loading", ""},
	{"active", ""},
	{"unloading", CodeScopeRequired},
	{"failed", CodeScopeRequired},
}

// samples are rows of the table of shapes, one for each class and each way in
// which its metadata is there, blank, of another type or not there.
var samples = []struct{ text, want string }{
	{``, CodeMetadataRequired},
	{`[]`, CodeMetadataRequired},
	{`{"effectClass":"other"}`, CodeMetadataRequired},
	{reversible, "reversible"},
	{`{"effectClass":"reversible","disposer":{"tool":" ","arguments":{}}}`, CodeDisposerRequired},
	{`{"effectClass":"reversible","disposer":"x"}`, CodeDisposerRequired},
	{`{"effectClass":"reversible"}`, CodeDisposerRequired},
	{compensatable, "compensatable"},
	{with("idempotencyKey", `" "`), CodeCompensationRequired},
	{with("journaledBeforeInvoke", `"true"`), CodeCompensationRequired},
	{`{"effectClass":"compensatable"}`, CodeCompensationRequired},
	{`{"effectClass":"irreversible","commitBoundary":" "}`, CodeMetadataRequired},
	{`{"effectClass":"irreversible","commitBoundary":1}`, CodeMetadataRequired},
	{`{"effectClass":"irreversible"}`, CodeMetadataRequired},
}

// The whole product: class and metadata × mode × three facts × scope × sandbox.
// What is expected is the first of the tables that refuses, in the order of
// DESIGN §7.
func TestTheEffectPolicy(t *testing.T) {
	rows := strings.Split(strings.TrimSpace(gate), "\n")[2:]
	if len(rows) != 4*2*2 {
		t.Fatalf("the gate has %d rows", len(rows))
	}
	judged := 0
	for _, row := range rows {
		words := strings.Fields(row)
		f := Facts{Mode: Mode(words[0]), AllowIrreversible: words[1] == "allow", Committed: words[2] == "committed"}
		for column, cell := range words[3:] {
			f.CommitBoundary = boundaries[column][0]
			for _, iso := range isolations {
				for _, f.Untrusted = range []bool{false, true} {
					f.Sandbox = iso.sandbox
					built := iso.trusted
					if f.Untrusted {
						built = iso.untrusted
					}
					p, err := New(f)
					if got := codeOf(t, err); got != built {
						t.Errorf("%+v: built with %q, want %q", f, got, built)
					}
					if err != nil {
						if p != (Policy{}) {
							t.Errorf("%+v: a policy came with its refusal", f)
						}
						continue
					}
					judged += everyCall(t, p, cell == "p", boundaries[column][1])
				}
			}
		}
	}
	t.Logf("%d calls were judged", judged)
	if judged < 100_000 {
		t.Error("these are not all of them")
	}
}

func everyCall(t *testing.T, p Policy, passes bool, boundary string) (judged int) {
	declarations := append([]struct{ text, want string }{
		{fmt.Sprintf(`{"effectClass":"irreversible","commitBoundary":%q}`, boundary), "gate"},
	}, samples...)
	for _, d := range declarations {
		shape := d.want == digest.ClassReversible || d.want == digest.ClassCompensatable
		for _, sc := range scopes {
			var s *Scope
			if sc.state != "" {
				made := scopeIn(t, sc.state)
				s = &made
			}
			want := d.want // of a declaration that has no shape, its code
			owed := 0
			switch {
			case d.want == "gate" && passes:
				want = "irreversible"
			case d.want == "gate":
				want = CodeCommitRequired
			case shape && sc.want != "":
				want = sc.want
			case shape:
				owed = 1
			}
			class, after, err := p.Judge([]byte(d.text), s)
			got := class
			if err != nil {
				got = codeOf(t, err)
				if class != "" {
					t.Errorf("a refused call has the class %s", class)
				}
			}
			if got != want {
				t.Errorf("%+v %s in a scope %q: %s, want %s", p, d.text, sc.state, got, want)
			}
			if s != nil && len(after.Cleanups) != len(s.Cleanups)+owed || owed == 0 && after != s {
				t.Errorf("%s in a scope %s: the scope owes %v", d.text, sc.state, after)
			}
			if sc.want == "" && len(s.Cleanups) > 0 {
				t.Errorf("%s changed the scope it was given", d.text)
			}
			judged++
		}
	}
	return judged
}

var made = map[State]Scope{}

func scopeIn(t *testing.T, state State) Scope {
	s, ok := made[state]
	if !ok {
		s = in(t, state, 0)
		made[state] = s
	}
	return s
}

// A scope that takes nothing any more says what it is.
func TestARefusedRegistrationNamesTheState(t *testing.T) {
	p := must(New(Facts{Mode: Active}))
	for _, state := range []State{Inactive, Unloading, Failed} {
		s := in(t, state, 0)
		if _, _, err := p.Authorize(read(t, reversible), &s); err == nil || !strings.Contains(err.Error(), "is "+string(state)) {
			t.Errorf("%s: %v", state, err)
		}
	}
}

// The zero Policy, which nobody built, authorises nothing.
func TestAPolicyThatWasNotBuilt(t *testing.T) {
	s := in(t, Live, 0)
	for _, text := range []string{reversible, compensatable, irreversible} {
		if class, after, err := (Policy{}).Authorize(read(t, text), &s); err == nil || after != &s {
			t.Errorf("%s passed as %s", text, class)
		}
	}
}

// Ambient shell, and every other call that declares nothing, is refused in every
// mode while a policy is attached.
func TestAnUndeclaredCall(t *testing.T) {
	for _, mode := range []Mode{Active, Candidate, Shadow, Canary} {
		p := must(New(Facts{Mode: mode, AllowIrreversible: true, Committed: true, CommitBoundary: "b"}))
		s := in(t, Live, 0)
		if _, _, err := p.Judge(nil, &s); codeOf(t, err) != CodeMetadataRequired {
			t.Errorf("%s: %v", mode, err)
		}
	}
}
