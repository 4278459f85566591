package plain

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"nod/boundary"
	"nod/queue"
)

func TestAnApproval(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash("ls"))
	out := w.talkTo(nil, lines("1", "words mind the tags", "approve", w.code(ask), "list", "quit")...)
	has(t, out, "all shown. Armed.", "Type the first four characters of the shown digest.\ncode> ", "\nAllowed: at 14:30:18, so the gate is open once until 14:40; nothing to do.\n", "\nNothing waits.\n")
	r := w.row(ask)
	if r.State != queue.StateAllowed || r.Words != "mind the tags" || r.DecidedWay != "plain" || r.LinesSeen != r.LinesAll || r.LinesAll < 10 || r.DwellMS < 1000 {
		t.Errorf("recorded: %+v", r)
	}
}

func TestWhatNeverDecides(t *testing.T) {
	for name, c := range map[string]struct {
		script func(code string) []typed
		says   string
	}{
		"wrong code":       {func(string) []typed { return lines("1", "approve", "zzzz") }, "Wrong code: nothing was decided, say it again; it is not zzzz."},
		"code with more":   {func(code string) []typed { return lines("1", "approve", code+" ") }, "Wrong code: "},
		"upper case":       {func(code string) []typed { return lines("1", "approve", strings.ToUpper(code)+"X") }, "Wrong code: "},
		"Enter":            {func(string) []typed { return lines("1", "approve", "", "") }, "Wrong code: "},
		"code at the list": {func(code string) []typed { return lines("1", code) }, ""},
		"yes":              {func(string) []typed { return lines("1", "y", "yes", "a", "ok") }, "Unknown: "},
		"end of input":     {func(string) []typed { return lines("1", "approve") }, "code> "},
		"ahead of the code": {func(code string) []typed {
			return append(lines("1", "approve"), typed{text: code, ahead: true}, typed{text: ""})
		}, "Pasted: more came right behind that line"},
		"while the ask is read": {func(code string) []typed {
			return append(lines("1", "approve"), typed{text: code, ahead: true, late: true}, typed{text: ""})
		}, "Thrown away: it was typed before this question, so it does not count.\ncode> "},
		"ahead of approve": {func(code string) []typed {
			return append(lines("1"), typed{text: "approve", ahead: true}, typed{text: code})
		}, "Thrown away: "},
		"code too soon": {func(code string) []typed { return append(lines("1", "approve"), typed{text: code, after: 399}) }, "Too soon: the line came 399 ms after its prompt, so nothing was decided."},
		"approve too soon": {func(code string) []typed {
			return append(lines("1"), typed{text: "approve", after: 120}, typed{text: code})
		}, "Too soon: the line came 120 ms"},
		"code with more behind": {func(code string) []typed { return append(lines("1", "approve"), typed{text: code, behind: true}) }, "Pasted: more came right behind that line"},
		"deny too soon":         {func(string) []typed { return append(lines("1"), typed{text: "deny", after: 100}) }, "Too soon: "},
		"deny with more behind": {func(string) []typed { return append(lines("1"), typed{text: "deny", behind: true}) }, "Pasted: "},
		"nothing open":          {func(string) []typed { return lines("approve", "deny", "skip") }, "Nothing is open: "},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			ask := w.submit(bash("ls"))
			has(t, w.talkTo(nil, c.script(w.code(ask))...), c.says)
			w.mustBe(ask, queue.StatePending)
		})
	}
}

func TestARestedLineCounts(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash("ls"))
	w.talkTo(nil, typed{text: "1"}, typed{text: "approve", after: 400}, typed{text: w.code(ask), after: 400})
	w.mustBe(ask, queue.StateAllowed)
}

func TestEveryLineIsShownFirst(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash(strings.Repeat("echo\n", 40)))
	code := w.code(ask)
	out := w.talkTo(nil, lines("1", "approve", code, "more", "approve", code, "more")...)
	has(t, out, "Lines 1 to 20 of 59; 39 not shown yet. Say \"more\".", "Not armed: 39 lines were not shown, so nothing was decided; say \"more\".", "Not armed: 19 lines were", "Lines 41 to 59 of 59; all shown. Armed.")
	w.mustBe(ask, queue.StatePending)
	out = w.talkTo(nil, lines("1", "more", "more", "approve", code)...)
	has(t, out, "Lines 41 to 59 of 59; all shown. Armed.", "Allowed: ")
	if r := w.row(ask); r.LinesSeen != 59 || r.LinesAll != 59 {
		t.Errorf("%d of %d lines", r.LinesSeen, r.LinesAll)
	}
}

func TestSkippedLinesAreRecorded(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash(strings.Repeat("echo\n", 40)))
	code := w.code(ask)
	has(t, w.talkTo(nil, lines("1", "skip", "38", "approve")...), "Wrong count: ", "Not armed: 39 lines")
	has(t, w.talkTo(nil, append(lines("1", "skip"), typed{text: "39", after: 50}, typed{text: "approve"})...), "Too soon: ", "Not armed: 39 lines")
	has(t, w.talkTo(nil, lines("1", "skip", "39", "approve", code)...), "Skipped: 39 lines were not shown, and that is recorded. Armed.", "Allowed: ")
	if r := w.row(ask); r.LinesSeen != 20 || r.LinesAll != 59 {
		t.Errorf("%d of %d lines", r.LinesSeen, r.LinesAll)
	}
}

// A line longer than the screen comes in pieces, and counts when its last one
// was printed.
func TestALineLongerThanTheScreen(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash(strings.Repeat("0123456789", 1000)))
	out := w.talkTo(nil, lines("1", "more", "more", "approve", w.code(ask))...)
	has(t, out, "which goes on; ", "Not armed: ")
	w.mustBe(ask, queue.StatePending)
	script := lines("1")
	for range 20 {
		script = append(script, typed{text: "more"})
	}
	out = w.talkTo(nil, append(script, lines("approve", w.code(ask))...)...)
	w.mustBe(ask, queue.StateAllowed)
	joined := strings.NewReplacer("\n  ", "", "\n", "").Replace(out)
	for i, row := range strings.Split(out, "\n") {
		if len([]rune(row)) > 79 {
			t.Errorf("row %d is %d cells wide: %q", i, len([]rune(row)), row)
		}
	}
	if strings.Count(joined, "0123456789") < 900 {
		t.Error("text of the line is missing")
	}
}

func TestAMandatedCallWantsItsValue(t *testing.T) {
	w := newWorld(t)
	s := call("crm.update_contact", `{"contact_id":"C-20417"}`)
	s.Raise = []string{"cross_boundary"}
	ask := w.submit(s)
	code := w.code(ask)
	for _, value := range []string{"", "crm.update", "crm.update_contact ", "C-20417"} {
		has(t, w.talkTo(nil, lines("1", "approve", value, code)...), "Wrong value: it is not that line's, so nothing was decided; say \"approve\".")
		w.mustBe(ask, queue.StatePending)
	}
	has(t, w.talkTo(nil, append(lines("1", "approve"), typed{text: "crm.update_contact", after: 200}, typed{text: code})...), "Too soon: ")
	has(t, w.talkTo(nil, append(lines("1", "approve"), typed{text: "crm.update_contact", behind: true}, typed{text: code})...), "Pasted: ")
	w.mustBe(ask, queue.StatePending)
	out := w.talkTo(nil, lines("1", "approve", "crm.update_contact", code)...)
	has(t, out, "Mandated: only a person may allow this, so its value is typed as well.\nType the tool's name, on line 3 of the card.\nvalue> ", "Allowed: ")
	w.mustBe(ask, queue.StateAllowed)
}

// What a tree holds is heard before the value is typed.
func TestATreeIsHeard(t *testing.T) {
	w := newWorld(t, func(s *queue.Settings) { s.Targets, s.Posture = []string{"local"}, boundary.MultiTenant })
	ask := w.submit(bash("ls"))
	out := w.talkTo(nil, lines("1", "approve", "Bash", w.code(ask))...)
	has(t, out, "1. Mandated call, ", "Pending, mandated: only a person may answer.",
		"Mandated: this tree runs on target \"local\" with this call.\nType the tool's name, ", "Allowed: ")
	w.mustBe(ask, queue.StateAllowed)
}

func TestAValueThatNoKeyboardTypes(t *testing.T) {
	w := newWorld(t)
	s := call("crm.updаte", `{}`)
	s.Raise = []string{"irreversible"}
	ask := w.submit(s)
	has(t, w.talkTo(nil, lines("1", "approve", "crm.updаte", w.code(ask))...), "It can only be denied.", "No value: no keyboard types the value it wants, so only a deny counts.")
	w.mustBe(ask, queue.StatePending)
	w.talkTo(nil, lines("1", "deny")...)
	w.mustBe(ask, queue.StateDenied)
}

func TestADenialNeedsNoWholeReading(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash(strings.Repeat("echo\n", 40)))
	has(t, w.talkTo(nil, lines("1", "deny not today")...), "Denied: at ", ", so it never runs; nothing to do.")
	if r := w.row(ask); r.State != queue.StateDenied || r.Words != "not today" || r.LinesSeen != 20 {
		t.Errorf("recorded: %+v", r)
	}
}

// What is decided elsewhere or expires while the card is open says so, at the
// prompt or at the line that would have decided.
func TestAnAskThatGoesWhileOpen(t *testing.T) {
	for name, at := range map[string]int{"at the prompt": 1, "at approve": 2, "at the code": 3} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			ask, late := w.submit(bash("ls")), w.submit(bash("ls -l"))
			script := lines("1", "digest", "approve", w.code(ask))
			script[at].do = func() { w.denyByNight(ask) }
			out := w.talkTo(nil, append(script, typed{text: "approve"})...)
			has(t, out, "Gone: it was denied at 14:3", ", so you decided nothing; by night-desk.")
			w.mustBe(ask, queue.StateDenied)
			if strings.Contains(out, "Allowed") {
				t.Error(out)
			}
			script = lines("1", "digest", "approve", w.code(late))
			script[at].do = func() { w.now += 25 * 3_600_000 }
			out = w.talkTo(nil, append(script, typed{text: "approve"})...)
			has(t, out, "Expired: no person answered by 14:30, so it never ran; say \"list\".")
			if strings.Contains(out, "Allowed") {
				t.Error(out)
			}
			w.mustBe(late, queue.StateExpired)
		})
	}
}

func TestALongRestReadsAnew(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash("ls"))
	code := w.code(ask)
	out := w.talkTo(nil, append(lines("1"), typed{text: "approve", after: 31 * 60_000}, typed{text: code}, typed{text: "more"}, typed{text: "approve"}, typed{text: code})...)
	has(t, out, "Long rest: no line came for 31 minutes, so the card is read anew; say \"more\".", "Allowed: ")
	w.mustBe(ask, queue.StateAllowed)
	other := w.submit(bash("ls -l"))
	out = w.talkTo(nil, append(lines("1", "approve"), typed{text: w.code(other), after: 31 * 60_000})...)
	has(t, out, "Long rest: ")
	w.mustBe(other, queue.StatePending)
}

func TestAQuestion(t *testing.T) {
	w := newWorld(t)
	ask := func() string {
		return w.submit(queue.Submit{Kind: "question", Session: "s1", Question: &queue.Question{Text: "Which region?",
			Schema: []byte(`{"type":"object","properties":{"region":{"enum":["eu","us"],"title":"Region"},"note":{"type":"string"},"size":{"type":"integer"},"now":{"type":"boolean"}},"required":["region","now"],"additionalProperties":false}`)}})
	}
	one := ask()
	out := w.talkTo(nil, lines("1", "more", "approve", "answer", "", "yes", "x", "1", "answer", "", "yes", "2", "7", w.code(one))...)
	has(t, out, "A question: it is answered, not approved; say \"answer\".", "Field now, yes or no.", "Field note, text, or Enter to leave it out.",
		"1. \"eu\"\n2. \"us\"\nField region, one of the numbers. The agent says: Region\n", "nothing was decided; say \"answer\" again.")
	w.mustBe(one, queue.StatePending)
	out = w.talkTo(nil, lines("1", "more", "answer", "", "yes", "in the night", "2", "7", w.code(one))...)
	if strings.Contains(out, "Answered") { // fields come by name: note, now, region, size
		t.Error(out)
	}
	out = w.talkTo(nil, lines("1", "more", "answer", "in the night", "yes", "2", "", w.code(one))...)
	has(t, out, `Your answer: {"note":"in the night","now":true,"region":"us"}`, "Answered: at ")
	if r := w.row(one); r.State != queue.StateAnswered || r.Answer != `{"note":"in the night","now":true,"region":"us"}` {
		t.Errorf("answer %q", r.Answer)
	}
	two := ask()
	out = w.talkTo(nil, lines("1", "more", `answer {"region":"mars","now":true}`, w.code(two))...)
	has(t, out, "Not taken: ")
	out = w.talkTo(nil, lines("1", "more", `answer {"region":`, `answer {"region":"eu","now":false}`, "zzzz")...)
	has(t, out, "No JSON: ", "Wrong code: ")
	w.mustBe(two, queue.StatePending)
	w.talkTo(nil, lines("1", "more", `answer {"region":"eu","now":false}`, w.code(two))...)
	w.mustBe(two, queue.StateAnswered)
}

func TestOtherActs(t *testing.T) {
	w := newWorld(t)
	ask := w.submit(bash("ls"))
	out := w.talkTo(nil, lines("1", "hold 10m", "approve", w.code(ask), "revoke", "no", "revoke", "yes")...)
	has(t, out, "Hold: an allow begins 10 minutes later at the earliest", "Held: nothing runs before 14:40:", "Revoke: an allow that was not used yet is taken back. Type yes to do it.\nyes> ", "Left: nothing was changed.", "Revoked: ")
	w.mustBe(ask, queue.StateRevoked)

	has(t, w.talkTo(nil, append(lines("freeze", "no", "freeze"), typed{text: "yes", after: 20}, typed{text: "freeze"}, typed{text: "yes"}, typed{text: "list"})...),
		"Left: ", "Too soon: ", "Frozen: nothing begins, and", "Frozen: everything since 14:30, so nothing of it begins")
	has(t, w.talkTo(nil, lines("unfreeze", "yes", "list")...), "Unfrozen: ")

	two := w.submit(bash("ls -l"))
	has(t, w.talkTo(nil, lines("1", "claim", "snooze 30m", "list", "snooze 1x")...), "Claimed: others see that you look at it, for 5 minutes", "Snoozed: it leaves the list for 30 minutes", "Nothing waits. 1 snoozed, not in the list.", "Nothing is open: ")
	w.mustBe(two, queue.StatePending)

	out = w.talkTo(nil, lines("history", "1", "", "back")...)
	has(t, out, "History, newest first.\n1. Revoked, ", "Decided by a person, ", "all shown.")
}

func TestAHoldIsNeverNothingByAccident(t *testing.T) {
	for _, text := range []string{"100us", "24h1s", "-5m", "5"} {
		w := newWorld(t)
		ask := w.submit(bash("ls"))
		has(t, w.talkTo(nil, lines("1", "hold "+text)...), "No time: say \"hold 10m\"")
		w.mustBe(ask, queue.StatePending)
	}
}

func TestAnEditAsksAnew(t *testing.T) {
	w := newWorld(t)
	s := bash("rm -rf /srv/shop/dist")
	fixed := w.submit(s)
	has(t, w.talkTo(nil, lines("1", "edit")...), "No edit: who asks cannot run changed arguments")
	w.mustBe(fixed, queue.StatePending)
	w.denyByNight(fixed)
	s.Edits = true
	ask := w.submit(s)
	has(t, w.talkTo(nil, append(lines("1", "edit", `{"command":"ls"}`), typed{text: "no"})...), "Left: ")
	w.mustBe(ask, queue.StatePending)
	out := w.talkTo(nil, lines("1", "edit", `{"command":"ls"}`, "yes")...)
	has(t, out, "Edited: the old call is denied, and this one stands in its place.\nPending", `arguments/command │ "ls"`)
	w.mustBe(ask, queue.StateDenied)
	out = w.talkTo(nil, lines("1", "edit", `{"command":"ls","command":"rm"}`, "yes")...)
	has(t, out, "Not done: ")
}

func TestNoticesAreReadAndAcknowledged(t *testing.T) {
	w := newWorld(t)
	if _, err := w.agent.Do(t.Context(), queue.Unasked{Session: "s1", Tool: "Bash"}); err != nil {
		t.Fatal(err)
	}
	out := w.talkTo(nil, lines("1", "ack", "ack 1", "notices")...)
	has(t, out, "1 waits: 1 to read.\n1. Notice, 0 seconds: ", "Notice of 14:30; \"ack 1\" acknowledges it: ", "No notice: ", "Acknowledged: ", "No notice is left to read.")
}

// New work is told at a prompt, never in the middle of a card, and once.
func TestNewWorkIsToldAtAPrompt(t *testing.T) {
	w := newWorld(t)
	w.submit(bash(strings.Repeat("echo\n", 40)))
	script := lines("1", "more", "more", "digest", "list")
	script[1].do = func() { w.submit(bash("ls")) }
	script[2].do = func() { w.submit(bash("ls -l")) }
	out := w.talkTo(nil, script...)
	if n := strings.Count(out, "2 more wait; \"list\" reads all."); n != 1 || strings.Contains(out, "1 more waits") {
		t.Errorf("told %d times:\n%s", n, out)
	}
	if strings.Index(out, "2 more wait") < strings.Index(out, "Lines 41 to 59 of 59") {
		t.Errorf("told in the middle of a card:\n%s", out)
	}
}

func TestEnterRepeatsTheLastSentence(t *testing.T) {
	w := newWorld(t)
	w.submit(bash("ls"))
	out := w.talkTo(nil, lines("", "1", "")...)
	if strings.Count(out, "Say a number or \"help\".\n") != 2 || strings.Count(out, "all shown. Armed.\n") != 2 {
		t.Error(out)
	}
}

func TestALongListGoesOn(t *testing.T) {
	w := newWorld(t)
	var asks []string
	for i := range 45 {
		command := fmt.Sprint("echo ", i)
		if i == 44 {
			command = "zebra"
		}
		asks = append(asks, w.submit(bash(command)))
	}
	out := w.talkTo(nil, lines("more", "more", "more", "find zebra", "1", "approve", w.code(asks[44]))...)
	has(t, out, "45 wait: 45 to answer.\n1. ", "\n45. Call", "That was all of the list.", "\n1. Call, 6 seconds, 23 hours left: Bash zebra by support-bot\nSay a number or")
	w.mustBe(asks[44], queue.StateAllowed)
	if !slices.ContainsFunc(strings.Split(out, "\n"), func(s string) bool { return strings.HasPrefix(s, "21. Call") }) {
		t.Error("numbers do not go on")
	}
}

// Who answers too fast reads the next card anew, denials and the time before
// this talk included.
func TestTheFastReadAnew(t *testing.T) {
	w := newWorld(t)
	for i := range 5 {
		w.submit(bash(fmt.Sprint("echo ", i)))
		w.talkTo(nil, typed{text: "1", after: 500}, typed{text: "deny", after: 500})
	}
	for i := range 100 { // no person answered these, so they push nothing out
		w.withdraw(w.submit(bash(fmt.Sprint("sleep ", i))))
	}
	ask := w.submit(bash("ls"))
	code := w.code(ask)
	mia := func(o *Options) { o.Name = "mia" }
	out := w.talkTo(mia, lines("1", "approve", code)...)
	has(t, out, "Slow down: 5 answers came too fast, so this card is read anew; say \"more\".")
	w.mustBe(ask, queue.StatePending)
	out = w.talkTo(mia, lines("1", "approve", "approve", "more", "approve", code)...)
	has(t, out, "Slow down: ", "Not armed: 19 lines", "Allowed: ")
}
