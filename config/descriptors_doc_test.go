package config

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"nod/digest"
)

const descriptorPage = "../docs/spec/descriptor.md"

// The examples of the page are what the code does.
func TestTheDescriptorPage(t *testing.T) {
	page, err := os.ReadFile(descriptorPage)
	if err != nil {
		t.Fatal(err)
	}
	block := func(kind string) []string {
		var out []string
		for _, m := range regexp.MustCompile("(?s)```"+kind+"\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
			out = append(out, m[1])
		}
		return out
	}
	files, documents, digests, reads, observes := block("toml"), block("document"), block("digest"), block("reads"), block("observes")
	if len(files) != 3 || len(documents) != 1 || len(digests) != 1 || len(reads) < 4 || len(observes) < 6 {
		t.Fatalf("the page has %d files, %d documents, %d digests, %d readings, %d observations", len(files), len(documents), len(digests), len(reads), len(observes))
	}
	for _, text := range files[1:] {
		if _, _, fault := ParseDescriptors(Source{Path: descriptorPage, Text: text}); fault != nil {
			t.Error(fault)
		}
	}
	set, _, fault := ParseDescriptors(Source{Path: descriptorPage, Text: files[0]})
	if fault != nil {
		t.Fatal(fault)
	}
	d := set.All()[0]
	if doc, err := d.Document(); err != nil || string(doc)+"\n" != documents[0] {
		t.Errorf("document %s, %v", doc, err)
	}
	if string(d.Digest())+"\n" != digests[0] {
		t.Errorf("digest %s", d.Digest())
	}
	for _, r := range reads {
		head, want, _ := strings.Cut(r, "\n")
		args, err := digest.Canonical([]byte(strings.TrimPrefix(head, "arguments: ")), digest.NoLimits())
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, x := range d.Read(args) {
			got += x.Pointer + ": " + x.Text + "\n"
		}
		if got != want {
			t.Errorf("%s reads\n%swant\n%s", head, got, want)
		}
	}
	args := digest.JSON(`{"amount":4800,"currency":"EUR","payment_id":"pay_8842"}`)
	for _, o := range observes {
		head, want, _ := strings.Cut(o, "\n")
		v := d.Observers()[0].Judge([]byte(strings.TrimPrefix(head, "document: ")), args)
		got := v.Says
		for _, word := range []struct {
			is   bool
			text string
		}{{v.Divergent, " divergent"}, {v.Durable, " durable"}, {v.Why != "", ": " + v.Why}, {v.Ref != "", ", ref " + v.Ref}} {
			if word.is {
				got += word.text
			}
		}
		if got += "\n" + v.Seen + "\n"; got != want {
			t.Errorf("%s says\n%swant\n%s", head, got, want)
		}
	}
}
