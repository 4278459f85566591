package descriptor_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"nod/descriptor"
	"nod/digest"
)

const sent = `{"amount":4800,"currency":"EUR","payment_id":"pay_1"}`

// says writes an observation as the page does.
func says(v *descriptor.Observation) string {
	out := v.Says
	if v.Divergent {
		out += " divergent"
	}
	if v.Durable {
		out += " durable"
	}
	if v.Why != "" {
		out += ": " + v.Why
	}
	if v.Ref != "" {
		out += ", " + v.Ref
	}
	return out
}

func TestOnlyOneWholeCandidateIsCompared(t *testing.T) {
	o := compile(t, refund()).Observer("refunds")
	list := func(candidates ...string) string { return `{"data":[` + strings.Join(candidates, ",") + `]}` }
	const good = `{"id":"re_1","amount":4800,"currency":"EUR","status":"succeeded"}`
	for _, c := range []struct{ doc, want string }{
		{list(good), "committed durable, re_1"},
		{" \n" + list(good) + "\n", "committed durable, re_1"},
		{list(strings.Replace(good, "4800", "4.8e3", 1)), "committed durable, re_1"}, // one number
		{list(strings.Replace(good, "succeeded", "pending", 1)), "committed, re_1"},
		{list(strings.Replace(good, `"succeeded"`, "true", 1)), "committed, re_1"},
		{list(strings.Replace(good, `"status"`, `"Status"`, 1)), "committed, re_1"},
		{list(strings.Replace(good, `"re_1"`, "9007199254740993", 1)), "committed durable, 9007199254740993"}, // by its digits
		{list(strings.Replace(good, `"re_1"`, `"`+strings.Repeat("r", 513)+`"`, 1)), "committed durable"},
		{list(strings.Replace(good, `"re_1"`, `["re_1"]`, 1)), "committed durable"},
		{list(strings.Replace(good, `"id"`, `"ID"`, 1)), "committed durable"},
		{list(strings.Replace(good, "4800", "4801", 1)), "committed divergent durable, re_1"},
		{list(strings.Replace(good, "4800", `"4800"`, 1)), "committed divergent durable, re_1"},
		{list(strings.Replace(good, "EUR", "eur", 1)), "committed divergent durable, re_1"},
		{list(strings.Replace(good, "EUR", "ЕUR", 1)), "committed divergent durable, re_1"}, // a Cyrillic Е
		{list(strings.Replace(good, "4800", "null", 1)), "committed divergent durable, re_1"},
		{list(), "not_executed"},
		{list(good, good), "unknown: several"},
		{list(good, "{}"), "unknown: several"},
		{list("{}"), "unknown: malformed"},
		{list("null"), "unknown: malformed"},
		{list(strings.Replace(good, `"amount"`, `"Amount"`, 1)), "unknown: malformed"},
		{list(strings.Replace(good, `"currency":"EUR",`, "", 1)), "unknown: malformed"},
		{list(strings.Replace(good, `"currency"`, `"amount"`, 1)), "unknown: malformed"}, // twice
		{`{"data":[],"data":[` + good + `]}`, "unknown: malformed"},
		{`{"data":[],"d\u0061ta":[` + good + `]}`, "unknown: malformed"},
		{`{"data":{}}`, "unknown: malformed"},
		{`{"data":null}`, "unknown: malformed"},
		{`{"Data":[]}`, "unknown: malformed"},
		{`{}`, "unknown: malformed"},
		{good, "unknown: malformed"},
		{`[` + good + `]`, "unknown: malformed"},
		{list(good) + list(good), "unknown: malformed"},
		{list(good)[1:], "unknown: malformed"},
		{strings.TrimSuffix(list(good), "]}"), "unknown: malformed"},
		{list(strings.Replace(good, "re_1", "\xff", 1)), "unknown: malformed"},
		{list(strings.Replace(good, "re_1", `\ud800`, 1)), "unknown: malformed"},
		{"", "unknown: malformed"},
		{"<html>", "unknown: malformed"},
		{strings.Repeat("[", 200) + strings.Repeat("]", 200), "unknown: malformed"},
		{list(good) + strings.Repeat(" ", descriptor.MaxDocument), "unknown: too_large"},
	} {
		v := o.Judge([]byte(c.doc), digest.JSON(sent))
		if got := says(&v); got != c.want {
			t.Errorf("%.200s\nsays %s, want %s (%s)", c.doc, got, c.want, v.Seen)
		}
		if v.Seen == "" || len(v.Seen) > descriptor.MaxSeen || strings.Contains(v.Seen, "\n") || !utf8.ValidString(v.Seen) {
			t.Errorf("%.200s\nseen %q", c.doc, v.Seen)
		}
		if doc, _, err := digest.Lift([]byte(c.doc), digest.Limits{}); err == nil != (v.Observed != "") || err == nil && v.Observed != digest.Of(doc) {
			t.Errorf("%.200s\nobserved %s", c.doc, v.Observed)
		}
		if v.Divergent != (v.Allowed != "") || v.Divergent != (v.Content != "") || v.Divergent && v.Allowed == v.Content {
			t.Errorf("%.200s\nallowed %q, seen %q", c.doc, v.Allowed, v.Content)
		}
	}
	v := o.Judge([]byte(list(strings.Replace(good, "4800", "48000", 1))), digest.JSON(sent))
	if v.Allowed != "/amount: 4800\n/currency: \"EUR\"\n" || v.Content != "/amount: 48000\n/currency: \"EUR\"\n" {
		t.Errorf("%q\n%q", v.Allowed, v.Content)
	}
	if v := o.Judge([]byte(list(good)), digest.JSON(`{"amount":4800}`)); says(&v) != "unknown: malformed" {
		t.Errorf("what the arguments do not state: %+v", v)
	}
	o.Same = nil // no descriptor's
	if v := o.Judge([]byte(list(good)), digest.JSON(sent)); says(&v) != "unknown: malformed" {
		t.Errorf("nothing compared: %+v", v)
	}
}

func TestTheWholeDocumentIsTheCandidate(t *testing.T) {
	o := compile(t, refund()).Observer("ledger")
	for doc, want := range map[string]string{
		`{"cents":4800}`:       "committed durable",
		`{"cents":4801}`:       "committed divergent durable",
		`{}`:                   "unknown: malformed",
		`[]`:                   "unknown: malformed",
		`null`:                 "unknown: malformed",
		`[{"cents":4800}]`:     "unknown: malformed",
		`{"cents":4800}garbag`: "unknown: malformed",
	} {
		if v := o.Judge([]byte(doc), digest.JSON(sent)); says(&v) != want {
			t.Errorf("%s says %s, want %s", doc, says(&v), want)
		}
	}
}

// Of the outcomes that a transport can have, none is not_executed but what the
// descriptor names.
func TestAStatusSaysOnlyWhatTheDescriptorNames(t *testing.T) {
	o := compile(t, refund()).Observer("refunds") // 201, and 404 and 410 for absent
	const doc = `{"data":[{"amount":4800,"currency":"EUR"}]}`
	for status := 100; status < 600; status++ {
		want := "unknown: unavailable"
		switch {
		case status == 201:
			want = "committed"
		case status == 404, status == 410:
			want = "not_executed"
		case status >= 300 && status < 400:
			want = "unknown: redirected"
		}
		if v := o.JudgeStatus(status, []byte(doc), digest.JSON(sent)); says(&v) != want {
			t.Errorf("%d says %s, want %s", status, says(&v), want)
		}
	}
	for _, body := range []string{"", "<html>", `{"error":1}`} {
		v := o.JudgeStatus(404, []byte(body), digest.JSON(sent))
		if says(&v) != "not_executed" || (v.Observed != "") != (body != "" && body[0] == '{') {
			t.Errorf("404 with %q: %+v", body, v)
		}
	}
}

func TestAFile(t *testing.T) {
	o := compile(t, refund()).Observer("disk")
	there := func(s string) descriptor.Held {
		return descriptor.Held{There: true, Digest: digest.Of([]byte(s)), Bytes: []byte(s)}
	}
	of := func(s string) digest.Digest { return digest.Of([]byte(s)) }
	none := descriptor.Held{}
	const args = `{"content":"new\n","file_path":"/a"}`
	for _, c := range []struct {
		name   string
		held   descriptor.Held
		before digest.Digest
		want   string
	}{
		{"as wanted", there("new\n"), of("old"), "committed durable"},
		{"as wanted, nobody knows", there("new\n"), "", "committed durable"},
		{"as wanted, and before", there("new\n"), of("new\n"), "committed durable"},
		{"made", there("new\n"), of(""), "committed durable"},
		{"as before", there("old"), of("old"), "not_executed"},
		{"still none", none, of(""), "not_executed"},
		{"another", there("new"), of("old"), "committed divergent durable"},
		{"another, where none was", there("new"), of(""), "committed divergent durable"},
		{"emptied", there(""), of("old"), "committed divergent durable"},
		{"gone", none, of("old"), "committed divergent durable"},
		{"another, nobody knows", there("old"), "", "unknown: unavailable"},
		{"none, nobody knows", none, "", "unknown: unavailable"},
		{"empty, as before or just made", there(""), of(""), "unknown: unavailable"},
	} {
		v := o.JudgeFile(c.held, digest.JSON(args), c.before)
		if says(&v) != c.want || v.Observed != c.held.Digest || v.Seen == "" {
			t.Errorf("%s: %+v, want %s", c.name, v, c.want)
		}
		if v.Divergent && (v.Allowed != "new\n" || v.Content != string(c.held.Bytes)) {
			t.Errorf("%s: %q, %q", c.name, v.Allowed, v.Content)
		}
	}
	for _, args := range []string{`{}`, `{"content":7}`, `{"content":null}`, `{"Content":"new\n"}`} {
		if v := o.JudgeFile(there("new\n"), digest.JSON(args), ""); says(&v) != "unknown: malformed" {
			t.Errorf("%s: %+v", args, v)
		}
	}
	long := strings.Repeat("x", descriptor.MaxDiff)
	for _, c := range []struct{ want, got, allowed, content string }{
		{long, "\xff", long, ""},
		{long + "x", long, "", long},
	} {
		v := o.JudgeFile(there(c.got), digest.JSON(`{"content":"`+c.want+`"}`), of("old"))
		if !v.Divergent || v.Allowed != c.allowed || v.Content != c.content {
			t.Errorf("%d and %d bytes for a diff", len(v.Allowed), len(v.Content))
		}
	}
}

func TestHowItWasAskedAndWhatCameAreOneBoundedLine(t *testing.T) {
	v := descriptor.Unseen(descriptor.WhySeveral, strings.Repeat("é", 600)).After(strings.Repeat("€", 600))
	if len(v.Seen) > descriptor.MaxSeen || !utf8.ValidString(v.Seen) || !strings.Contains(v.Seen, ", éé") || !strings.HasSuffix(v.Seen, "…") {
		t.Errorf("%q", v.Seen)
	}
}

// What is refused is not asked with; nothing of the value is in the error.
func TestValuesThatAreNotAskedWith(t *testing.T) {
	o := func(kind, at string) *descriptor.Observer {
		return &descriptor.Observer{Kind: kind, URL: "https://a.example/v1" + at, Argv: []string{"/bin/x", at}, Path: at}
	}
	ask := func(kind, at, args string) (string, error) {
		switch o := o(kind, at); kind {
		case "http":
			origin, path, err := o.Address(digest.JSON(args))
			return origin + path, err
		case "command":
			argv, err := o.Command(digest.JSON(args))
			return strings.Join(argv, " "), err
		default:
			return o.File(digest.JSON(args))
		}
	}
	for _, c := range []struct{ kind, at, value, want string }{
		{"http", "/r/{/x}", `"pay_1"`, "https://a.example/v1/r/pay_1"},
		{"http", "/r/{/x}/y?a=b", `"é ?#%&=+"`, "https://a.example/v1/r/%C3%A9%20%3F%23%25%26%3D%2B/y?a=b"},
		{"http", "/r/{/x}", `48`, "https://a.example/v1/r/48"},
		{"http", "?p={/x}&q=1", `"a/../b&q=2#"`, "https://a.example/v1?p=a%2F..%2Fb%26q%3D2%23&q=1"},
		{"http", "?p={/x}", `".."`, "https://a.example/v1?p=.."},
		{"http", "/r/{/x}", `".."`, ""},
		{"http", "/r/{/x}", `"."`, ""},
		{"http", "/r/{/x}", `"a/b"`, ""},
		{"http", "/r/{/x}", `"a\\b"`, ""},
		{"http", "/r/{/x}", `""`, ""},
		{"http", "?p={/x}", `""`, ""},
		{"http", "?p={/x}", `"a\u0000b"`, ""},
		{"http", "?p={/x}", `"a\r\nHost: b"`, ""},
		{"http", "?p={/x}", `"` + strings.Repeat("a", 1025) + `"`, ""},
		{"http", "?p={/x}", `4.5`, ""},
		{"http", "?p={/x}", `1e21`, ""},
		{"http", "?p={/x}", `true`, ""},
		{"http", "?p={/x}", `null`, ""},
		{"http", "?p={/x}", `["a"]`, ""},
		{"http", "?p={/y}", `"a"`, ""},
		{"command", "{/x}", `"pay_1"`, "/bin/x pay_1"},
		{"command", "{/x}", `"$(id); | > *"`, "/bin/x $(id); | > *"},
		{"command", "{/x}", `"{/y}"`, "/bin/x {/y}"},
		{"command", "{/x}", `"-rf"`, ""},
		{"command", "{/x}", `"-"`, ""},
		{"command", "{/x}", `-48`, ""},
		{"command", "{/x}", `"a\u0000b"`, ""},
		{"command", "{/x}", `""`, ""},
		{"command", "{/y}", `"a"`, ""},
		{"file", "{/x}", `"/home/mia/a b"`, "/home/mia/a b"},
		{"file", "{/x}", `"a"`, ""},
		{"file", "{/x}", `"/home/../etc/passwd"`, ""},
		{"file", "{/x}", `"/home//a"`, ""},
		{"file", "{/x}", `"/home/"`, ""},
		{"file", "{/x}", `"/a\u0000"`, ""},
		{"file", "{/x}", `7`, ""},
	} {
		got, err := ask(c.kind, c.at, `{"x":`+c.value+`}`)
		if c.want == "" != (err != nil) || err == nil && got != c.want {
			t.Errorf("%s of %s: %q, %v, want %q", c.value, c.kind, got, err, c.want)
		}
		if v := strings.Trim(c.value, `"`); err != nil && len(v) > 4 && strings.Contains(err.Error(), v) {
			t.Errorf("%v holds the value", err)
		}
	}
	for _, o := range []*descriptor.Observer{{Kind: "http"}, {Kind: "command"}} { // no descriptor's
		if _, _, err := o.Address(nil); err == nil {
			t.Error("no url is asked")
		}
		if _, err := o.Command(nil); err == nil {
			t.Error("no program is started")
		}
	}
}

// FuzzAddress: whatever the value, it is asked of the host that the descriptor
// names, by the way that it names, and the provider reads exactly the value.
func FuzzAddress(f *testing.F) {
	for _, u := range []string{
		"https://api.example.org/v1/refunds/{/x}?payment={/x}", "http://127.0.0.1:8080/{/x}", "https://a.example?q={/x}&r={/x}&s=1",
		"https://[::1]:1/{/x}/{/x}/?", "https://{/x}/", "https://a@b/{/x}", "https://a.example/{/x}@b", "https://a.example//{/x}", `https://a\b/{/x}`,
		"http://0?=?0={/x}", "http://[0]/{/x}", "https://a.example/?q={/x}?r={/x}",
	} {
		for _, v := range []string{"pay_1", "..", "a/b", "@evil.example", "é?#&=+%2F", "//evil.example", "a\r\nHost: b", "{/x}", " "} {
			f.Add(u, v)
		}
	}
	f.Fuzz(func(t *testing.T, template, value string) {
		if !utf8.ValidString(value) {
			return // in no document
		}
		set, err := descriptor.Compile([]descriptor.Tool{{Name: "x", Observer: []descriptor.Observer{
			{Name: "o", Kind: "http", URL: template, Same: map[string]string{"/x": "/x"}},
		}}})
		if err != nil {
			return
		}
		o := set.Tool("x").Observer("o")
		args := func(v string) digest.JSON {
			doc, err := digest.Canonical(fmt.Appendf(nil, `{"x":%s}`, quoted(v)), digest.NoLimits())
			if err != nil {
				t.Skip()
			}
			return doc
		}
		plainOrigin, plain, err := o.Address(args("PLAIN"))
		if err != nil {
			return // another pointer than /x
		}
		want, err := url.Parse(plainOrigin + plain)
		if err != nil || want.User != nil || want.Fragment != "" {
			t.Fatalf("%q gives %q, %v", template, plainOrigin+plain, err)
		}
		origin, path, err := o.Address(args(value))
		if err != nil {
			return
		}
		got, err := url.Parse(origin + path)
		if err != nil {
			t.Fatalf("%q with %q gives %q: %v", template, value, origin+path, err)
		}
		if origin != plainOrigin || got.Scheme != want.Scheme || got.Host != want.Host || got.User != nil || got.Fragment != "" || got.Opaque != "" ||
			got.RequestURI() != path {
			t.Fatalf("%q with %q asks %q", template, value, origin+path)
		}
		segments, plainSegments := strings.Split(got.EscapedPath(), "/"), strings.Split(want.EscapedPath(), "/")
		pairs, plainPairs := strings.Split(got.RawQuery, "&"), strings.Split(want.RawQuery, "&")
		if len(segments) != len(plainSegments) || len(pairs) != len(plainPairs) {
			t.Fatalf("%q with %q asks %q: more than before", template, value, path)
		}
		for i, s := range segments {
			was, err := url.PathUnescape(s)
			switch {
			case s == plainSegments[i] && s != "PLAIN":
			case plainSegments[i] != "PLAIN", err != nil, was != value, s == ".", s == "..":
				t.Fatalf("%q with %q: segment %q", template, value, s)
			}
		}
		for i, p := range pairs {
			name, v, _ := strings.Cut(p, "=")
			plainName, plainValue, _ := strings.Cut(plainPairs[i], "=")
			was, err := url.QueryUnescape(v)
			switch {
			case name != plainName:
				t.Fatalf("%q with %q: pair %q", template, value, p)
			case v == plainValue && v != "PLAIN":
			case plainValue != "PLAIN", err != nil, was != value:
				t.Fatalf("%q with %q: pair %q", template, value, p)
			}
		}
	})
}

// quoted writes a string in JSON, whatever is in it.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		if r < ' ' || r == '"' || r == '\\' {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	b.WriteByte('"')
	return b.String()
}
