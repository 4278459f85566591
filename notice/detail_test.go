package notice

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// goodDetails are forms of every code, to the byte.
var goodDetails = []struct{ code, raw string }{
	{PostureUndeclared, `{"runId":"r-1","sessionId":"s-1","targetExecutionArmed":true}`},
	{PostureUndeclared, `{"offTargetReadObserved":true,"runId":"r-1","sessionId":"s-1","targetExecutionArmed":true}`},
	{RecordUnwritten, `{"cause":"disk full","governed":false,"phase":"exit","runId":"r-1","sessionId":"s-1"}`},
	{RecordUnwritten, `{"cause":"disk full","governed":true,"phase":"prepare","runId":"r-1","sessionId":"s-1"}`},
	{RecordUnwritten, `{"cause":"disk full","governed":true,"phase":"settle","runId":"r-1","sessionId":"s-1"}`},
	{RecordUnwritten, `{"cause":"disk full","governed":false,"phase":"suspend","runId":"r-1","sessionId":"s-1"}`},
	{SteerUndrained, `{"cause":"leg_end","count":1,"runId":"r-1","sessionId":"s-1"}`},
	{SteerUndrained, `{"carry":"steering.queue_full","cause":"leg_end","count":2,"kind":"approval_feedback","runId":"r-1","sessionId":"s-1","taskId":"t-1"}`},
	{SteerUndrained, `{"cause":"crashed","childSessionId":"s-1","count":1,"kind":"approval_feedback","sessionId":"s-0"}`},
	{FollowUpUndrained, `{"cause":"crashed","count":1000000,"runId":"r-1","sessionId":"s-1","taskId":"t-1"}`},
	{FollowUpUndrained, `{"cause":"leg_end","childSessionId":"s-1","count":1,"sessionId":"s-0","taskId":"t-1"}`},
}

func TestDetails(t *testing.T) {
	for _, c := range goodDetails {
		d, err := ParseDetail(c.code, []byte(c.raw))
		if err != nil {
			t.Errorf("%s: %v", c.raw, err)
			continue
		}
		again, err := d.Canonical(c.code)
		if err != nil || string(again) != c.raw {
			t.Errorf("%s is written %s, %v", c.raw, again, err)
		}
	}
}

func TestBadDetails(t *testing.T) {
	for _, c := range []struct{ code, raw, want string }{
		{"config.other", `{"runId":"r-1"}`, "bad_notice_detail"},
		{"", `{}`, "bad_notice_detail"},
		{SteerUndrained, `[]`, "bad_notice_detail"},
		{SteerUndrained, `null`, "bad_notice_detail"},
		{SteerUndrained, `{}`, "bad_notice_detail /cause"},
		{SteerUndrained, `{`, "bad_json"},
		{SteerUndrained, `{"count":1,"count":1}`, "duplicate_member /count"},

		// posture: which of the two taint bits, never governed
		{PostureUndeclared, `{"governed":true,"runId":"r-1","sessionId":"s-1","targetExecutionArmed":true}`, "bad_notice_detail /governed"},
		{PostureUndeclared, `{"governed":false,"runId":"r-1","sessionId":"s-1","targetExecutionArmed":true}`, "bad_notice_detail"},
		{PostureUndeclared, `{"offTargetReadObserved":true,"runId":"r-1","sessionId":"s-1"}`, "bad_notice_detail /targetExecutionArmed"},
		{PostureUndeclared, `{"offTargetReadObserved":false,"runId":"r-1","sessionId":"s-1","targetExecutionArmed":true}`, "bad_notice_detail"},
		{PostureUndeclared, `{"sessionId":"s-1","targetExecutionArmed":true}`, "bad_notice_detail /runId"},
		{PostureUndeclared, `{"count":1,"runId":"r-1","sessionId":"s-1","targetExecutionArmed":true}`, "bad_notice_detail /count"},

		{RecordUnwritten, `{"cause":"x","phase":"exit","runId":"r-1","sessionId":"s-1"}`, "bad_notice_detail"},
		{RecordUnwritten, `{"cause":"x","governed":1,"phase":"exit","runId":"r-1","sessionId":"s-1"}`, "bad_notice_detail"},
		{RecordUnwritten, `{"cause":"x","governed":true,"phase":"begin","runId":"r-1","sessionId":"s-1"}`, "bad_notice_detail /phase"},
		{RecordUnwritten, `{"governed":true,"phase":"exit","runId":"r-1","sessionId":"s-1"}`, "bad_notice_detail /cause"},
		{RecordUnwritten, `{"cause":"` + strings.Repeat("é", 301) + `","governed":true,"phase":"exit","runId":"r-1","sessionId":"s-1"}`, "bad_notice_detail /cause"},
		{RecordUnwritten, `{"cause":"x","governed":true,"phase":"exit","runId":"r-1","sessionId":"s-1","targetExecutionArmed":true}`, "bad_notice_detail /targetExecutionArmed"},

		{SteerUndrained, `{"cause":"leg_end","count":0,"runId":"r-1","sessionId":"s-1"}`, "bad_notice_detail /count"},
		{SteerUndrained, `{"cause":"leg_end","count":-1,"runId":"r-1","sessionId":"s-1"}`, "bad_notice_detail /count"},
		{SteerUndrained, `{"cause":"leg_end","count":1.5,"runId":"r-1","sessionId":"s-1"}`, "bad_notice_detail /count"},
		{SteerUndrained, `{"cause":"leg_end","count":1e21,"runId":"r-1","sessionId":"s-1"}`, "bad_notice_detail /count"},
		{SteerUndrained, `{"cause":"leg_end","count":"1","runId":"r-1","sessionId":"s-1"}`, "bad_notice_detail /count"},
		{SteerUndrained, `{"cause":"leg_end","count":true,"runId":"r-1","sessionId":"s-1"}`, "bad_notice_detail /count"},
		{SteerUndrained, `{"cause":"LEG_END","count":1,"runId":"r-1","sessionId":"s-1"}`, "bad_notice_detail /cause"},
		{SteerUndrained, `{"cause":"steering.queue_full","count":1,"kind":"approval_feedback","runId":"r-1","sessionId":"s-1"}`, "bad_notice_detail /cause"},
		{SteerUndrained, `{"carry":"steering.queue_full","cause":"crashed","count":1,"kind":"approval_feedback","runId":"r-1","sessionId":"s-1"}`, "bad_notice_detail /cause"},
		{SteerUndrained, `{"carry":"steering.queue_full","cause":"leg_end","count":1,"runId":"r-1","sessionId":"s-1"}`, "bad_notice_detail /carry"},
		{SteerUndrained, `{"carry":"full","cause":"leg_end","count":1,"kind":"approval_feedback","runId":"r-1","sessionId":"s-1"}`, "bad_notice_detail /carry"},
		{SteerUndrained, `{"cause":"leg_end","count":1,"kind":"note","runId":"r-1","sessionId":"s-1"}`, "bad_notice_detail /kind"},
		{SteerUndrained, `{"cause":"leg_end","count":1,"runId":"r-1","sessionId":"s-1","words":"use staging"}`, "bad_notice_detail"},
		{SteerUndrained, `{"cause":"leg_end","count":1,"runId":"","sessionId":"s-1"}`, "bad_notice_detail /runId"},
		{SteerUndrained, `{"cause":"leg_end","count":1,"runId":7,"sessionId":"s-1"}`, "bad_notice_detail /runId"},
		{SteerUndrained, `{"cause":"leg_end","count":1,"runId":"r-1","sessionId":"s-1","taskId":""}`, "bad_notice_detail"},
		{SteerUndrained, `{"cause":"leg_end","childSessionId":"s-1","count":1,"runId":"r-1","sessionId":"s-0"}`, "bad_notice_detail /runId"}, // a copy has none
		{FollowUpUndrained, `{"cause":"leg_end","count":1,"kind":"approval_feedback","runId":"r-1","sessionId":"s-1"}`, "bad_notice_detail /kind"},
	} {
		if d, err := ParseDetail(c.code, []byte(c.raw)); code(err) != c.want || d != (Detail{}) {
			t.Errorf("%s %s: %v; want %s", c.code, c.raw, err, c.want)
		}
	}
}

func TestConfigNotices(t *testing.T) {
	n, err := UndeclaredPosture("s-1", "r-1", true)
	if want := `config.cross_boundary_posture_undeclared operator {"offTargetReadObserved":true,"runId":"r-1","sessionId":"s-1","targetExecutionArmed":true}`; err != nil || show(t, &n) != want {
		t.Errorf("%s, %v", show(t, &n), err)
	}
	later, err := UndeclaredPosture("s-1", "r-1", false)
	if err != nil || later.Key != n.Key {
		t.Error("it is told twice in one run")
	}
	if other, err := UndeclaredPosture("s-1", "r-2", true); err != nil || other.Key == n.Key {
		t.Error("the next run is not told")
	}
	if _, err := UndeclaredPosture("s-1", "", true); code(err) != "bad_notice_detail /runId" {
		t.Error(err)
	}

	n, err = UnwrittenRecord("s-1", "r-1", Exit, false, "database or disk is full")
	if want := `config.cross_boundary_record_unwritten operator {"cause":"database or disk is full","governed":false,"phase":"exit","runId":"r-1","sessionId":"s-1"}`; err != nil || show(t, &n) != want {
		t.Errorf("%s, %v", show(t, &n), err)
	}
	if again, err := UnwrittenRecord("s-1", "r-1", Exit, false, "another"); err != nil || again.Key != n.Key {
		t.Error("it is told twice in one run and phase")
	}
	if other, err := UnwrittenRecord("s-1", "r-1", Settle, false, "another"); err != nil || other.Key == n.Key {
		t.Error("another phase is not told")
	}
	if _, err := UnwrittenRecord("s-1", "r-1", "begin", false, "x"); code(err) != "bad_notice_detail /phase" {
		t.Error(err)
	}
	for in, want := range map[string]string{
		"":                        "no cause was given",
		" \n":                     "no cause was given",
		"a\xffb":                  "a\ufffdb",
		strings.Repeat("é", 300):  strings.Repeat("é", 300),
		strings.Repeat("é", 301):  strings.Repeat("é", 299) + "…",
		strings.Repeat("é", 9000): strings.Repeat("é", 299) + "…",
	} {
		n, err := UnwrittenRecord("s-1", "r-1", Exit, false, in)
		if err != nil || n.Detail.Cause != want || utf8.RuneCountInString(n.Detail.Cause) > 300 {
			t.Errorf("%.20q: %.20q, %v", in, n.Detail.Cause, err)
		}
	}
}

func FuzzParseDetail(f *testing.F) {
	for _, c := range goodDetails {
		f.Add(c.code, []byte(c.raw))
	}
	f.Add(SteerUndrained, []byte(`{"cause":"leg_end","count":"1","runId":{},"sessionId":"\u0000\u2028"}`))
	f.Fuzz(func(t *testing.T, code string, raw []byte) {
		d, err := ParseDetail(code, raw)
		if err != nil {
			return
		}
		again, err := d.Canonical(code)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := ParseDetail(code, again); err != nil || back != d {
			t.Fatalf("%s reads as %+v, %v", again, back, err)
		}
		n := Notice{Code: code, Detail: d}
		if s := n.Say(); s.Headline == "" || s.Happened == "" || s.Means == "" || s.Knows == "" || s.Ids == "" {
			t.Fatalf("%s has no sentences: %+v", again, s)
		}
	})
}
