//go:build unix

package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// The commands of the page on boundaries are run in their order, with its two
// configurations, its descriptors and its calls. … is anything.
func TestTheExamplesOfBoundariesAreTrue(t *testing.T) {
	page, err := os.ReadFile("../docs/boundary.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	tomls, calls := fenced(t, text, "toml"), fenced(t, text, "json")
	dir := t.TempDir()
	files := map[string]string{"office/config.toml": tomls[0], "lab/config.toml": strings.Replace(tomls[0], `"office"`, `"lab-7"`, 1),
		"office/descriptors/tools.toml": tomls[1], "lab/descriptors/tools.toml": tomls[1],
		"flash.json": calls[0], "wiki.json": calls[1], "contact.json": calls[2]}
	for path, content := range files {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	nod := func(command string) string {
		command = strings.NewReplacer("office.toml", filepath.Join(dir, "office", "config.toml"),
			"lab.toml", filepath.Join(dir, "lab", "config.toml")).Replace(command)
		cmd := exec.Command("nod", append(strings.Fields(command)[1:], "--store="+filepath.Join(dir, "data", "nod.db"))...) //nolint:gosec // the page's own
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "TZ=UTC", "HOME="+dir)
		out, _ := cmd.CombinedOutput() //nolint:errcheck // what it says tells whether it went well
		return strings.TrimSuffix(string(out), "\n")
	}
	ran := 0
	for _, block := range fenced(t, text, "console") {
		for _, example := range strings.Split("\n"+block, "\n$ ")[1:] {
			command, want, _ := strings.Cut(example, "\n")
			if strings.Contains(command, "SESSION") {
				var list struct {
					Sessions []struct {
						ID string `json:"id"`
					} `json:"sessions"`
				}
				if err := json.Unmarshal([]byte(nod("nod session list --config office.toml --json")), &list); err != nil || len(list.Sessions) != 1 {
					t.Fatalf("%v: %+v", err, list)
				}
				command = strings.Replace(command, "SESSION", list.Sessions[0].ID, 1)
			}
			got := nod(command)
			pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSuffix(want, "\n")), "…", ".*?")
			if !regexp.MustCompile(`(?m)^` + pattern + `$`).MatchString(got) {
				t.Errorf("$ %s\nsays\n%s\nthe page says\n%s", command, got, want)
			}
			ran++
		}
	}
	if ran != 7 {
		t.Errorf("%d examples", ran)
	}
}
