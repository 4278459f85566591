package audit

import (
	"strings"
	"testing"
)

// What no act writes of a registration or a screening is found.
func TestRegistrationsAndScreenings(t *testing.T) {
	said := "sha256:" + strings.Repeat("a", 64)
	screening := func(more ev) ev {
		return with(ev{"act": "screen", "session": session, "to": "denied", "reason": "decision_out_of_contract"}, more)
	}
	for name, last := range map[string]ev{
		"nothing said":               {"act": "register", "session": session},
		"nobody's":                   {"act": "register", "said_digest": said},
		"a negative count":           {"act": "register", "session": session, "said_digest": said, "count": -1},
		"a screening of an ask":      screening(ev{"ask": "z"}),
		"a screening that allows":    screening(ev{"to": "allowed"}),
		"nobody's screening":         screening(ev{"session": nil}),
		"another reason":             screening(ev{"reason": "because"}),
		"a rule that denied nothing": screening(ev{"rule": "no"}),
		"a denial by no rule":        screening(ev{"reason": "denied_by_rule"}),
		" out of contract":           screening(nil),
		" denied by a rule":          screening(ev{"reason": "denied_by_rule", "rule": "no"}),
		" denied by compliance":      screening(ev{"reason": "compliance_denied", "tool": "Fetch"}),
	} {
		t.Run(name, func(t *testing.T) {
			h := honest(t)
			h.add(t, last)
			want, at := CodeLife, int64(len(h.events))
			if strings.HasPrefix(name, " ") {
				want, at = "", 0
			}
			if code, seq := codeOf(t, h); code != want || seq != at {
				t.Errorf("%q at %d, want %q at %d", code, seq, want, at)
			}
		})
	}
}
