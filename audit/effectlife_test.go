package audit

import "testing"

// Steps of effects: the asks z, y and x are calls of one key, begun in turn.
var (
	isPerson = ev{"by": "person"}
	isPaged  = ev{"shown_digest": shownOne, "evidence": "operator", "by": "person", "way": "console"}
)

// asks files an ask and allows it, one more of the key.
func asks(id string) []ev {
	return []ev{submit(id, "pending"), move("decide", id, "pending", "allowed", isPerson)}
}

func beginOf(ask, effect, key string, number int, more ...ev) ev {
	return move("begin", ask, "allowed", "spent", append([]ev{isPerson, {"attempt": "t-" + ask, "attempt_number": number, "effect": effect, "effect_key": key}}, more...)...)
}

func onAttempt(act, ask, from, to string, more ...ev) ev {
	return with(ev{"act": act, "ask": ask, "attempt": "t-" + ask, "attempt_number": 1, "effect": "E", "from": from, "to": to}, more...)
}

func join(parts ...any) (out []ev) {
	for _, p := range parts {
		switch p := p.(type) {
		case ev:
			out = append(out, p)
		case []ev:
			out = append(out, p...)
		}
	}
	return out
}

// stepsOfEffects are begun, reported and answered.
type stepsOfEffects struct {
	began, unknown, committed, free []ev
	open                            ev
}

func effectSteps() stepsOfEffects {
	s := stepsOfEffects{began: join(asks("z"), beginOf("z", "E", "k", 1))}
	s.unknown = join(s.began, onAttempt("report", "z", "executing", "unknown", ev{"evidence": "tool", "exit_status": "timeout"}))
	s.committed = join(s.unknown, onAttempt("reconcile", "z", "unknown", "committed", isPaged))
	s.free = join(s.unknown, onAttempt("reconcile", "z", "unknown", "not_executed", isPaged))
	s.open = ev{"act": "open_effect", "effect": "F", "effect_key": "k", "replaces": "E", "count": 2, "by": "person", "shown_digest": shownOne}
	return s
}

// Each history breaks a rule of effects in its last event.
func TestIllegalStepsOfEffectsAreFound(t *testing.T) {
	s := effectSteps()
	observed := ev{"evidence": "observer"}
	refuse := func(code string, more ...ev) ev {
		return with(ev{"act": "refuse", "effect": "E", "effect_key": "k", "reason": code, "session": session}, more...)
	}
	ack := ev{"act": "ack_effect", "effect": "E", "by": "person", "shown_digest": shownOne}
	for name, events := range map[string][]ev{
		"begun beside what executes":            join(s.began, asks("y"), beginOf("y", "E", "k", 2)),
		"begun while unknown":                   join(s.unknown, asks("y"), beginOf("y", "E", "k", 2)),
		"begun when committed":                  join(s.committed, asks("y"), beginOf("y", "E", "k", 2)),
		"begun as another effect":               join(s.free, asks("y"), beginOf("y", "G", "k", 1)),
		"begun under another key":               join(s.free, asks("y"), beginOf("y", "E", "l", 2)),
		"begun on an older allow":               join(asks("y"), s.free, beginOf("y", "E", "k", 2)),
		"a number left out":                     join(s.free, asks("y"), beginOf("y", "E", "k", 3)),
		"a number twice":                        join(s.free, asks("y"), beginOf("y", "E", "k", 1)),
		"a first attempt that is second":        join(asks("z"), beginOf("z", "E", "k", 2)),
		"an effect without a key, twice":        join(asks("z"), beginOf("z", "E", "", 1, ev{"effect_key": nil}), onAttempt("report", "z", "executing", "not_executed", ev{"evidence": "gate"}), asks("y"), beginOf("y", "E", "", 2, ev{"effect_key": nil})),
		"no effect, and a second attempt":       join(asks("z"), beginOf("z", "", "", 2, ev{"effect": nil, "effect_key": nil})),
		"said of another effect":                join(s.unknown, onAttempt("observe", "z", "unknown", "committed", observed, ev{"effect": "G"})),
		"said of no effect":                     join(asks("z"), beginOf("z", "", "", 1, ev{"effect": nil, "effect_key": nil}), onAttempt("observe", "z", "executing", "executing", observed, ev{"effect": nil})),
		"a word of the tool's":                  join(s.began, onAttempt("report", "z", "executing", "not_executed", ev{"evidence": "tool"})),
		"lost to not executed":                  join(s.began, onAttempt("lease_over", "z", "executing", "not_executed")),
		"seen, so not executed":                 join(s.unknown, onAttempt("observe", "z", "unknown", "not_executed", observed)),
		"seen by nobody":                        join(s.unknown, onAttempt("observe", "z", "unknown", "committed")),
		"seen, so ended":                        join(s.began, onAttempt("observe", "z", "executing", "committed", observed)),
		"seen to execute again":                 join(s.unknown, onAttempt("observe", "z", "unknown", "executing", observed)),
		"seen from another state":               join(s.unknown, onAttempt("observe", "z", "committed", "committed", observed)),
		"answered while it runs":                join(s.began, onAttempt("reconcile", "z", "executing", "committed", isPaged)),
		"answered twice":                        join(s.committed, onAttempt("reconcile", "z", "committed", "not_executed", isPaged)),
		"corrected when unknown":                join(s.unknown, onAttempt("correct", "z", "unknown", "committed", isPaged)),
		"answered by a rule":                    join(s.unknown, onAttempt("reconcile", "z", "unknown", "committed", isPaged, ev{"by": "rule"})),
		"answered on no page":                   join(s.unknown, onAttempt("reconcile", "z", "unknown", "committed", isPaged, ev{"shown_digest": nil})),
		"answered by a script":                  join(s.unknown, onAttempt("reconcile", "z", "unknown", "not_executed", isPaged, ev{"way": "script"})),
		"answered to executing":                 join(s.unknown, onAttempt("reconcile", "z", "unknown", "executing", isPaged)),
		"a late report that settles":            join(s.unknown, onAttempt("report", "z", "unknown", "committed", ev{"late": true})),
		"a second report in time":               join(s.unknown, onAttempt("report", "z", "unknown", "unknown")),
		"acknowledged, never begun":             {ack},
		"acknowledged by nobody":                join(s.committed, with(ev{}, ack, ev{"by": nil})),
		"acknowledged on no page":               join(s.committed, with(ev{}, ack, ev{"shown_digest": nil})),
		"opened beside what is unknown":         join(s.unknown, s.open),
		"opened beside what is free":            join(s.free, s.open),
		"opened beside nothing":                 {s.open},
		"opened by nobody":                      join(s.committed, with(ev{}, s.open, ev{"by": nil})),
		"opened with a number left out":         join(s.committed, with(ev{}, s.open, ev{"count": 3})),
		"opened of another key":                 join(s.committed, with(ev{}, s.open, ev{"effect_key": "l"})),
		"opened as what is there":               join(s.committed, with(ev{}, s.open, ev{"effect": "E"})),
		"opened beside an older one":            join(s.committed, s.open, with(ev{}, s.open, ev{"effect": "G"})),
		"begun on the one it is beside":         join(s.committed, s.open, asks("y"), beginOf("y", "E", "k", 2)),
		"begun while an older one is unknown":   join(s.committed, s.open, onAttempt("correct", "z", "committed", "unknown", isPaged), asks("y"), beginOf("y", "F", "k", 1)),
		"begun on an allow before a correction": join(s.committed, s.open, asks("y"), onAttempt("correct", "z", "committed", "not_executed", isPaged), beginOf("y", "F", "k", 1)),
		"begun on an allow before it":           join(s.committed, asks("y"), s.open, beginOf("y", "F", "k", 1)),
		"refused for what is free":              join(s.free, refuse("duplicate_effect")),
		"refused with another code":             join(s.unknown, refuse("duplicate_effect")),
		"refused for no effect":                 {refuse("in_progress")},
		"refused for another key's":             join(s.unknown, refuse("ambiguous_effect", ev{"effect_key": "l"})),
		"refused for an older one":              join(s.committed, s.open, refuse("duplicate_effect")),
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

func TestLegalStepsOfEffects(t *testing.T) {
	s := effectSteps()
	observed := ev{"evidence": "observer"}
	for name, events := range map[string][]ev{
		"tried again":                 join(s.free, asks("y"), beginOf("y", "E", "k", 2)),
		"opened and begun":            join(s.committed, s.open, asks("y"), beginOf("y", "F", "k", 1)),
		"another key":                 join(s.began, asks("y"), beginOf("y", "G", "l", 1)),
		"no key, twice":               join(asks("z"), beginOf("z", "E", "", 1, ev{"effect_key": nil}), asks("y"), beginOf("y", "G", "", 1, ev{"effect_key": nil})),
		"Nod's own proof":             join(s.began, onAttempt("report", "z", "executing", "not_executed", ev{"evidence": "gate"}), asks("y"), beginOf("y", "E", "k", 2)),
		"seen while it runs":          join(s.began, onAttempt("observe", "z", "executing", "executing", observed), onAttempt("lease_over", "z", "executing", "committed")),
		"seen":                        join(s.unknown, onAttempt("observe", "z", "unknown", "committed", observed)),
		"seen against a person":       join(s.free, onAttempt("observe", "z", "not_executed", "unknown", observed)),
		"still unknown, then known":   join(s.unknown, onAttempt("reconcile", "z", "unknown", "unknown", isPaged), onAttempt("reconcile", "z", "unknown", "committed", isPaged)),
		"corrected":                   join(s.committed, onAttempt("correct", "z", "committed", "not_executed", isPaged), onAttempt("correct", "z", "not_executed", "unknown", isPaged)),
		"two late reports":            join(s.unknown, onAttempt("report", "z", "unknown", "unknown", ev{"late": true}), onAttempt("report", "z", "unknown", "unknown", ev{"late": true})),
		"answered by a script, known": join(s.unknown, onAttempt("reconcile", "z", "unknown", "committed", isPaged, ev{"way": "script"})),
		"refused for an older one": join(s.committed, s.open, onAttempt("correct", "z", "committed", "unknown", isPaged),
			ev{"act": "refuse", "effect": "E", "effect_key": "k", "reason": "ambiguous_effect", "session": session}),
		"refused": join(s.unknown, ev{"act": "refuse", "effect": "E", "effect_key": "k", "reason": "ambiguous_effect", "session": session},
			ev{"act": "refuse", "effect": "E", "effect_key": "k", "reason": "ambiguous_effect", "session": session}),
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
