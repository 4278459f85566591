package tui_test

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"nod/boundary"
	"nod/queue"
)

// views answers the queries of the smaller views.
func (s *still) views(q queue.Query) (queue.Answer, bool) {
	const minute, hour = 60_000, 3_600_000
	now := *s.now
	switch q := q.(type) {
	case queue.QSessions:
		of := func(id, host, parent, agent string, age, waits int64) queue.SessionView {
			return queue.SessionView{ID: "s-" + id, Host: host, Parent: parent, Agent: agent, Started: now - age, LastAct: now - age/10, Waits: waits}
		}
		ended := of("73d1000000000000", "rel-9", "s-70aa000000000000", "release-bot", 22*minute, 0)
		ended.EndedAt = now - minute
		frozen := of("69b8000000000000", "import", "", "importer", 3*hour, 0)
		frozen.Frozen = true
		list := []queue.SessionView{
			of("70aa000000000000", "desk-1", "", "ops-desk", 2*hour, 0), of("71c4000000000000", "desk-1/a", "s-70aa000000000000", "support-bot", 41*minute, 1),
			of("71f9000000000000", "desk-1/a/m", "s-71c4000000000000", "mailer", 30*minute, 0), ended,
			of("6f02000000000000", "shop", "", "shop-fixer", hour, 5), frozen,
		}
		for i := range 4 {
			v := &list[i]
			v.Armed, v.Governed, v.Observed, v.Target = now-29*minute, now-29*minute, now-11*minute, "lab-7"
			if i > 0 {
				v.Tree = list[0].ID
			}
		}
		orphan := &list[5]
		orphan.Armed, orphan.Governed, orphan.Observed, orphan.Unreadable = now-3*hour, now-3*hour, now-3*hour, "its parent session is unknown"
		return queue.Sessions{Sessions: list}, true
	case queue.QRecords:
		if q.Session != "s-70aa000000000000" {
			return queue.Records{}, true
		}
		armed := queue.RecordView{Run: "s-70aa000000000000.1", Phase: boundary.Exit, Bits: []string{boundary.BitArmed, boundary.BitGoverned}, At: now - 29*minute}
		read := armed
		read.Bits, read.At = []string{boundary.BitArmed, boundary.BitObserved, boundary.BitGoverned}, now-11*minute
		return queue.Records{Records: []queue.RecordView{read, armed}}, true
	case queue.QStats:
		out := queue.Stats{From: now - q.SpanMS, CellMS: q.SpanMS / q.Cells, Now: now, HalfMS: 38_000, MostMS: 370_000, Waiting: 8, OldestMS: 12 * minute,
			Outcomes: queue.Outcomes{AllowedByPerson: 187, AllowedByRule: 71, Denied: 41, Withdrawn: 12, Expired: 2, Pending: 8},
			Tools:    []queue.ToolStat{{Tool: "Bash", Asks: 141, Denied: 16, HalfMS: 21_000}, {Tool: "Write", Asks: 88, Denied: 15, HalfMS: 44_000}, {Asks: 4, HalfMS: 9_000}}}
		for i := range q.Cells {
			n := (i*7 + i*i%11) % 43
			out.Cells = append(out.Cells, queue.StatCell{Asks: n, Answers: n * 9 / 10, HalfMS: (i % 9) * 7000})
		}
		return out, true
	case queue.QEvents:
		event := func(seq, at int64, members string) queue.StoredEvent {
			return queue.StoredEvent{Seq: seq, Body: jsontext.Value(fmt.Sprintf(`{"type":"nod.event/v1","seq":%d,"effective_ms":%d,%s}`, seq, at, members))}
		}
		at := now - 6*minute
		return queue.Events{Events: []queue.StoredEvent{
			event(18190, at-20_000, `"act":"submit","to":"pending","actor":"support-bot","way":"hook"`),
			event(18193, at-4_000, `"act":"decide","from":"pending","to":"allowed","actor":"mia","by":"person","way":"console","dwell_ms":18000,"lines_seen":33,"lines_all":33`),
			event(18194, at-2_000, `"act":"begin","from":"allowed","to":"spent","attempt_number":1`),
			event(18197, at, `"act":"report","from":"executing","to":"committed","exit_status":"success"`),
		}}, true
	case queue.QEffects:
		return s.effects(q), true
	case queue.QEffect:
		for _, d := range s.desks {
			if d.Effect.ID == q.ID {
				d.Now = now
				return d, true
			}
		}
	case queue.QDeliveries:
		return queue.Deliveries{Now: now}, true
	case queue.QPrecedent:
		return queue.Precedents{Now: now}, true
	}
	return nil, false
}
