package config

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const refunds = `# what a refund is
[[tool]]
name = "billing.refund"
class = "irreversible"
access = "write"
confirm = "/payment_id"

[[tool.reading]]
at = "/amount"
as = "money"
currency = "/currency"

[[tool.reading]]
at = "/customer"
as = "name"
names = { "C-20417" = "Example Ltd", "C-7" = "Other" }
`

// described makes a configuration directory with these descriptor files.
func described(t *testing.T, files map[string]string) (config string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "nod")
	if err := os.MkdirAll(filepath.Join(dir, "descriptors"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, "descriptors", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "config.toml")
}

func TestDescriptorsAreRead(t *testing.T) {
	path := described(t, map[string]string{
		"billing.toml": refunds, "shell.toml": "[[tool]]\nname = \"Bash\"\naccess = \"write\"\n[[tool]]\nname = \"Read\"\naccess = \"read\"\n",
		".#billing.toml": "not TOML", "notes.txt": "not TOML", "billing.toml~": "not TOML", "empty.toml": "# nothing yet\n",
	})
	c, err := Load(path, os.Getuid())
	if err != nil {
		t.Fatal(err)
	}
	if c.Descriptors().Len() != 3 || c.Settings().Descriptors != c.Descriptors() {
		t.Fatalf("%d descriptors", c.Descriptors().Len())
	}
	d := c.Descriptors().Tool("billing.refund")
	if class, access := d.Effect(); class != "irreversible" || access != "write" || d.ConfirmAt() != "/payment_id" {
		t.Errorf("billing.refund is %s, %s, %s", class, access, d.ConfirmAt())
	}
	if got := filepath.Base(c.DescribedIn("Read")); got != "shell.toml" {
		t.Errorf("Read is described in %s", got)
	}
	if c.Digest() == Default().Digest() {
		t.Error("the configuration's digest does not hold the descriptors")
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "descriptors", "shell.toml"), []byte("[[tool]]\nname = \"Bash\"\naccess = \"read\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if again, err := Load(path, os.Getuid()); err != nil || again.Digest() == c.Digest() {
		t.Errorf("a changed descriptor keeps the configuration's digest (%v)", err)
	}
}

// Without a directory nothing is described, and nothing else changes.
func TestNoDescriptors(t *testing.T) {
	path := described(t, nil)
	for range 2 {
		c, err := Load(path, os.Getuid())
		if err != nil || c.Descriptors() != nil || c.Digest() != Default().Digest() {
			t.Fatalf("descriptors %v, %v", c.Descriptors(), err)
		}
		if err := os.RemoveAll(filepath.Join(filepath.Dir(path), "descriptors")); err != nil {
			t.Fatal(err)
		}
	}
}

// A descriptor with a fault refuses the whole configuration and names its
// place; it is never none.
func TestADescriptorWithAFault(t *testing.T) {
	for name, c := range map[string]struct {
		text, code, sentence string
		line                 int
	}{
		"no TOML":             {"[[tool]\n", CodeSyntax, "the descriptor is not TOML", 2},
		"a key":               {strings.Replace(refunds, "confirm =", "confirms =", 1), CodeUnknownKey, `"tool.confirms" is not a key of a descriptor`, 6},
		"case":                {strings.Replace(refunds, "class =", "Class =", 1), CodeUnknownKey, `"tool.Class"`, 4},
		"a reading's":         {strings.Replace(refunds, "at = \"/customer\"", "path = \"/customer\"", 1), CodeUnknownKey, `"tool.reading.path"`, 14},
		"outside":             {"tools = 1\n", CodeUnknownKey, `"tools"`, 1},
		"a type":              {strings.Replace(refunds, `"irreversible"`, "true", 1), CodeBadValue, `"tool.class" is not a text`, 4},
		"a name":              {strings.Replace(refunds, `"Other"`, "7", 1), CodeBadValue, "is not a text", 16},
		"a word":              {strings.Replace(refunds, `"irreversible"`, `"final"`, 1), CodeBadDescriptor, "none of reversible", 4},
		"a currency":          {strings.Replace(refunds, `"/currency"`, `"EURO"`, 1), CodeBadDescriptor, "ISO 4217", 11},
		"a missing":           {strings.Replace(refunds, "as = \"money\"\n", "", 1), CodeBadDescriptor, `"as"`, 8},
		"a result":            {refunds + "[tool.effect.not_executed]\nat = \"/error\"\nis = 2026-12-01\n", CodeBadValue, `"tool.effect.not_executed.is" is not a text, a number or true or false`, 19},
		"a lossy one":         {refunds + "[tool.effect.not_executed]\nat = \"/error\"\nis = 9007199254740993\n", CodeBadDescriptor, `"is" is no text, number`, 19},
		"an observer":         {refunds + "[[tool.observer]]\nname = \"x\"\nkind = \"http\"\nurl = \"https://{/host}/\"\n", CodeBadDescriptor, `does not name its host`, 20},
		"a host that is none": {refunds + "[[tool.observer]]\nname = \"x\"\nkind = \"http\"\nurl = \"https://[0]/\"\n", CodeBadDescriptor, `does not name its host`, 20},
		"a part":              {refunds + "[tool.effect]\nfamily = \"refund\"\nparts = [\n  \"/payment_id\",\n  \"line\",\n]\n", CodeBadDescriptor, "a part is not the pointer", 21},
		"twice":               {refunds + "\n" + refunds, CodeBadDescriptor, "two descriptors are of one tool", 20},
	} {
		path := described(t, map[string]string{"a.toml": "[[tool]]\nname = \"a\"\naccess = \"read\"\n", "b.toml": c.text})
		got, err := Load(path, os.Getuid())
		e, ok := errors.AsType[*Error](err)
		if !ok || got != nil || e.Code != c.code || !strings.Contains(e.Sentence, c.sentence) || e.Line != c.line || filepath.Base(e.File) != "b.toml" || e.Hint == "" {
			t.Errorf("%s: %+v, want %s at line %d", name, e, c.code, c.line)
		}
	}
}

// One tool in two files: which would hold, nobody could see.
func TestOneToolInTwoFiles(t *testing.T) {
	path := described(t, map[string]string{"a.toml": refunds, "b.toml": refunds})
	_, err := Load(path, os.Getuid())
	if e, ok := errors.AsType[*Error](err); !ok || e.Code != CodeBadDescriptor || filepath.Base(e.File) != "b.toml" {
		t.Errorf("%v", err)
	}
}

func TestDescriptorsThatOthersCouldChange(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("file modes do not show who may change a file")
	}
	file := func(path string) string { return filepath.Join(filepath.Dir(path), "descriptors", "a.toml") }
	for name, spoil := range map[string]func(path string) error{
		"a file others may write": func(p string) error { return os.Chmod(file(p), 0o620) },
		"a directory others may write": func(p string) error {
			return os.Chmod(filepath.Dir(file(p)), 0o770)
		},
		"a configuration directory others may write": func(p string) error { return os.Chmod(filepath.Dir(p), 0o702) },
		"a link": func(p string) error {
			real := filepath.Join(filepath.Dir(p), "real.toml")
			return errors.Join(os.Rename(file(p), real), os.Symlink(real, file(p)))
		},
		"a link to nothing": func(p string) error { return errors.Join(os.Remove(file(p)), os.Symlink("nothing", file(p))) },
		"a directory":       func(p string) error { return errors.Join(os.Remove(file(p)), os.Mkdir(file(p), 0o700)) },
		"a linked directory": func(p string) error {
			dir := filepath.Dir(file(p))
			return errors.Join(os.Rename(dir, dir+"2"), os.Symlink(dir+"2", dir))
		},
	} {
		path := described(t, map[string]string{"a.toml": refunds})
		if err := spoil(path); err != nil {
			t.Fatal(err)
		}
		_, err := Load(path, os.Getuid())
		if e, ok := errors.AsType[*Error](err); !ok || e.Code != CodeLoose {
			t.Errorf("%s: %v, want %s", name, err, CodeLoose)
		}
	}
	path := described(t, map[string]string{"a.toml": refunds})
	if _, err := Load(path, os.Getuid()+1); os.Getuid() != 0 && err == nil {
		t.Error("another user's descriptors are used")
	}
	if err := os.Chmod(file(path), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path, os.Getuid()); os.Getuid() != 0 && err == nil {
		t.Error("an unreadable descriptor is none")
	}
}
