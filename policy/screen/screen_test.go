package screen

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"nod/digest"
)

// values are the columns of the table below.
var values = []string{`null`, `true`, `false`, `1`, `""`, `"rule"`, `"no ruling"`, `{}`, `[]`, `{"autoDenyAfterMs":5}`, `{"autoDenyAfterMs":null}`}

// table is SEED-TABLES §4, written out: each of the 26 members, on which arms it
// may be (allow, ask, deny, none), and each value on the ask arm: . passes,
// w is outside its words, a is a carried auto-deny window. classifierNoRuling has
// the words of this test's contract.
const table = `
                         arms   null true false 1 "" "rule" "no ruling" {} [] {5} {null}
updatedInput             a?dn   .    .    .     . .  .      .           .  .  .   .
message                  a?dn   .    .    .     . .  .      .           .  .  .   .
decisionReason           a?dn   w    w    w     w w  .      w           w  w  w   w
attestation              a?dn   .    .    .     . .  .      .           .  .  .   .
requiresRealApproval     -?--   w    .    .     w w  w      w           w  w  w   w
denialLimitFallback      -?--   .    .    .     . .  .      .           .  .  a   a
classifierNoRuling       -?--   w    w    w     w w  w      .           w  w  w   w
allowRuleShadowed        -?--   .    .    .     . .  .      .           .  .  .   .
probeReason              -?--   .    .    .     . .  .      .           .  .  .   .
probeCause               -?--   .    .    .     . .  .      .           .  .  .   .
probeMandated            -?--   w    .    w     w w  w      w           w  w  w   w
crossBoundaryMandated    -?--   w    .    w     w w  w      w           w  w  w   w
mandated                 -?--   w    .    w     w w  w      w           w  w  w   w
mandate                  -?--   .    .    .     . .  .      .           .  .  .   .
probeReadRootCandidate   -?--   .    .    .     . .  .      .           .  .  .   .
matchedAskRule           -?--   .    .    .     . .  .      .           .  .  .   .
ruleEvidence             -?--   .    .    .     . .  .      .           .  .  .   .
segmentCoverage          -?--   .    .    .     . .  .      .           .  .  .   .
origin                   -?--   .    .    .     . .  .      .           .  .  .   .
askClass                 -?--   .    .    .     . .  .      .           .  .  .   .
classes                  -?--   .    .    .     . .  .      .           .  .  .   .
guards                   -?--   .    .    .     . .  .      .           .  .  .   .
ruleUnreadable           -?--   .    .    .     . .  .      .           .  .  .   .
authoredBy               -?--   .    .    .     . .  .      .           .  .  .   .
foldedAskClasses         -?--   .    .    .     . .  .      .           .  .  .   .`

var contract = Contract{NoRuling: []string{"no ruling", "timeout"}}

func row(line string) (member string, arms map[Action]bool, cells []string) {
	f := strings.Fields(line)
	return f[0], map[Action]bool{Allow: f[1][0] == 'a', Ask: f[1][1] == '?', Deny: f[1][2] == 'd', None: f[1][3] == 'n'}, f[2:]
}

func document(action Action, members ...string) string {
	if action != None {
		members = append([]string{fmt.Sprintf(`"action":%q`, action)}, members...)
	}
	return "{" + strings.Join(members, ",") + "}"
}

// Every member, on every arm, with every value.
func TestEveryMemberOnEveryArm(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(table), "\n")[1:]
	if len(lines) != 25 { // and action itself
		t.Fatalf("%d members", len(lines))
	}
	for _, line := range lines {
		member, arms, cells := row(line)
		if len(cells) != len(values) {
			t.Fatalf("%s has %d cells", member, len(cells))
		}
		for action, may := range arms {
			for i, value := range values {
				doc := document(action, fmt.Sprintf(`%q:%s`, member, value))
				d := contract.Screen([]byte(doc))
				pointer := "/" + member
				passes := may && cells[i] == "."
				if may && cells[i] == "a" {
					pointer += "/autoDenyAfterMs"
				}
				switch {
				case passes && (d.Refused != nil || d.Action != action || string(d.Document) != canonical(t, doc)):
					t.Errorf("%s: %+v", doc, d)
				case !passes:
					checkRefused(t, doc, d, pointer)
				}
			}
		}
	}
}

func checkRefused(t *testing.T, doc string, d Decision, pointer string) {
	t.Helper()
	if d.Refused == nil || d.Action != Deny || d.Refused.Code != CodeOutOfContract || d.Refused.Pointer != pointer ||
		d.Refused.Sentence == "" || d.Refused.Hint == "" || d.Document != nil || d.Reason != "" || d.RealApproval || d.Mandated {
		t.Errorf("%s: %+v, want a deny that names %s", doc, d, pointer)
	}
}

func canonical(t *testing.T, doc string) string {
	t.Helper()
	out, err := digest.Canonical([]byte(doc), digest.NoLimits())
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestTheClosedWords(t *testing.T) {
	for _, word := range []string{"allow", "ask", "deny"} {
		if d := contract.Screen([]byte(`{"action":"` + word + `"}`)); string(d.Action) != word || d.Refused != nil {
			t.Errorf("%s: %+v", word, d)
		}
	}
	for _, value := range []string{`null`, `"Allow"`, `"allow "`, `""`, `"none"`, `"modify"`, `1`, `true`, `["allow"]`, `{}`} {
		doc := `{"action":` + value + `}`
		checkRefused(t, doc, contract.Screen([]byte(doc)), "/action")
	}
	for _, reason := range strings.Fields("rule mode hook safety classifier persisted_rule sandbox org_rule org_unavailable read_only skill deployment_rule request_rule") {
		for _, action := range []Action{Allow, Ask, Deny, None} {
			if d := contract.Screen([]byte(document(action, `"decisionReason":"`+reason+`"`))); d.Reason != reason || d.Action != action {
				t.Errorf("%s %s: %+v", action, reason, d)
			}
		}
	}
	if len(Reasons()) != 13 || len(Everywhere())+len(OnAsk()) != 26 {
		t.Error("13 reasons, 26 members")
	}
	// classifierNoRuling is any text where a deployment names no words.
	for value, passes := range map[string]bool{`""`: true, `"anything"`: true, `null`: false, `1`: false, `{}`: false} {
		doc := document(Ask, `"classifierNoRuling":`+value)
		if d := (Contract{}).Screen([]byte(doc)); (d.Refused == nil) != passes {
			t.Errorf("%s: %+v", doc, d)
		}
	}
	if d := (Contract{NoRuling: []string{}}).Screen([]byte(document(Ask, `"classifierNoRuling":"x"`))); d.Refused == nil {
		t.Error("a deployment without words took one")
	}
}

// Closed words, then arms, then the window; and what is no object at all.
func TestTheOrderOfScreening(t *testing.T) {
	for doc, pointer := range map[string]string{
		`{"action":"yes","mandated":false,"other":1}`:                                       "/action",
		`{"action":"allow","decisionReason":"x","mandated":true}`:                           "/decisionReason",
		`{"action":"allow","decisionReason":"x","classifierNoRuling":7}`:                    "/decisionReason",
		`{"action":"allow","classifierNoRuling":7,"mandated":false}`:                        "/classifierNoRuling",
		`{"action":"allow","askClass":1,"mandated":false}`:                                  "/mandated",
		`{"action":"deny","askClass":1,"requiresRealApproval":"yes"}`:                       "/requiresRealApproval",
		`{"action":"ask","crossBoundaryMandated":false,"probeMandated":false,"mandated":1}`: "/crossBoundaryMandated",
		`{"action":"ask","probeMandated":false,"mandated":false}`:                           "/probeMandated",
		`{"action":"ask","denialLimitFallback":{"autoDenyAfterMs":1},"mandated":false}`:     "/mandated",
		`{"action":"ask","denialLimitFallback":{"autoDenyAfterMs":1},"other":1}`:            "/other",
		`{"action":"allow","denialLimitFallback":{"autoDenyAfterMs":1}}`:                    "/denialLimitFallback",
		`{"denialLimitFallback":null}`:                                                      "/denialLimitFallback",
		`{"action":"deny","requiresRealApproval":false}`:                                    "/requiresRealApproval",
		`{"action":"ask","Message":"x"}`:                                                    "/Message",
		`{"action":"ask","a/b~":"x"}`:                                                       "/a~1b~0",
		`{"action":"allow","guards":[],"askClass":1}`:                                       "/askClass",
		`{"action":"ask","action":"allow"}`:                                                 "",
		`[]`:                                                                                "", `null`: "", `"allow"`: "", `true`: "", ``: "", `{"action":"allow"`: "", `{"action":"allow"} {}`: "",
		`{"action":"allow","updatedInput":9007199254740993}`: "",
	} {
		checkRefused(t, doc, contract.Screen([]byte(doc)), pointer)
	}
	whole := `{"action":"ask","updatedInput":{"a":1},"message":"m","decisionReason":"hook","attestation":{},"requiresRealApproval":false,
		"denialLimitFallback":{"limit":3,"inner":{"autoDenyAfterMs":1}},"classifierNoRuling":"timeout","allowRuleShadowed":true,"probeReason":"p","probeCause":"c","probeMandated":true,
		"crossBoundaryMandated":true,"mandated":true,"mandate":{},"probeReadRootCandidate":"/","matchedAskRule":"r","ruleEvidence":[],
		"segmentCoverage":1,"origin":"o","askClass":"a","classes":[],"guards":[],"ruleUnreadable":false,"authoredBy":"x","foldedAskClasses":[]}`
	if d := contract.Screen([]byte(whole)); d.Refused != nil || d.Action != Ask || d.Reason != "hook" || d.RealApproval || !d.Mandated {
		t.Errorf("%+v", d)
	}
}

func TestAMandateOnADecision(t *testing.T) {
	for doc, want := range map[string]string{
		`{}`: `{"action":"ask","crossBoundaryMandated":true,"decisionReason":"safety","requiresRealApproval":true}`,
		`{"message":"m","decisionReason":"skill"}`:             `{"action":"ask","crossBoundaryMandated":true,"decisionReason":"safety","message":"m","requiresRealApproval":true}`,
		`{"action":"allow","updatedInput":{"b":1}}`:            `{"action":"ask","crossBoundaryMandated":true,"decisionReason":"safety","requiresRealApproval":true,"updatedInput":{"b":1}}`,
		`{"action":"allow","decisionReason":"persisted_rule"}`: `{"action":"ask","crossBoundaryMandated":true,"decisionReason":"safety","requiresRealApproval":true}`,
		`{"action":"ask"}`: `{"action":"ask","crossBoundaryMandated":true,"requiresRealApproval":true}`,
		`{"action":"ask","decisionReason":"classifier","requiresRealApproval":false,"origin":"o"}`: `{"action":"ask","crossBoundaryMandated":true,"decisionReason":"classifier","origin":"o","requiresRealApproval":true}`,
		`{"action":"ask","requiresRealApproval":true,"crossBoundaryMandated":true}`:                `{"action":"ask","crossBoundaryMandated":true,"requiresRealApproval":true}`,
		`{"action":"deny","message":"no"}`:                                                         `{"action":"deny","message":"no"}`,
	} {
		d := contract.Screen([]byte(doc))
		before := string(d.Document)
		m := d.Mandate()
		if string(m.Document) != want {
			t.Errorf("%s:\n got %s\nwant %s", doc, m.Document, want)
		}
		if string(d.Document) != before {
			t.Errorf("%s was changed", doc)
		}
		again := contract.Screen(m.Document)
		if again.Refused != nil || again.Action != m.Action || again.Reason != m.Reason || again.RealApproval != m.RealApproval || again.Mandated != m.Mandated {
			t.Errorf("%s is screened as %+v, was %+v", m.Document, again, m)
		}
		if twice := m.Mandate(); string(twice.Document) != want {
			t.Errorf("mandated twice: %s", twice.Document)
		}
	}
	if d := contract.Screen([]byte(`{"action":"allow","mandated":true}`)).Mandate(); d.Action != Deny || d.Refused == nil {
		t.Errorf("a mandate on what was refused: %+v", d)
	}
	if d := (Decision{}).Mandate(); d.Action != Ask || !d.Mandated {
		t.Errorf("a mandate on no opinion: %+v", d)
	}
}

// FuzzScreen: what is refused is a deny; what passes has only members of its arm,
// and a mandate on it is of the contract and no looser.
func FuzzScreen(f *testing.F) {
	for _, v := range values {
		f.Add([]byte(`{"action":"ask","denialLimitFallback":` + v + `,"requiresRealApproval":false}`))
	}
	f.Add([]byte(`{"action":"allow","updatedInput":{},"decisionReason":"rule"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		d := contract.Screen(raw)
		if d.Refused != nil {
			if d.Action != Deny || d.Document != nil {
				t.Fatalf("%+v", d)
			}
			return
		}
		for name := range d.Document.Members() {
			if !slices.Contains(Everywhere(), name) && (d.Action != Ask || !slices.Contains(OnAsk(), name)) {
				t.Fatalf("%s passed with %q", d.Document, name)
			}
		}
		m := contract.Screen(d.Mandate().Document)
		if m.Refused != nil || d.Action == Deny && m.Action != Deny || d.Action != Deny && (m.Action != Ask || !m.RealApproval || !m.Mandated) {
			t.Fatalf("%s mandated is %+v", d.Document, m)
		}
	})
}
