package tui

import (
	"fmt"

	"nod/tui/gate"
	"nod/tui/keys"
)

// gateKeys takes out of the bindings of a place the keys that its gate listens
// to, and those that its sentences name. A key that means something else in
// that place is not the gate's.
func gateKeys(m *keys.Map, in keys.Place) (gate.Keys, error) {
	k := gate.Keys{
		Words: m.Shown(in, keys.Words), Write: m.Shown(in, keys.Answer), Unseen: m.Shown(in, keys.NextUnseen), Page: m.Shown(in, keys.PageDown),
	}
	for _, b := range m.In(in) {
		switch b.Intent {
		case keys.Approve:
			k.Allow = b.Keys[0]
		case keys.Deny:
			k.Deny = b.Keys[0]
		case keys.SkipUnseen:
			k.Skip = b.Keys[0]
		}
	}
	if skip := m.Key(keys.Detail, keys.SkipUnseen); k.Skip == "" && in == keys.Batch {
		if _, taken := m.Find(in, skip); !taken {
			k.Skip = skip // it says there why nothing is skipped
		}
	}
	if err := k.Check(); err != nil {
		return gate.Keys{}, fmt.Errorf("read the bindings: %w", err)
	}
	return k, nil
}

// deskKeys are those of an effect: which key gives an answer comes with the
// answer, so only what the sentences name is taken here.
func deskKeys(m *keys.Map) (gate.Keys, error) {
	k := gate.Keys{
		Allow: m.Key(keys.Desk, keys.NotHappened), Deny: m.Key(keys.Desk, keys.Happened), Words: m.Shown(keys.Desk, keys.Rewrite),
		Unseen: m.Shown(keys.Desk, keys.NextUnseen), Page: m.Shown(keys.Desk, keys.PageDown),
	}
	if err := k.Check(); err != nil {
		return gate.Keys{}, fmt.Errorf("read the bindings: %w", err)
	}
	return k, nil
}

// hint is the end of a sentence that names the key of an intent and what it
// does; nothing where no key is bound to it.
func (m *Model) hint(in keys.Place, i keys.Intent, does string) string {
	if key := m.keys.Shown(in, i); key != "" {
		return "; " + key + " " + does
	}
	return ""
}
