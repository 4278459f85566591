//go:build unix

package audit_test

import (
	"context"
	"database/sql"
	"os"
	"strings"
	"testing"

	"nod/audit"
	"nod/queue"
)

// broughtUp makes effects of attempts as the store does that knew none.
func (p *player) broughtUp(attempts ...string) {
	p.t.Helper()
	text, err := os.ReadFile("../store/sqlite/migrations/00003_effects.sql")
	if err != nil {
		p.t.Fatal(err)
	}
	_, fill, ok := strings.Cut(string(text), "CREATE INDEX attempts_effect ON attempts (effect) WHERE effect <> '';")
	if !ok {
		p.t.Fatal("the migration is another one")
	}
	db, err := sql.Open("sqlite", p.path)
	if err != nil {
		p.t.Fatal(err)
	}
	mark := "UPDATE asks SET outcome = 'unknown' WHERE outcome = '' AND exit_status <> '';" + // as it was written then
		"UPDATE attempts SET desk = 0; UPDATE attempts SET desk = 1 WHERE id IN ('" + strings.Join(attempts, "','") + "');"
	if _, err := db.ExecContext(p.t.Context(), mark+fill); err != nil {
		p.t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		p.t.Fatal(err)
	}
}

// uncounted counts what is on the desk anew: the queue's own count was taken
// before the test put more there.
type uncounted struct{ queue.Port }

func (u uncounted) Read(ctx context.Context, q queue.Query) (queue.Answer, error) {
	a, err := u.Port.Read(ctx, q)
	s, ok := a.(queue.Status)
	if !ok {
		return a, err
	}
	open, err := queue.Get[queue.Effects](ctx, u.Port, queue.QEffects{Open: true, Limit: 500})
	s.Counters.Unknown = int64(len(open.Effects))
	return s, err
}

// older is a store of before, brought up, and gone on with.
type older struct {
	*player
	lost, proved, runs, later queue.Begun
}

func olderStore(t *testing.T) *older {
	t.Helper()
	o := &older{player: newPlayer(t, 1)}
	begun := func(command string) queue.Begun {
		s := o.call("s", command)
		o.decide(&s, queue.VerdictAllow)
		return o.begin(&s)
	}
	o.lost, o.proved, o.runs = begun("lost"), begun("proved"), begun("runs")
	o.wall += 10
	must[queue.Reported](o.player, o.agent, queue.Report{Attempt: o.lost.Attempt, Token: o.lost.Token, Exit: queue.ExitTimeout, Ref: "r"})
	must[queue.Reported](o.player, o.agent, queue.Report{Attempt: o.proved.Attempt, Token: o.proved.Token, Exit: queue.ExitBlocked})
	b := o.pay("order", "new") // on the desk too, so that the queue counts something
	must[queue.Reported](o.player, o.agent, queue.Report{Attempt: b.Attempt, Token: b.Token, Exit: queue.ExitTimeout})
	o.broughtUp(o.lost.Attempt, o.proved.Attempt, o.runs.Attempt)
	o.later = begun("later")
	return o
}

// The events of an older store name no effects; what it kept on the desk was
// made into some, and is audited from there on.
func TestEffectsOfAnOlderStore(t *testing.T) {
	alone(t)
	o := olderStore(t)
	if code := o.intact(uncounted{o.operator}); code != "" {
		t.Fatalf("as it was brought up: %s", code)
	}
	o.wall += 10
	o.answer(&o.lost, queue.AttemptCommitted)
	o.answer(&o.proved, queue.AttemptUnknown)
	must[queue.Reported](o.player, o.agent, queue.Report{Attempt: o.runs.Attempt, Token: o.runs.Token, Exit: queue.ExitSuccess})
	if code := o.intact(uncounted{o.operator}); code != "" {
		t.Fatalf("and gone on with: %s", code)
	}
	for _, statement := range []string{
		`UPDATE effects SET standing = 'free' WHERE standing = 'unknown'`,
		`UPDATE facts SET says = 'not_executed', proof = 1 WHERE kind = 'report' AND says = ''`,
		`UPDATE facts SET said_at = said_at + 1 WHERE kind = 'report'`,
		`UPDATE effects SET is_open = 0 WHERE is_open = 1`,
		`DELETE FROM facts WHERE kind = 'report'`,
	} {
		o := olderStore(t)
		o.behind(statement)
		if code := o.intact(uncounted{o.operator}); code != audit.CodeRow {
			t.Errorf("%s: %q", statement, code)
		}
	}
	// Nothing that began since is made an effect so.
	o = olderStore(t)
	o.behind(`UPDATE attempts SET desk = 0`)
	o.behind(`DELETE FROM effects WHERE effect_key = ''`)
	o.behind(`DELETE FROM facts WHERE effect NOT IN (SELECT id FROM effects)`)
	o.broughtUp(o.later.Attempt)
	if code := o.intact(uncounted{o.operator}); code != audit.CodeRow {
		t.Errorf("begun since: %q", code)
	}
}
