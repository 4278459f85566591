package hook_test

import (
	"strings"
	"testing"
)

// TestRefusedByCode: an event that cannot be answered is refused with a stable
// code and without a library's words, and only a call is said not to have run.
func TestRefusedByCode(t *testing.T) {
	const waits, ran = "(a call that waits for this answer does not run)", "(the call did not run)"
	g := newGate(t)
	for in, want := range map[string][2]string{
		``:              {"bad_json", waits},
		`{`:             {"bad_json", waits},
		`{"a":1,}`:      {"bad_json", waits},
		`x`:             {"bad_json", waits},
		`{"a":1}{`:      {"trailing_bytes", waits},
		`[]`:            {"wrong_type", waits},
		`{"a":1,"a":2}`: {"duplicate_member", waits},
		`{"session_id":1,"hook_event_name":"PreToolUse"}`:          {`wrong_type at "/session_id"`, waits},
		`{"session_id":"s"}`:                                       {"missing_member", waits},
		`{"session_id":"s","hook_event_name":"Stop"}`:              {`bad_value at "/hook_event_name"`, ""},
		`{"session_id":"s","hook_event_name":"PreToolUse"}`:        {"missing_member", ran},
		`{"session_id":"s","hook_event_name":"PermissionRequest"}`: {"missing_member", ran},
		strings.Repeat(" ", 64<<20) + `{}`:                         {"too_large", waits},
	} {
		r := g.run(t, in)
		r.mustBlock(t)
		if !strings.Contains(r.stderr, want[0]+": ") || want[1] == "" && strings.Contains(r.stderr, "run)") || !strings.Contains(r.stderr, want[1]) {
			t.Errorf("%.60q: %q, want %q", in, r.stderr, want)
		}
		for _, library := range []string{"jsontext", "json: cannot", "unmarshal"} {
			if strings.Contains(r.stderr, library) {
				t.Errorf("%.60q: %q has a library's words", in, r.stderr)
			}
		}
	}
}
