package card_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"nod/digest"
	"nod/digest/card"
)

const (
	effect0  = "0193e5a0-8c00-7a11-8f00-000000000001"
	effect1  = "0193e5a0-8c00-7a11-8f00-000000000002"
	attempt0 = "0193e5a0-9d11-7c22-9a00-00000000000a"
	attempt1 = "0193e5a0-9d11-7c22-9a00-00000000000b"
	ask0     = "0193e5a0-7c11-7b3e-9a52-3f0c8d6e1b44"
	d1       = "sha256:61d3e0aa6a1e7e5b6bd0ad9a3d51e5a2d3f1c7f9a4c02c4f6de3b1f29c1aa771"
	t0       = 1796135320034 // 2026-12-01T14:28:40.034Z
)

// deskRefund is the item of the duplicate refund: the provider answered too
// late, and an observer sees a refund that is still pending.
func deskRefund(t testing.TB) *card.Desk {
	t.Helper()
	return &card.Desk{
		Effect: effect0, State: "unknown", Mark: "not_durable", Key: canonical(t, `["prod-eu","refund","pay_8842"]`), Ordinal: 1,
		Tool: "mcp__shop__refund", Environment: "prod-eu", Agent: "shop-fixer", User: "mia", Host: "claude-code",
		Class: digest.ClassCompensatable, Access: digest.AccessWrite,
		Arguments:  canonical(t, `{"amount":4800,"currency":"EUR","note":"double charge,\nsee case 55120","payment_id":"pay_8842"}`),
		Descriptor: d0, Readings: []digest.Reading{{Pointer: "/amount", Text: "48.00 EUR"}},
		Provider:  &card.Provider{KeyLifetime: "24 h", Changed: "refused", Cached: "the first answer"},
		SettledAt: t0 + 600_000,
		Attempts: []card.DeskAttempt{{
			ID: attempt0, Number: 1, Ask: ask0, ActionDigest: d0, ShownDigest: d1, DecidedBy: "person", Decider: "mia", DecidedAt: t0 - 21_000,
			LinesSeen: 33, LinesAll: 33, DwellMS: 18_400, Executor: "nod run", BeganAt: t0, Lease: t0 + 300_000, EndedAt: t0 + 300_000,
			State: "unknown", Exit: "timeout",
		}},
		Facts: []card.Fact{
			{Attempt: attempt0, At: t0, Kind: "begun", Source: "gate", By: "shop-fixer"},
			{Attempt: attempt0, At: t0 + 30_000, Kind: "report", Source: "tool", By: "shop-fixer", Exit: "timeout", Seen: "request timed out after 30000 ms"},
			{Attempt: attempt0, At: t0 + 300_000, Kind: "lease_over", Source: "gate", Says: "unknown", Durable: true},
			{Attempt: attempt0, At: t0 + 371_000, Kind: "observation", Source: "observer", By: "refunds", Says: "committed", Seen: `GET /v1/refunds?payment=pay_8842 gave "re_19c", "pending"`, Ref: "re_19c"},
		},
	}
}

// deskFull states every member, most of them as hostile as they may be.
func deskFull(t testing.TB) *card.Desk {
	t.Helper()
	d := deskRefund(t)
	d.Mark, d.Ordinal, d.Links, d.Operation = "possible_double", 2, effect1, "refund"
	d.Attempts[0].HostRuns, d.Attempts[0].Mismatch, d.Attempts[0].Late = true, true, true
	d.Attempts = append(d.Attempts, card.DeskAttempt{ID: attempt1, Number: 2, Ask: ask0, ActionDigest: d0, DecidedBy: "rule", Decider: "Rеfunds", LinesAll: 33, BeganAt: t0 + 900_000, State: "executing"})
	d.Facts = append(d.Facts, card.Fact{
		Attempt: attempt1, At: t0 + 901_000, Kind: "observation", Source: "observer", By: "refunds\n", Says: "unknown", Durable: true, Divergent: true, Late: true,
		Why: "too_many", Exit: "failure", Observed: d1, Seen: "a\nfacts/9/says │ committed\x1b[2J", Ref: "re_\u202e19c", Reason: "case 55120\r\n", Page: d0,
	}, card.Fact{At: t0 + 902_000, Kind: "opened", Source: "operator", By: "mia", Reason: "a second refund is owed"})
	return d
}

func renderDesk(t testing.TB, d *card.Desk) []byte {
	t.Helper()
	p, err := card.RenderDesk(d)
	if err != nil {
		t.Fatalf("render: %v", err)
	}
	return p
}

func deskRoundTrip(t testing.TB, d *card.Desk) []byte {
	t.Helper()
	p := renderDesk(t, d)
	if len(p) != cap(p) {
		t.Errorf("measured %d bytes, wrote %d", cap(p), len(p))
	}
	back, err := card.ParseDesk(p)
	if err != nil {
		t.Fatalf("parse: %v\n%s", err, p)
	}
	if !reflect.DeepEqual(d, back) {
		t.Fatalf("another desk came back from\n%s\n%+v", p, back)
	}
	return p
}

// deskSmall is a distinct effect that nobody has asked for yet.
func deskSmall() *card.Desk {
	return &card.Desk{Effect: effect0, State: "free", Ordinal: 2, Facts: []card.Fact{{At: t0, Kind: "opened", Source: "operator"}}}
}

func TestDeskRoundTrip(t *testing.T) {
	for _, d := range []*card.Desk{deskRefund(t), deskFull(t), deskSmall(), {Effect: effect0, State: "free", Ordinal: 1}} {
		deskRoundTrip(t, d)
	}
}

// TestDeskSpec holds the bytes of the pages, in testdata and in the
// specification: a change is another version.
func TestDeskSpec(t *testing.T) {
	const specPath = "../../docs/spec/desk.md"
	raw, err := os.ReadFile(specPath)
	if err != nil {
		t.Fatal(err)
	}
	const begin = "<!-- vectors: written by go test ./digest/card -run TestDeskSpec -update -->\n"
	prose, have, ok := strings.Cut(string(raw), begin)
	if !ok {
		t.Fatal("the specification has no place for vectors")
	}
	var b strings.Builder
	for _, v := range []struct {
		name, what string
		desk       *card.Desk
	}{
		{"refund", "The call ran out of time, and an observer sees a refund that is still pending.", deskRefund(t)},
		{"full", "Every member is stated; the last observer's words are hostile.", deskFull(t)},
		{"distinct", "A distinct effect that nobody has asked for yet.", deskSmall()},
	} {
		page := deskRoundTrip(t, v.desk)
		path := filepath.Join("testdata", v.name+".desk")
		if *update {
			if err := os.WriteFile(path, page, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(path); err != nil || string(want) != string(page) {
			t.Errorf("%s: the page is now (%v)\n%s", v.name, err, page)
		}
		b.WriteString("\n### " + v.name + "\n\n" + v.what + "\n\n```text\n" + string(page) + "\n```\n\nShown digest: `" + string(card.ShownDigest(page)) + "`\n")
	}
	if *update {
		if err := os.WriteFile(specPath, []byte(prose+begin+b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if have != b.String() {
		t.Errorf("the vectors are not those of the code:\n%s", b.String())
	}
}

// TestDeskRefused: what no page can hold is refused by its place.
func TestDeskRefused(t *testing.T) {
	tests := map[string]func(*card.Desk){
		"/state":                   func(d *card.Desk) { d.State = "open" },
		"/mark":                    func(d *card.Desk) { d.Mark = "not_confirmed not_durable" },
		"/effect key":              func(d *card.Desk) { d.Key = digest.JSON(`{"a":1}`) },
		"/ordinal":                 func(d *card.Desk) { d.Ordinal = -1 },
		"/tool":                    func(d *card.Desk) { d.Tool = "" },
		"/agent":                   func(d *card.Desk) { d.Agent = "" },
		"/arguments":               func(d *card.Desk) { d.Arguments = digest.JSON(`{"a":1.0}`) },
		"/class":                   func(d *card.Desk) { d.Class = "x" },
		"/access":                  func(d *card.Desk) { d.Access = " read " },
		"/readings/0/pointer":      func(d *card.Desk) { d.Readings[0].Pointer = "s" },
		"/provider":                func(d *card.Desk) { d.Provider = &card.Provider{} },
		"/settled from":            func(d *card.Desk) { d.SettledAt = 1 << 60 },
		"/attempts/0/number":       func(d *card.Desk) { d.Attempts[0].Number = 0 },
		"/attempts/0/state":        func(d *card.Desk) { d.Attempts[0].State = "free" },
		"/attempts/0/decided_by":   func(d *card.Desk) { d.Attempts[0].DecidedBy = "agent" },
		"/attempts/0/dwell_ms":     func(d *card.Desk) { d.Attempts[0].DwellMS = -1 },
		"/attempts/0/began_at":     func(d *card.Desk) { d.Attempts[0].BeganAt = 0 },
		"/attempts/0/id":           func(d *card.Desk) { d.Attempts[0].ID = "" },
		"/attempts/0/shown_digest": func(d *card.Desk) { d.Attempts[0].ShownDigest = "sha256:0" },
		"/facts/1/kind":            func(d *card.Desk) { d.Facts[1].Kind = "said" },
		"/facts/1/source":          func(d *card.Desk) { d.Facts[1].Source = "" },
		"/facts/1/says":            func(d *card.Desk) { d.Facts[1].Says = "free" },
		"/facts/1/why":             func(d *card.Desk) { d.Facts[1].Why = "Too many" },
		"/facts/1/exit":            func(d *card.Desk) { d.Facts[1].Exit = "ok" },
		"/facts/1/attempt":         func(d *card.Desk) { d.Facts[1].Attempt = attempt1 },
		"/effect id":               func(d *card.Desk) { d.Effect = "e-1" },
		"/opened beside":           func(d *card.Desk) { d.Links = "e-1" },
		"/descriptor digest":       func(d *card.Desk) { d.Descriptor = "x" },
		"/facts/1/seen":            func(d *card.Desk) { d.Facts[1].Seen = "\xff" },
		"":                         func(d *card.Desk) { d.Readings[0].Text = "\xff" },
	}
	for pointer, change := range tests {
		d := deskRefund(t)
		change(d)
		var e *digest.Error
		if p, err := card.RenderDesk(d); !errors.As(err, &e) || e.Code != card.CodeBadDesk || e.Pointer != pointer {
			t.Errorf("%s: %v\n%s", pointer, err, p)
		}
	}
	for _, long := range []string{strings.Repeat("x", card.MaxSize), strings.Repeat(" ", card.MaxSize+1)} {
		d := deskRefund(t) // too large as a page, and as a text
		d.Facts[0].Seen, d.Facts[1].Seen = long, strings.Repeat("x", card.MaxSize)
		var e *digest.Error
		if _, err := card.RenderDesk(d); !errors.As(err, &e) || e.Code != card.CodeDeskTooLarge {
			t.Errorf("32 MiB: %v", err)
		}
	}
	d := deskRefund(t)
	d.Facts[0].Seen = strings.Repeat(" ", card.MaxSize)
	if p, err := card.RenderDesk(d); err != nil {
		t.Error(err)
	} else if _, err := card.ParseDesk(p); err != nil {
		t.Errorf("the longest text does not read back: %v", err)
	}
}
