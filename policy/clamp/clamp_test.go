package clamp

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nod/digest"
)

func read(t *testing.T, text string) Declaration {
	t.Helper()
	d, err := Read([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return d
}

// whole is a clamp of a whole seat as the law's text has it.
type whole struct {
	seat      string
	restricts any
	others    []any // values that do not restrict, beside null
}

var cells = []whole{
	{"memoryPersistenceCapable", false, []any{true, "false", float64(0)}},
	{"fileHistory", "disabled", []any{"enabled", "Disabled", map[string]any{"mode": "disabled"}}},
	{"promptForm", "minimal", []any{"full", false}},
	{"autoAllow", false, []any{true}},
	{"grants", "disabled", []any{"enabled"}},
	{"edits", "disabled", []any{"enabled"}},
}

// absent is a level that does not state a seat.
type absent struct{}

// model is the restricting law on plain values, from its text: the value stands
// if either side holds it; else the later side's, else the earlier's; null counts
// as absent.
func model(earlier, later, restricts any) any {
	for _, side := range []*any{&earlier, &later} {
		if *side == nil {
			*side = absent{}
		}
	}
	if reflect.DeepEqual(earlier, restricts) || reflect.DeepEqual(later, restricts) {
		return restricts
	}
	if _, none := later.(absent); none {
		return earlier
	}
	return later
}

// Every composition of two and of three levels of every seat that is clamped
// whole, against the model.
func TestComposition(t *testing.T) {
	judged := 0
	for _, c := range cells {
		values := append([]any{absent{}, nil, c.restricts}, c.others...)
		for _, a := range values {
			for _, b := range values {
				two := model(model(absent{}, a, c.restricts), b, c.restricts)
				check(t, c.seat, two, a, b)
				for _, third := range values {
					check(t, c.seat, model(two, third, c.restricts), a, b, third)
					judged++
				}
			}
		}
	}
	if judged < 500 {
		t.Errorf("%d compositions", judged)
	}
}

// The law, written out: what two levels come to, and what a third makes of it. r
// restricts, o is another value, n is null, - is not stated. In each block the
// rows are the first level, the columns the second; the blocks are the third.
const law = `
third -
   -  n  o  r
-  -  -  o  r
n  -  -  o  r
o  o  o  o  r
r  r  r  r  r
third n
   -  n  o  r
-  -  -  o  r
n  -  -  o  r
o  o  o  o  r
r  r  r  r  r
third o
   -  n  o  r
-  o  o  o  r
n  o  o  o  r
o  o  o  o  r
r  r  r  r  r
third r
   -  n  o  r
-  r  r  r  r
n  r  r  r  r
o  r  r  r  r
r  r  r  r  r`

// Every seat that is clamped whole, and the clamped member of an object, against
// the table; with a third level that states nothing it is that of two.
func TestTheLawWrittenOut(t *testing.T) {
	type seat struct{ r, o string }
	words := map[string]seat{}
	for _, c := range cells {
		words[c.seat] = seat{fmt.Sprintf(`{%q:%s}`, c.seat, written(c.restricts)), fmt.Sprintf(`{%q:%s}`, c.seat, written(c.others[0]))}
	}
	words["memory"] = seat{`{"memory":{"enabled":false}}`, `{"memory":{"enabled":true}}`}
	judged := 0
	for name, w := range words {
		value := map[string]string{"-": `{}`, "n": fmt.Sprintf(`{%q:null}`, name), "o": w.o, "r": w.r}
		third, columns := "", []string(nil)
		for _, line := range strings.Split(strings.TrimSpace(law), "\n") {
			f := strings.Fields(line)
			switch {
			case f[0] == "third":
				third, columns = f[1], nil
			case columns == nil:
				columns = f
			default:
				for i, cell := range f[1:] {
					levels := []Declaration{read(t, value[f[0]]), read(t, value[columns[i]])}
					if third != "-" {
						levels = append(levels, read(t, value[third]))
					}
					judged++
					if got := string(Compose(levels...).JSON()); got != value[cell] {
						t.Errorf("%s, %s then %s then %s: %s, want %s", name, f[0], columns[i], third, got, value[cell])
					}
				}
			}
		}
	}
	if judged != 7*64 {
		t.Errorf("%d compositions", judged)
	}
}

func check(t *testing.T, seat string, want any, levels ...any) {
	t.Helper()
	var ds []Declaration
	for _, l := range levels {
		text := "{}"
		if _, none := l.(absent); !none {
			text = fmt.Sprintf(`{%q:%s}`, seat, written(l))
		}
		ds = append(ds, read(t, text))
	}
	wanted := "{}"
	if _, none := want.(absent); !none {
		wanted = fmt.Sprintf(`{%q:%s}`, seat, written(want))
	}
	if got := Compose(ds...); string(got.JSON()) != wanted {
		t.Errorf("%s %v: %s, want %s", seat, levels, got.JSON(), wanted)
	}
}

func written(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return fmt.Sprintf("%q", v)
	case map[string]any:
		return `{"mode":"disabled"}`
	}
	return fmt.Sprint(v)
}

// seats are what a level may say of memory, and what of it the law takes: the
// value of enabled ("" not stated), the others, and whether it is an object.
var seats = []struct {
	text    string // "": the seat is not there
	enabled string
	others  string
	object  bool
}{
	{``, ``, ``, false},
	{`null`, ``, ``, false},
	{`true`, ``, ``, false},
	{`[false]`, ``, ``, false},
	{`{}`, ``, ``, true},
	{`{"dir":"a"}`, ``, `"dir":"a"`, true},
	{`{"enabled":null}`, ``, ``, true},
	{`{"enabled":true}`, `true`, ``, true},
	{`{"dir":"b","enabled":true}`, `true`, `"dir":"b"`, true},
	{`{"enabled":false}`, `false`, ``, true},
	{`{"dir":"c","enabled":false}`, `false`, `"dir":"c"`, true},
	{`{"enabled":"no"}`, `"no"`, ``, true},
}

// fieldModel is the field clamp from the law's text, over levels: the member by
// the restricting law, the other members by the last declaration alone, a
// declaration that is no object replaced when the member is written.
func fieldModel(levels []int) string {
	enabled := ""
	for _, i := range levels {
		switch s := seats[i].enabled; {
		case s == "false" || enabled == "false":
			enabled = "false"
		case s != "":
			enabled = s
		}
	}
	last := seats[levels[len(levels)-1]]
	if enabled == "" {
		if last.text == "null" {
			return ""
		}
		return last.text
	}
	if last.others != "" {
		return `{` + last.others + `,"enabled":` + enabled + `}`
	}
	return `{"enabled":` + enabled + `}`
}

func TestFieldClamps(t *testing.T) {
	level := func(i int) Declaration {
		if seats[i].text == "" {
			return read(t, `{}`)
		}
		return read(t, `{"memory":`+seats[i].text+`}`)
	}
	one := func(levels ...int) {
		var ds []Declaration
		for _, i := range levels {
			ds = append(ds, level(i))
		}
		want := fieldModel(levels)
		if want == "" {
			want = "{}"
		} else {
			want = `{"memory":` + want + `}`
		}
		if got := Compose(ds...); string(got.JSON()) != want {
			t.Errorf("%v: %s, want %s", levels, got.JSON(), want)
		}
	}
	for a := range seats {
		for b := range seats {
			one(a, b)
			for c := range seats {
				one(a, b, c)
			}
		}
	}
}

// Rules add up by name, in order, and no later one takes an earlier one's place.
func TestRulesAddUp(t *testing.T) {
	for _, row := range []struct {
		levels []string
		want   string
	}{
		{[]string{`["a","b"]`, `["c","a"]`}, `["a","b","c"]`},
		{[]string{`["a"]`, `[]`, `["b"]`}, `["a","b"]`},
		{[]string{`["a"]`, `null`, `["b"]`}, `["a","b"]`},
		{[]string{`["a"]`, ``, ``}, `["a"]`},
		{[]string{``, `["b"]`, `["a","b"]`}, `["b","a"]`},
		{[]string{`[{"name":"a","tools":["rm"]}]`, `[{"name":"a","tools":[]},"b"]`}, `[{"name":"a","tools":["rm"]},"b"]`},
		{[]string{`["a"]`, `[{"name":"a","tools":[]}]`}, `["a"]`},
		{[]string{`[]`, `null`}, ``},
	} {
		var ds []Declaration
		for _, l := range row.levels {
			text := `{}`
			if l != "" {
				text = `{"denyRules":` + l + `}`
			}
			ds = append(ds, read(t, text))
		}
		want := `{}`
		if row.want != "" {
			want = `{"denyRules":` + row.want + `}`
		}
		got := Compose(ds...)
		if string(got.JSON()) != want || string(got.Project().JSON()) != want {
			t.Errorf("%q: %s, travels as %s, want %s", row.levels, got.JSON(), got.Project().JSON(), want)
		}
	}
}

// A base that holds the restricting value, and an override that states another.
func TestLoosening(t *testing.T) {
	const all = `{"memoryPersistenceCapable":false,"fileHistory":"disabled","promptForm":"minimal","memory":{"enabled":false,"dir":"d"},"autoAllow":false,"grants":"disabled","edits":"disabled","denyRules":["a"]}`
	for _, row := range []struct{ base, override, want string }{
		{all, `{}`, ""},
		{all, all, ""},
		{all, `{"memoryPersistenceCapable":true,"fileHistory":"enabled","promptForm":"full","memory":{"enabled":true},"autoAllow":true,"grants":"enabled","edits":"enabled"}`,
			"memoryPersistenceCapable fileHistory promptForm memory.enabled autoAllow grants edits"},
		{all, `{"memoryPersistenceCapable":null,"fileHistory":null,"promptForm":null,"memory":null,"autoAllow":null,"grants":null,"edits":null,"denyRules":null}`,
			"memoryPersistenceCapable fileHistory promptForm memory.enabled autoAllow grants edits"},
		{all, `{"memory":{}}`, ""},
		{all, `{"memory":{"dir":"other"}}`, ""},
		{all, `{"memory":{"enabled":null}}`, "memory.enabled"},
		{all, `{"memory":{"enabled":"false"}}`, "memory.enabled"},
		{all, `{"memory":true}`, "memory.enabled"},
		{all, `{"memory":[]}`, "memory.enabled"},
		{all, `{"denyRules":[]}`, ""},
		{all, `{"promptForm":"minimal","edits":"enabled"}`, "edits"},
		{`{}`, `{"autoAllow":true,"memory":{"enabled":true}}`, ""},
		{`{"autoAllow":true,"memory":{"enabled":true},"grants":null}`, `{"autoAllow":false,"memory":null,"grants":"enabled"}`, ""},
	} {
		if got := strings.Join(Loosened(read(t, row.base), read(t, row.override)), " "); got != row.want {
			t.Errorf("%s under %s loosens %q, want %q", row.override, row.base, got, row.want)
		}
	}
}

// Only restricting values travel, and what travelled reads as a record; whatever
// a child states, it is as tight as what it was given.
func TestProjection(t *testing.T) {
	d := read(t, `{"memoryPersistenceCapable":false,"fileHistory":"full","promptForm":"minimal","memory":{"enabled":false,"dir":"d"},"autoAllow":false,"grants":"enabled","edits":"disabled","denyRules":["a",{"name":"b"}]}`)
	const travels = `{"autoAllow":false,"denyRules":["a",{"name":"b"}],"edits":"disabled","memory":{"enabled":false},"memoryPersistenceCapable":false,"promptForm":"minimal"}`
	p := d.Project()
	if string(p.JSON()) != travels {
		t.Errorf("%s", p.JSON())
	}
	if carried := string(d.Carried()); carried != `{"memory":{"enabled":false},"memoryPersistenceCapable":false,"promptForm":"minimal"}` {
		t.Errorf("%s", carried)
	}
	if held := strings.Join(d.Held(), " "); held != "memoryPersistenceCapable promptForm memory.enabled autoAllow edits" {
		t.Errorf("%s", held)
	}
	e := d.Enforced()
	if !e.NoAutoAllow || e.NoGrants || !e.NoEdits || len(e.DenyRules) != 2 || e.DenyRules[1].Name != "b" {
		t.Errorf("%+v", e)
	}
	if e := (Declaration{}).Enforced(); e.NoAutoAllow || e.NoGrants || e.NoEdits || e.DenyRules != nil {
		t.Errorf("nothing declared enforces %+v", e)
	}
	if r, err := ReadRecord([]byte(travels)); err != nil || string(r.JSON()) != travels {
		t.Errorf("%v", err)
	}
	child := Compose(p, read(t, `{"memoryPersistenceCapable":true,"promptForm":"full","memory":{"enabled":true,"dir":"x"},"autoAllow":true,"edits":"enabled","grants":"enabled","denyRules":["c"]}`))
	if got := child.Enforced(); !got.NoAutoAllow || !got.NoEdits || got.NoGrants || len(got.DenyRules) != 3 || Loosened(p, child) != nil {
		t.Errorf("%s", child.JSON())
	}
	if string(child.JSON()) != `{"autoAllow":false,"denyRules":["a",{"name":"b"},"c"],"edits":"disabled","grants":"enabled","memory":{"dir":"x","enabled":false},"memoryPersistenceCapable":false,"promptForm":"minimal"}` {
		t.Errorf("%s", child.JSON())
	}
}

func TestAMalformedDeclaration(t *testing.T) {
	for text, pointer := range map[string]string{
		``: "", `null`: "", `[]`: "", `"grants"`: "", `{"grants":"disabled","grants":"enabled"}`: "", `{"x":9007199254740993}`: "",
		`{"Grants":"disabled"}`:              "/Grants",
		`{"auto_allow":false}`:               "/auto_allow",
		`{"memory.enabled":false}`:           "/memory.enabled",
		`{"autoAllow":"false"}`:              "/autoAllow",
		`{"autoAllow":0}`:                    "/autoAllow",
		`{"grants":"disable"}`:               "/grants",
		`{"grants":false}`:                   "/grants",
		`{"edits":["disabled"]}`:             "/edits",
		`{"denyRules":"a"}`:                  "/denyRules",
		`{"denyRules":{"name":"a"}}`:         "/denyRules",
		`{"denyRules":["a",""]}`:             "/denyRules/1",
		`{"denyRules":[{"tools":[]}]}`:       "/denyRules/0",
		`{"denyRules":[{"name":7}]}`:         "/denyRules/0",
		`{"denyRules":[null]}`:               "/denyRules/0",
		`{"denyRules":["a",{"name":"a"}]}`:   "/denyRules/1",
		`{"denyRules":["a",[{"name":"b"}]]}`: "/denyRules/1",
	} {
		_, err := Read([]byte(text))
		checkInvalid(t, text, err, pointer)
		_, err = ReadRecord([]byte(text))
		checkInvalid(t, text, err, pointer)
	}
	for text, pointer := range map[string]string{
		`{"autoAllow":true}`:                          "/autoAllow",
		`{"autoAllow":null}`:                          "/autoAllow",
		`{"promptForm":"full"}`:                       "/promptForm",
		`{"memory":{"enabled":true}}`:                 "/memory",
		`{"memory":{"enabled":false,"dir":"d"}}`:      "/memory",
		`{"memory":{}}`:                               "/memory",
		`{"memory":false}`:                            "/memory",
		`{"denyRules":[]}`:                            "/denyRules",
		`{"denyRules":null}`:                          "/denyRules",
		`{"edits":"disabled","grants":"enabled"}`:     "/grants",
		`{"fileHistory":"disabled","promptForm":"x"}`: "/promptForm",
	} {
		if _, err := Read([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		_, err := ReadRecord([]byte(text))
		checkInvalid(t, text, err, pointer)
	}
	if _, err := ReadRecord([]byte(`{}`)); err != nil {
		t.Errorf("nothing travelled: %v", err)
	}
}

func checkInvalid(t *testing.T, text string, err error, pointer string) {
	t.Helper()
	var e *digest.Error
	if !errors.As(err, &e) || e.Code != "config.invalid_argument" || e.Pointer != pointer || e.Sentence == "" || e.Hint == "" {
		t.Errorf("%s: %v", text, err)
	}
}

// FuzzRead: what two levels come to is never looser than either, reads again, and
// travels as a record.
func FuzzRead(f *testing.F) {
	for _, s := range seats {
		if s.text != "" {
			f.Add([]byte(`{"memory":`+s.text+`}`), []byte(`{"autoAllow":false,"denyRules":["a"]}`))
		}
	}
	f.Add([]byte(`{"denyRules":["a",{"name":"b"}],"grants":"disabled"}`), []byte(`{"denyRules":[{"name":"a"}],"grants":null,"fileHistory":{"x":1}}`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		x, err := Read(a)
		if err != nil {
			return
		}
		y, err := Read(b)
		if err != nil {
			return
		}
		d := Compose(x, y)
		if l := append(Loosened(x, d), Loosened(y, d)...); l != nil {
			t.Fatalf("%s with %s is %s: %v", a, b, d.JSON(), l)
		}
		if _, err := Read(d.JSON()); err != nil {
			t.Fatalf("%s: %v", d.JSON(), err)
		}
		p := d.Project()
		if _, err := ReadRecord(p.JSON()); err != nil {
			t.Fatalf("%s: %v", p.JSON(), err)
		}
		for _, level := range []Declaration{x, y} {
			for _, r := range level.DenyRules() {
				if !slices.ContainsFunc(p.DenyRules(), func(k Rule) bool { return k.Name == r.Name }) {
					t.Fatalf("%s lost the rule %q", p.JSON(), r.Name)
				}
			}
		}
	})
}
