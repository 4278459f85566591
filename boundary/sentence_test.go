package boundary

import "testing"

func TestWhy(t *testing.T) {
	at := Account{Tree: Strictest(), Legs: Legs{OutsideWrite: true}, Target: "lab-7", ArmedAt: "14:02:11Z", ReadAt: "14:19:40Z"}
	change := func(f func(*Account)) Account { a := at; f(&a); return a }
	for _, c := range []struct {
		what  string
		a     Account
		why   string
		short string
	}{
		{"as on the screens", at,
			`This tree ran on target "lab-7" at 14:02:11Z, has read outside since 14:19:40Z and is governed; this call has the leg outside_write, so a person must answer it.`,
			`this tree ran on target "lab-7" and has read outside`},
		{"nothing was read", change(func(a *Account) { a.Tree.Observed = false }),
			`This tree ran on target "lab-7" at 14:02:11Z and is governed; this call has the leg outside_write, so a person must answer it.`,
			`this tree ran on target "lab-7"`},
		{"a run on the target", change(func(a *Account) { a.Legs = Legs{Env: true}; a.EnvIsTarget = true; a.Environment = "lab-7" }),
			`This tree ran on target "lab-7" at 14:02:11Z, has read outside since 14:19:40Z and is governed; this call has the leg env (target "lab-7"), so a person must answer it.`,
			`this tree ran on target "lab-7" and has read outside`},
		{"a run there and a write", change(func(a *Account) { a.Legs = EveryLeg(); a.EnvIsTarget = true; a.Environment = "lab-8" }),
			`This tree ran on target "lab-7" at 14:02:11Z, has read outside since 14:19:40Z and is governed; this call has the legs env (target "lab-8") and outside_write, so a person must answer it.`,
			`this tree ran on target "lab-7" and has read outside`},
		{"a run that owes nothing is not named", change(func(a *Account) { a.Legs = EveryLeg(); a.EnvIsTarget = true; a.Tree.Observed = false }),
			`This tree ran on target "lab-7" at 14:02:11Z and is governed; this call has the leg outside_write, so a person must answer it.`,
			`this tree ran on target "lab-7"`},
		{"a run elsewhere", change(func(a *Account) { a.Legs = Legs{Env: true}; a.Environment = "prod-eu" }),
			`This tree ran on target "lab-7" at 14:02:11Z, has read outside since 14:19:40Z and is governed; this call has the leg env ("prod-eu", no target), so a person must answer it.`,
			`this tree ran on target "lab-7" and has read outside`},
		{"its own begin arms", change(func(a *Account) { a.ByThisCall = true; a.Tree.Observed = false; a.EnvIsTarget = true }),
			`This tree runs on target "lab-7" with this call and is governed; this call has the leg outside_write, so a person must answer it.`,
			`this tree runs on target "lab-7" with this call`},
		{"nothing is known but the bits", Account{Tree: Strictest(), Legs: Legs{Env: true}},
			`This tree ran on a target, has read outside and is governed; this call has the leg env (no target), so a person must answer it.`,
			`this tree ran on a target and has read outside`},
		{"unreadable", change(func(a *Account) { a.Unreadable = "its record is not an object" }),
			`This tree is read as the strictest, because its record is not an object; this call has the leg outside_write, so a person must answer it.`,
			`this tree is read as the strictest`},
	} {
		if got := c.a.Why(); got != c.why {
			t.Errorf("%s:\n got %s\nwant %s", c.what, got, c.why)
		}
		if got := Heard([]string{"No rule answers this call, so a person is asked.", c.why}); got != c.short {
			t.Errorf("%s: %s", c.what, got)
		}
	}
	if got := Heard([]string{"This call crosses a device's boundary, so a person must answer it whatever any rule says.", "This tree"}); got != "" {
		t.Errorf("of no tree: %q", got)
	}
	for _, nothing := range []Account{{}, change(func(a *Account) { a.Legs = Legs{OutsideRead: true} }), change(func(a *Account) { a.Tree.Governed = false })} {
		if got := nothing.Why(); got != "" {
			t.Errorf("nothing is owed, and it says %q", got)
		}
	}
}

// so is written out for every tree.
var so = map[string]string{
	"-":                       "nothing crosses yet",
	"observed":                "nothing crosses yet",
	"governed":                "nothing crosses yet",
	"observed+governed":       "nothing crosses yet",
	"armed":                   "a read outside is recorded; nothing is mandated, because the tree is not governed",
	"armed+observed":          "nothing is mandated, because the tree is not governed",
	"armed+governed":          "a write outside is answered by a person, a read outside is recorded",
	"armed+observed+governed": "a run on the target, and a write outside, are answered by a person",
}

func TestSo(t *testing.T) {
	for _, w := range trees {
		if got := So(treeOf(t, w)); got != so[w] {
			t.Errorf("%s: %q", w, got)
		}
	}
	if SetArmed("lab-7") != `an execution ran on target "lab-7"` || SetArmed("") != "an execution ran on a target" ||
		SetGoverned != "armed under the posture multi_tenant" || SetObserved != "a call that owed a record began" {
		t.Error("the clauses of SCREENS §10 changed")
	}
}
