package notice

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func page(t *testing.T) string {
	t.Helper()
	doc, err := os.ReadFile("../docs/spec/notices.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(doc)
}

// fences gives the lines of every example of one kind on the page.
func fences(t *testing.T, kind string, least int) (out [][]string) {
	t.Helper()
	for _, m := range regexp.MustCompile("(?s)```"+kind+"\n(.*?)\n```").FindAllStringSubmatch(page(t), -1) {
		out = append(out, strings.Split(m[1], "\n"))
	}
	if len(out) < least {
		t.Fatalf("the page has %d examples of %s", len(out), kind)
	}
	return out
}

// read takes the leg and the accounts from the head of an example.
func read(t *testing.T, block []string) (l Leg, accounts []Account, rest []string) {
	t.Helper()
	for i, line := range block {
		what, value, _ := strings.Cut(line, ": ")
		parts := strings.Split(value, ", ")
		switch what {
		case "leg":
			for _, p := range parts {
				switch name, v, _ := strings.Cut(p, " "); name {
				case "task":
					l.Task = v
				case "session":
					l.Session = v
				case "run":
					l.Run = v
				case "parent":
					l.Parent = v
				default:
					l.Cause = Cause(p)
				}
			}
		case "account":
			a := Account{Family: Family(parts[0])}
			if parts[0] == "feedback" {
				a.Family, a.Kind = Steer, ApprovalFeedback
			}
			if _, err := fmt.Sscanf(parts[1]+" "+parts[2], "%d owed %d carried", &a.Owed, &a.Carried); err != nil {
				t.Fatal(line, err)
			}
			for _, p := range parts[3:] {
				a.Returned = a.Returned || p == "returned"
				if carry, ok := strings.CutPrefix(p, "refused "); ok {
					a.Carry = Carry(carry)
				}
			}
			accounts = append(accounts, a)
		default:
			return l, accounts, block[i:]
		}
	}
	return l, accounts, nil
}

func TestSpecDetails(t *testing.T) {
	for _, line := range fences(t, "detail", 1)[0] {
		code, raw, _ := strings.Cut(line, " ")
		d, err := ParseDetail(code, []byte(raw))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if again, err := d.Canonical(code); err != nil || string(again) != raw {
			t.Errorf("%s is written %s, %v", line, again, err)
		}
	}
}

func TestSpecUndrained(t *testing.T) {
	for _, block := range fences(t, "undrained", 4) {
		l, accounts, want := read(t, block)
		notices, err := Undrained(l, accounts)
		if err != nil {
			t.Error(err)
		}
		var got []string
		for i := range notices {
			got = append(got, strings.Replace(show(t, &notices[i]), " operator ", " ", 1))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n got %s", strings.Join(block, "\n"), strings.Join(got, "\n     "))
		}
	}
}

func TestSpecSay(t *testing.T) {
	for _, block := range fences(t, "say", 5) {
		var n Notice
		l, accounts, want := read(t, block)
		if line, ok := strings.CutPrefix(block[0], "notice: "); ok {
			code, raw, _ := strings.Cut(line, " ")
			d, err := ParseDetail(code, []byte(raw))
			if err != nil {
				t.Fatal(err)
			}
			n, want = Notice{Code: code, Detail: d}, block[1:]
		} else {
			notices, err := Undrained(l, accounts)
			if err != nil || len(notices) == 0 {
				t.Fatal(err, len(notices))
			}
			n = notices[0]
		}
		s := n.Say()
		if got := []string{s.Headline, s.Happened, s.Means, s.Knows, s.Ids}; !slices.Equal(got, want) {
			t.Errorf("%s:\n got %s", strings.Join(block, "\n"), strings.Join(got, "\n     "))
		}
	}
}

func TestSpecNobody(t *testing.T) {
	lines := fences(t, "nobody", 1)[0]
	if len(lines) != 9 {
		t.Fatalf("%d lines", len(lines))
	}
	for i := 0; i < len(lines); i += 3 {
		sentence, remedy := Nobody(lines[i]).Refusal("")
		if remedy == "" {
			remedy = "-"
		}
		if sentence != lines[i+1] || remedy != lines[i+2] {
			t.Errorf("%s: %s %s", lines[i], sentence, remedy)
		}
		const binding = "The arguments hold a number that no approval can be bound to."
		if again, remedy := Nobody(lines[i]).Refusal(binding); again != sentence || remedy != binding {
			t.Errorf("%s: %s %s", lines[i], again, remedy)
		}
	}
	if sentence, remedy := Nobody("asleep").Refusal(""); sentence == "" || remedy != "" {
		t.Errorf("a cause outside the set: %q %q", sentence, remedy)
	}
}

// TestSpecTable: the page's table of members is the code's.
func TestSpecTable(t *testing.T) {
	doc := page(t)
	list := func(names []string) string {
		if len(names) == 0 {
			return " "
		}
		return " `" + strings.Join(names, "` `") + "` "
	}
	for _, code := range []string{PostureUndeclared, RecordUnwritten, SteerUndrained, FollowUpUndrained} {
		has, may := form(code, false)
		row := regexp.MustCompile("\\| `" + regexp.QuoteMeta(code) + "` \\|[^|]*\\|([^|]*)\\|([^|]*)\\|").FindStringSubmatch(doc)
		if row == nil || row[1] != list(has) || row[2] != list(may) {
			t.Errorf("the page's row of %s is %q", code, row)
		}
	}
	for _, code := range []string{CodeBadAccount, CodeBadDetail} {
		if !strings.Contains(doc, "`"+code+"`") {
			t.Errorf("the page does not name %s", code)
		}
	}
}

// TestSayOthers: what the page has no example of.
func TestSayOthers(t *testing.T) {
	leg := Leg{Session: "s-1", Run: "r-1", Parent: "s-0", Cause: LegEnd}
	notices, err := Undrained(leg, []Account{{Family: Steer, Kind: ApprovalFeedback, Owed: 2, Carry: InvalidContent}})
	if err != nil || len(notices) != 2 {
		t.Fatal(err, len(notices))
	}
	posture, err := UndeclaredPosture("s-1", "r-1", true)
	if err != nil {
		t.Fatal(err)
	}
	record, err := UnwrittenRecord("s-1", "r-1", Settle, true, "\x1b[2J\u202ecod.\n")
	if err != nil {
		t.Fatal(err)
	}
	hostile, err := Undrained(Leg{Session: "s\x1b[2J", Run: "r\n", Parent: "\u202e", Cause: LegEnd}, []Account{{Family: Steer, Owed: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ got, want string }{
		{notices[0].Say().Happened, "Its run ended (leg_end) with the words of 2 answers owed and 0 carried; the carrier refused such content (steering.invalid_content)."},
		{notices[1].Say().Happened, "The run of the child session s-1 ended (leg_end) with the words of 2 answers owed and 0 carried; the carrier refused such content (steering.invalid_content)."},
		{notices[1].Say().Knows, "This is the copy for its parent session s-0."},
		{posture.Say().Means, "The permissive reading single_user is in force: no call is mandated, though the tree has read outside."},
		{record.Say().Happened, `At settle the tree's record could not be written: "\u{1B}[2J\u{202E}cod.\u{A}".`},
		{record.Say().Means, "Nothing was refused for it; the tree is governed, so a call that needs the record is refused until it can be written."},
		{hostile[0].Say().Ids, `family steer · cause leg_end · session s\u{1B}[2J · run r\u{A}`},
		{hostile[0].Say().Knows, `A copy went to its parent session \u{202E}.`},
		{hostile[0].Say().Headline, "1 steer not delivered"},
	} {
		if c.got != c.want {
			t.Errorf("got %s\nwant %s", c.got, c.want)
		}
	}
}
