//go:build unix

package cli_test

import (
	"github.com/go-json-experiment/json"
	"github.com/rogpeppe/go-internal/testscript"

	"nod/digest"
	"nod/queue"
)

// batched is `batched ID...`: it names the digest of the batch of these asks,
// BATCH, and its code, BATCHCODE.
func batched(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: batched ID ID...")
	}
	var shown []digest.Digest
	for _, id := range args {
		out, err := quietly(ts, "nod", ts.Getenv("S"), ts.Getenv("C"), "show", id, "--json")
		ts.Check(err)
		var v struct {
			Row struct {
				Shown digest.Digest `json:"shown_digest"`
			} `json:"row"`
		}
		ts.Check(json.Unmarshal(out, &v))
		shown = append(shown, v.Row.Shown)
	}
	d := queue.BatchDigest(shown)
	ts.Setenv("BATCH", string(d))
	ts.Setenv("BATCHCODE", d.Hex()[:4])
}
