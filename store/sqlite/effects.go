package sqlite

import (
	"fmt"
	"math"

	"nod/ambiguity"
	"nod/digest"
	"nod/queue"
	"nod/store/sqlite/db"
)

func (r *reader) Effect(id string) (*queue.EffectRow, error) {
	row, err := r.c.q.EffectByID(bg(), id)
	return found(row, err, effectOf)
}

func (r *reader) EffectPrefix(prefix string) ([]string, error) {
	return r.c.q.EffectPrefix(bg(), db.EffectPrefixParams{ID: prefix, ID_2: prefix + "\x7f"}) // as AskPrefix
}

func (r *reader) EffectByKey(key string) (*queue.EffectRow, error) {
	if key == "" {
		return nil, nil
	}
	blocking, err := r.c.q.BlockingOfKey(bg(), db.BlockingOfKeyParams{KeyHash: short(key), EffectKey: key})
	if e, err := found(blocking, err, effectOf); e != nil || err != nil {
		return e, err
	}
	row, err := r.c.q.EffectByKey(bg(), db.EffectByKeyParams{KeyHash: short(key), EffectKey: key})
	return found(row, err, effectOf)
}

func (r *reader) EffectsOfKey(key string) ([]queue.EffectRow, error) {
	if key == "" {
		return nil, nil
	}
	rows, err := r.c.q.EffectsOfKey(bg(), db.EffectsOfKeyParams{KeyHash: short(key), EffectKey: key})
	return each(rows, err, effectOf)
}

func (r *reader) EffectOfRef(tool, ref, but string) (*queue.EffectRow, error) {
	row, err := r.c.q.EffectOfRef(bg(), db.EffectOfRefParams{Reference: ref, Tool: tool, ID: but})
	return found(row, err, effectOf)
}

func (r *reader) EffectAlike(alike digest.Digest, key string) (*queue.EffectRow, error) {
	row, err := r.c.q.EffectAlike(bg(), db.EffectAlikeParams{AlikeHash: short(string(alike)), Alike: string(alike), EffectKey: key})
	return found(row, err, effectOf)
}

func (r *reader) Effects(q queue.QEffects) ([]queue.EffectRow, bool, error) {
	before := q.Before
	if before == 0 {
		before = math.MaxInt64
	}
	if q.Open {
		rows, err := r.c.q.OpenEffects(bg(), db.OpenEffectsParams{Num: before, N: q.Limit + 1})
		list, err := each(rows, err, effectOf)
		return page(list, err, q.Limit)
	}
	rows, err := r.c.q.Effects(bg(), db.EffectsParams{Num: before, N: q.Limit + 1})
	list, err := each(rows, err, effectOf)
	return page(list, err, q.Limit)
}

func (r *reader) AttemptsOfEffect(effect string) ([]queue.Attempt, error) {
	rows, err := r.c.q.AttemptsOfEffect(bg(), effect)
	return each(rows, err, attemptOf)
}

func (r *reader) Facts(effect string) ([]queue.Fact, error) {
	rows, err := r.c.q.FactsOf(bg(), effect)
	return each(rows, err, factOf)
}

func (r *reader) Repeats(effect string, limit int64) ([]queue.Repeat, error) {
	rows, err := r.c.q.RepeatsOf(bg(), db.RepeatsOfParams{Effect: effect, N: limit})
	return each(rows, err, repeatOf)
}

func (r *reader) OpenOfKey(key string, limit int64) ([]queue.Row, error) {
	seqs, err := r.c.q.OpenOfKey(bg(), db.OpenOfKeyParams{KeyHash: short(key), EffectKey: key, N: limit})
	if err != nil {
		return nil, err
	}
	var list []queue.Row
	for _, seq := range seqs {
		row, err := r.c.ask(db.AskBySeq, seq)
		if err != nil {
			return nil, err
		}
		list = append(list, *row)
	}
	return list, nil
}

func (t *tx) InsertEffect(e *queue.EffectRow) error {
	if err := t.change(); err != nil {
		return err
	}
	num, err := t.c.q.InsertEffect(bg(), db.InsertEffectParams{
		ID: e.ID, EffectKey: e.Key, KeyHash: short(e.Key), Ordinal: e.Ordinal, Links: e.Links, Ask: e.Ask, Tool: e.Tool,
		Gist: e.Gist, GistMore: e.GistMore, Agent: e.Agent, Session: e.Session, Class: e.Class, Alike: string(e.Alike),
		AlikeHash: short(string(e.Alike)), Standing: string(e.Standing), Mark: string(e.Mark), PossibleDouble: flag(e.Double),
		IsOpen: flag(e.Open), Attempts: e.Attempts, Repeats: e.Repeats, Reference: e.Ref, CreatedAt: e.CreatedAt,
		MovedAt: e.MovedAt, ReconciledAt: e.ReconciledAt,
	})
	if err != nil {
		return t.broke(fmt.Errorf("keep an effect: %w", err))
	}
	e.Num = num
	t.opened(flag(e.Open))
	return nil
}

func (t *tx) PutEffect(e *queue.EffectRow) error {
	was, err := t.reader.Effect(e.ID)
	if err != nil {
		return t.broke(err)
	}
	if was == nil {
		return t.broke(fmt.Errorf("keep an effect: there is none %s", e.ID))
	}
	if err := t.change(); err != nil {
		return err
	}
	n, err := t.c.q.PutEffect(bg(), db.PutEffectParams{
		Ask: e.Ask, Tool: e.Tool, Gist: e.Gist, GistMore: e.GistMore, Agent: e.Agent, Session: e.Session, Class: e.Class,
		Alike: string(e.Alike), AlikeHash: short(string(e.Alike)), Standing: string(e.Standing), Mark: string(e.Mark),
		PossibleDouble: flag(e.Double), IsOpen: flag(e.Open), Attempts: e.Attempts, Repeats: e.Repeats, Reference: e.Ref,
		MovedAt: e.MovedAt, ReconciledAt: e.ReconciledAt, Num: e.Num,
	})
	if err := one(n, err, "keep an effect"); err != nil {
		return t.broke(err)
	}
	t.opened(flag(e.Open) - flag(was.Open))
	return nil
}

// opened keeps the counter of what is on the desk.
func (t *tx) opened(d int64) {
	if d != 0 {
		t.w.mem.counters.Unknown += d
		t.w.mem.changed = true
	}
}

func (t *tx) InsertFact(f *queue.Fact) error {
	if err := t.change(); err != nil {
		return err
	}
	err := t.c.q.InsertFact(bg(), db.InsertFactParams{
		Effect: f.Effect, Attempt: f.Attempt, SaidAt: f.At, Kind: string(f.Kind), Source: string(f.Source), SaidBy: f.By,
		Says: string(f.Says), Durable: flag(f.Durable), Divergent: flag(f.Divergent), Late: flag(f.Late), Early: flag(f.Early),
		Proof: flag(f.Proof), Why: f.Why, ExitStatus: string(f.Exit), Observed: string(f.Observed), Seen: f.Seen,
		Reference: f.Ref, Reason: f.Reason, Page: string(f.Page), Allowed: string(f.Allowed), Content: string(f.Content),
	})
	if err != nil {
		return t.broke(fmt.Errorf("keep what was said of an effect: %w", err))
	}
	return nil
}

func (t *tx) AddRepeat(r *queue.Repeat) error {
	if err := t.change(); err != nil {
		return err
	}
	err := t.c.q.AddRepeat(bg(), db.AddRepeatParams{Effect: r.Effect, Session: r.Session, Agent: r.Agent, Code: r.Code, Times: r.Count,
		FirstAt: r.First, LastAt: r.Last})
	if err != nil {
		return t.broke(fmt.Errorf("count a refused repeat: %w", err))
	}
	return nil
}

// key notes that an ask is of an effect key. An ask never changes its own.
func (t *tx) key(row *queue.Row) error {
	if row.EffectKey == "" || row.State.Final() {
		return nil
	}
	if err := t.change(); err != nil {
		return err
	}
	err := t.c.q.InsertKeyed(bg(), db.InsertKeyedParams{Seq: row.Seq, KeyHash: short(row.EffectKey), EffectKey: row.EffectKey})
	if err != nil {
		return t.broke(fmt.Errorf("keep an ask's effect key: %w", err))
	}
	return nil
}

func effectOf(e *db.Effect) queue.EffectRow {
	return queue.EffectRow{
		Num: e.Num, ID: e.ID, Key: e.EffectKey, Ordinal: e.Ordinal, Links: e.Links, Ask: e.Ask, Tool: e.Tool, Gist: e.Gist,
		GistMore: e.GistMore, Agent: e.Agent, Session: e.Session, Class: e.Class, Alike: digest.Digest(e.Alike),
		Standing: ambiguity.Standing(e.Standing), Mark: ambiguity.Mark(e.Mark), Double: e.PossibleDouble != 0, Open: e.IsOpen != 0,
		Attempts: e.Attempts, Repeats: e.Repeats, Ref: e.Reference, CreatedAt: e.CreatedAt, MovedAt: e.MovedAt, ReconciledAt: e.ReconciledAt,
	}
}

func factOf(f *db.Fact) queue.Fact {
	return queue.Fact{
		Effect: f.Effect, Attempt: f.Attempt, At: f.SaidAt, Kind: ambiguity.Kind(f.Kind), Source: ambiguity.Source(f.Source),
		By: f.SaidBy, Says: ambiguity.State(f.Says), Durable: f.Durable != 0, Divergent: f.Divergent != 0, Late: f.Late != 0,
		Early: f.Early != 0, Proof: f.Proof != 0, Why: f.Why, Exit: ambiguity.Exit(f.ExitStatus), Observed: digest.Digest(f.Observed),
		Seen: f.Seen, Ref: f.Reference, Reason: f.Reason, Page: digest.Digest(f.Page), Allowed: digest.Digest(f.Allowed),
		Content: digest.Digest(f.Content),
	}
}

func repeatOf(r *db.Repeat) queue.Repeat {
	return queue.Repeat{Effect: r.Effect, Session: r.Session, Agent: r.Agent, Code: r.Code, Count: r.Times, First: r.FirstAt, Last: r.LastAt}
}
