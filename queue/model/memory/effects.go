package memory

import (
	"math"
	"slices"
	"strings"

	"nod/ambiguity"
	"nod/digest"
	"nod/queue"
)

func (r *reader) Effect(id string) (*queue.EffectRow, error) {
	_, e := find(r.s.Effects, func(e *queue.EffectRow) bool { return e.ID == id })
	return copied(e), nil
}

func (r *reader) EffectPrefix(prefix string) ([]string, error) {
	var ids []string
	for _, e := range r.s.Effects {
		if strings.HasPrefix(e.ID, prefix) {
			ids = append(ids, e.ID)
		}
	}
	slices.Sort(ids)
	return ids[:min(len(ids), 2)], nil
}

func (r *reader) EffectByKey(key string) (*queue.EffectRow, error) {
	var counts *queue.EffectRow
	blocks := func(e *queue.EffectRow) bool {
		return e.Standing == ambiguity.StandsExecuting || e.Standing == ambiguity.StandsUnknown
	}
	for _, e := range r.s.Effects {
		if key == "" || e.Key != key {
			continue
		}
		if counts == nil || blocks(e) && !blocks(counts) || blocks(e) == blocks(counts) && e.Ordinal > counts.Ordinal {
			counts = e
		}
	}
	return copied(counts), nil
}

func (r *reader) EffectsOfKey(key string) ([]queue.EffectRow, error) {
	return some(r.s.Effects, -1, func(e *queue.EffectRow) bool { return key != "" && e.Key == key }), nil
}

func (r *reader) EffectOfRef(tool, ref, but string) (*queue.EffectRow, error) {
	_, e := find(r.s.Effects, func(e *queue.EffectRow) bool { return ref != "" && e.Ref == ref && e.Tool == tool && e.ID != but })
	return copied(e), nil
}

func (r *reader) EffectAlike(alike digest.Digest, key string) (*queue.EffectRow, error) {
	for _, e := range slices.Backward(r.s.Effects) {
		if e.Standing != ambiguity.StandsFree && e.Alike == alike && (e.Key == "" || e.Key != key) {
			return copied(e), nil
		}
	}
	return nil, nil
}

func (r *reader) Effects(q queue.QEffects) ([]queue.EffectRow, bool, error) {
	list := slices.Clone(r.s.Effects)
	slices.Reverse(list)
	before := q.Before
	if before == 0 {
		before = math.MaxInt64
	}
	rows := some(list, q.Limit+1, func(e *queue.EffectRow) bool { return e.Num < before && (!q.Open || e.Open) })
	if int64(len(rows)) <= q.Limit {
		return rows, false, nil
	}
	return rows[:q.Limit], true, nil
}

func (r *reader) AttemptsOfEffect(effect string) ([]queue.Attempt, error) {
	return some(r.s.Attempts, -1, func(a *queue.Attempt) bool { return a.Effect != "" && a.Effect == effect }), nil
}

func (r *reader) Facts(effect string) ([]queue.Fact, error) {
	return some(r.s.Facts, -1, func(f *queue.Fact) bool { return f.Effect == effect }), nil
}

func (r *reader) Repeats(effect string, limit int64) ([]queue.Repeat, error) {
	return some(r.s.Repeats, limit, func(p *queue.Repeat) bool { return p.Effect == effect }), nil
}

func (r *reader) OpenOfKey(key string, limit int64) ([]queue.Row, error) {
	return r.newest(limit, func(row *queue.Row) bool { return row.DueAt() > 0 && r.s.keys[row.Seq-1] == key }), nil
}

func (t *tx) InsertEffect(e *queue.EffectRow) error {
	_, same := find(t.s.Effects, func(o *queue.EffectRow) bool {
		return o.ID == e.ID || e.Key != "" && o.Key == e.Key && o.Ordinal == e.Ordinal
	})
	if same != nil {
		return t.broke("keep an effect: %s is there", same.ID)
	}
	e.Num = int64(len(t.s.Effects)) + 1
	t.s.Effects, t.wrote = and(t.s.Effects, copied(e)), true
	t.opened(false, e.Open)
	return nil
}

func (t *tx) PutEffect(e *queue.EffectRow) error {
	i, was := find(t.s.Effects, func(o *queue.EffectRow) bool { return o.ID == e.ID })
	if was == nil {
		return t.broke("keep an effect: %w", errNoRow)
	}
	c := *e
	c.Num, c.Key, c.Ordinal, c.Links, c.CreatedAt = was.Num, was.Key, was.Ordinal, was.Links, was.CreatedAt
	t.s.Effects, t.wrote = with(t.s.Effects, i, &c), true
	t.opened(was.Open, e.Open)
	return nil
}

// opened keeps the counter of what is on the desk.
func (t *tx) opened(was, is bool) {
	if was {
		t.s.Counters.Unknown--
	}
	if is {
		t.s.Counters.Unknown++
	}
}

func (t *tx) InsertFact(f *queue.Fact) error {
	t.s.Facts, t.wrote = and(t.s.Facts, copied(f)), true
	return nil
}

func (t *tx) AddRepeat(r *queue.Repeat) error {
	t.wrote = true
	i, was := find(t.s.Repeats, func(o *queue.Repeat) bool { return o.Effect == r.Effect && o.Session == r.Session })
	if was == nil {
		t.s.Repeats = and(t.s.Repeats, copied(r))
		return nil
	}
	c := *was
	c.Code, c.Count, c.Last = r.Code, c.Count+r.Count, r.Last
	t.s.Repeats = with(t.s.Repeats, i, &c)
	return nil
}
