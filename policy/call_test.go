package policy

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"nod/digest"
)

func TestARecordOfACall(t *testing.T) {
	denied := refuse(CodeDisposerRequired, "/disposer", "s")
	for _, row := range []struct {
		declaration string
		outcome     Outcome
		err         error
		want        string
	}{
		{"", OutcomeAllowed, nil, `{"name":"publish","cwd":"/w","class":"undeclared","phase":"start","outcome":"allowed","redaction":["arguments","output","provenance","text"]}`},
		{reversible, OutcomeAllowed, nil, `{"name":"publish","cwd":"/w","class":"reversible","phase":"start","outcome":"allowed","redaction":["arguments","output","provenance","text","callbacks"]}`},
		{compensatable, OutcomeCompleted, nil, `{"name":"publish","cwd":"/w","class":"compensatable","phase":"end","outcome":"completed","redaction":["arguments","output","provenance","text","callbacks","idempotency_keys"]}`},
		{irreversible, OutcomeFailed, errors.New("it said: token SECRET-err"), `{"name":"publish","cwd":"/w","class":"irreversible","phase":"error","outcome":"failed","error":"effect_invocation_failed","redaction":["arguments","output","provenance","text","boundary_ids"]}`},
		{`{"effectClass":"reversible"}`, OutcomeDenied, denied, `{"name":"publish","cwd":"/w","class":"reversible","phase":"error","outcome":"denied","error":"reversible_disposer_required","redaction":["arguments","output","provenance","text"]}`},
		{`{"effectClass":"reversible"}`, OutcomeFailed, fmt.Errorf("SECRET: %w", denied), `{"name":"publish","cwd":"/w","class":"reversible","phase":"error","outcome":"failed","error":"reversible_disposer_required","redaction":["arguments","output","provenance","text"]}`},
		{`[]`, OutcomeDenied, &digest.Error{Code: "SECRET-code"}, `{"name":"publish","cwd":"/w","class":"undeclared","phase":"error","outcome":"denied","error":"effect_invocation_failed","redaction":["arguments","output","provenance","text"]}`},
		{`not json SECRET`, OutcomeDenied, nil, `{"name":"publish","cwd":"/w","class":"undeclared","phase":"error","outcome":"denied","error":"effect_invocation_failed","redaction":["arguments","output","provenance","text","callbacks"]}`},
		{"", "done", nil, `{"name":"publish","cwd":"/w","class":"undeclared","phase":"error","outcome":"failed","error":"effect_invocation_failed","redaction":["arguments","output","provenance","text"]}`},
	} {
		r := Audit(Call{Name: "publish", Cwd: "/w", Declaration: []byte(row.declaration), Arguments: []byte("SECRET-a"),
			Output: []byte("SECRET-o"), Provenance: []byte("SECRET-p"), Text: []byte("SECRET-t")}, row.outcome, row.err)
		got := string(must(json.Marshal(r)))
		if got != row.want {
			t.Errorf("%s\nwant %s", got, row.want)
		}
	}
	bare := Audit(Call{Name: "ls"}, OutcomeFailed, errors.New("no"))
	if strings.Join(bare.Redaction, " ") != "text" {
		t.Errorf("what was not there was left out: %v", bare.Redaction)
	}
}

// Marked secrets in everything a call holds are in no record of it.
func TestARecordHoldsNoSecret(t *testing.T) {
	for _, declaration := range []string{
		`{"effectClass":"reversible","disposer":{"tool":"SECRET","arguments":"SECRET"}}`,
		strings.ReplaceAll(strings.ReplaceAll(compensatable, "k-7", "SECRET"), "no reservation 7", "SECRET"),
		`{"effectClass":"irreversible","commitBoundary":"SECRET"}`,
		`{"effectClass":"SECRET"}`, `{"SECRET":1}`, `SECRET`,
	} {
		for _, o := range []Outcome{OutcomeAllowed, OutcomeDenied, OutcomeCompleted, OutcomeFailed, "SECRET"} {
			_, err := ReadDeclaration([]byte(declaration))
			for _, err := range []error{nil, err, errors.New("SECRET"), &digest.Error{Code: "SECRET", Pointer: "/SECRET", Sentence: "SECRET"}} {
				r := Audit(Call{Name: "n", Declaration: []byte(declaration), Arguments: []byte("SECRET"), Output: []byte("SECRET"),
					Provenance: []byte("SECRET"), Text: []byte("SECRET")}, o, err)
				if doc := string(must(json.Marshal(r))); strings.Contains(doc, "SECRET") {
					t.Errorf("%s", doc)
				}
			}
		}
	}
}
