package config

import (
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

func TestLines(t *testing.T) {
	const doc = `# first
a = 1
"quoted.key" = { x = 1, 'y z' = [1,
  2] }
b.c = """
[not.a.table]
q = "\""
""" # "
[t]
u = '''
''''' # two quotes belong to it
v = [ { n = 1 },
      { n = 2,
        m = 3 } ]
[[list]]
k = 1
[list.sub]
s = 1
[[list]]
k = 2
[list.sub]
s = 2
[[list.deep]]
d = """\
  x"""
[[list.deep]]
d = 3 # [x]
["t 2".w]
z = 1979-05-27T07:32:00Z
`
	if _, err := toml.Decode(doc, &map[string]any{}); err != nil {
		t.Fatal(err)
	}
	got := lines(doc)
	for key, want := range map[string]int{
		"a": 2, "quoted.key": 3, "quoted.key/x": 3, "quoted.key/y z": 3, "quoted.key/y z/1": 4, "b/c": 5, "t": 9, "t/u": 10,
		"t/v": 12, "t/v/0/n": 12, "t/v/1": 13, "t/v/1/n": 13, "t/v/1/m": 14,
		"list": 15, "list/0/k": 16, "list/0/sub": 17, "list/0/sub/s": 18, "list/1": 19, "list/1/k": 20, "list/1/sub/s": 22,
		"list/1/deep/0/d": 24, "list/1/deep/1": 26, "list/1/deep/1/d": 27, "t 2/w/z": 29,
	} {
		if at := got[path(strings.Split(key, "/")...)]; at != want {
			t.Errorf("%s is on line %d, found on %d", key, want, at)
		}
	}
	if at := got[path("not", "a", "table")]; at != 0 {
		t.Errorf("a table inside a string is on line %d", at)
	}
}

// Every key that the parser finds has a line, and no text hangs or breaks the
// scanner.
func FuzzLines(f *testing.F) {
	f.Add("a = 1\n[[b]]\nc = { d = [ 1, 2 ] }\n")
	f.Add("[a.\"b\\u0041\"]\n'x' = '''\n'''\n")
	f.Add("a = [[1], [{b = 1}]]\nc.d = \"\"\"\"\"\"\n")
	f.Fuzz(func(t *testing.T, doc string) {
		found := lines(doc)
		var m map[string]any
		if _, err := toml.Decode(doc, &m); err != nil {
			return
		}
		everyKey(m, nil, func(steps []string) {
			if found[path(steps...)] == 0 {
				t.Errorf("%q has no line in %q", steps, doc)
			}
		})
	})
}

func everyKey(v any, at []string, do func([]string)) {
	below := func(step string, v any) {
		steps := append(append([]string(nil), at...), step)
		do(steps)
		everyKey(v, steps, do)
	}
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			below(k, e)
		}
	case []any:
		for i, e := range v {
			below(strconv.Itoa(i), e)
		}
	case []map[string]any:
		for i, e := range v {
			below(strconv.Itoa(i), e)
		}
	}
}
