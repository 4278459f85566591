package boundary

// Act is an act of a session as its tree sees it.
type Act struct {
	Begins bool // a call begins; every other act (register, submit, a leg's end) sets nothing else
	Target bool // of a begin: it executes in an environment listed under targets
	Legs   Legs // of a begin
}

// Judged is the tree that submit and begin judge a call on: the session's,
// joined with what the call's own begin arms. An execution in a target arms, and
// the begin finds that tree armed, so under multi_tenant it is governed too.
func Judged(t Tree, p Posture, target bool) Tree {
	t.Armed = t.Armed || target
	return found(t, p)
}

// found is the tree after any act of the session that finds it.
func found(t Tree, p Posture) Tree {
	t.Governed = t.Governed || t.Armed && p.governs()
	return t
}

// Next is the tree that an act leaves. A begin that owes a record sets the
// observed bit, before the call runs.
func Next(t Tree, p Posture, a Act) Tree {
	if !a.Begins {
		return found(t, p)
	}
	t = Judged(t, p, a.Target)
	t.Observed = t.Observed || Obligation(t, a.Legs, a.Target).Record
	return t
}

// Birth is what is known where a session is registered.
type Birth struct {
	Child  bool   // it names a parent
	Parent *Tree  // the parent's tree; nil: unknown, or not of this principal
	Live   []Tree // the trees of the principal's live sessions
}

// Tree is the tree that the session joins. A child joins its parent's, an
// unknown parent reads as the strictest; a root joins every live armed tree of
// its principal.
func (b Birth) Tree() Tree {
	switch {
	case b.Child && b.Parent == nil:
		return Strictest()
	case b.Child:
		return *b.Parent
	}
	var t Tree
	for _, live := range b.Live {
		if live.Armed {
			t = t.Join(live)
		}
	}
	return t
}
