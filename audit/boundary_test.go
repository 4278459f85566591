package audit

import "testing"

// What no act writes of a tree is found, after what one did.
func TestTreesOnlyGrow(t *testing.T) {
	armed := ev{"act": "tree", "session": session, "bits": "targetExecutionArmed", "phase": "exit", "reason": "unrecorded"}
	governed := ev{"act": "tree", "session": session, "bits": "targetExecutionArmed governed"}
	for name, last := range map[string]ev{
		"a bit is lost":      armed,
		"not armed":          {"act": "tree", "session": "s-2", "bits": "governed"},
		"a bit that is none": {"act": "tree", "session": "s-2", "bits": "targetExecutionArmed trusted"},
		"bits out of order":  {"act": "tree", "session": "s-2", "bits": "governed targetExecutionArmed"},
		"nobody's":           {"act": "tree", "bits": "targetExecutionArmed"},
		"no phase":           {"act": "tree", "session": "s-2", "bits": "targetExecutionArmed", "phase": "begin"},
		"another reason":     {"act": "tree", "session": "s-2", "bits": "targetExecutionArmed", "phase": "exit", "reason": "full"},
		"governed, and went on unwritten": {"act": "tree", "session": session, "bits": "targetExecutionArmed governed", "phase": "exit",
			"reason": "unrecorded"},
		"": {"act": "tree", "session": session, "bits": "targetExecutionArmed offTargetReadObserved governed", "phase": "settle"},
	} {
		t.Run(name, func(t *testing.T) {
			h := honest(t)
			for _, e := range []ev{armed, governed, last} {
				h.add(t, e)
			}
			want, at := CodeLife, int64(len(h.events))
			if name == "" {
				want, at = "", 0
			}
			if code, seq := codeOf(t, h); code != want || seq != at {
				t.Errorf("%q at %d, want %q at %d", code, seq, want, at)
			}
		})
	}
}
