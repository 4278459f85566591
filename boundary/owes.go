package boundary

import (
	"errors"

	"nod/digest"
)

// Owes is what a call owes before it may run.
type Owes struct {
	Mandate bool // a person's decision
	Record  bool // the observed bit and a record, before it runs
}

// crossing sorts a call's legs into the rows of DESIGN §6: an env leg that
// reaches a target is the first row, one that reaches any other environment is
// both outside rows.
func crossing(l Legs, envIsTarget bool) (run, read, write bool) {
	away := l.Env && !envIsTarget
	return l.Env && envIsTarget, l.OutsideRead || away, l.OutsideWrite || away
}

// Obligation is the table of DESIGN §6. The tree is the one to judge on: see
// Judged.
func Obligation(t Tree, l Legs, envIsTarget bool) Owes {
	run, read, write := crossing(l, envIsTarget)
	return Owes{
		Mandate: t.Armed && t.Governed && (write || run && t.Observed),
		Record:  t.Armed && !t.Observed && read,
	}
}

// ReadObligation is Obligation over three JSON values, nil for one that is not
// there. Its errors, *digest.Error, come in this order: legs not a list, target
// flag not a boolean (without an env leg too), tree malformed, unknown leg. Then
// it owes both.
func ReadObligation(tree, legs, envIsTarget []byte) (Owes, error) {
	both := Owes{Mandate: true, Record: true}
	list, err := digest.Canonical(legs, digest.Limits{})
	if err != nil || !list.IsArray() {
		return both, fail(CodeLegsNotList, "/legs", "the legs are not a list", "send a list of env, outside_read, outside_write")
	}
	flag, err := digest.Canonical(envIsTarget, digest.Limits{})
	if err != nil || string(flag) != "true" && string(flag) != "false" {
		return both, fail(CodeTargetNotBoolean, "/envIsTarget", "the target flag is neither true nor false", "send true or false, without an env leg too")
	}
	t, err := ReadTree(tree)
	if err != nil {
		return both, below("/tree", err)
	}
	l, err := readLegs(list)
	if err != nil {
		return both, below("/legs", err)
	}
	return Obligation(t, l, string(flag) == "true"), nil
}

// below moves an error's place into a member.
func below(pointer string, err error) error {
	var e *digest.Error
	if errors.As(err, &e) {
		moved := *e
		moved.Pointer = pointer + e.Pointer
		return &moved
	}
	return err
}
