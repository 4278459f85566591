package card_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"nod/digest"
	"nod/digest/card"
)

// hostileDesk draws a desk of hostile strings.
func hostileDesk(t *rapid.T) *card.Desk {
	some := func() string { return maybe(t, func() string { return text(t, 1) }) }
	of := func(words ...string) string { return rapid.SampledFrom(words).Draw(t, "word") }
	at := func(least int64) int64 { return rapid.Int64Range(least, 253402300799999).Draw(t, "time") }
	num := func() int64 { return max(0, rapid.Int64().Draw(t, "number")) }
	yes := func() bool { return rapid.Bool().Draw(t, "flag") }
	hash := func() digest.Digest { return digest.Digest(of("", d0, d1)) }
	d := &card.Desk{
		Effect: of(effect0, effect1), Links: of("", effect0, effect1), State: of("executing", "unknown", "committed", "not_executed", "free"),
		Mark: of("", "not_confirmed", "not_durable", "conflict", "divergent", "possible_double"), Ordinal: max(1, num()),
		Tool: some(), Operation: some(), Environment: some(), Agent: some(), User: some(), Host: some(),
		Class: of("", "reversible", "compensatable", "irreversible"), Access: of("", "read", "write", "idempotent"),
		Descriptor: hash(), SettledAt: max(0, at(-1)),
	}
	var places []string
	if yes() {
		quoted, _ := jsontext.AppendQuote([]byte{'['}, text(t, 0))
		d.Key = mustCanonical(t, append(value(t, append(quoted, ','), 2, "", &places), ']'))
	}
	for range rapid.IntRange(0, 3).Draw(t, "attempts") {
		d.Attempts = append(d.Attempts, card.DeskAttempt{
			ID: of(attempt0, attempt1), Number: max(1, num()), Ask: of(ask0, effect1), ActionDigest: hash(), ShownDigest: hash(),
			DecidedBy: of("", "person", "rule", "grant"), Decider: some(), DecidedAt: max(0, at(-1)), LinesSeen: num(), LinesAll: num(), DwellMS: num(),
			Executor: some(), HostRuns: yes(), BeganAt: at(1), Lease: max(0, at(-1)), EndedAt: max(0, at(-1)),
			State: of("executing", "unknown", "committed", "not_executed"), Exit: of("", "success", "failure", "timeout", "blocked"), Mismatch: yes(), Late: yes(),
		})
	}
	places = nil
	if v := value(t, nil, 3, "", &places); yes() || len(d.Attempts) > 0 {
		d.Arguments = mustCanonical(t, v)
	}
	if len(d.Attempts) > 0 {
		d.Tool, d.Environment, d.Agent = "t"+d.Tool, "e"+d.Environment, "a"+d.Agent
	}
	for range rapid.IntRange(0, 2).Draw(t, "readings") {
		d.Readings = append(d.Readings, digest.Reading{Pointer: rapid.SampledFrom(append(places, "/~2"+some())).Draw(t, "at"), Text: text(t, 0)})
	}
	if p := (card.Provider{KeyLifetime: some(), Changed: some(), Cached: some()}); p != (card.Provider{}) {
		d.Provider = &p
	}
	for range rapid.IntRange(0, 4).Draw(t, "facts") {
		f := card.Fact{
			At: at(1), Kind: of("begun", "report", "lease_over", "session_end", "observation", "reconciliation", "correction", "acknowledged", "opened"),
			Source: of("tool", "observer", "operator", "gate"), By: some(), Says: of("", "committed", "not_executed", "unknown"), Durable: yes(),
			Divergent: yes(), Late: yes(), Why: of("", "missing", "too_many", "_"), Exit: of("", "success", "failure", "timeout", "blocked"),
			Observed: hash(), Seen: some(), Ref: some(), Reason: some(), Page: hash(),
		}
		if len(d.Attempts) > 0 && yes() {
			f.Attempt = rapid.SampledFrom(d.Attempts).Draw(t, "attempt").ID
		}
		d.Facts = append(d.Facts, f)
	}
	return d
}

// checkDesk holds the bijection and the alphabet of a page, and that a page
// with other bytes is refused or is the page of what it reads to.
func checkDesk(t *rapid.T) {
	d := hostileDesk(t)
	page, err := card.RenderDesk(d)
	if err != nil {
		t.Fatalf("render: %v", err)
	}
	if cap(page) != len(page) {
		t.Fatalf("measured %d bytes, wrote %d", cap(page), len(page))
	}
	if bad := forbidden(page); bad != "" {
		t.Fatalf("the page holds %q\n%s", bad, page)
	}
	if back, err := card.ParseDesk(page); err != nil || !reflect.DeepEqual(d, back) {
		t.Fatalf("another effect came back (%v) from\n%s\n%+v", err, page, back)
	}
	if _, err := card.Parse(page); err == nil {
		t.Fatalf("reads as a card\n%s", page)
	}
	for range 4 {
		m := bytes.Clone(page)
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			i := rapid.IntRange(0, len(m)-1).Draw(t, "place")
			part := rapid.OneOf(rapid.SampledFrom(pieces), rapid.Just(string(m[i:min(len(m), i+40)]))).Draw(t, "part")
			m = append(m[:i:i], append([]byte(part), m[min(len(m), i+rapid.IntRange(0, 3).Draw(t, "gone")):]...)...)
		}
		checkPage(t, m)
	}
}

type fataler interface{ Fatalf(string, ...any) }

// checkPage: what reads is the page of what it reads to.
func checkPage(t fataler, page []byte) {
	d, err := card.ParseDesk(page)
	if err != nil {
		return
	}
	if again, err := card.RenderDesk(d); err != nil || !bytes.Equal(again, page) {
		t.Fatalf("read what is no page: %v\n%s", err, page)
	}
}

func TestHostileDesks(t *testing.T) { rapid.Check(t, checkDesk) }

func FuzzDesk(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkDesk)) }

// FuzzParseDesk begins from whole pages.
func FuzzParseDesk(f *testing.F) {
	f.Add(renderDesk(f, deskFull(f)))
	f.Add(renderDesk(f, deskSmall()))
	f.Add([]byte("nod desk v1\nstate │ free"))
	f.Fuzz(func(t *testing.T, page []byte) {
		card.Lines(page)
		checkPage(t, page)
	})
}

func BenchmarkDesk(b *testing.B) {
	d := deskFull(b)
	for len(d.Facts) < 200 {
		d.Facts = append(d.Facts, d.Facts[3], d.Facts[4])
	}
	page := renderDesk(b, d)
	b.Run("render", func(b *testing.B) {
		b.SetBytes(int64(len(page)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := card.RenderDesk(d); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("parse", func(b *testing.B) {
		b.SetBytes(int64(len(page)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := card.ParseDesk(page); err != nil {
				b.Fatal(err)
			}
		}
	})
}
