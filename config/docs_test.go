package config

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const page = "../docs/configuration.md"

func readPage(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// keysOf gives every key of a configuration file, as the page writes them.
func keysOf(v reflect.Type, prefix string) []string {
	if v == reflect.TypeFor[ThemeChoice]() {
		return []string{strings.TrimPrefix(prefix, ".")}
	}
	switch v.Kind() {
	case reflect.Struct:
		var out []string
		for i := range v.NumField() {
			out = append(out, keysOf(v.Field(i).Type, prefix+"."+v.Field(i).Tag.Get("toml"))...)
		}
		return out
	case reflect.Map:
		return keysOf(v.Elem(), prefix+".<name>")
	case reflect.Slice:
		if v.Elem().Kind() == reflect.Struct {
			return keysOf(v.Elem(), prefix)
		}
	}
	return []string{strings.TrimPrefix(prefix, ".")}
}

// Every key has a section, and every section is of a key.
func TestEveryKeyIsDocumented(t *testing.T) {
	want := keysOf(reflect.TypeFor[File](), "")
	var got []string
	for _, m := range regexp.MustCompile("(?m)^### `([^`]+)`$").FindAllStringSubmatch(readPage(t), -1) {
		got = append(got, m[1])
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) || len(want) < 25 {
		t.Errorf("keys %v\npage %v", want, got)
	}
}

// Every example is a file that loads, and sets the key of its section to
// something else than the default.
func TestEveryExampleLoads(t *testing.T) {
	sections := strings.Split(readPage(t), "\n### `")
	examples := 0
	for _, section := range sections {
		title, _, _ := strings.Cut(section, "`")
		for _, m := range regexp.MustCompile("(?s)```toml\n(.*?)```").FindAllStringSubmatch(section, -1) {
			examples++
			c, err := Parse(m[1])
			if err != nil {
				t.Errorf("%s: %v in\n%s", title, err, m[1])
				continue
			}
			key := title[strings.LastIndex(title, ".")+1:]
			if section != sections[0] && !strings.Contains(section, "## Rules") && key != "<name>" && !strings.Contains(m[1], key+" = ") {
				t.Errorf("%s: the example does not set it", title)
			}
			if c.Digest() == Default().Digest() {
				t.Errorf("%s: the example changes nothing", title)
			}
		}
	}
	if examples < 26 {
		t.Errorf("%d examples", examples)
	}
}

// The defaults on the page are those of the code.
func TestDefaultsAreTheCodes(t *testing.T) {
	text := readPage(t)
	d := Default()
	for _, c := range []struct {
		key, written string
		holds        bool
	}{
		{"environment.name", "`\"local\"`", d.Environment.Name == "local"},
		{"defaults.answer_within", "`\"24h\"`", d.Defaults.AnswerWithin == 24*hour},
		{"defaults.use_within", "`\"10m\"`", d.Defaults.UseWithin == 10*minute},
		{"defaults.lease", "`\"5m\"`", d.Defaults.Lease == 5*minute},
		{"defaults.host_lease", "`\"1h\"`", d.Defaults.HostLease == hour},
		{"defaults.waiter", "`\"30s\"`", d.Defaults.Waiter == 30*second},
		{"defaults.session", "`\"24h\"`", d.Defaults.Session == 24*hour},
		{"defaults.hold_irreversible", "`\"30s\"`", d.Defaults.HoldIrreversible == 30*second},
		{"limits.max_pending", "`1000`", d.Limits.MaxPending == 1000},
		{"limits.max_bytes", "`1048576`", d.Limits.MaxBytes == 1<<20},
		{"limits.max_depth", "`128`", d.Limits.MaxDepth == 128},
		{"run.env", "`" + strings.Join(d.Run.Env, " ") + "`", true},
		{"ui.theme", "`\"terminal\"`", d.UI.Theme == ThemeChoice{Name: "terminal"}},
		{"ui.ascii", "`false`", !d.UI.ASCII},
		{"ui.alert", "`[\"title\"]`", slices.Equal(d.UI.Alert, []string{"title"})},
		{"ui.slow_below", "`\"2s\"`", d.UI.SlowBelow == 2*second},
		{"notify.when", "`\"unwatched\"`", d.Notify.When == NotifyUnwatched},
		{"notify.after", "`[\"0s\", \"2m\", \"10m\", \"30m\"]`", slices.Equal(d.Notify.After, []Delay{0, 2 * minute, 10 * minute, 30 * minute})},
		{"notify.webhooks", "none", len(d.Notify.Webhooks) == 0},
		{"notify.command", "none", len(d.Notify.Command) == 0},
		{"notify.env", "`" + strings.Join(d.Notify.Env, " ") + "`", true},
	} {
		_, after, _ := strings.Cut(text, "### `"+c.key+"`\n")
		section, _, _ := strings.Cut(after, "```")
		_, stated, _ := strings.Cut(section, "Default")
		if !c.holds || !strings.Contains(stated, c.written) {
			t.Errorf("%s: default %s on the page: %q", c.key, c.written, stated)
		}
	}
}

// Every code of an Error has its row.
func TestEveryCodeIsDocumented(t *testing.T) {
	text := readPage(t)
	for _, code := range []string{
		CodeUnknownKey, CodeBadValue, CodeSyntax, CodeBadRule, CodeLoose, CodeUnreadable, CodeTooLarge, CodeNoHome, CodeBadPath,
		CodeBadDescriptor,
	} {
		if !strings.Contains(text, "| `"+code+"` |") {
			t.Errorf("%s has no row", code)
		}
	}
}
