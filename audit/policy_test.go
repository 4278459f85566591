package audit

import "testing"

// What no act writes of a policy, a scope, a commit or a transaction is found.
func TestWhatPolicyKeepsIsPlayed(t *testing.T) {
	doc := actionOne
	scope := func(act, from, to string, more ...ev) ev {
		return with(ev{"act": act, "scope": "sc", "session": session, "from": from, "to": to, "said_digest": doc}, more...)
	}
	up := []ev{scope("scope_activate", "", "loading"), scope("scope_activated", "loading", "active")}
	owed := func(n int) ev { return scope("cleanup_owed", "active", "active", ev{"cleanup": n, "attempt": "t1"}) }
	cleanup := func(act string, n int, from, to, reason string) ev {
		e := scope(act, from, to, ev{"cleanup": n})
		if reason != "" {
			e["reason"] = reason
		}
		return e
	}
	gone := append(append([]ev{}, up...), owed(1), owed(2), scope("scope_dispose", "active", "unloading"))
	invoked := append(append([]ev{}, gone...), cleanup("cleanup_invoke", 2, "unloading", "unloading", ""))
	failed := append(append([]ev{}, invoked...), cleanup("cleanup_end", 2, "unloading", "unloading", "failed"))
	then := func(before []ev, more ...ev) []ev { return append(append([]ev{}, before...), more...) }
	attach := func(id string, more ...ev) ev {
		return with(ev{"act": "policy_attach", "policy": id, "to": "agent", "said_digest": doc}, more...)
	}
	tx := func(act, from, to string, count int) ev {
		return ev{"act": act, "transaction": "tx", "session": session, "from": from, "to": to, "count": count, "said_digest": doc}
	}
	refuse := func(more ...ev) ev {
		return with(ev{"act": "refuse", "session": session, "reason": "effect_metadata_required", "class": "undeclared", "phase": "error",
			"outcome": "denied", "redaction": "arguments"}, more...)
	}
	asked := submit("z", "pending")
	person := ev{"by": "person"}
	allowed := []ev{asked, move("decide", "z", "pending", "allowed", person)}
	commit := move("commit", "z", "allowed", "spent", ev{"attempt": "t1"})
	late := move("commit", "z", "allowed", "spent", ev{"attempt": "t1", "effective_ms": beginning + 400_000})

	for name, events := range map[string][]ev{
		"a scope that was never activated":          {scope("scope_dispose", "active", "unloading")},
		"a scope activated twice":                   then(up, scope("scope_activate", "", "loading")),
		"a scope in another state":                  then(up, scope("scope_dispose", "loading", "unloading")),
		"a scope without a document":                then(up, scope("scope_dispose", "active", "unloading", ev{"said_digest": nil})),
		"disposed to active":                        then(up, scope("scope_dispose", "active", "active")),
		"disposed, with nothing owed, to unloading": then(up, scope("scope_dispose", "active", "unloading")),
		"a cleanup that skips a number":             then(up, owed(2)),
		"a cleanup of no attempt":                   then(up, scope("cleanup_owed", "active", "active", ev{"cleanup": 1})),
		"owed by a component that is gone":          then(gone, scope("cleanup_owed", "unloading", "unloading", ev{"cleanup": 3, "attempt": "t1"})),
		"invoked while it lives":                    then(up, owed(1), cleanup("cleanup_invoke", 1, "active", "active", "")),
		"the oldest first":                          then(gone, cleanup("cleanup_invoke", 1, "unloading", "unloading", "")),
		"invoked twice":                             then(invoked, cleanup("cleanup_invoke", 2, "unloading", "unloading", "")),
		"invoked again after it failed":             then(failed, cleanup("cleanup_invoke", 2, "unloading", "unloading", "")),
		"two at a time":                             then(invoked, cleanup("cleanup_invoke", 1, "unloading", "unloading", "")),
		"ended before it was invoked":               then(gone, cleanup("cleanup_end", 2, "unloading", "unloading", "done")),
		"ended as nothing":                          then(invoked, cleanup("cleanup_end", 2, "unloading", "unloading", "")),
		"ended twice":                               then(failed, cleanup("cleanup_end", 2, "unloading", "unloading", "done")),
		"over with one owed":                        then(invoked, cleanup("cleanup_end", 2, "unloading", "inactive", "done")),
		"well with one that failed": then(failed, cleanup("cleanup_invoke", 1, "unloading", "unloading", ""),
			cleanup("cleanup_end", 1, "unloading", "inactive", "done")),
		"acknowledged and not failed":        then(invoked, cleanup("cleanup_ack", 2, "unloading", "unloading", "")),
		"acknowledged twice":                 then(failed, cleanup("cleanup_ack", 2, "unloading", "unloading", ""), cleanup("cleanup_ack", 2, "unloading", "unloading", "")),
		"a policy attached twice":            {attach("p1"), attach("p1")},
		"a policy of nothing":                {attach("p1", ev{"to": "everybody"})},
		"a policy without a document":        {attach("p1", ev{"said_digest": nil})},
		"a policy that replaces none":        {attach("p1", ev{"replaces": "p0"})},
		"a policy that replaces a session's": {attach("p0", ev{"to": "session", "session": session}), attach("p1", ev{"replaces": "p0"})},
		"detached and not attached":          {{"act": "policy_detach", "policy": "p1", "from": "agent", "said_digest": doc}},
		"detached as another":                {attach("p1"), {"act": "policy_detach", "policy": "p1", "from": "agent", "said_digest": shownOne}},
		"a transaction's step before it":     {tx("transaction_step", "", "applying", 2)},
		"a transaction twice":                {tx("transaction", "", "staged", 1), tx("transaction", "", "staged", 1)},
		"a step from elsewhere":              {tx("transaction", "", "staged", 1), tx("transaction_step", "applying", "applied", 2)},
		"a step without an entry":            {tx("transaction", "", "staged", 1), tx("transaction_step", "staged", "applying", 1)},
		"a step of two entries":              {tx("transaction", "", "staged", 1), tx("transaction_step", "staged", "applying", 3)},
		"an acknowledgement that moves it":   {tx("transaction", "", "staged", 1), tx("transaction_ack", "staged", "applying", 1)},
		"refused for another reason":         {refuse(ev{"reason": "frozen"})},
		"refused of no class":                {refuse(ev{"class": "harmless"})},
		"refused and allowed":                {refuse(ev{"outcome": "allowed"})},
		"refused at its start":               {refuse(ev{"phase": "start"})},
		"a commit that nobody gave":          {asked, move("commit", "z", "pending", "spent", ev{"attempt": "t1"})},
		"a commit for no attempt":            then(allowed, move("commit", "z", "allowed", "spent")),
		"a commit too late":                  then(allowed, late),
		"a commit under a freeze":            then(allowed, ev{"act": "freeze", "freeze": "all"}, commit),
		"a commit spent twice":               then(allowed, commit, commit),
		"a rule's commit":                    {submit("z", "allowed", ev{"by": "rule", "rule": "r"}), commit},
		"begun with a class and no outcome": then(allowed, move("begin", "z", "allowed", "spent", person,
			ev{"attempt": "t9", "attempt_number": 1, "phase": "start"})),
		"begun and denied": then(allowed, move("begin", "z", "allowed", "spent", person,
			ev{"attempt": "t9", "attempt_number": 1, "phase": "start", "outcome": "denied", "class": "reversible"})),
	} {
		t.Run(name, func(t *testing.T) {
			h := honest(t)
			for _, e := range events {
				h.add(t, e)
			}
			if code, seq := codeOf(t, h); code != CodeLife || seq != int64(len(h.events)) {
				t.Errorf("%q at %d, want %q at %d", code, seq, CodeLife, len(h.events))
			}
		})
	}
	t.Run("what is right", func(t *testing.T) {
		h := honest(t)
		for _, e := range then(failed, scope("scope_recover", "unloading", "unloading"), cleanup("cleanup_ack", 2, "unloading", "unloading", ""),
			cleanup("cleanup_invoke", 1, "unloading", "unloading", ""), cleanup("cleanup_end", 1, "unloading", "failed", "done"),
			attach("p1"), attach("p2", ev{"replaces": "p1"}), ev{"act": "policy_detach", "policy": "p2", "from": "agent", "said_digest": doc},
			tx("transaction", "", "staged", 1), tx("transaction_step", "staged", "applying", 2), tx("transaction_ack", "applying", "applying", 2),
			refuse(), allowed[0], allowed[1], commit) {
			h.add(t, e)
		}
		h.kept.Asks, h.kept.Spent = h.kept.Asks+1, h.kept.Spent+1
		if code, seq := codeOf(t, h); code != "" {
			t.Errorf("%q at %d", code, seq)
		}
	})
}
