package descriptor_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"nod/descriptor"
	"nod/digest"
)

// refund is a tool with every member of an effect and of its two observers.
func refund() descriptor.Tool {
	return descriptor.Tool{
		Name: "billing.refund",
		Effect: descriptor.Effect{
			Family: "refund", Parts: []string{"/payment_id", "/line"}, Types: []string{"text", "whole"}, SuccessClaims: "committed",
			Lease: "1h", Settle: "10m", NotExecuted: descriptor.Result{At: "/error/code", Is: "card_declined"},
			Provider: descriptor.Provider{KeyLifetime: "24 h", Changed: "refused", Cached: "its first answer"},
		},
		Observer: []descriptor.Observer{
			{
				Name: "refunds", Kind: "http", Auto: true, Within: "5s", URL: "https://api.example.org/v1/refunds?payment={/payment_id}",
				Headers: map[string]string{"Accept": "application/json"}, HeaderFile: "/etc/refunds.header", Status: 201, Absent: []int64{404, 410},
				Candidates: "/data", Same: map[string]string{"/amount": "/amount", "/currency": "/currency"},
				DurableAt: "/status", DurableIs: "succeeded", Ref: "/id",
			},
			{
				Name: "ledger", Kind: "command", Argv: []string{"/usr/local/bin/refund-status", "--json", "{/payment_id}"},
				Env: map[string]string{"LANG": "C"}, Same: map[string]string{"/cents": "/amount"},
			},
			{Name: "disk", Kind: "file", Path: "{/file_path}", Content: "/content"},
		},
	}
}

func compile(t testing.TB, tool descriptor.Tool) *descriptor.Descriptor {
	t.Helper()
	set, err := descriptor.Compile([]descriptor.Tool{tool})
	if err != nil {
		t.Fatalf("%v: %+v", err, err)
	}
	return set.Tool(tool.Name)
}

func TestWhatAnEffectSays(t *testing.T) {
	tool := refund()
	d := compile(t, tool)
	family, parts := d.Template()
	if family != "refund" || !slices.Equal(parts, []descriptor.Part{{At: "/payment_id", Type: "text"}, {At: "/line", Type: "whole"}}) {
		t.Errorf("template %s %v", family, parts)
	}
	if d.LeaseMS() != 3_600_000 || d.SettleMS() != 600_000 || d.Provider() != tool.Effect.Provider {
		t.Errorf("%d %d %v", d.LeaseMS(), d.SettleMS(), d.Provider())
	}
	if d.SuccessClaims() {
		t.Error("a success claims, though an observer could see")
	}
	tool.Observer, tool.Effect.Types = nil, nil
	d = compile(t, tool)
	if _, parts := d.Template(); !d.SuccessClaims() || parts[1].Type != "text" {
		t.Errorf("claims %v, parts %v", d.SuccessClaims(), parts)
	}
	d = compile(t, descriptor.Tool{Name: "x", Access: "read"})
	family, parts = d.Template()
	if family != "" || parts != nil || d.SuccessClaims() || d.LeaseMS() != 0 || d.SettleMS() != 0 || d.NotExecuted(digest.JSON(`""`)) ||
		d.Provider() != (descriptor.Provider{}) || d.Observers() != nil || d.Observer("") != nil {
		t.Error("what is not stated says something")
	}
}

func TestNotExecutedIsComparedExactly(t *testing.T) {
	for _, c := range []struct {
		is     any
		result string
		want   bool
	}{
		{"card_declined", `{"error":{"code":"card_declined"}}`, true},
		{"card_declined", `{"error":{"code":"Card_declined"}}`, false},
		{"card_declined", `{"error":{"code":["card_declined"]}}`, false},
		{"card_declined", `{"error":"card_declined"}`, false},
		{"card_declined", `{}`, false},
		{"card_declined", `null`, false},
		{"", `{"error":{"code":""}}`, true},
		{int64(7), `{"error":{"code":7.0}}`, true},
		{int64(7), `{"error":{"code":"7"}}`, false},
		{0.5, `{"error":{"code":5e-1}}`, true},
		{false, `{"error":{"code":false}}`, true},
		{false, `{"error":{"code":null}}`, false},
		{false, `{"error":{"code":0}}`, false},
		{false, `{"error":{}}`, false},
	} {
		d := compile(t, descriptor.Tool{Name: "x", Effect: descriptor.Effect{NotExecuted: descriptor.Result{At: "/error/code", Is: c.is}}})
		result, err := digest.Canonical([]byte(c.result), digest.NoLimits())
		if err != nil {
			t.Fatal(err)
		}
		if got := d.NotExecuted(result); got != c.want {
			t.Errorf("%v in %s: %v", c.is, c.result, got)
		}
	}
}

// Each change is one that a descriptor may not have; it names its place.
func TestWhatIsNoEffectAndNoObserver(t *testing.T) {
	type change = func(*descriptor.Tool)
	effect := func(f func(*descriptor.Effect)) change { return func(t *descriptor.Tool) { f(&t.Effect) } }
	seen := func(i int, f func(*descriptor.Observer)) change {
		return func(t *descriptor.Tool) { f(&t.Observer[i]) }
	}
	url := func(u string) change { return seen(0, func(o *descriptor.Observer) { o.URL = u }) }
	header := func(name, value string) change {
		return seen(0, func(o *descriptor.Observer) { o.Headers = map[string]string{name: value} })
	}
	argv := func(a ...string) change { return seen(1, func(o *descriptor.Observer) { o.Argv = a }) }
	absent := func(n int64) change { return seen(0, func(o *descriptor.Observer) { o.Absent = []int64{n} }) }
	for name, c := range map[string]struct {
		change change
		at     string
	}{
		"no family":             {effect(func(e *descriptor.Effect) { e.Family = "" }), "family"},
		"a blank family":        {effect(func(e *descriptor.Effect) { e.Family = " " }), "family"},
		"an invisible family":   {effect(func(e *descriptor.Effect) { e.Family = "re\u3164fund" }), "family"},
		"a tool's family":       {effect(func(e *descriptor.Effect) { e.Family = "tool:refund" }), "family"},
		"a long family":         {effect(func(e *descriptor.Effect) { e.Family = strings.Repeat("f", 65) }), "family"},
		"no parts":              {effect(func(e *descriptor.Effect) { e.Parts = nil }), "parts"},
		"nine parts":            {effect(func(e *descriptor.Effect) { e.Parts = make([]string, 9) }), "parts"},
		"the whole":             {effect(func(e *descriptor.Effect) { e.Parts[0] = "" }), "parts 0"},
		"a part of many":        {effect(func(e *descriptor.Effect) { e.Parts[1] = "/a/*" }), "parts 1"},
		"a part twice":          {effect(func(e *descriptor.Effect) { e.Parts[1] = e.Parts[0] }), "parts 1"},
		"one type of two":       {effect(func(e *descriptor.Effect) { e.Types = e.Types[:1] }), "types"},
		"another type":          {effect(func(e *descriptor.Effect) { e.Types[1] = "number" }), "types 1"},
		"another claim":         {effect(func(e *descriptor.Effect) { e.SuccessClaims = "true" }), "success_claims"},
		"a short lease":         {effect(func(e *descriptor.Effect) { e.Lease = "9s" }), "lease"},
		"a long lease":          {effect(func(e *descriptor.Effect) { e.Lease = "24h1ms" }), "lease"},
		"no duration":           {effect(func(e *descriptor.Effect) { e.Settle = "600" }), "settle"},
		"a long settle":         {effect(func(e *descriptor.Effect) { e.Settle = "169h" }), "settle"},
		"nanoseconds":           {effect(func(e *descriptor.Effect) { e.Settle = "1000000001ns" }), "settle"},
		"no result":             {effect(func(e *descriptor.Effect) { e.NotExecuted.At = "" }), "not_executed at"},
		"no value":              {effect(func(e *descriptor.Effect) { e.NotExecuted.Is = nil }), "not_executed is"},
		"a list":                {effect(func(e *descriptor.Effect) { e.NotExecuted.Is = []any{} }), "not_executed is"},
		"a lossy number":        {effect(func(e *descriptor.Effect) { e.NotExecuted.Is = int64(9007199254740993) }), "not_executed is"},
		"no number":             {effect(func(e *descriptor.Effect) { e.NotExecuted.Is = math.NaN() }), "not_executed is"},
		"bad UTF-8":             {effect(func(e *descriptor.Effect) { e.NotExecuted.Is = "\xff" }), "not_executed is"},
		"an escape":             {effect(func(e *descriptor.Effect) { e.Provider.Cached = "\x1b[2J" }), "provider cached"},
		"a long text":           {effect(func(e *descriptor.Effect) { e.Provider.KeyLifetime = strings.Repeat("x", 241) }), "provider key_lifetime"},
		"another word":          {effect(func(e *descriptor.Effect) { e.Provider.Changed = "no" }), "provider changed"},
		"five observers":        {func(t *descriptor.Tool) { t.Observer = make([]descriptor.Observer, 5) }, "observer"},
		"no name":               {seen(0, func(o *descriptor.Observer) { o.Name = "" }), "observer 0 name"},
		"a name twice":          {seen(1, func(o *descriptor.Observer) { o.Name = "refunds" }), "observer 1 name"},
		"another kind":          {seen(0, func(o *descriptor.Observer) { o.Kind = "HTTP" }), "observer 0 kind"},
		"a long time":           {seen(0, func(o *descriptor.Observer) { o.Within = "61s" }), "observer 0 within"},
		"a file's of http":      {seen(0, func(o *descriptor.Observer) { o.Path = "/a" }), "observer 0 path"},
		"http's of a command":   {seen(1, func(o *descriptor.Observer) { o.Status = 200 }), "observer 1 status"},
		"a document's of file":  {seen(2, func(o *descriptor.Observer) { o.Same = map[string]string{"/a": "/a"} }), "observer 2 same"},
		"no url":                {url(""), "observer 0 url"},
		"another scheme":        {url("file:///etc/passwd"), "observer 0 url"},
		"a scheme's case":       {url("HTTPS://a.example/"), "observer 0 url"},
		"a host from the call":  {url("https://{/payment_id}/"), "observer 0 url"},
		"a part of a host":      {url("https://{/payment_id}.example.org/"), "observer 0 url"},
		"a port from the call":  {url("https://a.example:{/payment_id}/"), "observer 0 url"},
		"a scheme from a call":  {url("{/payment_id}://a.example/"), "observer 0 url"},
		"a user":                {url("https://mia@a.example/"), "observer 0 url"},
		"a user from the call":  {url("https://{/payment_id}@a.example/"), "observer 0 url"},
		"a host's backslash":    {url(`https://a.example\@b.example/`), "observer 0 url"},
		"an encoded host":       {url("https://a%2eexample/"), "observer 0 url"},
		"no host":               {url("https:///v1"), "observer 0 url"},
		"a fragment":            {url("https://a.example/#x"), "observer 0 url"},
		"a half segment":        {url("https://a.example/re_{/payment_id}"), "observer 0 url"},
		"a segment and more":    {url("https://a.example/{/payment_id}.json"), "observer 0 url"},
		"two in a segment":      {url("https://a.example/{/a}{/b}"), "observer 0 url"},
		"a query's name":        {url("https://a.example/?{/payment_id}=1"), "observer 0 url"},
		"a half value":          {url("https://a.example/?q=id:{/payment_id}"), "observer 0 url"},
		"a value after a value": {url("https://a.example/?q=id={/payment_id}"), "observer 0 url"},
		"a whole query":         {url("https://a.example/?{/payment_id}"), "observer 0 url"},
		"no pointer":            {url("https://a.example/{payment_id}"), "observer 0 url"},
		"a pointer of many":     {url("https://a.example/{/ids/*}"), "observer 0 url"},
		"an open brace":         {url("https://a.example/{/payment_id"), "observer 0 url"},
		"a shut brace":          {url("https://a.example/payment_id}"), "observer 0 url"},
		"a blank":               {url("https://a.example/a b"), "observer 0 url"},
		"a line":                {url("https://a.example/a\r\nHost: b"), "observer 0 url"},
		"half an escape":        {url("https://a.example/%2"), "observer 0 url"},
		"a header's line":       {header("Accept", "a\r\nHost: b"), "observer 0 headers"},
		"a header's name":       {header("Accept:", "a"), "observer 0 headers"},
		"no header":             {header("", "a"), "observer 0 headers"},
		"the host":              {header("HOST", "b.example"), "observer 0 headers"},
		"a part of the body":    {header("Range", "bytes=0-9"), "observer 0 headers"},
		"a packed body":         {header("accept-encoding", "gzip"), "observer 0 headers"},
		"a proxy's":             {header("Proxy-Authorization", "x"), "observer 0 headers"},
		"a relative file":       {seen(0, func(o *descriptor.Observer) { o.HeaderFile = "token" }), "observer 0 header_file"},
		"a redirect":            {seen(0, func(o *descriptor.Observer) { o.Status = 302 }), "observer 0 status"},
		"absent and expected":   {absent(201), "observer 0 absent"},
		"absent by a redirect":  {absent(302), "observer 0 absent"},
		"absent by a fault":     {absent(502), "observer 0 absent"},
		"absent by no right":    {absent(401), "observer 0 absent"},
		"absent by haste":       {absent(429), "observer 0 absent"},
		"no list":               {seen(0, func(o *descriptor.Observer) { o.Candidates = "data" }), "observer 0 candidates"},
		"nothing compared":      {seen(0, func(o *descriptor.Observer) { o.Same = nil }), "observer 0 same"},
		"many compared":         {seen(0, func(o *descriptor.Observer) { o.Same = map[string]string{"/a/*": "/a"} }), "observer 0 same"},
		"the whole compared":    {seen(0, func(o *descriptor.Observer) { o.Same = map[string]string{"/a": ""} }), "observer 0 same"},
		"durable by what":       {seen(0, func(o *descriptor.Observer) { o.DurableIs = nil }), "observer 0 durable_at"},
		"durable where":         {seen(0, func(o *descriptor.Observer) { o.DurableAt = "" }), "observer 0 durable_at"},
		"durable by a table":    {seen(0, func(o *descriptor.Observer) { o.DurableIs = map[string]any{} }), "observer 0 durable_is"},
		"no reference":          {seen(0, func(o *descriptor.Observer) { o.Ref = "id" }), "observer 0 ref"},
		"no program":            {argv(), "observer 1 argv"},
		"a relative program":    {argv("refund-status"), "observer 1 argv"},
		"the call's program":    {argv("{/payment_id}"), "observer 1 argv"},
		"a program of the call": {argv("/bin/{/payment_id}"), "observer 1 argv"},
		"a part of an argument": {argv("/bin/x", "--id={/payment_id}"), "observer 1 argv"},
		"two of an argument":    {argv("/bin/x", "{/a}{/b}"), "observer 1 argv"},
		"many of an argument":   {argv("/bin/x", "{/a/*}"), "observer 1 argv"},
		"NUL":                   {argv("/bin/x", "a\x00b"), "observer 1 argv"},
		"a variable's name":     {seen(1, func(o *descriptor.Observer) { o.Env = map[string]string{"A=B": "c"} }), "observer 1 env"},
		"a variable's value":    {seen(1, func(o *descriptor.Observer) { o.Env = map[string]string{"A": "b\n"} }), "observer 1 env"},
		"a relative path":       {seen(2, func(o *descriptor.Observer) { o.Path = "a" }), "observer 2 path"},
		"a part of a path":      {seen(2, func(o *descriptor.Observer) { o.Path = "/home/{/file_path}" }), "observer 2 path"},
		"no path":               {seen(2, func(o *descriptor.Observer) { o.Path = "" }), "observer 2 path"},
		"no content":            {seen(2, func(o *descriptor.Observer) { o.Content = "" }), "observer 2 content"},
	} {
		tool := refund()
		c.change(&tool)
		_, err := descriptor.Compile([]descriptor.Tool{tool})
		e, ok := errors.AsType[*descriptor.Error](err)
		at := "0 " + c.at
		if !strings.HasPrefix(c.at, "observer") {
			at = "0 effect " + c.at
		}
		if !ok || strings.Join(e.Steps, " ") != at || e.Sentence == "" || e.Hint == "" {
			t.Errorf("%s: %+v, want a fault at %s", name, err, at)
		}
	}
}

// Every member is in the digest: each one, set to another value or to none,
// makes another.
func TestTheDigestHoldsEveryMember(t *testing.T) {
	of := func(tool descriptor.Tool) digest.Digest { return compile(t, tool).Digest() }
	seen := map[digest.Digest]string{of(refund()): "nothing"}
	add := func(what string, tool descriptor.Tool) {
		d := of(tool)
		if was, twice := seen[d]; twice {
			t.Errorf("%s and %s have one digest", what, was)
		}
		seen[d] = what
	}
	other := map[string]any{
		"Family": "refunds", "Parts": []string{"/payment_id", "/line2"}, "Types": []string{"text", "text"}, "SuccessClaims": "", "Lease": "2h", "Settle": "11m",
		"Name": "another", "Auto": false, "Within": "6s", "URL": "https://api.example.org/v2", "Headers": map[string]string{"Accept": "text/json"},
		"HeaderFile": "/etc/other", "Status": int64(203), "Absent": []int64{404}, "Argv": []string{"/bin/true"}, "Env": map[string]string{"LANG": "de"},
		"Candidates": "/list", "Same": map[string]string{"/amount": "/amount"}, "DurableAt": "/state", "DurableIs": "done", "Ref": "/ref",
		"Path": "/a", "Content": "/text",
	}
	change := func(what string, into func(*descriptor.Tool) reflect.Value) {
		zero := refund()
		for i := range into(&zero).NumField() {
			name := into(&zero).Type().Field(i).Name
			tool := refund()
			field := into(&tool).Field(i)
			switch {
			case name == "Kind", name == "NotExecuted", name == "Provider", field.IsZero() && name != "Auto":
				continue // of another observer, below, or not this kind's
			case name == "Auto" && field.IsZero():
				field.SetBool(true)
			default:
				field.Set(reflect.ValueOf(other[name]))
			}
			add(what+name, tool)
		}
	}
	change("effect ", func(t *descriptor.Tool) reflect.Value { return reflect.ValueOf(&t.Effect).Elem() })
	for i := range 3 {
		change(fmt.Sprint("observer ", i, " "), func(t *descriptor.Tool) reflect.Value { return reflect.ValueOf(&t.Observer[i]).Elem() })
	}
	for what, f := range map[string]func(*descriptor.Tool){
		"result's place": func(t *descriptor.Tool) { t.Effect.NotExecuted.At = "/code" },
		"result":         func(t *descriptor.Tool) { t.Effect.NotExecuted.Is = true },
		"result's text":  func(t *descriptor.Tool) { t.Effect.NotExecuted.Is = "true" },
		"no result":      func(t *descriptor.Tool) { t.Effect.NotExecuted = descriptor.Result{} },
		"key_lifetime":   func(t *descriptor.Tool) { t.Effect.Provider.KeyLifetime = "1 h" },
		"changed":        func(t *descriptor.Tool) { t.Effect.Provider.Changed = "applied" },
		"cached":         func(t *descriptor.Tool) { t.Effect.Provider.Cached = "nothing" },
		"order":          func(t *descriptor.Tool) { slices.Reverse(t.Observer) },
		"kind": func(t *descriptor.Tool) {
			o := &t.Observer[2]
			o.Kind, o.Path, o.Content, o.Argv, o.Same = "command", "", "", []string{"/bin/true"}, map[string]string{"/a": "/a"}
		},
	} {
		tool := refund()
		f(&tool)
		add(what, tool)
	}
	same := refund()
	same.Effect.Lease, same.Observer[1].Within, same.Observer[0].Absent = "60m", "10s", []int64{410, 404, 410}
	if of(same) != of(refund()) {
		t.Error("another way to write it is another digest")
	}
}

// What is given out can be changed without changing the descriptor.
func TestObserversAreCopies(t *testing.T) {
	d := compile(t, refund())
	was := d.Digest()
	list := d.Observers()
	if len(list) != 3 || list[0].Limit() != 5*time.Second || list[1].Limit() != 10*time.Second || d.Observer("other") != nil {
		t.Fatalf("%+v", list)
	}
	for _, o := range []*descriptor.Observer{&list[0], d.Observer("refunds")} {
		o.Same["/amount"], o.Headers["Accept"], o.Absent[0] = "/payment_id", "x", 200
	}
	d.Observer("ledger").Argv[0] = "/bin/false"
	doc, err := d.Document()
	if err != nil || digest.Of(doc) != was {
		t.Errorf("the descriptor is now %s (%v)", doc, err)
	}
}
