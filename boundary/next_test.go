package boundary

import (
	"strings"
	"testing"
)

// acts is what every act leaves of every tree that matters. The posture - is
// none configured. A column of four trees: what the session had, and what is
// left under no posture and single_user, and under multi_tenant.
const acts = `
act                                 had                       permissive                multi_tenant
other                               -                         -                         -
other                               armed                     armed                     armed+governed
other                               armed+observed            armed+observed            armed+observed+governed
other                               armed+governed            armed+governed            armed+governed
other                               armed+observed+governed   armed+observed+governed   armed+observed+governed
other                               observed                  observed                  observed

begin:target:-                      -                         armed                     armed+governed
begin:target:env                    -                         armed                     armed+governed
begin:target:env                    armed                     armed                     armed+governed
begin:target:env                    armed+observed            armed+observed            armed+observed+governed
begin:target:env                    armed+governed            armed+governed            armed+governed
begin:target:outside_write          -                         armed                     armed+governed
begin:target:env,outside_write      -                         armed                     armed+governed
begin:target:env,outside_read       -                         armed+observed            armed+observed+governed
begin:target:outside_read           armed                     armed+observed            armed+observed+governed
begin:target:outside_read           observed                  armed+observed            armed+observed+governed

begin:away:-                        -                         -                         -
begin:away:-                        armed                     armed                     armed+governed
begin:away:env                      -                         -                         -
begin:away:env                      armed                     armed+observed            armed+observed+governed
begin:away:env                      armed+governed            armed+observed+governed   armed+observed+governed
begin:away:outside_read             -                         -                         -
begin:away:outside_read             armed                     armed+observed            armed+observed+governed
begin:away:outside_read             armed+observed            armed+observed            armed+observed+governed
begin:away:outside_write            -                         -                         -
begin:away:outside_write            armed                     armed                     armed+governed
begin:away:outside_write            armed+observed            armed+observed            armed+observed+governed
begin:away:outside_write            observed+governed         observed+governed         observed+governed
begin:away:outside_read             observed+governed         observed+governed         observed+governed
`

func TestWhatSetsTheBits(t *testing.T) {
	for _, line := range strings.Split(strings.TrimSpace(acts), "\n")[1:] {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		had := treeOf(t, f[1])
		var a Act
		if how := strings.Split(f[0], ":"); how[0] == "begin" {
			a = Act{Begins: true, Target: how[1] == "target", Legs: legsOf(t, how[2])}
		}
		for posture, want := range map[Posture]string{Undeclared: f[2], SingleUser: f[2], MultiTenant: f[3], "shared": f[3]} {
			got := Next(had, posture, a)
			if got != treeOf(t, want) {
				t.Errorf("%s, posture %q: leaves %v", line, posture, got.Bits())
			}
			if !got.Covers(had) {
				t.Errorf("%s: a bit was lost", line)
			}
			if again := Next(got, posture, Act{}); again != got {
				t.Errorf("%s: another act makes %v of it", line, again.Bits())
			}
		}
	}
}

// TestJudgedOnWhatItsOwnBeginArms: the first call on a target that also writes
// outside does not slip through because the tree was still bare.
func TestJudgedOnWhatItsOwnBeginArms(t *testing.T) {
	legs := Legs{Env: true, OutsideRead: true, OutsideWrite: true}
	for _, c := range []struct {
		posture Posture
		target  bool
		want    string
	}{
		{MultiTenant, true, "mandate+record"},
		{SingleUser, true, "record"},
		{Undeclared, true, "record"},
		{MultiTenant, false, "none"},
	} {
		if got := Obligation(Judged(Tree{}, c.posture, c.target), legs, c.target).String(); got != c.want {
			t.Errorf("%q, target %v: owes %s, want %s", c.posture, c.target, got, c.want)
		}
	}
}

// TestAChangeBeforeBegin: a rule allowed, then the tree grew.
func TestAChangeBeforeBegin(t *testing.T) {
	call := Act{Begins: true, Legs: Legs{OutsideWrite: true}}
	tree := Tree{}
	if Obligation(Judged(tree, MultiTenant, false), call.Legs, false).Mandate {
		t.Fatal("a bare tree mandates")
	}
	tree = Next(tree, MultiTenant, Act{Begins: true, Target: true, Legs: Legs{Env: true}})
	owes := Obligation(Judged(tree, MultiTenant, false), call.Legs, false)
	if AtBegin(owes, false) != Unconfirmed {
		t.Error("what a rule allowed begins on an armed and governed tree")
	}
	if AtBegin(owes, true) != "" {
		t.Error("what a person allowed does not begin")
	}
}

func TestBirth(t *testing.T) {
	at := func(w string) *Tree { tree := treeOf(t, w); return &tree }
	for _, c := range []struct {
		what string
		b    Birth
		want string
	}{
		{"a root of a principal without another session", Birth{}, "-"},
		{"a root beside an unarmed tree", Birth{Live: []Tree{*at("observed+governed")}}, "-"},
		{"a root beside an armed tree", Birth{Live: []Tree{*at("-"), *at("armed+governed")}}, "armed+governed"},
		{"a root beside two armed trees", Birth{Live: []Tree{*at("armed"), *at("armed+observed")}}, "armed+observed"},
		{"a child", Birth{Child: true, Parent: at("armed")}, "armed"},
		{"a child of a bare parent", Birth{Child: true, Parent: at("-"), Live: []Tree{*at("-")}}, "-"},
		{"a child of an unknown parent", Birth{Child: true}, "armed+observed+governed"},
	} {
		if got := c.b.Tree(); got != treeOf(t, c.want) {
			t.Errorf("%s has %v", c.what, got.Bits())
		}
	}
}

func TestPosture(t *testing.T) {
	for _, word := range []string{"single_user", "multi_tenant"} {
		if p, err := ParsePosture(word); err != nil || string(p) != word {
			t.Errorf("%s: %q, %v", word, p, err)
		}
	}
	for _, word := range []string{"", "Single_User", "multi-tenant", " multi_tenant"} {
		if p, err := ParsePosture(word); code(err) != "unknown_posture" || p != MultiTenant {
			t.Errorf("%q: %q, %v", word, p, err)
		}
	}
}

// TestOrder: deny > mandate > ask > allow.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		in       Ruling
		mandate  bool
		out      Ruling
		mandated bool
	}{
		{Deny, false, Deny, false}, {Deny, true, Deny, false},
		{Allow, false, Allow, false}, {Allow, true, Ask, true},
		{Ask, false, Ask, false}, {Ask, true, Ask, true},
		{NoOpinion, false, NoOpinion, false}, {NoOpinion, true, Ask, true},
		{"Allow", false, Deny, false}, {"permit", true, Deny, false},
	} {
		if out, mandated := Order(c.in, c.mandate); out != c.out || mandated != c.mandated {
			t.Errorf("%q, mandate %v: %q, mandated %v", c.in, c.mandate, out, mandated)
		}
	}
}

// TestUnder: a mandate on a decision from elsewhere.
func TestUnder(t *testing.T) {
	for _, c := range []struct{ in, out Decision }{
		{Decision{Deny, "rule", false, false}, Decision{Deny, "rule", false, false}},
		{Decision{Deny, "org_rule", true, false}, Decision{Deny, "org_rule", true, false}},
		{Decision{Ask, "hook", false, false}, Decision{Ask, "hook", true, true}},
		{Decision{Ask, "", true, true}, Decision{Ask, "", true, true}},
		{Decision{Allow, "read_only", false, false}, Decision{Ask, "safety", true, true}},
		{Decision{NoOpinion, "", false, false}, Decision{Ask, "safety", true, true}},
		{Decision{NoOpinion, "mode", true, false}, Decision{Ask, "safety", true, true}},
	} {
		if got := c.in.Under(true); got != c.out {
			t.Errorf("%+v becomes %+v", c.in, got)
		}
		if got := c.in.Under(false); got != c.in {
			t.Errorf("without a mandate %+v becomes %+v", c.in, got)
		}
	}
	if got := (Decision{Action: "yes"}).Under(false); got.Action != Deny {
		t.Errorf("an unknown action becomes %+v", got)
	}
}

// TestUnwritten: a failed write refuses a begin and a suspended submit on a
// governed tree, and nothing else.
func TestUnwritten(t *testing.T) {
	for phase, refuses := range map[Phase]bool{Prepare: false, Exit: true, Suspend: true, Settle: false, "later": true} {
		for _, w := range trees {
			tree := treeOf(t, w)
			if got := Unwritten(phase, tree) == Unrecorded; got != (refuses && tree.Governed) {
				t.Errorf("%s, %s: refused %v", phase, w, got)
			}
		}
	}
}
