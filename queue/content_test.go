package queue_test

import (
	"database/sql"
	"testing"

	_ "modernc.org/sqlite"

	"nod/queue"
)

// behind runs one statement on the store's file, past Nod.
func (w *world) behind(statement string) {
	w.t.Helper()
	db, err := sql.Open("sqlite", w.store.Path())
	if err != nil {
		w.t.Fatal(err)
	}
	r, err := db.ExecContext(w.t.Context(), statement)
	if err != nil {
		w.t.Fatal(err)
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		w.t.Fatalf("%s changed nothing: %v", statement, err)
	}
	if err := db.Close(); err != nil {
		w.t.Fatal(err)
	}
}

func TestAChangedCardIsNeverShown(t *testing.T) {
	alone(t)
	for name, statement := range map[string]string{
		"other arguments": `UPDATE asks SET body = replace(body, '"ls"', '"rm"')`,
		"not JSON":        `UPDATE asks SET body = 'x'`,
		"empty":           `UPDATE asks SET body = '' WHERE 1=1`,
		"other shown":     `UPDATE asks SET shown_digest = action_digest`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			s := w.submit(call("ls"))
			d := w.decision(s.Ask, queue.VerdictAllow)
			w.behind(statement)
			_, err := w.operator.Read(t.Context(), queue.QAsk{ID: s.Ask})
			r, ok := err.(*queue.Refusal)
			if name == "empty" { // pruned: nothing is shown, and nothing to approve by
				v := w.see(s.Ask)
				if v.Card != "" {
					t.Fatalf("shown: %s", v.Card)
				}
				return
			}
			if !ok || r.Code != queue.CodeContentChanged {
				t.Fatalf("read: %v", err)
			}
			if name == "other shown" {
				w.refused(w.operator, d, queue.CodeWrongDigest, 0)
			}
		})
	}
}
