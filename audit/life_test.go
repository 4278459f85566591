package audit

import "testing"

// Each history breaks the table in its last event.
func TestIllegalStepsAreFound(t *testing.T) {
	person, rule := ev{"by": "person"}, ev{"by": "rule", "rule": "r"}
	asked := submit("z", "pending")
	allowed := []ev{asked, move("decide", "z", "pending", "allowed", person)}
	began := append(allowed[:2:2], move("begin", "z", "allowed", "spent", person, ev{"attempt": "t9", "attempt_number": 1}))
	granted := ev{"act": "grant", "grant": "g9", "grant_left": 1, "grant_until": beginning + 60_000, "action_digest": actionOne, "session": session}
	byGrant := ev{"by": "grant", "grant": "g9"}
	report := ev{"act": "report", "ask": "z", "attempt": "t9", "attempt_number": 1, "from": "executing", "to": "unknown"}
	lost := ev{"act": "lease_over", "ask": "z", "attempt": "t9", "attempt_number": 1, "from": "executing", "to": "unknown"}
	beginZ := func(more ...ev) ev {
		return with(move("begin", "z", "allowed", "spent", person, ev{"attempt": "t9", "attempt_number": 1}), more...)
	}
	at := func(second int) ev { return ev{"effective_ms": beginning + 1000*second} }
	edit := func(more ...ev) ev {
		return with(move("edit", "z", "pending", "denied", person, ev{"actor": "mia", "reason": "edited", "edited_to": "y"}), more...)
	}
	made := func(more ...ev) ev {
		return submit("y", "pending", append([]ev{{"derived_from": "z", "actor": "mia"}}, more...)...)
	}
	for name, events := range map[string][]ev{
		"submitted twice":              {asked, asked},
		"submitted spent":              {submit("z", "spent")},
		"submitted by a person":        {submit("z", "allowed", person)},
		"allowed by nobody":            {submit("z", "allowed")},
		"denied by a person at once":   {submit("z", "denied", person)},
		"irreversible by a rule":       {submit("z", "allowed", rule, ev{"class": "irreversible"})},
		"without a digest":             {submit("z", "pending", ev{"shown_digest": nil})},
		"without a deadline":           {submit("z", "pending", ev{"answer_by": nil})},
		"replaces nothing":             {submit("z", "pending", ev{"replaces": "nowhere"})},
		"replaces an open ask":         {submit("z", "pending", ev{"replaces": "e"})},
		"allowed by no grant":          {submit("z", "allowed", byGrant)},
		"allowed under a freeze":       {{"act": "freeze", "freeze": "all"}, submit("z", "allowed", rule)},
		"decided, never submitted":     {move("decide", "z", "pending", "allowed", person)},
		"decided twice":                append(allowed[:2:2], move("decide", "z", "pending", "denied", person)),
		"decided by a rule":            {asked, move("decide", "z", "pending", "allowed", rule)},
		"decided too late":             {asked, move("decide", "z", "pending", "allowed", person, at(500))},
		"decided on another card":      {asked, move("decide", "z", "pending", "allowed", person, ev{"shown_digest": actionOne})},
		"decided on another action":    {asked, move("decide", "z", "pending", "allowed", person, ev{"action_digest": shownOne})},
		"decided to expired":           {asked, move("decide", "z", "pending", "expired", person)},
		"edited by a rule":             {asked, edit(rule)},
		"edited to nothing":            {asked, edit(ev{"edited_to": nil})},
		"edited for another reason":    {asked, edit(ev{"reason": nil})},
		"edited too late":              {asked, edit(at(500))},
		"edited when allowed":          append(allowed[:2:2], edit(ev{"from": "allowed"})),
		"edited to an allow":           {asked, edit(ev{"to": "allowed"})},
		"edited, then nothing filed":   {asked, edit(), submit("x", "pending")},
		"edited, then another ask":     {asked, edit(), made(ev{"ask": "x"})},
		"an edit of another ask":       {asked, edit(), made(ev{"derived_from": "a"})},
		"an edit that nobody made":     {asked, made()},
		"an edit filed twice":          {asked, edit(), made(), made(ev{"ask": "x"})},
		"an edit of another session":   {asked, edit(), made(ev{"session": "s-1"})},
		"an edit of another person":    {asked, edit(), made(ev{"actor": "eve"})},
		"an edit with more time":       {asked, edit(), made(ev{"answer_by": beginning + 500_001})},
		"an edit that a rule allows":   {asked, edit(), made(rule, ev{"to": "allowed"})},
		"decided after an edit":        {asked, edit(), made(), move("decide", "z", "denied", "allowed", person)},
		"expired early":                {asked, move("expire", "z", "pending", "expired", at(499))},
		"expired when allowed":         append(allowed[:2:2], move("expire", "z", "allowed", "expired", at(500))),
		"lapsed early":                 append(allowed[:2:2], move("lapse", "z", "allowed", "lapsed", at(121))),
		"revoked when pending":         {asked, move("revoke", "z", "pending", "revoked")},
		"begun when pending":           {asked, move("begin", "z", "pending", "spent", person, ev{"attempt": "t9", "attempt_number": 1})},
		"begun twice":                  append(began[:3:3], beginZ(ev{"attempt": "t10"})),
		"begun after it was over":      append(allowed[:2:2], move("revoke", "z", "allowed", "revoked"), move("begin", "z", "revoked", "spent", person)),
		"begun late":                   append(allowed[:2:2], beginZ(at(122))),
		"begun before its hold":        {asked, move("decide", "z", "pending", "allowed", person, ev{"not_before": beginning + 60_000}), beginZ()},
		"begun on a rule's allow":      append(allowed[:2:2], beginZ(rule)),
		"begun under a freeze":         append(allowed[:2:2], ev{"act": "freeze", "freeze": session}, beginZ()),
		"begun after a lifted freeze":  append(allowed[:2:2], ev{"act": "freeze", "freeze": "all"}, ev{"act": "unfreeze", "freeze": "all"}, beginZ()),
		"begun without an attempt":     append(allowed[:2:2], beginZ(ev{"attempt": nil})),
		"begun as another's attempt":   append(allowed[:2:2], beginZ(ev{"attempt": "t1"})),
		"a grant used twice":           {granted, submit("z", "allowed", byGrant), with(beginZ(byGrant)), submit("y", "allowed", byGrant)},
		"a grant used late":            {granted, submit("z", "allowed", byGrant, at(60))},
		"a grant for another action":   {granted, submit("z", "allowed", byGrant, ev{"action_digest": shownOne})},
		"a grant for another session":  {granted, submit("z", "allowed", byGrant, ev{"session": "s-1"})},
		"granted twice":                {granted, granted},
		"adopted when over":            {ev{"act": "adopt", "ask": "a", "session": session, "action_digest": actionOne}},
		"adopted by another session":   {asked, ev{"act": "adopt", "ask": "z", "session": "s-1", "action_digest": actionOne}},
		"reported, never begun":        {report},
		"reported for another ask":     append(began[:3:3], with(ev{}, report, ev{"ask": "a"})),
		"reported from another state":  append(began[:3:3], with(ev{}, report, ev{"from": "unknown"})),
		"reported as running":          append(began[:3:3], with(ev{}, report, ev{"to": "executing"})),
		"reported twice":               append(began[:3:3], report, with(ev{}, report, ev{"from": "unknown", "late": true})),
		"reported in time as late":     append(began[:3:3], with(ev{}, report, ev{"late": true})),
		"reported late as in time":     append(began[:3:3], lost, with(ev{}, report, ev{"from": "unknown"})),
		"late report changes outcome":  append(began[:3:3], lost, with(ev{}, report, ev{"from": "unknown", "to": "committed", "late": true})),
		"lost twice":                   append(began[:3:3], lost, with(ev{}, lost, ev{"from": "unknown"})),
		"lost to not executed":         append(began[:3:3], with(ev{}, lost, ev{"to": "not_executed"})),
		"frozen twice":                 {{"act": "freeze", "freeze": "all"}, {"act": "freeze", "freeze": "all"}},
		"unfrozen without a freeze":    {{"act": "unfreeze", "freeze": "all"}},
		"acknowledged without notice":  {{"act": "notice_ack", "notice": "mismatch"}, {"act": "notice_ack", "notice": "mismatch"}},
		"an act that does not exist":   {{"act": "approve", "ask": "z"}},
		"changed without a state move": {asked, move("withdraw", "z", "pending", "pending")},
	} {
		t.Run(name, func(t *testing.T) {
			h := honest(t)
			for _, e := range events {
				h.add(t, e)
			}
			last := int64(len(h.events))
			if code, seq := codeOf(t, h); code != CodeLife || seq != last {
				t.Errorf("%q at %d, want %q at %d", code, seq, CodeLife, last)
			}
		})
	}
}

// The edges of the times that the table names.
func TestLegalEdges(t *testing.T) {
	person := ev{"by": "person"}
	at := func(second int) ev { return ev{"effective_ms": beginning + 1000*second} }
	asked := submit("z", "pending")
	allowed := move("decide", "z", "pending", "allowed", person)
	begin := move("begin", "z", "allowed", "spent", person, ev{"attempt": "t9", "attempt_number": 1})
	for name, events := range map[string][]ev{
		"decided in the last moment": {asked, with(ev{}, allowed, ev{"effective_ms": beginning + 499_999})},
		"expired on time":            {asked, move("expire", "z", "pending", "expired", at(500))},
		"begun in the last moment":   {asked, allowed, with(ev{}, begin, ev{"effective_ms": beginning + 121_999})},
		"lapsed on time":             {asked, allowed, move("lapse", "z", "allowed", "lapsed", at(122))},
		"begun at its hold":          {asked, with(ev{}, allowed, ev{"not_before": beginning + 60_000}), with(ev{}, begin, at(60))},
		"held, then its whole time":  {asked, with(ev{}, allowed, ev{"not_before": beginning + 60_000}), with(ev{}, begin, ev{"effective_ms": beginning + 159_999})},
		"a freeze of other sessions": {{"act": "freeze", "freeze": "s-other"}, asked, allowed, begin},
		"allowed after a freeze":     {{"act": "freeze", "freeze": "all"}, {"act": "unfreeze", "freeze": "all"}, asked, allowed, begin},
		"never executed":             {asked, allowed, begin, {"act": "report", "ask": "z", "attempt": "t9", "attempt_number": 1, "from": "executing", "to": "not_executed"}},
		"answered":                   {asked, move("decide", "z", "pending", "answered", person)},
		"edited": {asked, move("edit", "z", "pending", "denied", person, ev{"actor": "mia", "reason": "edited", "edited_to": "y"}),
			submit("y", "pending", ev{"derived_from": "z", "actor": "mia"}), move("decide", "y", "pending", "allowed", person)},
		"revoked": {asked, allowed, move("revoke", "z", "allowed", "revoked")},
	} {
		t.Run(name, func(t *testing.T) {
			h := honest(t)
			for _, e := range events {
				h.add(t, e)
			}
			if code, seq := codeOf(t, h); code != CodeCounts { // only the counters, which this test leaves as they were
				t.Errorf("%q at %d", code, seq)
			}
		})
	}
}
