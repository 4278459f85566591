package digest

import (
	"flag"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"
)

const specPath = "../docs/spec/digest.md"

var update = flag.Bool("update-spec", false, "rewrite the canonical bytes and digests of docs/spec/digest.md")

// block is one fenced vector of the specification, its lines by key.
type block map[string]string

func blocks(t *testing.T, doc, fence string) []block {
	t.Helper()
	var out []block
	for _, m := range regexp.MustCompile("(?s)```"+fence+"\n(.*?)\n```").FindAllStringSubmatch(doc, -1) {
		b := block{}
		for line := range strings.SplitSeq(m[1], "\n") {
			key, value, ok := strings.Cut(line, ": ")
			if !ok {
				t.Fatalf("%q is no line of a %s", line, fence)
			}
			b[key] = value
		}
		out = append(out, b)
	}
	return out
}

func spec(t *testing.T) string {
	t.Helper()
	doc, err := os.ReadFile(specPath)
	if err != nil {
		t.Fatal(err)
	}
	return string(doc)
}

// readAs reads a vector's input as the document that the block names.
func readAs(t *testing.T, b block) (JSON, error) {
	t.Helper()
	raw := []byte(b["input"])
	switch b["read"] {
	case "json":
		return Canonical(raw, Limits{})
	case "action":
		a, err := ParseAction(raw, Limits{})
		if err != nil {
			return nil, err
		}
		return a.Canonical()
	case "ask":
		k, err := ParseAsk(raw, Limits{})
		if err != nil {
			return nil, err
		}
		return k.Canonical()
	}
	t.Fatalf("what is a %q?", b["read"])
	return nil, nil
}

func TestSpecVectors(t *testing.T) {
	doc := spec(t)
	vectors := blocks(t, doc, "vector")
	if len(vectors) < 8 {
		t.Fatalf("the page has %d vectors", len(vectors))
	}
	for _, v := range vectors {
		got, err := readAs(t, v)
		if err != nil {
			t.Errorf("%s: %v", v["input"], err)
			continue
		}
		if *update {
			old := v["input"] + "\ncanonical: " + v["canonical"] + "\ndigest: " + v["digest"]
			doc = strings.Replace(doc, old, v["input"]+"\ncanonical: "+string(got)+"\ndigest: "+string(Of(got)), 1)
			continue
		}
		// Another implementation of RFC 8785 gets the same bytes.
		if other, err := jcs.Transform([]byte(v["input"])); err != nil || string(other) != v["canonical"] {
			t.Errorf("gowebpki/jcs: %s, %v", other, err)
		}
		if string(got) != v["canonical"] || string(Of(got)) != v["digest"] {
			t.Errorf("%s:\n got %s %s\nwant %s %s", v["input"], got, Of(got), v["canonical"], v["digest"])
		}
	}
	if *update {
		if err := os.WriteFile(specPath, []byte(doc), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSpecRefusals(t *testing.T) {
	refusals := blocks(t, spec(t), "refusal")
	if len(refusals) < 12 {
		t.Fatalf("the page has %d refusals", len(refusals))
	}
	for _, r := range refusals {
		_, err := readAs(t, r)
		edit{r["input"], "", r["code"], r["pointer"]}.check(t, err)
	}
}

// TestSpecNumbers: the numbers that rule 7 names pass and fail as it says.
func TestSpecNumbers(t *testing.T) {
	rule := regexp.MustCompile(`(?s)\*\*Number guard\*\*.*?So (.*?) pass; (.*?) do not`).FindStringSubmatch(spec(t))
	if rule == nil {
		t.Fatal("rule 7 is gone")
	}
	for i, list := range rule[1:] {
		numbers := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(list, -1)
		if len(numbers) < 5 {
			t.Fatalf("%q names %d numbers", list, len(numbers))
		}
		for _, n := range numbers {
			if lossless([]byte(n[1])) != (i == 0) {
				t.Errorf("%s stands on the wrong side", n[1])
			}
		}
	}
}

// TestSpecNamesEveryCode: the page and the code have the same refusals.
func TestSpecNamesEveryCode(t *testing.T) {
	doc := spec(t)
	source, err := os.ReadFile("fault.go")
	if err != nil {
		t.Fatal(err)
	}
	codes := regexp.MustCompile(`Code\w+ += "([a-z_0-9]+)"`).FindAllStringSubmatch(string(source), -1)
	if len(codes) < 20 {
		t.Fatalf("%d codes", len(codes))
	}
	fallback, _ := sentences("")
	for _, c := range codes {
		if !strings.Contains(doc, "`"+c[1]+"`") {
			t.Errorf("the page does not name %s", c[1])
		}
		if sentence, hint := sentences(c[1]); sentence == "" || hint == "" || sentence == fallback {
			t.Errorf("%s has no sentence of its own", c[1])
		}
	}
}

// TestSpecCommands runs the page's commands on its first vector.
func TestSpecCommands(t *testing.T) {
	doc := spec(t)
	first := blocks(t, doc, "vector")[0]
	commands := regexp.MustCompile("(?s)```sh recompute\n(.*?)\n```").FindAllStringSubmatch(doc, -1)
	if len(commands) < 2 {
		t.Fatalf("the page has %d commands", len(commands))
	}
	for _, c := range commands {
		tool, _, _ := strings.Cut(c[1], " ")
		t.Run(tool, func(t *testing.T) {
			for _, name := range []string{"sh", "sha256sum", tool} {
				if _, err := exec.LookPath(name); err != nil {
					t.Skipf("%s is not here", name)
				}
			}
			cmd := exec.Command("sh", "-c", c[1])
			cmd.Stdin = strings.NewReader(first["input"])
			out, err := cmd.Output()
			if err != nil || !strings.HasPrefix(string(out), Digest(first["digest"]).Hex()+" ") {
				t.Errorf("%s: %s, %v", c[1], out, err)
			}
		})
	}
}
