package queue_test

import (
	"slices"
	"strings"
	"testing"

	"nod/descriptor"
	"nod/digest"
	"nod/digest/card"
	"nod/queue"
)

// by gives settings with these descriptors.
func by(t *testing.T, tools ...descriptor.Tool) func(*queue.Settings) {
	t.Helper()
	set, err := descriptor.Compile(tools)
	if err != nil {
		t.Fatal(err)
	}
	return func(s *queue.Settings) { s.Descriptors = set }
}

func refundTool() descriptor.Tool {
	return descriptor.Tool{Name: "billing.refund", Class: "irreversible", Access: "write", Confirm: "/payment_id",
		Reading: []descriptor.Reading{{At: "/amount", As: descriptor.AsMoney, Currency: "/currency"}}}
}

func refund(args string) queue.Submit {
	return queue.Submit{Kind: "call", Session: "s1", Call: &queue.Call{Tool: "billing.refund", Arguments: []byte(args)}}
}

const cup = `{"payment_id":"pay_8842","amount":4800,"currency":"EUR"}`

func TestReadingsStandBesideTheRawValues(t *testing.T) {
	w := newWorld(t, by(t, refundTool()))
	v := w.see(w.submit(refund(cup)).Ask)
	for _, want := range []string{"reading/amount ", `"48.00 EUR"`, "arguments/amount ", "│ 4800\n", "class ", "│ irreversible\n"} {
		if !strings.Contains(v.Card, want) {
			t.Errorf("the card lacks %q:\n%s", want, v.Card)
		}
	}
	set, _ := descriptor.Compile([]descriptor.Tool{refundTool()})
	ask, err := digest.ParseAsk(v.Ask, digest.NoLimits())
	if err != nil || ask.Descriptor == nil || ask.Descriptor.Digest != set.Tool("billing.refund").Digest() {
		t.Fatalf("the ask's descriptor is %+v, %v", ask.Descriptor, err)
	}
	if plain := w.see(w.submit(call("ls")).Ask); strings.Contains(string(plain.Ask), `"descriptor"`) || plain.Changed {
		t.Error("a tool without a descriptor has one")
	}
}

// The caller's statement is used only where it is the stricter one.
func TestCallersOnlyRaiseADescriptor(t *testing.T) {
	alone(t)
	for _, c := range []struct{ stated, access, described, describedAccess, want, wantAccess string }{
		{"reversible", "read", "irreversible", "write", "irreversible", "write"},
		{"irreversible", "write", "reversible", "read", "irreversible", "write"},
		{"", "", "compensatable", "idempotent", "compensatable", "idempotent"},
		{"compensatable", "write", "", "idempotent", "compensatable", "write"},
		{"", "read", "irreversible", "", "irreversible", "read"},
	} {
		tool := refundTool()
		tool.Class, tool.Access = c.described, c.describedAccess
		w := newWorld(t, by(t, tool))
		s := refund(cup)
		if c.stated+c.access != "" {
			s.Call.Effect = &queue.Effect{Class: c.stated, Access: c.access}
		}
		v := w.see(w.submit(s).Ask)
		ask, err := digest.ParseAsk(v.Ask, digest.NoLimits())
		if err != nil {
			t.Fatal(err)
		}
		if e := ask.Action.Effect; e.Class != c.want || e.Access != c.wantAccess {
			t.Errorf("%+v: the action's effect is %+v", c, e)
		}
		if v.Row.Irreversible != (c.want == "irreversible") || slices.Contains(v.Row.Reasons, "irreversible") != v.Row.Irreversible {
			t.Errorf("%+v: irreversible is %v for %v", c, v.Row.Irreversible, v.Row.Reasons)
		}
	}
}

// No rule allows what the descriptor calls irreversible.
func TestARuleDoesNotAllowWhatADescriptorForbids(t *testing.T) {
	allow := func(s *queue.Settings) { s.Rules = ruling{queue.Ruling{Verdict: queue.RuleAllow, Rule: "all"}} }
	w := newWorld(t, by(t, refundTool()), allow)
	s := refund(cup)
	s.Call.Effect = &queue.Effect{Class: "reversible", Access: "read"}
	if got := w.submit(s); got.State != queue.StatePending {
		t.Errorf("a refund is %s", got.State)
	}
}

type ruling struct{ r queue.Ruling }

func (r ruling) Judge(*digest.Action) queue.Ruling { return r.r }

func TestTheDescriptorsValueIsTyped(t *testing.T) {
	w := newWorld(t, by(t, refundTool()))
	s := w.submit(refund(cup))
	v := w.see(s.Ask)
	if v.Confirm != "pay_8842" || v.ConfirmAt != "/payment_id" {
		t.Fatalf("asks for %q at %q", v.Confirm, v.ConfirmAt)
	}
	d := w.decision(s.Ask, queue.VerdictAllow)
	for _, wrong := range []string{"", "billing.refund", "pay_8843", "PAY_8842"} {
		d.Confirm = wrong
		w.refused(w.operator, d, queue.CodeWrongConfirm, 0)
	}
	w.decide(s.Ask, queue.VerdictAllow)
	must[queue.Begun](t)(queue.As[queue.Begun](t.Context(), w.agent, begin(s)))
}

// A value that nobody can type is asked as the tool's name, and the card says
// so.
func TestAValueThatCannotBeTyped(t *testing.T) {
	alone(t)
	for name, c := range map[string]struct {
		id   string
		want string
	}{
		"number":     {`77`, "77"},
		"absent":     {``, ""},
		"empty":      {`""`, ""},
		"blanks":     {`" pay"`, ""},
		"inner":      {`"pay 1"`, "pay 1"},
		"look-alike": {`"pаy_1"`, ""},
		"escape":     {`"pay\u001b"`, ""},
		"list":       {`["pay_1"]`, ""},
		"null":       {`null`, ""},
		"long":       {`"` + strings.Repeat("x", 65) + `"`, ""},
		"64":         {`"` + strings.Repeat("x", 64) + `"`, strings.Repeat("x", 64)},
	} {
		w := newWorld(t, by(t, refundTool()))
		args := `{"amount":1}`
		if c.id != "" {
			args = `{"amount":1,"payment_id":` + c.id + `}`
		}
		s := w.submit(refund(args))
		v := w.see(s.Ask)
		said := strings.Contains(v.Card, "the tool's name is asked")
		if c.want == "" && (v.Confirm != "billing.refund" || v.ConfirmAt != "" || !said) ||
			c.want != "" && (v.Confirm != c.want || v.ConfirmAt != "/payment_id" || said) {
			t.Errorf("%s: asks for %q at %q, said %v", name, v.Confirm, v.ConfirmAt, said)
		}
		w.decide(s.Ask, queue.VerdictAllow)
	}
}

// Any change of the descriptor between the ask and its begin takes the allow.
func TestAChangedDescriptorRevokes(t *testing.T) {
	alone(t)
	other := refundTool()
	other.Reading = nil
	none := func(*queue.Settings) {}
	bash := descriptor.Tool{Name: "Bash", Access: "write"}
	for name, c := range map[string]struct {
		before, after func(*queue.Settings)
		submit        queue.Submit
		refused       bool
	}{
		"a reading went": {by(t, refundTool()), by(t, other), refund(cup), true},
		"it went":        {by(t, refundTool()), none, refund(cup), true},
		"it came":        {none, by(t, bash), call("ls"), true},
		"another tool's": {none, by(t, refundTool()), call("ls"), false},
		"the same":       {by(t, refundTool()), by(t, refundTool(), bash), refund(cup), false},
	} {
		w := newWorld(t, c.before)
		s := w.submit(c.submit)
		w.decide(s.Ask, queue.VerdictAllow)
		w.configure(c.after)
		if !c.refused {
			must[queue.Begun](t)(queue.As[queue.Begun](t.Context(), w.agent, begin(s)))
			continue
		}
		w.refused(w.agent, begin(s), queue.CodeDescriptorChanged, 1)
		if row := w.see(s.Ask).Row; row.State != queue.StateRevoked || row.RevokeReason != queue.CodeDescriptorChanged {
			t.Errorf("%s: %s for %q", name, row.State, row.RevokeReason)
		}
		w.configure(c.before)
		w.refused(w.agent, begin(s), queue.CodeDecided, 0)
	}
}

// Where a value is typed, another descriptor can name no other value.
func TestAChangedDescriptorAsksForNothing(t *testing.T) {
	w := newWorld(t, by(t, refundTool()))
	s := w.submit(refund(cup))
	d := w.decision(s.Ask, queue.VerdictAllow)
	other := refundTool()
	other.Confirm = "/currency"
	w.configure(by(t, other))
	for _, typed := range []string{"pay_8842", "EUR", "billing.refund", ""} {
		d.Confirm = typed
		w.refused(w.operator, d, queue.CodeDescriptorChanged, 0)
	}
	if v := w.see(s.Ask); !v.Changed || v.Confirm != "" || v.ConfirmAt != "" {
		t.Errorf("asks for %q at %q, changed %v", v.Confirm, v.ConfirmAt, v.Changed)
	}
	w.decide(s.Ask, queue.VerdictDeny) // a no is always possible
}

// Nor is any other allow taken under another descriptor than the ask's: one
// that came, one that went, one that reads otherwise.
func TestNoAllowUnderAnotherDescriptor(t *testing.T) {
	harmless := refundTool()
	harmless.Class, harmless.Confirm = "reversible", ""
	other := harmless
	other.Reading = nil
	none := func(*queue.Settings) {}
	for name, c := range map[string]struct{ before, after func(*queue.Settings) }{
		"came": {none, by(t, harmless)}, "went": {by(t, harmless), none}, "other": {by(t, harmless), by(t, other)},
	} {
		w := newWorld(t, c.before)
		s := w.submit(refund(cup))
		d := w.decision(s.Ask, queue.VerdictAllow)
		w.configure(c.after)
		w.refused(w.operator, d, queue.CodeDescriptorChanged, 0)
		if !w.see(s.Ask).Changed {
			t.Errorf("%s: the view does not say so", name)
		}
		w.configure(c.before)
		w.decide(s.Ask, queue.VerdictAllow)
	}
}

// A call is not given an ask that reads its values otherwise.
func TestAnAskOfAnotherDescriptorIsNotAdopted(t *testing.T) {
	w := newWorld(t, by(t, refundTool()))
	first := w.submit(refund(cup))
	other := refundTool()
	other.Reading[0].Currency = "USD"
	for _, c := range []struct {
		set   func(*queue.Settings)
		adopt bool
	}{{by(t, other), false}, {by(t, refundTool()), true}} {
		w.configure(c.set)
		w.pass(31_000)
		again := w.submit(refund(cup))
		if again.Adopted != c.adopt || (again.Ask == first.Ask) != c.adopt {
			t.Errorf("adopted %v, want %v", again.Adopted, c.adopt)
		}
	}
}

// What a person made of a call is described anew, by what it is then.
func TestAnEditIsDescribedAnew(t *testing.T) {
	w := newWorld(t, by(t, refundTool()))
	s := refund(cup)
	s.Edits = true
	first := w.submit(s)
	edited := must[queue.Edited](t)(queue.As[queue.Edited](t.Context(), w.operator,
		w.change(first.Ask, `{"payment_id":"pay_9","amount":1200,"currency":"JPY"}`)))
	v := w.see(edited.Ask)
	if !strings.Contains(v.Card, `"1200 JPY"`) || strings.Contains(v.Card, "48.00 EUR") || v.Confirm != "pay_9" || !v.Row.Irreversible {
		t.Errorf("asks for %q, irreversible %v:\n%s", v.Confirm, v.Row.Irreversible, v.Card)
	}
}

// A caller reaches no looser ask by an operation, a member or a name that the
// descriptor does not know.
func TestADescriptorIsOfTheWholeTool(t *testing.T) {
	w := newWorld(t, by(t, refundTool()))
	s := refund(cup)
	s.Call.Operation = "list"
	if v := w.see(w.submit(s).Ask); !v.Row.Irreversible || v.Confirm != "pay_8842" {
		t.Errorf("with an operation: irreversible %v, asks for %q", v.Row.Irreversible, v.Confirm)
	}
}

// A card whose descriptor has no reading is a card.
func TestADescriptorWithoutReadings(t *testing.T) {
	tool := refundTool()
	tool.Reading = nil
	w := newWorld(t, by(t, tool))
	v := w.see(w.submit(refund(cup)).Ask)
	ask, err := card.Parse([]byte(v.Card))
	if err != nil || ask.Descriptor == nil || len(ask.Descriptor.Readings) != 0 {
		t.Errorf("%v", err)
	}
}
