package notice

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"nod/digest"
)

// counts is what is announced of owed and carried words; - is nothing.
const counts = `
owed carried | count
0    0       | -
1    0       | 1
1    1       | -
2    0       | 2
2    1       | 1
2    2       | -
`

// details is the whole detail of each row, by what the leg and the carrier did.
var details = map[string]string{
	"steer":              `{"cause":"CAUSE","count":COUNT,"runId":"r-4","sessionId":"s-73d1","taskId":"t-88"}`,
	"follow-up":          `{"cause":"CAUSE","count":COUNT,"runId":"r-4","sessionId":"s-73d1","taskId":"t-88"}`,
	"feedback":           `{"cause":"CAUSE","count":COUNT,"kind":"approval_feedback","runId":"r-4","sessionId":"s-73d1","taskId":"t-88"}`,
	"feedback too long":  `{"carry":"steering.invalid_content","cause":"leg_end","count":COUNT,"kind":"approval_feedback","runId":"r-4","sessionId":"s-73d1","taskId":"t-88"}`,
	"feedback full":      `{"carry":"steering.queue_full","cause":"leg_end","count":COUNT,"kind":"approval_feedback","runId":"r-4","sessionId":"s-73d1","taskId":"t-88"}`,
	"steer'":             `{"cause":"CAUSE","childSessionId":"s-73d1","count":COUNT,"sessionId":"s-70aa","taskId":"t-88"}`,
	"follow-up'":         `{"cause":"CAUSE","childSessionId":"s-73d1","count":COUNT,"sessionId":"s-70aa","taskId":"t-88"}`,
	"feedback'":          `{"cause":"CAUSE","childSessionId":"s-73d1","count":COUNT,"kind":"approval_feedback","sessionId":"s-70aa","taskId":"t-88"}`,
	"feedback too long'": `{"carry":"steering.invalid_content","cause":"leg_end","childSessionId":"s-73d1","count":COUNT,"kind":"approval_feedback","sessionId":"s-70aa","taskId":"t-88"}`,
	"feedback full'":     `{"carry":"steering.queue_full","cause":"leg_end","childSessionId":"s-73d1","count":COUNT,"kind":"approval_feedback","sessionId":"s-70aa","taskId":"t-88"}`,
}

var codes = map[string]string{"steer": "steering.undrained", "follow-up": "follow_up.undrained", "feedback": "steering.undrained"}

// option is one account, and the row of details that it makes with its count.
type option struct {
	account *Account
	detail  string
	count   string
}

func options(t *testing.T, family Family, kind Kind, name string) []option {
	t.Helper()
	out := []option{{count: "-"}}
	carries := map[Carry]string{"": name}
	if kind == ApprovalFeedback {
		carries[InvalidContent], carries[QueueFull] = name+" too long", name+" full"
	}
	for _, line := range strings.Split(strings.TrimSpace(counts), "\n")[1:] {
		var owed, carried int64
		var count string
		if _, err := fmt.Sscanf(line, "%d %d | %s", &owed, &carried, &count); err != nil {
			t.Fatal(err)
		}
		for carry, detail := range carries {
			for _, returned := range []bool{false, true} {
				o := option{&Account{Family: family, Kind: kind, Owed: owed, Carried: carried, Carry: carry, Returned: returned}, detail, count}
				if returned && kind == ApprovalFeedback { // that exemption is its alone
					o.count = "-"
				}
				out = append(out, o)
			}
		}
	}
	return out
}

func show(t *testing.T, n *Notice) string {
	t.Helper()
	raw, err := n.Detail.Canonical(n.Code)
	if err != nil {
		t.Fatal(err)
	}
	return n.Code + " " + string(n.Audience) + " " + string(raw)
}

// TestEveryComposition plays every small account of each row with every other,
// both causes, with and without a parent.
func TestEveryComposition(t *testing.T) {
	n := 0
	steers, followUps, feedbacks := options(t, Steer, "", "steer"), options(t, FollowUp, "", "follow-up"), options(t, Steer, ApprovalFeedback, "feedback")
	for _, cause := range []Cause{LegEnd, Crashed} {
		for _, parent := range []string{"", "s-70aa"} {
			leg := Leg{Task: "t-88", Session: "s-73d1", Run: "r-4", Parent: parent, Cause: cause}
			for _, s := range steers {
				for _, f := range followUps {
					for _, a := range feedbacks {
						n++
						var accounts []Account
						var want []string
						for _, o := range []option{s, f, a} {
							if o.account != nil {
								accounts = append([]Account{*o.account}, accounts...) // their order does not matter
							}
							if o.count == "-" {
								continue
							}
							fill := strings.NewReplacer("CAUSE", string(cause), "COUNT", o.count)
							code := codes[strings.Fields(o.detail)[0]]
							want = append(want, code+" operator "+fill.Replace(details[o.detail]))
							if parent != "" {
								want = append(want, code+" operator "+fill.Replace(details[o.detail+"'"]))
							}
						}
						notices, err := Undrained(leg, accounts)
						if err != nil {
							t.Fatal(err)
						}
						var got []string
						keys := map[string]bool{}
						for i := range notices {
							got = append(got, show(t, &notices[i]))
							keys[notices[i].Key] = true
						}
						if !slices.Equal(got, want) {
							t.Fatalf("%+v, %+v:\n got %s\nwant %s", leg, accounts, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
						}
						if len(keys) != len(notices) {
							t.Fatalf("%+v: two notices have one key", accounts)
						}
					}
				}
			}
		}
	}
	t.Logf("%d compositions", n)
}

// TestAccountsAddUp: several accounts of one row are one notice.
func TestAccountsAddUp(t *testing.T) {
	feedback := func(owed, carried int64, carry Carry, returned bool) Account {
		return Account{Family: Steer, Kind: ApprovalFeedback, Owed: owed, Carried: carried, Carry: carry, Returned: returned}
	}
	for _, c := range []struct {
		what     string
		accounts []Account
		want     string // owed carried count carry
	}{
		{"three answers, one carried", []Account{feedback(1, 0, "", false), feedback(1, 1, "", false), feedback(1, 0, "", false)}, "3 1 2 "},
		{"one of them went back", []Account{feedback(1, 0, "", false), feedback(1, 0, "", true)}, "1 0 1 "},
		{"all went back", []Account{feedback(1, 0, QueueFull, true), feedback(2, 1, "", true)}, ""},
		{"all were carried", []Account{feedback(1, 1, "", false), feedback(1, 1, "", false)}, ""},
		{"a carry that was refused and then passed", []Account{feedback(1, 1, QueueFull, false), feedback(1, 0, "", false)}, "2 1 1 "},
		{"the queue was full for one", []Account{feedback(1, 0, "", false), feedback(1, 0, QueueFull, false)}, "2 0 2 steering.queue_full"},
		{"full, then too long", []Account{feedback(1, 0, QueueFull, false), feedback(1, 0, InvalidContent, false)}, "2 0 2 steering.invalid_content"},
		{"too long, then full", []Account{feedback(1, 0, InvalidContent, false), feedback(1, 0, QueueFull, false)}, "2 0 2 steering.invalid_content"},
		{"a returned one's refusal is not told", []Account{feedback(1, 0, InvalidContent, true), feedback(1, 0, QueueFull, false)}, "1 0 1 steering.queue_full"},
		{"steers", []Account{{Family: Steer, Owed: 2, Carried: 1}, {Family: Steer, Owed: 1}}, "3 1 2 "},
	} {
		notices, err := Undrained(Leg{Session: "s-1", Run: "r-1", Cause: LegEnd}, c.accounts)
		got := ""
		for _, n := range notices {
			got += fmt.Sprintf("%d %d %d %s", n.Owed, n.Carried, n.Detail.Count, n.Detail.Carry)
		}
		if err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", c.what, got, err, c.want)
		}
	}
}

func code(err error) string {
	var e *digest.Error
	if err == nil {
		return ""
	}
	if !errors.As(err, &e) || e.Sentence == "" || e.Hint == "" {
		return "no code, sentence and hint: " + err.Error()
	}
	return strings.TrimSpace(e.Code + " " + e.Pointer)
}

func TestBadAccounts(t *testing.T) {
	good := Leg{Session: "s-1", Run: "r-1", Cause: LegEnd}
	for _, c := range []struct {
		what    string
		leg     Leg
		account Account
		want    string
	}{
		{"no family", good, Account{Owed: 1}, "bad_account"},
		{"another family", good, Account{Family: "approval_feedback", Owed: 1}, "bad_account"},
		{"another kind", good, Account{Family: Steer, Kind: "deny", Owed: 1}, "bad_account"},
		{"feedback as a follow-up", good, Account{Family: FollowUp, Kind: ApprovalFeedback, Owed: 1}, "bad_account"},
		{"a steer that a carrier refused", good, Account{Family: Steer, Owed: 1, Carry: QueueFull}, "bad_account"},
		{"another carry refusal", good, Account{Family: Steer, Kind: ApprovalFeedback, Owed: 1, Carry: "steering.gone"}, "bad_account"},
		{"more carried than owed", good, Account{Family: Steer, Owed: 1, Carried: 2}, "bad_account"},
		{"less than nothing carried", good, Account{Family: Steer, Owed: 1, Carried: -1}, "bad_account"},
		{"too many", good, Account{Family: Steer, Owed: maxCount + 1}, "bad_account"},
		{"a returned one is checked too", good, Account{Family: Steer, Kind: ApprovalFeedback, Returned: true, Owed: -1, Carried: -1}, "bad_account"},
		{"no cause", Leg{Session: "s-1", Run: "r-1"}, Account{Family: Steer}, "bad_account"},
		{"a refusal as the cause", Leg{Session: "s-1", Run: "r-1", Cause: "steering.queue_full"}, Account{Family: Steer, Kind: ApprovalFeedback, Owed: 1, Carry: QueueFull}, "bad_account"},
		{"no session", Leg{Run: "r-1", Cause: LegEnd}, Account{Family: Steer, Owed: 1}, "bad_notice_detail /sessionId"},
		{"no run", Leg{Session: "s-1", Cause: LegEnd}, Account{Family: Steer, Owed: 1}, "bad_notice_detail /runId"},
		{"a parent that is not UTF-8", Leg{Session: "s-1", Run: "r-1", Parent: "\xff", Cause: LegEnd}, Account{Family: Steer, Owed: 1}, "bad_notice_detail /sessionId"},
	} {
		notices, err := Undrained(c.leg, []Account{{Family: FollowUp}, c.account})
		if code(err) != c.want || notices != nil {
			t.Errorf("%s: %v, %v", c.what, notices, err)
		}
	}
}

// TestOnce: a leg that is told as crashed and then as ended, or twice, has the
// keys that it had; another leg, session, row or reader has others.
func TestOnce(t *testing.T) {
	accounts := []Account{{Family: Steer, Owed: 1}, {Family: FollowUp, Owed: 1}, {Family: Steer, Kind: ApprovalFeedback, Owed: 1}}
	keys := func(l Leg) (out []string) {
		notices, err := Undrained(l, accounts)
		if err != nil || len(notices) == 0 {
			t.Fatal(notices, err)
		}
		for _, n := range notices {
			out = append(out, n.Key)
		}
		return out
	}
	first := keys(Leg{Session: "s-1", Run: "r-1", Parent: "s-0", Cause: Crashed})
	if again := keys(Leg{Session: "s-1", Run: "r-1", Parent: "s-0", Cause: LegEnd}); !slices.Equal(first, again) {
		t.Errorf("%v, then %v", first, again)
	}
	all := map[string]int{}
	for _, l := range []Leg{{Session: "s-1", Run: "r-1", Parent: "s-0"}, {Session: "s-1", Run: "r-2", Parent: "s-0"}, {Session: "s-2", Run: "r-1", Parent: "s-0"},
		{Session: `s-1","r-1`, Run: "x", Parent: "s-0"}, {Session: "s-1", Run: `r-1","x`, Parent: "s-0"}} {
		l.Cause = LegEnd
		for _, k := range keys(l) {
			if all[k]++; all[k] > 1 {
				t.Errorf("two notices have the key %s", k)
			}
		}
	}
	if len(all) != 5*6 {
		t.Errorf("%d keys", len(all))
	}
}

// corpus is what this package says to each case; the rest of a case (the words'
// own way, what a submitter is told, who acknowledges) is not its.
var corpus = map[string]struct {
	leg      Leg
	accounts []Account
	want     string // kind count cause carry, for each; a copy ends in '
}{
	"feedback-notices-001": {Leg{Cause: LegEnd}, []Account{{Family: Steer, Kind: ApprovalFeedback, Owed: 1}}, "approval_feedback 1 leg_end"},
	"feedback-notices-002": {Leg{Cause: LegEnd}, []Account{{Family: Steer, Kind: ApprovalFeedback, Owed: 1, Carry: InvalidContent}}, "approval_feedback 1 leg_end steering.invalid_content"},
	"feedback-notices-003": {Leg{Cause: LegEnd}, []Account{{Family: Steer, Kind: ApprovalFeedback, Owed: 1, Carry: QueueFull}}, "approval_feedback 1 leg_end steering.queue_full"},
	"feedback-notices-004": {Leg{Cause: LegEnd}, []Account{{Family: Steer, Kind: ApprovalFeedback, Owed: 1, Returned: true}}, ""},
	"feedback-notices-005": {Leg{Cause: Crashed}, []Account{{Family: Steer, Kind: ApprovalFeedback, Owed: 2}}, "approval_feedback 2 crashed"},
	"feedback-notices-006": {Leg{Cause: LegEnd, Parent: "s-0"}, []Account{{Family: Steer, Kind: ApprovalFeedback, Owed: 1}}, "approval_feedback 1 leg_end, approval_feedback 1 leg_end'"},
	"feedback-notices-007": {Leg{Cause: LegEnd}, []Account{{Family: Steer, Kind: ApprovalFeedback, Owed: 3, Carried: 1}}, "approval_feedback 2 leg_end"},
	"feedback-notices-008": {Leg{Cause: LegEnd}, []Account{{Family: Steer, Kind: ApprovalFeedback, Owed: 1, Carried: 1}}, ""}, // it reached the submitter
	"feedback-notices-009": {Leg{Cause: LegEnd}, nil, ""},                                                                     // nobody answered: no words
	"feedback-notices-010": {Leg{Cause: LegEnd}, nil, ""},                                                                     // a rule answered: no words of a person
	"feedback-notices-011": {Leg{Cause: LegEnd}, []Account{{Family: Steer, Kind: ApprovalFeedback, Owed: owed("  \t\n\u00a0\u3000")}}, ""},
	"feedback-notices-012": {Leg{Cause: LegEnd}, []Account{{Family: Steer, Kind: ApprovalFeedback, Owed: owed("\x1b[2J\u202e")}}, "approval_feedback 1 leg_end"},
	"feedback-notices-013": {Leg{Cause: LegEnd}, []Account{{Family: Steer, Kind: ApprovalFeedback, Owed: 1}}, "approval_feedback 1 leg_end"},
	"feedback-notices-014": {Leg{Cause: LegEnd}, []Account{{Family: Steer, Kind: ApprovalFeedback, Owed: 1}}, "approval_feedback 1 leg_end"},
}

func owed(words string) int64 {
	if IsOwed(words) {
		return 1
	}
	return 0
}

func TestCorpus(t *testing.T) {
	text, err := os.ReadFile("testdata/feedback-notices.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	played := 0
	for line := range strings.Lines(string(text)) {
		var c struct{ ID, Input, Rule string }
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		e, known := corpus[c.ID]
		if !known {
			t.Errorf("%s is not played", c.ID)
			continue
		}
		played++
		e.leg.Session, e.leg.Run = "s-1", "r-1"
		notices, err := Undrained(e.leg, e.accounts)
		if err != nil {
			t.Error(err)
		}
		var got []string
		counted := int64(0)
		for i := range notices {
			n := &notices[i]
			s := strings.TrimSpace(fmt.Sprintf("%s %d %s %s", n.Detail.Kind, n.Detail.Count, n.Detail.Cause, n.Detail.Carry))
			if n.IsCopy() {
				s += "'"
			} else {
				counted += n.Detail.Count
			}
			got = append(got, s)
		}
		if strings.Join(got, ", ") != e.want {
			t.Errorf("%s (%s): %v, want %s", c.ID, c.Rule, got, e.want)
		}
		if c.ID == "feedback-notices-006" && counted != 1 {
			t.Errorf("the words of a child count %d", counted)
		}
		again, err := Undrained(e.leg, e.accounts) // 013, 014: shown again, and one record
		if err != nil || !slices.Equal(notices, again) {
			t.Errorf("%s: another notice the second time", c.ID)
		}
	}
	if played != len(corpus) || played != 14 {
		t.Errorf("%d cases were played", played)
	}
}

// Accounts that add up to more than may be counted are refused as accounts.
func TestTooManyWordsInAll(t *testing.T) {
	a := Account{Family: Steer, Owed: maxCount}
	_, err := Undrained(Leg{Session: "s", Run: "r", Cause: LegEnd}, []Account{a, a})
	if e, ok := errors.AsType[*digest.Error](err); !ok || e.Code != CodeBadAccount {
		t.Errorf("got %v", err)
	}
}
