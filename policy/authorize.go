package policy

import "nod/digest"

// Judge reads what a call declares and authorises it: nil, for ambient shell too,
// is a call that declares nothing.
func (p Policy) Judge(declaration []byte, s *Scope) (class string, after *Scope, err error) {
	d, err := ReadDeclaration(declaration)
	if err != nil {
		return "", s, err
	}
	return p.Authorize(d, s)
}

// Authorize judges a declared call before anything of it runs, in the order of
// DESIGN §7: declaration present, its shape, the irreversible gate, the scope,
// its cleanup registered. It gives the class, and the scope as it is then: it
// owns what undoes the effect, and is to be kept before the call runs. An error
// is a *digest.Error with a code of SEED-TABLES §1; the scope is then as it was.
//
// s is nil where no component is; an irreversible effect needs none.
func (p Policy) Authorize(d *Declaration, s *Scope) (class string, after *Scope, err error) {
	if err := d.check(); err != nil {
		return "", s, err
	}
	if d.Class == digest.ClassIrreversible {
		if !p.passes(d.CommitBoundary) {
			return "", s, refuse(CodeCommitRequired, "/commitBoundary", "an irreversible effect is not committed here")
		}
		return d.Class, s, nil
	}
	if !p.facts.Mode.Known() { // the zero Policy
		return "", s, refuse(CodeMetadataRequired, "", "there is no policy that was judged")
	}
	if s == nil {
		return "", s, refuse(CodeScopeRequired, "", "no component scope owns what undoes this effect")
	}
	registered, err := s.Register(d)
	if err != nil {
		return "", s, err
	}
	return d.Class, &registered, nil
}

// passes is the irreversible gate. The declared boundary is compared as it was
// declared: only the policy's own was trimmed.
func (p Policy) passes(declared string) bool {
	f := p.facts
	return f.Mode == Active ||
		f.Mode.Known() && f.AllowIrreversible && f.Committed && f.CommitBoundary != "" && declared == f.CommitBoundary
}
