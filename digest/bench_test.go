package digest

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/gowebpki/jcs"
)

// action4K is an action of 4 KiB as a client might send it: white space,
// members in the sender's order, a script, numbers and some non-ASCII text.
func action4K() []byte {
	var b bytes.Buffer
	b.WriteString(`{"type": "nod.action/v1", "tool": "mcp__shop__reprice", "principal": {"agent": "claude-code", "user": "mia"}, ` +
		`"environment": {"name": "local", "cwd": "/home/mia/shop"}, "arguments": {"script": "`)
	b.WriteString(strings.Repeat(`set -e\nrm -rf ./dist \"$BUILD\"\nprintf 'preis: 10 €'\n`, 20))
	b.WriteString(`", "rows": [`)
	for i := 0; b.Len() < 4096-96; i++ {
		if i > 0 {
			b.WriteString(", ")
		}
		n := strconv.Itoa(i)
		b.WriteString(`{"sku": "A-` + n + `", "name": "Größe ` + n + `", "cents": ` + strconv.Itoa(1999+i*7) + `, "rate": 0.19, "active": true}`)
	}
	b.WriteString(`], "note": "`)
	b.WriteString(strings.Repeat("x", 4096-b.Len()-len(`"}}`)))
	b.WriteString(`"}}`)
	return b.Bytes()
}

func digestNod(raw []byte) error {
	doc, err := Canonical(raw, Limits{})
	if err != nil {
		return err
	}
	_ = Of(doc)
	return nil
}

func digestGoWebPKI(raw []byte) error {
	doc, err := jcs.Transform(raw)
	if err != nil {
		return err
	}
	_ = sha256.Sum256(doc)
	return nil
}

func digestUnguarded(raw []byte) error {
	v := jsontext.Value(bytes.Clone(raw))
	if err := v.Canonicalize(); err != nil {
		return err
	}
	_ = sha256.Sum256(v)
	return nil
}

// BenchmarkDigest4K digests one 4 KiB action from its raw text. The sub-benchmark
// "ratio" alternates the three in one run and reports nod against each of the
// others, by medians (more is faster):
//
//	go test -run '^$' -bench Digest4K -benchmem ./digest
func BenchmarkDigest4K(b *testing.B) {
	raw := action4K()
	one := func(name string, digest func([]byte) error) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				if err := digest(raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	one("nod", digestNod)
	one("gowebpki", digestGoWebPKI)
	one("unguarded", digestUnguarded)
	b.Run("ratio", func(b *testing.B) {
		var took [3][]time.Duration
		for b.Loop() {
			for i, digest := range []func([]byte) error{digestNod, digestGoWebPKI, digestUnguarded} {
				start := time.Now()
				if err := digest(raw); err != nil {
					b.Fatal(err)
				}
				took[i] = append(took[i], time.Since(start))
			}
		}
		// Medians: a busy machine takes the processor away in single runs.
		var median [3]float64
		for i := range took {
			slices.Sort(took[i])
			median[i] = float64(took[i][len(took[i])/2])
		}
		b.ReportMetric(median[1]/median[0], "x-gowebpki")
		b.ReportMetric(median[2]/median[0], "x-unguarded")
	})
}

// BenchmarkDocument4K is the hot path of a submit: read the action, and write
// and digest it again.
func BenchmarkDocument4K(b *testing.B) {
	raw := action4K()
	b.Run("parse", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := ParseAction(raw, Limits{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	a, err := ParseAction(raw, Limits{})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("digest", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := a.Digest(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
