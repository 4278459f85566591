package policy

import (
	"strings"
	"testing"
)

func TestAMode(t *testing.T) {
	for _, mode := range []Mode{"", "Active", "live", " active", "staging"} {
		if _, err := New(Facts{Mode: mode}); codeOf(t, err) != "bad_value" {
			t.Errorf("%q: %v", mode, err)
		}
	}
	for mode, staging := range map[Mode]Mode{Active: Candidate, Candidate: Candidate, Shadow: Shadow, Canary: Canary} {
		if mode.Staging() != staging {
			t.Errorf("%s is staged as %s", mode, mode.Staging())
		}
	}
}

// Facts do not change after construction, and a commit is a policy of its own.
func TestFactsDoNotChange(t *testing.T) {
	f := Facts{Mode: Candidate, Untrusted: true, Sandbox: Sandbox{Process, true}, CommitBoundary: " b "}
	p := must(New(f))
	f.Mode, f.Sandbox.Available = Active, false
	got := p.Facts()
	got.AllowIrreversible = true
	if p.Facts() != (Facts{Mode: Candidate, Untrusted: true, Sandbox: Sandbox{Process, true}, CommitBoundary: "b"}) {
		t.Errorf("%+v", p.Facts())
	}
	c := Commit{"tx-1", "activate", " publish "}
	for _, row := range []struct {
		transaction, operation, boundary string
		want                             string
	}{
		{"tx-1", "activate", "publish", ""},
		{"tx-1", "activate", " publish ", CodeCommitRequired},
		{"tx-1", "activate", "other", CodeCommitRequired},
		{"tx-1", "rollback", "publish", CodeCommitRequired},
		{"tx-2", "activate", "publish", CodeCommitRequired},
		{"tx-1 ", "activate", "publish", CodeCommitRequired},
		{"", "", "publish", CodeCommitRequired},
	} {
		under := p.Under(c, row.transaction, row.operation)
		d := &Declaration{Class: "irreversible", CommitBoundary: row.boundary}
		if _, _, err := under.Authorize(d, nil); codeOf(t, err) != row.want {
			t.Errorf("%+v: %v", row, err)
		}
		if under.Facts().Mode != Candidate {
			t.Error("a commit made it active")
		}
	}
	if _, _, err := p.Authorize(&Declaration{Class: "irreversible", CommitBoundary: "publish"}, nil); codeOf(t, err) != CodeCommitRequired {
		t.Error("the policy that was committed under is another one now")
	}
	if p.Under(Commit{}, "", "") != p {
		t.Error("a commit that names nothing changed the policy")
	}
}

func TestReadPolicy(t *testing.T) {
	whole := `{"type":"nod.policy/v1","mode":"canary","untrustedComponent":true,"sandbox":{"boundary":"microvm","available":true},"allowIrreversible":true,"committed":true,"commitBoundaryId":" b "}`
	p, err := ReadPolicy([]byte(whole))
	if err != nil || p != must(New(Facts{Canary, true, Sandbox{Microvm, true}, true, true, "b"})) {
		t.Fatalf("%+v, %v", p, err)
	}
	if again, err := ReadPolicy(must(p.Canonical())); err != nil || again != p {
		t.Errorf("%+v, %v", again, err)
	}
	for text, want := range map[string]string{
		`{"type":"nod.policy/v1","mode":"active","committed":false,"sandbox":{}}`: "",
		`{"type":"nod.policy/v2","mode":"active"}`:                                "unknown_type",
		`{"mode":"active"}`:                    "unknown_type",
		`[]`:                                   "unknown_type",
		`{"type":"nod.policy/v1"}`:             "bad_value",
		`{"type":"nod.policy/v1","mode":null}`: "wrong_type",
		`{"type":"nod.policy/v1","mode":"active","committed":"true"}`:            "wrong_type",
		`{"type":"nod.policy/v1","mode":"active","allowIrreversible":1}`:         "wrong_type",
		`{"type":"nod.policy/v1","mode":"active","untrustedComponent":null}`:     "wrong_type",
		`{"type":"nod.policy/v1","mode":"active","sandbox":"microvm"}`:           "wrong_type",
		`{"type":"nod.policy/v1","mode":"active","sandbox":null}`:                "wrong_type",
		`{"type":"nod.policy/v1","mode":"active","sandbox":{"available":"yes"}}`: "wrong_type",
		`{"type":"nod.policy/v1","mode":"active","sandbox":{"boundary":"vm"}}`:   "bad_value",
		`{"type":"nod.policy/v1","mode":"active","sandbox":{"kind":"vm"}}`:       "unknown_member",
		`{"type":"nod.policy/v1","mode":"active","Committed":true}`:              "unknown_member",
		`{"type":"nod.policy/v1","mode":"active","mode":"shadow"}`:               "duplicate_member",
		strings.Replace(whole, `,"available":true`, ``, 1):                       CodeSandboxUnavailable,
		strings.Replace(whole, `"microvm"`, `"in_process"`, 1):                   CodeSandboxRequired,
	} {
		if p, err := ReadPolicy([]byte(text)); codeOf(t, err) != want || err != nil && p != (Policy{}) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// FuzzReadPolicy: what is read is written, and read again as the same policy.
func FuzzReadPolicy(f *testing.F) {
	f.Add([]byte(`{"type":"nod.policy/v1","mode":"canary","untrustedComponent":true,"sandbox":{"boundary":"microvm","available":true},"allowIrreversible":true,"committed":true,"commitBoundaryId":" b "}`))
	f.Add([]byte(`{"type":"nod.policy/v1","mode":"active","committed":false}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := ReadPolicy(raw)
		if err != nil {
			return
		}
		if again, err := ReadPolicy(must(p.Canonical())); err != nil || again != p {
			t.Fatalf("%+v became %+v, %v", p, again, err)
		}
	})
}
