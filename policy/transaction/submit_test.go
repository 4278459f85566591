package transaction

import (
	"reflect"
	"strings"
	"testing"

	"nod/digest"
)

func TestATransactionID(t *testing.T) {
	for id, want := range map[string]string{
		"tx-1": "tx-1", " tx-1\n": "tx-1", "a b:c.d": "a b:c.d",
		strings.Repeat("ü", 160): strings.Repeat("ü", 160), strings.Repeat("x", 161): "!",
		"": "!", "\t": "!", "a/b": "!", `a\b`: "!", "a\nb": "!", "a\x00": "!", "a\x7fb": "!", "a\u0085b": "!", "\xff": "!",
	} {
		got, err := ID(id)
		if err != nil && codeOf(t, err) == CodeID {
			got = "!"
		}
		if got != want {
			t.Errorf("%q: %q", id, got)
		}
	}
}

func TestARequest(t *testing.T) {
	const head = `{"transactionId":"t",`
	for doc, want := range map[string]string{
		head + `"operation":"activate","targetMode":"active","candidateArtifactId":"new"}`:                                                       "",
		head + `"operation":"activate","targetMode":"shadow","candidateArtifactId":"new","untrustedComponent":true,"sandbox":{"boundary":"vm"}}`: "",
		head + `"operation":"rollback","targetMode":"active","baselineArtifactId":null}`:                                                         "",
		head + `"operation":"rollback","targetMode":"active","candidateArtifactId":"new","baselineArtifactId":"old"}`:                            "",
		head + `"operation":"repair","targetMode":"active","candidateArtifactId":null}`:                                                          "",
		head + `"operation":"activate","targetMode":"active"}`:                                                                                   CodeRequest,
		head + `"operation":"activate","targetMode":"active","candidateArtifactId":null}`:                                                        CodeRequest,
		head + `"operation":"activate","targetMode":"active","candidateArtifactId":" "}`:                                                         CodeRequest,
		head + `"operation":"activate","targetMode":"active","candidateArtifactId":7}`:                                                           CodeRequest,
		head + `"operation":"activate","targetMode":"live","candidateArtifactId":"new"}`:                                                         CodeRequest,
		head + `"operation":"activate","candidateArtifactId":"new"}`:                                                                             CodeRequest,
		head + `"operation":"activate","targetMode":"active","candidateArtifactId":"new","baselineArtifactId":"old"}`:                            CodeRequest,
		head + `"operation":"activate","targetMode":"active","candidateArtifactId":"new","untrustedComponent":"true"}`:                           CodeRequest,
		head + `"operation":"activate","targetMode":"active","candidateArtifactId":"new","sandbox":"vm"}`:                                        CodeRequest,
		head + `"operation":"activate","targetMode":"active","candidateArtifactId":"new","force":true}`:                                          CodeRequest,
		head + `"operation":"rollback","targetMode":"active"}`:                                                                                   CodeRequest,
		head + `"operation":"rollback","targetMode":"active","baselineArtifactId":"old","sandbox":{}}`:                                           CodeRequest,
		head + `"operation":"repair","targetMode":"shadow","candidateArtifactId":"new"}`:                                                         CodeRequest,
		head + `"operation":"restart","targetMode":"active","candidateArtifactId":"new"}`:                                                        CodeRequest,
		head + `"targetMode":"active","candidateArtifactId":"new"}`:                                                                              CodeRequest,
		`{"operation":"activate","targetMode":"active","candidateArtifactId":"new"}`:                                                             CodeID,
		`{"transactionId":7,"operation":"activate","targetMode":"active","candidateArtifactId":"new"}`:                                           CodeRequest,
		`{"transactionId":"a/b","operation":"activate","targetMode":"active","candidateArtifactId":"new"}`:                                       CodeID,
		`{"transactionId":"t","transactionId":"u","operation":"activate","targetMode":"active","candidateArtifactId":"new"}`:                     "duplicate_member",
		`[]`: CodeRequest, `null`: CodeRequest, ``: "bad_json",
	} {
		if q, err := ReadRequest([]byte(doc)); codeOf(t, err) != want || err == nil && (!q.Digest().Valid() || q.ID != "t") {
			t.Errorf("%s: %v", doc, err)
		}
	}
}

// A transaction is bound to the whole of its request.
func TestSubmitAgain(t *testing.T) {
	base := `{"transactionId":"t","operation":"activate","targetMode":"active","candidateArtifactId":"new"}`
	q := must(ReadRequest([]byte(base)))
	r, answer, err := Submit(q, "old", nil, nil, 1)
	if err != nil || answer != Begun || r.Outcome != InProgress || r.Stage != Staged || r.Prior != "old" || r.Request != q.Digest() {
		t.Fatalf("%+v %s %v", r, answer, err)
	}
	// Layout is not the request; the runtime may serve something else by now.
	same := must(ReadRequest([]byte("{ \"operation\": \"activate\", \"transactionId\": \"t\", \"candidateArtifactId\": \"new\", \"targetMode\": \"active\" }")))
	for stored, want := range map[*Record]Answer{
		&r: Unfinished,
		ptr(walk(t, r, "applying started", "applying failed apply_failed", "failed failed restore_failed")): Unfinished,
		ptr(walk(t, r, whole...)):                                               Replay,
		ptr(must(must(r.Recover(2)).Restored(seen["old"], 3))):                  Replay,
		ptr(walk(t, r, append(whole, "failed failed metadata_failed @old")...)): Replay,
	} {
		got, answer, err := Submit(same, "new", stored, nil, 9)
		if err != nil || answer != want || !reflect.DeepEqual(got, *stored) {
			t.Errorf("%s: %s, %v", stored.Outcome, answer, err)
		}
		for _, other := range []string{
			strings.Replace(base, `"new"`, `"newer"`, 1),
			strings.Replace(base, `"active"`, `"shadow"`, 1),
			strings.Replace(base, `}`, `,"untrustedComponent":false}`, 1),
			strings.Replace(base, `"t"`, `"t "`, 1),
			`{"transactionId":"t","operation":"rollback","targetMode":"active","candidateArtifactId":"new","baselineArtifactId":"old"}`,
			`{"transactionId":"t","operation":"repair","targetMode":"active","candidateArtifactId":"new"}`,
			`{"transactionId":"u","operation":"activate","targetMode":"active","candidateArtifactId":"new"}`,
		} {
			if got, answer, err := Submit(must(ReadRequest([]byte(other))), "old", stored, nil, 9); codeOf(t, err) != CodeReused || answer != "" || !reflect.DeepEqual(got, *stored) {
				t.Errorf("%s: %s, %v", other, answer, err)
			}
		}
	}
	if _, _, err := Submit(Request{ID: "t", Operation: Activate, Mode: Active, Candidate: "new"}, "old", nil, nil, 1); codeOf(t, err) != CodeRequest {
		t.Errorf("a request that nobody read: %v", err)
	}
	if r, _, _ := Submit(must(ReadRequest([]byte(`{"transactionId":"t","operation":"rollback","targetMode":"active","baselineArtifactId":"base"}`))), "now", nil, nil, 1); r.Prior != "base" {
		t.Errorf("a rollback goes back to %q", r.Prior)
	}
}

func ptr[T any](v T) *T { return &v }

// Entries are numbered without gaps; a report that comes twice is kept once.
func TestAReportThatComesTwice(t *testing.T) {
	r := walk(t, begun(Activate, Active), whole[:10]...)
	r = walk(t, r, "pointer_cutover succeeded")
	mismatch := walk(t, walk(t, begun(Activate, Active), whole[:9]...), "runtime_cutover succeeded @old")
	for _, row := range []struct {
		record Record
		step   Step
		want   string
	}{
		{r, Step{11, PointerCutover, EntrySucceeded, "", nil}, ""},
		{r, Step{10, RuntimeCutover, EntrySucceeded, "", &Observed{Active: "new", Candidate: true}}, ""},
		{r, Step{10, RuntimeCutover, EntrySucceeded, "", &Observed{Active: "new", Candidate: true, Uncleaned: []string{}}}, ""},
		{r, Step{10, RuntimeCutover, EntrySucceeded, "", &Observed{Active: "old"}}, CodeSequence},
		{r, Step{10, RuntimeCutover, EntrySucceeded, "", nil}, CodeSequence},
		{r, Step{10, CuttingOver, EntryFailed, CutoverFailed, nil}, CodeSequence},
		{r, Step{11, Drained, EntrySucceeded, "", nil}, CodeSequence},
		{r, Step{13, DisposingPrior, EntryStarted, "", nil}, CodeSequence},
		{r, Step{-1, DisposingPrior, EntryStarted, "", nil}, CodeSequence},
		{mismatch, Step{10, RuntimeCutover, EntrySucceeded, "", seen["old"]}, ""},
		{mismatch, Step{10, RuntimeCutover, EntrySucceeded, "", seen["new"]}, CodeSequence},
	} {
		got, err := row.record.Report(row.step, 77)
		if codeOf(t, err) != row.want || !reflect.DeepEqual(got, row.record) {
			t.Errorf("%+v: %v", row.step, err)
		}
	}
	o := &Observed{Active: "new", Candidate: true}
	kept := must(walk(t, begun(Activate, Active), whole[:9]...).Report(Step{10, RuntimeCutover, EntrySucceeded, "", o}, 1))
	o.Active = "old"
	if kept.Entries[10].Observed.Active != "new" {
		t.Error("what was kept can be changed from outside")
	}
}

// A stored record that its entries do not lead to is an error, and so is a
// journal that holds one.
func TestAnUnreadableRecord(t *testing.T) {
	r := must(must(walk(t, begun(Activate, Active), append(whole[:12:12], "disposing_prior failed disposal_failed", "failed failed restore_failed")...).Acknowledge("old")).Recover(9))
	doc := string(must(r.Canonical()))
	if _, err := Read([]byte(doc)); err != nil {
		t.Fatal(err)
	}
	for i := range r.Entries[:len(r.Entries)-1] { // any but the last, which a crash may have kept back
		cut := r
		cut.Entries = append(append([]Entry{}, r.Entries[:i]...), r.Entries[i+1:]...)
		for j := range cut.Entries {
			cut.Entries[j].Sequence = j
		}
		if _, err := Read(must(cut.Canonical())); codeOf(t, err) != CodeUnreadable {
			t.Errorf("without entry %d: %v", i, err)
		}
	}
	for _, change := range [][2]string{
		{`"nod.transaction/v1"`, `"nod.transaction/v2"`},
		{`"transactionId":"tx-1"`, `"transactionId":"tx/1"`},
		{`"transactionId":"tx-1"`, `"transactionId":" tx-1"`},
		{`"operation":"activate"`, `"operation":"rollback"`},
		{`"operation":"activate"`, `"operation":"start"`},
		{`"targetMode":"active"`, `"targetMode":"shadow"`},
		{`"outcome":"diverged"`, `"outcome":"succeeded"`},
		{`"outcome":"diverged"`, `"outcome":"recovered"`},
		{`"stage":"reverting","targetMode"`, `"stage":"committed","targetMode"`},
		{`"failureCode":"restore_failed","operation"`, `"operation"`},
		{`"candidateArtifactId":"new"`, `"candidateArtifactId":"other"`},
		{`"candidateArtifactId":"new",`, ``},
		{`"requestDigest":"sha256:`, `"requestDigest":"sha255:`},
		{`"sequence":3`, `"sequence":4`},
		{`"sequence":3`, `"sequence":3.5`},
		{`"before":15`, `"before":13`},
		{`"before":15`, `"before":99`},
		{`"artifactId":"old"`, `"artifactId":"new"`},
		{`"acknowledged":[{"artifactId":"old","before":15}],`, ``},
		{`"observed":{"active":"new","candidate":true},`, ``},
		{`"candidate":true`, `"candidate":false`},
		{`"recovery":true,`, ``},
		{`"priorArtifactId":"old"`, `"priorArtifactId":null`},
		{`"stage":"applying"`, `"note":1,"stage":"applying"`},
	} {
		bad := strings.Replace(doc, change[0], change[1], 1)
		if bad == doc {
			t.Errorf("%s is not in %s", change[0], doc)
		}
		if r, err := Read([]byte(bad)); codeOf(t, err) != CodeUnreadable || r.ID != "" {
			t.Errorf("%s: %v", change[1], err)
		}
		records, err := ReadJournal([][]byte{[]byte(doc), []byte(bad)})
		if codeOf(t, err) != CodeUnreadable || records != nil || err.(*digest.Error).Pointer != "/1" {
			t.Errorf("a journal that holds it: %v", err)
		}
	}
	if _, err := ReadJournal([][]byte{[]byte(doc), []byte(doc)}); codeOf(t, err) != CodeUnreadable {
		t.Errorf("one id twice: %v", err)
	}
	if records, err := ReadJournal([][]byte{[]byte(doc)}); err != nil || len(records) != 1 || !records[0].Unfinished() {
		t.Errorf("%v, %v", records, err)
	}
}

// A recovery that nobody saw, of what was over, or onto what is blocked, is no
// record, whoever wrote it.
func TestAForgedRecovery(t *testing.T) {
	disposal := walk(t, begun(Activate, Active), append(whole[:12:12], "disposing_prior failed disposal_failed")...)
	for name, r := range map[string]Record{
		"not seen":  forged(must(begun(Activate, Active).Recover(2)), Recovered, Entry{Stage: Restored, Outcome: EntrySucceeded, Recovery: true, At: 3}),
		"elsewhere": forged(must(begun(Activate, Active).Recover(2)), Recovered, Entry{Stage: Restored, Outcome: EntrySucceeded, Observed: seen["new"], Recovery: true, At: 3}),
		"over":      forged(walk(t, begun(Activate, Active), whole...), Succeeded, Entry{Stage: Reverting, Outcome: EntryStarted, Recovery: true, At: 3}),
		"blocked":   forged(disposal, InProgress, Entry{Stage: Reverting, Outcome: EntryStarted, Recovery: true, At: 3}),
		"not begun": forged(begun(Activate, Active), Recovered, Entry{Stage: Restored, Outcome: EntrySucceeded, Observed: seen["old"], Recovery: true, At: 3}),
		"resumed":   forged(must(begun(Activate, Active).Recover(2)), InProgress, Entry{Stage: Applying, Outcome: EntryStarted, At: 3}),
	} {
		if _, err := Read(must(r.Canonical())); codeOf(t, err) != CodeUnreadable {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func forged(r Record, o Outcome, e Entry) Record {
	e.Sequence = len(r.Entries)
	r.Entries = append(r.Entries[:len(r.Entries):len(r.Entries)], e)
	r.Stage, r.Outcome = e.Stage, o
	return r
}

// FuzzRead: what is read is written back, and has its own recovery.
func FuzzRead(f *testing.F) {
	for _, r := range []Record{begun(Activate, Active), begun(Rollback, Canary), begun(Repair, Active), must(must(begun(Activate, Shadow).Recover(2)).Restored(nil, 3))} {
		f.Add([]byte(must(r.Canonical())))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := Read(raw)
		if err != nil {
			return
		}
		doc, _ := digest.Canonical(raw, digest.NoLimits())
		if back := must(r.Canonical()); string(back) != string(doc) {
			t.Fatalf("%s became %s", doc, back)
		}
		next, err := r.Recover(1)
		if (err == nil) != (r.Unfinished() && r.reverts()) {
			t.Fatalf("%s: %v", doc, err)
		}
		if _, err := Read(must(next.Canonical())); err != nil {
			t.Fatalf("%s: %v", doc, err)
		}
	})
}

// FuzzReadRequest: what is read can be submitted, and is a replay of itself.
func FuzzReadRequest(f *testing.F) {
	f.Add([]byte(`{"transactionId":"t","operation":"activate","targetMode":"active","candidateArtifactId":"new","untrustedComponent":true,"sandbox":{}}`))
	f.Add([]byte(`{"transactionId":" t","operation":"rollback","targetMode":"active","baselineArtifactId":null}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		q, err := ReadRequest(raw)
		if err != nil {
			return
		}
		r, answer, err := Submit(q, "", nil, nil, 1)
		if err != nil || answer != Begun {
			t.Fatalf("%+v: %v", q, err)
		}
		checkRecord(t, r)
		if _, answer, err := Submit(q, "x", &r, nil, 2); err != nil || answer != Unfinished {
			t.Fatalf("%s, %v", answer, err)
		}
	})
}
